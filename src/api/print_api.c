/* A model's text, laid out afresh. */
#include "api/handles.h"
#include "parser/parse.h"

PepaStatus pepa_model_print(const PepaModel *handle, char **text, PepaError *err)
{
    if (!handle || !text)
        return error_set(err, PEPA_EARG, "pepa_model_print: an argument is NULL");
    Arena arena = {0};
    DiagList diags = {0};
    Ast *ast = NULL;
    Text out = {0};
    PepaStatus status = parse_text(&handle->model->source, &arena, &ast, &diags);
    if (status == PEPA_OK)
        ast_print(ast, &out);
    if (status == PEPA_OK && !out.failed && out.text)
        *text = out.text;
    else
        text_free(&out);
    bool ok = status == PEPA_OK && !out.failed;
    arena_free(&arena);
    diag_free(&diags);
    return ok ? PEPA_OK : error_memory(err);
}
