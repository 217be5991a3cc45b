/* From text to syntax tree. */
#include <string.h>

#include "amoget/syntax/parser.h"
#include "desc.tab.h"

static bool read_tree(Parser *ctx)
{
    size_t errors = ctx->diags->errors;
    if (setjmp(ctx->scan.failed) != 0) {
        ctx->tree->failed = true;
        return false;
    }
    parser_begin(ctx);
    (void)desc_yyparse(ctx);
    ctx->tree->end = ctx->before.word.span;
    return ctx->diags->errors == errors + ctx->slips && !ctx->stop;
}

PepaStatus syntax_read(const Source *source, Arena *arena, Syntax *tree, bool *whole,
                       DiagList *diags)
{
    const char *nul = memchr(source->text, '\0', source->length);
    *whole = false;
    if (nul) {
        uint32_t at = (uint32_t)(nul - source->text);
        diag_error(diags, (Span){at, at + 1}, "a NUL byte: this is not text in UTF-8");
        return PEPA_ESYNTAX;
    }
    Parser ctx = {.scan.source = source, .diags = diags, .arena = arena, .tree = tree};
    *whole = read_tree(&ctx);
    arena_free(&ctx.scan.arena);
    if (tree->failed || diags->no_memory)
        return PEPA_ENOMEM;
    return *whole && ctx.slips == 0 ? PEPA_OK : PEPA_ESYNTAX;
}
