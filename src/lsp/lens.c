/* A lens above the system equation, by which the model is solved. */
#include "lsp/features.h"
#include "lsp/model_text.h"
#include "lsp/solve.h"

json_t *feature_lens(Document *doc, json_t *params, Failure *failure)
{
    (void)params;
    (void)failure;
    const Reading *reading = document_reading(doc);
    if (!reading)
        return NULL;
    if (!reading->model || !reading->model->model)
        return json_array();
    const Ast *ast = reading->model->ast;
    const Span span = ast->nodes[ast->system.body].span;
    return json_pack("[{so, s{ss, ss, s[s]}}]", "range", content_range(&doc->content, span),
                     "command", "title", "Solve: steady state", "command", SOLVE_COMMAND,
                     "arguments", doc->uri);
}
