/* Solves models through the public interface, and tells measures in Markdown. */
#include "lsp/solve.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "lsp/model_text.h"
#include "pepa.h"

typedef struct {
    const Document *doc;
    const Reading *reading;
    const Waiting *waiting;
    double begun; /* seconds */
    bool late;    /* the time is over */
    PepaModel *model;
    PepaChain *chain;
    PepaChainInfo info;
    PepaInfo solution;
    double *pi, *throughput, *share;
} Solving;

static int go_on(void *user, const PepaProgress *now)
{
    Solving *s = user;
    (void)now;
    s->late = clock_seconds() - s->begun > SOLVE_MOST_SECONDS;
    return s->late || s->waiting->cancelled(s->waiting->user);
}

/* ---- solving ------------------------------------------------------------------------------- */

static PepaStatus solve(Solving *s, PepaError *err)
{
    const Source *source = &s->reading->source;
    const PepaSettings set = {.progress = go_on,
                              .user = s,
                              .memory = (int64_t)SOLVE_MOST_MEGABYTES << 20,
                              .derive = {.max_states = SOLVE_MOST_STATES}};
    PepaStatus status =
        pepa_model_parse(&s->model, source->name, source->text, source->length, NULL, err);
    if (status == PEPA_OK)
        status = pepa_chain_derive(&s->chain, s->model, &set, err);
    if (status != PEPA_OK)
        return status;
    s->info = pepa_chain_info(s->chain);
    if (!mem_new(s->pi, s->info.states) || !mem_new(s->throughput, s->info.actions) ||
        !mem_new(s->share, s->info.counts))
        return PEPA_ENOMEM;
    status = pepa_solve_steady(s->chain, &set, s->pi, &s->solution, err);
    if (status != PEPA_OK)
        return status;
    pepa_throughputs(s->chain, s->pi, s->throughput);
    return pepa_utilisations(s->chain, s->pi, s->share, err);
}

/* ---- telling ------------------------------------------------------------------------------- */

static void add_throughputs(const Solving *s, Text *out)
{
    text_add(out, "\n| action | throughput |\n|---|---:|\n");
    for (int32_t a = 0; a < s->info.actions; a++)
        text_add(out, "| %s | %.6g |\n", pepa_chain_action_name(s->chain, a), s->throughput[a]);
}

static void add_utilisations(const Solving *s, Text *out)
{
    int32_t at = 0;
    text_add(out, "\n| component | local state | utilisation |\n|---|---|---:|\n");
    for (int32_t p = 0; p < s->info.positions; p++) {
        const PepaPosition position = pepa_chain_position(s->chain, p);
        for (int32_t k = 0; k < position.local_count; k++, at++)
            text_add(out, "| %s | %s | %.6g |\n", k ? "" : position.component,
                     pepa_chain_local_name(s->chain, position.local[k]), s->share[at]);
    }
}

static json_t *throughputs(const Solving *s)
{
    json_t *all = json_object();
    for (int32_t a = 0; all && a < s->info.actions; a++)
        all = object_set(all, pepa_chain_action_name(s->chain, a), json_real(s->throughput[a]));
    return all;
}

static json_t *report(const Solving *s)
{
    char title[128];
    Text text = {0};
    const bool solved = strcmp(s->solution.method, "none") != 0;
    (void)snprintf(title, sizeof title, "%lld state%s, %s%s", (long long)s->info.states,
                   s->info.states == 1 ? "" : "s", solved ? "solved by " : "nothing to solve",
                   solved ? s->solution.method : "");
    text_add(&text, "# %s\n\n%s, residual %.1e.\n", s->doc->path, title, s->solution.residual);
    if (s->solution.caution && *s->solution.caution)
        text_add(&text, "\n%s\n", s->solution.caution);
    add_throughputs(s, &text);
    add_utilisations(s, &text);
    json_t *result = NULL;
    if (!text.failed)
        result = json_pack("{ss, ss, sI, so}", "title", title, "text", text.text, "states",
                           (json_int_t)s->info.states, "throughput", throughputs(s));
    text_free(&text);
    return result;
}

json_t *solve_document(const Document *doc, const Reading *reading, const Waiting *waiting,
                       Failure *failure)
{
    Solving s = {.doc = doc, .reading = reading, .waiting = waiting, .begun = clock_seconds()};
    PepaError err = {0};
    json_t *result = NULL;
    if (!reading->model)
        return failed(failure, LSP_REQUEST_FAILED, "only models can be solved");
    const Model *model = reading->model->model;
    if (model && model->local_count > MODEL_TEXT_MOST_LOCALS)
        return failed(failure, LSP_REQUEST_FAILED, "%d local states: try `pepa solve`",
                      model->local_count);
    const PepaStatus status = solve(&s, &err);
    if (status == PEPA_OK)
        result = report(&s);
    else if (s.late)
        (void)failed(failure, LSP_REQUEST_FAILED, "not solved in %d s: try `pepa solve`",
                     SOLVE_MOST_SECONDS);
    else if (status == PEPA_ECANCEL)
        (void)failed(failure, LSP_REQUEST_CANCELLED, "cancelled");
    else if (status != PEPA_ENOMEM)
        (void)failed(failure, LSP_REQUEST_FAILED, "%s%s", err.message,
                     status == PEPA_ELIMIT ? ": try `pepa solve`" : "");
    mem_free_all(s.pi, s.throughput, s.share);
    pepa_chain_free(s.chain);
    pepa_model_free(s.model);
    return result;
}
