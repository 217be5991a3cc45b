/* Reads a model: parses the text, runs the checks in order, and builds the Model from what they
 * found. */
#include "parser/check.h"

#include <math.h>
#include <string.h>

#include "parser/checking.h"
#include "parser/parse.h"

/* ---- defines ----------------------------------------------------------------------------- */

PepaStatus check_defines(Check *check, const PepaDefine *defines, size_t count, PepaError *err)
{
    check->defined = check_alloc(check, check->rates.count, sizeof *check->defined);
    check->define = check_alloc(check, check->rates.count, sizeof *check->define);
    for (size_t i = 0; i < count && !check->no_memory; i++) {
        const char *name = defines[i].rate;
        int32_t rate = intern_find(&check->rates, name, strlen(name));
        if (rate < 0)
            return error_set(err, PEPA_EARG, "the model has no rate `%s`%s", name,
                             check_suggestion(check, name, check->rates.names, check->rates.count));
        if (!isfinite(defines[i].value))
            return error_set(err, PEPA_EARG, "the value given for rate `%s` is not finite", name);
        check->defined[rate] = true;
        check->define[rate] = defines[i].value;
    }
    return check->no_memory ? error_memory(err) : PEPA_OK;
}

/* ---- building the model -------------------------------------------------------------------- */

static void *keep(Model *model, const void *items, size_t count, size_t size)
{
    void *copy = arena_alloc(&model->arena, count * size);
    if (copy && count)
        memcpy(copy, items, count * size);
    return copy;
}

static const char *keep_name(Model *model, const char *name)
{
    return arena_copy(&model->arena, name, strlen(name));
}

static bool fill_exprs(Model *model, const Check *check, Locals *locals)
{
    const int32_t count = check->exprs.count;
    model->exprs = arena_alloc(&model->arena, (size_t)count * sizeof *model->exprs);
    model->expr_count = count;
    for (int32_t i = 0; model->exprs && i < count; i++) {
        const ConsKey key = cons_key(&check->exprs, i);
        Expr *expr = &model->exprs[i];
        *expr = (Expr){(ExprOp)key.kind, key.a, key.b, key.number, false};
        if (expr->op == EXPR_COUNT) {
            expr->a = locals_count(locals, key.a);
            expr->functional = true;
        } else if (expr->op == EXPR_RATE) {
            expr->functional = check->rate[expr->a].functional;
        } else if (expr->op >= EXPR_ADD) {
            expr->functional = model->exprs[expr->a].functional ||
                               (expr->b >= 0 && model->exprs[expr->b].functional);
        }
    }
    return model->exprs && !check->no_memory;
}

static bool fill_rates(Model *model, const Check *check)
{
    size_t count = check->rates.count;
    model->rate_count = (int32_t)count;
    model->rates = arena_alloc(&model->arena, count * sizeof *model->rates);
    model->rate_order = keep(model, check->rate_order, count, sizeof *check->rate_order);
    bool ok = model->rates && model->rate_order;
    for (size_t i = 0; ok && i < count; i++) {
        const Meaning *meaning = &check->rate[i];
        Value value = {meaning->functional ? NAN : meaning->value, meaning->level,
                       PRIORITY_UNSTATED};
        model->rates[i] = (Rate){keep_name(model, check->rates.names[i]),
                                 check->rate_expr[i],
                                 value,
                                 check->structural[i],
                                 check->whole[i],
                                 check->rate_def[i]->span,
                                 check->defined[i]};
        ok = model->rates[i].name != NULL;
    }
    return ok;
}

static bool fill_actions(Model *model, const Check *check)
{
    size_t count = check->actions.count;
    model->action_count = (int32_t)count;
    model->actions = arena_alloc(&model->arena, count * sizeof *model->actions);
    bool ok = model->actions != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        model->actions[i] = keep_name(model, check->actions.names[i]);
        ok = model->actions[i] != NULL;
    }
    return ok;
}

static bool fill_locals(Model *model, const Locals *locals)
{
    model->local_count = (int32_t)locals->local_count;
    model->activity_count = (int32_t)locals->activity_count;
    model->locals = keep(model, locals->locals, locals->local_count, sizeof *model->locals);
    model->activities =
        keep(model, locals->activities, locals->activity_count, sizeof *model->activities);
    bool ok = model->locals && model->activities;
    for (size_t i = 0; ok && i < locals->local_count; i++) {
        model->locals[i].name = keep_name(model, locals->locals[i].name);
        model->phases = model->phases || model->locals[i].whole != (int32_t)i;
        ok = model->locals[i].name != NULL;
    }
    return ok;
}

static bool fill_traces(Model *model, const Check *check)
{
    const size_t count = check->files.count;
    model->traces = arena_alloc(&model->arena, count * sizeof *model->traces);
    bool ok = model->traces != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        model->traces[i] =
            (Trace){.name = keep_name(model, check->files.names[i]), .span = check->file_span[i]};
        ok = model->traces[i].name != NULL;
    }
    model->trace_count = (int32_t)count;
    for (int32_t k = 0; k < model->activity_count; k++)
        model->durations = model->durations || model_is_duration(model, model->activities[k].expr);
    return ok;
}

