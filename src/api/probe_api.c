/* Stochastic probes: a model with one component more. */
#include "api/handles.h"
#include "base/error.h"
#include "parser/check.h"
#include "parser/probe/attach.h"
#include "pepa_passage.h"

/* The text of the model with the probe. */
typedef struct {
    Text text, running, stopped;
    int32_t states;
} Written;

static void written_free(Written *w)
{
    text_free(&w->text);
    text_free(&w->running);
    text_free(&w->stopped);
}

/* Findings are about the probe's text. */
static PepaStatus write_probed(Written *w, const Model *model, const Probe *probe, bool once,
                               Arena *arena, DiagList *diags)
{
    Ast *ast = NULL, *probed = NULL;
    Automaton automaton = {0};
    Place place = {0};
    PepaStatus status = automaton_find(&automaton, probe, once, diags);
    if (status == PEPA_OK)
        status = model_tree(model, arena, &ast);
    if (status == PEPA_OK)
        status = place_find(&place, probe, ast, model, diags);
    if (status == PEPA_OK && !probe_attach(&probed, ast, model, probe, &automaton, &place, arena,
                                           &w->running, &w->stopped))
        status = PEPA_ENOMEM;
    if (status == PEPA_OK) {
        ast_print(probed, &w->text);
        w->states = automaton.state_count;
        status = w->text.failed ? PEPA_ENOMEM : PEPA_OK;
    }
    place_free(&place);
    automaton_free(&automaton);
    return status;
}

static PepaStatus write_text(Written *w, const Model *model, const Source *source, bool once,
                             DiagList *diags)
{
    Probe probe = {0};
    Arena arena = {0};
    PepaStatus status = probe_read(&probe, source, diags);
    if (status == PEPA_OK)
        status = write_probed(w, model, &probe, once, &arena, diags);
    arena_free(&arena);
    probe_free(&probe);
    return status;
}

/* The model of that text, which is right because the model without the probe is. */
static PepaStatus read_text(PepaModel **out, const Model *model, const Written *w, const char *name,
                            PepaError *err)
{
    Text called = {0};
    text_add(&called, "%s with %s", model->source.name, name);
    PepaStatus status =
        called.failed ? error_memory(err)
                      : pepa_model_parse(out, called.text, w->text.text, w->text.length, NULL, err);
    text_free(&called);
    return status;
}

PepaStatus pepa_model_probe(PepaModel **out, const PepaModel *handle, const char *name,
                            const char *text, size_t length, int once, PepaDiagnose diagnose,
                            void *user, PepaProbe *probe, PepaError *err)
{
    if (!out || !handle || !name || (!text && length) || !probe)
        return error_null(err, "pepa_model_probe");
    if (length > TEXT_MOST)
        return error_set(err, PEPA_ELIMIT, "the text is longer than 2 GB");
    const Source source = {name, text ? text : "", length};
    Written w = {0};
    DiagList diags = {0};
    PepaStatus status = write_text(&w, handle->model, &source, once != 0, &diags);
    status = status == PEPA_ENOMEM ? error_memory(err)
                                   : diagnose_all(&diags, &source, diagnose, user, status, err);
    diag_free(&diags);
    if (status == PEPA_OK)
        status = read_text(out, handle->model, &w, name, err);
    if (status == PEPA_OK) {
        *probe = (PepaProbe){w.running.text, w.stopped.text, w.states, {0}};
        w.running = w.stopped = (Text){0};
    }
    written_free(&w);
    return status;
}
