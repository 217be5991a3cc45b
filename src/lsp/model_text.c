/* Reads models through the parser; the library reads what else they need. */
#include "lsp/model_text.h"

#include "base/clock.h"
#include "parser/check.h"
#include "pepa.h"

/* Errors in files of durations, which the library reads with the model. */
static bool read_traces(const Reading *reading, DiagList *diags)
{
    DiagList found = {0};
    Collecting to = {&reading->source, &found, reading->model->model->traces[0].span};
    PepaModel *model = NULL;
    const PepaReading how = {.diagnose = reading_collect, .user = &to};
    const PepaStatus status = pepa_model_parse(&model, reading->source.name, reading->source.text,
                                               reading->source.length, &how, NULL);
    pepa_model_free(model);
    for (size_t i = 0; i < found.count; i++)
        if (found.items[i].severity == PEPA_ERROR)
            diag_error(diags, found.items[i].span, "%s", found.items[i].message);
    diag_free(&found);
    return status != PEPA_ENOMEM && !diags->no_memory;
}

bool model_text_read(Reading *reading)
{
    ModelText *text = mem_calloc(1, sizeof *text);
    reading->model = text;
    if (!text)
        return false;
    const Source *source = &reading->source;
    const PepaStatus status =
        model_read_tree(&text->model, &text->ast, &reading->arena, source->name, source->text,
                        source->length, NULL, 0, &reading->diags, NULL);
    reading->whole = status == PEPA_OK || status == PEPA_EMODEL;
    if (status == PEPA_OK && text->model->trace_count > 0)
        return read_traces(reading, &reading->diags);
    return status != PEPA_ENOMEM;
}

/* The time for a chain is limited: a document is not read again before. */
typedef struct {
    Collecting to; /* first: it is what reading_collect gets */
    double begun;
} Exploring;

static int late(void *user, const PepaProgress *now)
{
    const Exploring *exploring = user;
    (void)now;
    return clock_seconds() - exploring->begun > MODEL_TEXT_MOST_SECONDS;
}

bool model_text_chain(const Reading *reading, DiagList *diags)
{
    if (!reading->model || !reading->model->model || reading->model->model->durations ||
        reading->model->model->local_count > MODEL_TEXT_MOST_LOCALS)
        return true;
    const Source *source = &reading->source;
    Exploring exploring = {{source, diags, {SPAN_NOWHERE, SPAN_NOWHERE}}, clock_seconds()};
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaSettings set = {.user = &exploring,
                        .progress = late,
                        .memory = (int64_t)1 << 30,
                        .derive = {.max_states = MODEL_TEXT_MOST_STATES,
                                   .diagnose = reading_collect}};
    PepaStatus status =
        pepa_model_parse(&model, source->name, source->text, source->length, NULL, NULL);
    if (status == PEPA_OK)
        status = pepa_chain_derive(&chain, model, &set, NULL);
    pepa_chain_free(chain);
    pepa_model_free(model);
    return status != PEPA_ENOMEM && !diags->no_memory;
}

/* ---- names --------------------------------------------------------------------------------- */

static bool add_words(Mentions *mentions, const Ast *ast)
{
    const size_t first = mentions->count;
    bool ok = true;
    for (int32_t i = 0; ok && i < ast->word_count; i++)
        ok = mentions_add(mentions, (Mention){NAME_ACTION, ast->words[i].name, ast->words[i].span,
                                              -1, false});
    for (int32_t i = 0; ok && i < ast->node_count; i++)
        if (ast->nodes[i].kind == AST_PREFIX)
            mentions->each[first + (size_t)ast->nodes[i].word].declares = true;
    return ok;
}

bool model_text_names(const ModelText *text, Mentions *mentions)
{
    const Ast *ast = text->ast;
    bool ok = !ast || add_words(mentions, ast);
    for (int32_t i = 0; ok && ast && i < ast->def_count; i++) {
        const AstDef *def = &ast->defs[i];
        const NameKind kind = def->process ? NAME_PROCESS : NAME_RATE;
        ok = mentions_add(mentions, (Mention){kind, def->name, def->span, i, false});
    }
    for (int32_t i = 0; ok && ast && i < ast->node_count; i++) {
        const AstNode *node = &ast->nodes[i];
        const bool process = node->kind == AST_NAME || node->kind == AST_COUNT;
        const NameKind kind = process ? NAME_PROCESS : NAME_RATE;
        if (node->name && (process || node->kind == AST_RATE))
            ok = mentions_add(mentions, (Mention){kind, node->name, node->span, -1, false});
    }
    return ok;
}

void model_text_free(ModelText *text)
{
    if (!text)
        return;
    model_free(text->model);
    mem_free(text);
}