static bool fill_nodes(Model *model, const Tree *tree)
{
    model->node_count = (int32_t)tree->node_count;
    model->nodes = keep(model, tree->nodes, tree->node_count, sizeof *model->nodes);
    model->sets = keep(model, tree->sets, tree->set_count, sizeof *model->sets);
    for (size_t i = 0; model->nodes && i < tree->node_count; i++) {
        model->nodes[i].set_first = tree->set_first[tree->origin[i]];
        model->nodes[i].set_count = tree->set_size[tree->origin[i]];
    }
    return model->nodes && model->sets;
}

/* ---- all passes ---------------------------------------------------------------------------- */

static bool has_errors(const Check *check)
{
    return check->diags->errors > check->errors_before;
}

/* The steps that need a model without errors. */
static void build(Check *check, Model *model)
{
    Locals locals = {.check = check};
    Tree tree = {.locals = &locals};
    locals_begin(&locals);
    if (!check->no_memory)
        tree_unfold(&tree);
    if (!check->no_memory && !has_errors(check))
        tree_sets(&tree);
    if (!check->no_memory && !has_errors(check))
        check_unused(check);
    if (!check->no_memory && !has_errors(check))
        phases_expand(check, &locals);
    if (!check->no_memory && !has_errors(check))
        check->no_memory = !(fill_exprs(model, check, &locals) && fill_rates(model, check) &&
                             fill_actions(model, check) && fill_locals(model, &locals) &&
                             fill_traces(model, check) && fill_nodes(model, &tree));
    tree_free(&tree);
    locals_free(&locals);
}

static PepaStatus check_tree(Check *check, const PepaDefine *defines, size_t define_count,
                             Model *model, PepaError *err)
{
    void (*const passes[])(Check *) = {check_rates, check_processes, check_values, check_durations};
    check_names(check);
    PepaStatus status =
        check->no_memory ? error_memory(err) : check_defines(check, defines, define_count, err);
    if (status != PEPA_OK)
        return status;
    for (size_t i = 0; i < sizeof passes / sizeof *passes && !check->no_memory; i++)
        passes[i](check);
    if (!check->no_memory && !has_errors(check))
        build(check, model);
    if (check->no_memory || check->diags->no_memory)
        return error_memory(err);
    if (has_errors(check))
        return error_set(err, PEPA_EMODEL, "%s", pepa_status_text(PEPA_EMODEL));
    return PEPA_OK;
}

static void check_free(Check *check)
{
    intern_free(&check->rates);
    intern_free(&check->processes);
    intern_free(&check->actions);
    intern_free(&check->files);
    mem_free(check->file_span);
    lists_free(&check->exprs);
    arena_free(&check->scratch);
}

/* A model that holds its source and nothing else. */
static Model *begin_model(const char *name, const char *text, size_t length)
{
    Model *model = mem_calloc(1, sizeof *model);
    if (!model)
        return NULL;
    char *copy = arena_alloc(&model->arena, length + 2);
    model->source = (Source){keep_name(model, name), copy, length};
    if (!copy || !model->source.name) {
        model_free(model);
        return NULL;
    }
    if (length)
        memcpy(copy, text, length);
    return model;
}

PepaStatus model_read_tree(Model **out, Ast **tree, Arena *arena, const char *name,
                           const char *text, size_t length, const PepaDefine *defines,
                           size_t define_count, DiagList *diags, PepaError *err)
{
    if (length > TEXT_MOST)
        return error_set(err, PEPA_ELIMIT, "the text is longer than 2 GB");
    Model *model = begin_model(name, text, length);
    if (!model)
        return error_memory(err);
    Check check = {.source = &model->source,
                   .diags = diags,
                   .errors_before = diags->errors,
                   .suggestions = CHECK_SUGGESTIONS};
    Ast *ast = NULL;
    PepaStatus status = parse_text(&model->source, arena ? arena : &check.scratch, &ast, diags);
    check.ast = ast;
    if (status == PEPA_OK) {
        status = check_tree(&check, defines, define_count, model, err);
    } else { /* what could be parsed is checked too; the status is the parser's */
        if (ast && check_tree(&check, defines, define_count, model, err) == PEPA_ENOMEM)
            status = PEPA_ENOMEM;
        error_set(err, status, "%s", pepa_status_text(status));
    }
    check_free(&check);
    diag_sort(diags);
    if (tree && status != PEPA_ENOMEM)
        *tree = ast;
    if (status == PEPA_OK)
        *out = model;
    else
        model_free(model);
    return status;
}

PepaStatus model_read(Model **out, const char *name, const char *text, size_t length,
                      const PepaDefine *defines, size_t define_count, DiagList *diags,
                      PepaError *err)
{
    return model_read_tree(out, NULL, NULL, name, text, length, defines, define_count, diags, err);
}
