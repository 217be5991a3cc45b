/* Builds and compares syntax trees. */
#include "parser/ast.h"

#include <string.h>

int32_t ast_node(AstBuild *build, AstNode node)
{
    if (build->failed ||
        !mem_reserve(&build->nodes, &build->node_cap, build->node_count + 1, sizeof node)) {
        build->failed = true;
        return 0;
    }
    build->nodes[build->node_count] = node;
    return (int32_t)build->node_count++;
}

int32_t ast_word(AstBuild *build, const char *name, Span span)
{
    if (build->failed || !mem_reserve(&build->words, &build->word_cap, build->word_count + 1,
                                      sizeof *build->words)) {
        build->failed = true;
        return 0;
    }
    build->words[build->word_count] = (AstWord){name, span};
    return (int32_t)build->word_count++;
}

void ast_def(AstBuild *build, bool process, const char *name, Span span, int32_t body)
{
    if (build->failed ||
        !mem_reserve(&build->defs, &build->def_cap, build->def_count + 1, sizeof *build->defs)) {
        build->failed = true;
        return;
    }
    int32_t first = build->def_count ? build->defs[build->def_count - 1].body + 1 : 0;
    build->defs[build->def_count++] = (AstDef){process, name, span, first, body};
}

void ast_drop(AstBuild *build)
{
    build->node_count = build->def_count ? (size_t)build->defs[build->def_count - 1].body + 1 : 0;
}

static void *keep(Arena *arena, const void *items, size_t count, size_t size)
{
    void *copy = arena_alloc(arena, count * size);
    if (copy && count)
        memcpy(copy, items, count * size);
    return copy;
}

Ast *ast_finish(AstBuild *build)
{
    Ast *ast = build->failed ? NULL : arena_alloc(build->arena, sizeof *ast);
    if (!ast)
        return NULL;
    ast->system = build->defs[build->def_count - 1];
    ast->node_count = (int32_t)build->node_count;
    ast->word_count = (int32_t)build->word_count;
    ast->def_count = (int32_t)build->def_count - 1;
    ast->nodes = keep(build->arena, build->nodes, build->node_count, sizeof *build->nodes);
    ast->words = keep(build->arena, build->words, build->word_count, sizeof *build->words);
    ast->defs = keep(build->arena, build->defs, build->def_count - 1, sizeof *build->defs);
    return ast->nodes && ast->words && ast->defs ? ast : NULL;
}

void ast_build_free(AstBuild *build)
{
    mem_free(build->nodes);
    mem_free(build->words);
    mem_free(build->defs);
    *build = (AstBuild){.arena = build->arena};
}

bool ast_is_rate(AstKind kind)
{
    return kind <= AST_PAIR;
}

int ast_operands(AstKind kind)
{
    switch (kind) {
    case AST_NUMBER:
    case AST_RATE:
    case AST_COUNT:
    case AST_PASSIVE:
    case AST_IMMEDIATE:
    case AST_FILE:
    case AST_NAME:
        return 0;
    case AST_NEG:
    case AST_NOT:
    case AST_EXP:
    case AST_LOG:
    case AST_SQRT:
    case AST_PRIORITY:
    case AST_HYPER:
    case AST_COX:
    case AST_DET:
    case AST_TRACE:
    case AST_HIDE:
        return 1;
    default:
        return 2;
    }
}

bool ast_is_static(AstKind kind)
{
    return kind == AST_COOP || kind == AST_HIDE || kind == AST_COPIES;
}

bool ast_function(const char *name, AstKind *kind)
{
    static const struct {
        const char *name;
        AstKind kind;
    } functions[] = {{"min", AST_MIN},       {"max", AST_MAX},         {"pow", AST_POW},
                     {"exp", AST_EXP},       {"log", AST_LOG},         {"sqrt", AST_SQRT},
                     {"erlang", AST_ERLANG}, {"hyper", AST_HYPER},     {"cox", AST_COX},
                     {"det", AST_DET},       {"uniform", AST_UNIFORM}, {"lognormal", AST_LOGNORMAL},
                     {"trace", AST_TRACE}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            *kind = functions[i].kind;
            return true;
        }
    }
    return false;
}

static bool same_name(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_node(const AstNode *x, const AstNode *y)
{
    return x->kind == y->kind && x->a == y->a && x->b == y->b && x->word == y->word &&
           x->word_count == y->word_count && !(x->number < y->number) && !(x->number > y->number) &&
           same_name(x->name, y->name);
}

static bool same_def(const AstDef *x, const AstDef *y)
{
    return x->process == y->process && x->first == y->first && x->body == y->body &&
           same_name(x->name, y->name);
}

bool ast_equal(const Ast *a, const Ast *b)
{
    if (a->node_count != b->node_count || a->word_count != b->word_count ||
        a->def_count != b->def_count || !same_def(&a->system, &b->system))
        return false;
    for (int32_t i = 0; i < a->node_count; i++)
        if (!same_node(&a->nodes[i], &b->nodes[i]))
            return false;
    for (int32_t i = 0; i < a->word_count; i++)
        if (!same_name(a->words[i].name, b->words[i].name))
            return false;
    for (int32_t i = 0; i < a->def_count; i++)
        if (!same_def(&a->defs[i], &b->defs[i]))
            return false;
    return true;
}
