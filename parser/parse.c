/* Runs the parser over a text and finishes the tree: one system equation, after all definitions. */
#include "parser/parse.h"

#include <string.h>

#include "parser/parsing.h"
#include "pepa.tab.h"

static uint32_t line_of(const Source *source, Span span)
{
    uint32_t line, column;
    source_place(source, span.begin, &line, &column);
    return line;
}

/* The first system equation; def_count if there is none. */
static size_t find_system(const AstBuild *build)
{
    size_t at = 0;
    while (at < build->def_count && build->defs[at].name)
        at++;
    return at;
}

/* One system equation, after all definitions.  False: the tree cannot be finished. */
static bool check_order(Parsing *ctx)
{
    AstBuild *build = &ctx->build;
    size_t at = find_system(build);
    Span end = {ctx->previous_span.begin, ctx->previous_span.begin};
    if (at == build->def_count) {
        const AstDef *last = at > 0 ? &build->defs[at - 1] : NULL;
        if (!ctx->broken)
            syntax_error(ctx, end,
                         "no system equation: after the definitions, the system itself is written "
                         "as a component, such as `%s`",
                         last && last->process ? last->name : "P <a> Q");
        AstNode nothing = {AST_NAME, -1, -1, 0, 0, NULL, 0, end, end};
        ast_def(build, true, NULL, end, ast_node(build, nothing));
        return true;
    }
    uint32_t line = line_of(ctx->scan.source, build->defs[at].span);
    for (size_t i = at + 1; i < build->def_count && !ctx->broken; i++) {
        const AstDef *def = &build->defs[i];
        if (def->name)
            syntax_error(ctx, def->span,
                         "`%s` is defined after the system equation (line %u), which comes last",
                         def->name, line);
        else
            syntax_error(ctx, def->span, "a second system equation; the first is in line %u", line);
    }
    return at + 1 == build->def_count;
}

/* `immediate` is a rate of its own, unless it is defined. */
static void find_immediate(Ast *ast)
{
    for (int32_t i = 0; i < ast->def_count; i++)
        if (!ast->defs[i].process && strcmp(ast->defs[i].name, "immediate") == 0)
            return;
    for (int32_t i = 0; i < ast->node_count; i++) {
        AstNode *node = &ast->nodes[i];
        if (node->kind == AST_RATE && node->name && strcmp(node->name, "immediate") == 0) {
            node->kind = AST_IMMEDIATE;
            node->name = NULL;
        }
    }
}

/* NULL when memory is out, and where too little could be read to check what it means. */
static Ast *read_tree(Parsing *ctx)
{
    if (setjmp(ctx->scan.failed) != 0) {
        ctx->build.failed = true;
        return NULL;
    }
    scan_begin(ctx);
    if (pepa_yyparse(ctx) != 0 || ctx->stop || !check_order(ctx))
        return NULL;
    Ast *ast = ast_finish(&ctx->build);
    size_t size = (size_t)ctx->lost_count * sizeof *ctx->lost;
    const char **lost = ast ? arena_alloc(ctx->build.arena, size) : NULL;
    if (!lost) {
        ctx->build.failed = true;
        return NULL;
    }
    if (size)
        memcpy(lost, ctx->lost, size);
    find_immediate(ast);
    ast->lost = lost;
    ast->lost_count = ctx->lost_count;
    return ast;
}

PepaStatus parse_text(const Source *source, Arena *arena, Ast **out, DiagList *diags)
{
    size_t errors = diags->errors;
    bool no_memory = false;
    Ast *ast = NULL;
    const char *nul = memchr(source->text, '\0', source->length);
    if (nul) {
        uint32_t at = (uint32_t)(nul - source->text);
        diag_error(diags, (Span){at, at + 1}, "a NUL byte: this is not text in UTF-8");
    } else {
        Parsing ctx = {.scan.source = source, .diags = diags, .build = {.arena = arena}};
        ast = read_tree(&ctx);
        no_memory = ctx.build.failed;
        arena_free(&ctx.scan.arena);
        ast_build_free(&ctx.build);
        mem_free(ctx.arguments);
    }
    if (no_memory || diags->no_memory)
        return PEPA_ENOMEM;
    if (ast)
        *out = ast;
    return diags->errors == errors ? PEPA_OK : PEPA_ESYNTAX;
}
