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

/* One system equation, behind all definitions. */
static void check_order(Parsing *ctx)
{
    const AstBuild *build = &ctx->build;
    size_t at = 0;
    while (at < build->def_count && build->defs[at].name)
        at++;
    if (at == build->def_count) {
        uint32_t end = ctx->previous_span.begin;
        syntax_error(ctx, (Span){end, end},
                     "no system equation: after the definitions, the system itself is written as "
                     "a component, such as `P <a> Q`");
        return;
    }
    uint32_t line = line_of(ctx->source, build->defs[at].span);
    for (size_t i = at + 1; i < build->def_count; i++) {
        const AstDef *def = &build->defs[i];
        if (def->name)
            syntax_error(ctx, def->span,
                         "`%s` is defined behind the system equation (line %u), which comes last",
                         def->name, line);
        else
            syntax_error(ctx, def->span, "a second system equation; the first is in line %u", line);
    }
}

/* NULL when memory is out, or after errors that leave the tree with holes. */
static Ast *read_tree(Parsing *ctx)
{
    size_t errors = ctx->diags->errors;
    if (setjmp(ctx->no_scanner) != 0)
        return NULL;
    scan_begin(ctx);
    (void)pepa_yyparse(ctx);
    errors += ctx->slips;
    if (ctx->diags->errors == errors && !ctx->build.failed)
        check_order(ctx);
    return ctx->diags->errors == errors ? ast_finish(&ctx->build) : NULL;
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
        Parsing ctx = {.source = source, .diags = diags, .build = {.arena = arena}};
        ast = read_tree(&ctx);
        no_memory = ctx.build.failed;
        scan_end(&ctx);
        ast_build_free(&ctx.build);
    }
    if (no_memory || diags->no_memory || (diags->errors == errors && !ast))
        return PEPA_ENOMEM;
    if (ast)
        *out = ast;
    return diags->errors == errors ? PEPA_OK : PEPA_ESYNTAX;
}
