/* Lays documents out; the result is checked to say the same. */
#include <string.h>

#include "lsp/description_text.h"
#include "lsp/features.h"
#include "lsp/layout.h"
#include "lsp/model_text.h"
#include "lsp/read.h"

/* Does the text, laid out, say what the document says?  *ok: false where memory is out. */
static bool says_the_same(const Document *doc, const Text *text, bool *ok)
{
    Content content = {0};
    Reading now = {0};
    const Reading *was = &doc->reading;
    *ok = content_set(&content, text->text ? text->text : "", text->length) &&
          reading_make(&now, doc->language, doc->path, &content);
    const bool same = *ok && now.whole &&
                      (was->model ? ast_equal(was->model->ast, now.model->ast)
                                  : description_text_equal(was->description, now.description));
    reading_free(&now);
    content_free(&content);
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
    if (!reading->whole)
        return failed(failure, LSP_REQUEST_FAILED,
                      "the text has errors of syntax; mend these first");
    Text text = {0};
    if (reading->model)
        layout_model(&reading->source, &text);
    else
        layout_description(&reading->source, reading->description, &text);
    bool ok = !text.failed;
    json_t *result = NULL;
    if (ok && says_the_same(doc, &text, &ok))
        result = edits(doc, &text);
    else if (ok)
        (void)failed(failure, LSP_REQUEST_FAILED, "this text cannot be laid out afresh");
    text_free(&text);
    return result;
}
