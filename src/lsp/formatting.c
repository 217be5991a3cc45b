/* Lays documents out; the result is checked to say the same. */
#include <string.h>

#include "lsp/features.h"
#include "lsp/layout.h"
#include "lsp/model_text.h"
#include "parser/parse.h"

/* Does the text say what the tree says?  *ok: false where memory is out. */
static bool says_the_same(const Ast *tree, const Source *source, bool *ok)
{
    Arena arena = {0};
    DiagList diags = {0};
    Ast *again = NULL;
    const PepaStatus status = parse_text(source, &arena, &again, &diags);
    const bool same = status == PEPA_OK && ast_equal(tree, again);
    *ok = status != PEPA_ENOMEM;
    diag_free(&diags);
    arena_free(&arena);
    return same;
}

/* One edit of the whole text, or none. */
static json_t *edits(const Document *doc, const Text *text)
{
    const Content *content = &doc->content;
    if (text->length == content->length && memcmp(text->text, content->text, text->length) == 0)
        return json_array();
    return json_pack("[{so, ss}]", "range",
                     content_range(content, (Span){0, (uint32_t)content->length}), "newText",
                     text->text);
}

json_t *feature_formatting(Document *doc, json_t *params, Failure *failure)
{
    (void)params;
    const Reading *reading = document_reading(doc);
    if (!reading)
        return NULL;
    if (!reading->model)
        return json_null(); /* descriptions are left as they are */
    if (!reading->whole)
        return failed(failure, LSP_REQUEST_FAILED,
                      "the text has errors of syntax; mend these first");
    Text text = {0};
    layout_text(&reading->source, &text);
    bool ok = !text.failed;
    json_t *result = NULL;
    if (ok) {
        const Source source = {reading->source.name, text.text ? text.text : "", text.length};
        if (says_the_same(reading->model->ast, &source, &ok))
            result = edits(doc, &text);
        else if (ok)
            (void)failed(failure, LSP_REQUEST_FAILED, "this text cannot be laid out afresh");
    }
    text_free(&text);
    return result;
}
