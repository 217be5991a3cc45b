/* Prints rate expressions of a model: as nodes of a syntax tree, by the printer of these. */
#include "parser/rate_text.h"

#include "parser/ast.h"

static const AstKind kinds[] = {
    [EXPR_NUMBER] = AST_NUMBER,
    [EXPR_RATE] = AST_RATE,
    [EXPR_COUNT] = AST_COUNT,
    [EXPR_PASSIVE] = AST_RATE,
    [EXPR_ADD] = AST_ADD,
    [EXPR_SUB] = AST_SUB,
    [EXPR_MUL] = AST_MUL,
    [EXPR_DIV] = AST_DIV,
    [EXPR_MIN] = AST_MIN,
    [EXPR_MAX] = AST_MAX,
    [EXPR_POW] = AST_POW,
    [EXPR_NEG] = AST_NEG,
    [EXPR_LESS] = AST_LESS,
    [EXPR_LESS_EQUAL] = AST_LESS_EQUAL,
    [EXPR_GREATER] = AST_GREATER,
    [EXPR_GREATER_EQUAL] = AST_GREATER_EQUAL,
    [EXPR_EQUAL] = AST_EQUAL,
    [EXPR_UNEQUAL] = AST_UNEQUAL,
    [EXPR_AND] = AST_AND,
    [EXPR_OR] = AST_OR,
    [EXPR_NOT] = AST_NOT,
    [EXPR_IF] = AST_IF,
    [EXPR_ELSE] = AST_ELSE,
    [EXPR_EXP] = AST_EXP,
    [EXPR_LOG] = AST_LOG,
    [EXPR_SQRT] = AST_SQRT,
    [EXPR_IMMEDIATE] = AST_IMMEDIATE,
    [EXPR_PRIORITY] = AST_PRIORITY,
    [EXPR_ERLANG] = AST_ERLANG,
    [EXPR_HYPER] = AST_HYPER,
    [EXPR_COX] = AST_COX,
    [EXPR_FILE] = AST_FILE,
    [EXPR_DET] = AST_DET,
    [EXPR_UNIFORM] = AST_UNIFORM,
    [EXPR_LOGNORMAL] = AST_LOGNORMAL,
    [EXPR_TRACE] = AST_TRACE,
    [EXPR_LIST] = AST_LIST,
    [EXPR_PAIR] = AST_PAIR,
};

static const char *name_of(const Model *model, const Expr *e)
{
    return e->op == EXPR_RATE      ? model->rates[e->a].name
           : e->op == EXPR_COUNT   ? model->locals[e->a].name
           : e->op == EXPR_FILE    ? model->traces[e->a].name
           : e->op == EXPR_PASSIVE ? "T"
                                   : NULL;
}

bool rate_texts(const Model *model, Arena *arena, const char **text)
{
    AstNode *nodes = mem_calloc((size_t)model->expr_count, sizeof *nodes);
    const Ast ast = {.nodes = nodes, .node_count = model->expr_count};
    bool ok = nodes != NULL;
    for (int32_t i = 0; ok && i < model->expr_count; i++) {
        const Expr *e = &model->exprs[i];
        nodes[i] = (AstNode){.kind = kinds[e->op],
                             .a = e->a,
                             .b = e->b,
                             .name = name_of(model, e),
                             .number = e->number};
    }
    for (int32_t k = 0; ok && k < model->activity_count; k++) {
        const int32_t expr = model->activities[k].expr;
        Text out = {0};
        if (text[expr])
            continue;
        ast_print_rate(&ast, expr, &out);
        text[expr] = out.failed ? NULL : arena_copy(arena, out.text, out.length);
        ok = text[expr] != NULL;
        text_free(&out);
    }
    mem_free(nodes);
    return ok;
}
