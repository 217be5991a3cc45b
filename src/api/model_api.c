/* pepa_model_*: reading, printing, and what a model tells about itself. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "api/handles.h"
#include "api/traces.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/intern.h"
#include "parser/check.h"
#include "parser/ast.h"
#include "parser/parse.h"

const char *pepa_version(void)
{
    return PEPA_VERSION;
}

PepaStatus pepa_model_parse(PepaModel **out, const char *name, const char *text, size_t length,
                            const PepaReading *how, PepaError *err)
{
    static const PepaReading plain = {0};
    if (!out || !name || (!text && length))
        return error_null(err, "pepa_model_parse");
    if (!how)
        how = &plain;
    for (size_t i = 0; i < how->define_count; i++)
        if (!how->defines || !how->defines[i].rate)
            return error_set(err, PEPA_EARG, "pepa_model_parse: a define is NULL");
    if (!ALL_ZERO(how->reserved))
        return error_set(err, PEPA_EARG,
                         "pepa_model_parse: reserved words must be 0; is the library older than "
                         "pepa.h?");
    PepaModel *handle = mem_calloc(1, sizeof *handle);
    if (!handle)
        return error_memory(err);
    atomic_init(&handle->users, 1);
    DiagList diags = {0};
    PepaStatus status = model_read(&handle->model, name, text ? text : "", length, how->defines,
                                   how->define_count, &diags, err);
    if (status == PEPA_OK)
        status = traces_read(handle->model, how, &diags, err);
    Source source = {name, text ? text : "", length};
    if (status == PEPA_OK || status == PEPA_ESYNTAX || status == PEPA_EMODEL)
        status = diagnose_all(&diags, &source, how->diagnose, how->user, status, err);
    diag_free(&diags);
    if (status == PEPA_OK)
        *out = handle;
    else
        pepa_model_free(handle);
    return status;
}

PepaStatus pepa_model_load(PepaModel **out, const char *path, const PepaReading *how,
                           PepaError *err)
{
    if (!out || !path)
        return error_null(err, "pepa_model_load");
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(err, PEPA_EIO, "cannot open %s: %s", path, strerror(errno));
    Text text = {0};
    text_read(&text, file, TEXT_MOST);
    PepaStatus status = text.failed ? error_memory(err)
                        : ferror(file)
                            ? error_set(err, PEPA_EIO, "cannot read %s: %s", path, strerror(errno))
                            : PEPA_OK;
    (void)fclose(file);
    if (status == PEPA_OK)
        status = pepa_model_parse(out, path, text.text, text.length, how, err);
    text_free(&text);
    return status;
}

void pepa_model_free(PepaModel *handle)
{
    if (!handle || atomic_fetch_sub(&handle->users, 1) > 1)
        return;
    model_free(handle->model);
    mem_free(handle);
}

int32_t pepa_model_rate_count(const PepaModel *handle)
{
    return handle->model->rate_count;
}

const char *pepa_model_rate_name(const PepaModel *handle, int32_t rate)
{
    return handle->model->rates[rate].name;
}

double pepa_model_rate_value(const PepaModel *handle, int32_t rate)
{
    return handle->model->rates[rate].value.value;
}

PepaStatus model_find_rate(const Model *model, const char *name, int32_t *rate, PepaError *err)
{
    const char **names = NULL;
    for (int32_t r = 0; r < model->rate_count; r++)
        if (strcmp(model->rates[r].name, name) == 0) {
            *rate = r;
            return PEPA_OK;
        }
    if (!mem_new(names, model->rate_count))
        return error_memory(err);
    for (int32_t r = 0; r < model->rate_count; r++)
        names[r] = model->rates[r].name;
    const char *meant = suggest(name, names, (size_t)model->rate_count);
    (void)error_set(err, PEPA_EARG, "the model has no rate `%s`%s%s%s", name,
                    meant ? "; did you mean `" : "", meant ? meant : "", meant ? "`?" : "");
    mem_free(names);
    return PEPA_EARG;
}

int32_t pepa_model_action_count(const PepaModel *handle)
{
    return handle->model->action_count;
}

const char *pepa_model_action_name(const PepaModel *handle, int32_t action)
{
    return handle->model->actions[action];
}

/* A rate that was given another value is printed with it. */
static void apply_defines(const Model *model, Ast *ast)
{
    int32_t rate = 0; /* the model has its rates in the order of their definitions */
    for (int32_t i = 0; i < ast->def_count; i++) {
        const AstDef *def = &ast->defs[i];
        if (def->process)
            continue;
        const Expr *e = &model->exprs[model->rates[rate++].expr];
        AstNode *body = &ast->nodes[def->body];
        if (e->op == EXPR_NUMBER && (body->kind != AST_NUMBER || body->number != e->number))
            *body = (AstNode){.kind = AST_NUMBER, .a = -1, .b = -1, .number = e->number};
    }
}

PepaStatus model_tree(const Model *model, Arena *arena, Ast **ast)
{
    DiagList diags = {0};
    PepaStatus status = parse_text(&model->source, arena, ast, &diags);
    if (status == PEPA_OK)
        apply_defines(model, *ast);
    diag_free(&diags);
    return status;
}

PepaStatus pepa_model_print(const PepaModel *handle, char **text, PepaError *err)
{
    if (!handle || !text)
        return error_null(err, "pepa_model_print");
    Arena arena = {0};
    Ast *ast = NULL;
    Text out = {0};
    PepaStatus status = model_tree(handle->model, &arena, &ast);
    if (status == PEPA_OK)
        ast_print(ast, &out);
    bool ok = status == PEPA_OK && !out.failed;
    if (ok)
        *text = out.text;
    else
        text_free(&out);
    arena_free(&arena);
    return ok ? PEPA_OK : error_memory(err);
}

void pepa_text_free(char *text)
{
    mem_free(text);
}
