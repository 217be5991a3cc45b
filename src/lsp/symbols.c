/* The definitions of a document, as an outline. */
#include "lsp/description_features.h"
#include "lsp/features.h"
#include "lsp/model_text.h"

/* Kinds of symbols, from the protocol. */
enum { SYMBOL_CLASS = 5, SYMBOL_CONSTANT = 14, SYMBOL_OBJECT = 19 };
enum { MOST_SYMBOLS = 20000 };

static json_t *symbol(const Content *content, const char *name, const char *detail, int kind,
                      Span whole, Span part)
{
    return json_pack("{ss, ss, si, so, so}", "name", name, "detail", detail, "kind", kind, "range",
                     content_range(content, whole), "selectionRange", content_range(content, part));
}

static json_t *definition(const Content *content, const Ast *ast, const AstDef *def)
{
    const Span body = ast->nodes[def->body].span;
    const uint32_t begin = def->span.begin < body.begin ? def->span.begin : body.begin;
    const uint32_t end = def->span.end > body.end ? def->span.end : body.end;
    return symbol(content, def->name, def->process ? "process" : "rate",
                  def->process ? SYMBOL_CLASS : SYMBOL_CONSTANT, (Span){begin, end}, def->span);
}

json_t *feature_symbols(Document *doc, json_t *params, Failure *failure)
{
    (void)params;
    (void)failure;
    const Reading *reading = document_reading(doc);
    if (!reading)
        return NULL;
    if (!reading->model)
        return description_symbols(doc, reading);
    json_t *list = json_array();
    const Ast *ast = reading->model->ast;
    for (int32_t i = 0; list && ast && i < ast->def_count && i < MOST_SYMBOLS; i++)
        list = list_add(list, definition(&doc->content, ast, &ast->defs[i]));
    if (list && ast) {
        const Span span = ast->nodes[ast->system.body].span;
        if (span.begin < span.end)
            list = list_add(list, symbol(&doc->content, "system equation", "", SYMBOL_OBJECT, span,
                                         span));
    }
    return list;
}
