/* Prints a model in normal form. */
#include "api/handles.h"
#include "parser/parse.h"

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

PepaStatus pepa_model_print(const PepaModel *handle, char **text, PepaError *err)
{
    if (!handle || !text)
        return error_null(err, "pepa_model_print");
    Arena arena = {0};
    DiagList diags = {0};
    Ast *ast = NULL;
    Text out = {0};
    PepaStatus status = parse_text(&handle->model->source, &arena, &ast, &diags);
    if (status == PEPA_OK) {
        apply_defines(handle->model, ast);
        ast_print(ast, &out);
    }
    bool ok = status == PEPA_OK && !out.failed;
    if (ok)
        *text = out.text;
    else
        text_free(&out);
    arena_free(&arena);
    diag_free(&diags);
    return ok ? PEPA_OK : error_memory(err);
}
