/* Operators with a limit of time on stiff chains, where series take over: against the exponential of
 * the dense generator, from the first states. */
#include "pepa_csl.h"

#include "property/dense.h"
#include "property/engine_run.h"
#include "property/room.h"
#include "property/seeds.h"
#include "property/stiff_model.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { MODELS = 300, STATES = 30, STARTS = 4 };

typedef struct {
    PepaModel *model;
    PepaChain *chain;
    size_t n;
    long double *rate, *absorbed; /* n x n; the same with no way out of state `target` */
    size_t target;                /* that of S1; n: it is not reached */
    double fast, time;
} World;

static bool derive(World *w, const Text *text)
{
    PepaTransitions t;
    if (pepa_model_parse(&w->model, "random", text->text, text->length, NULL, NULL) != PEPA_OK ||
        pepa_chain_derive(&w->chain, w->model, NULL, NULL) != PEPA_OK)
        return false;
    w->n = (size_t)pepa_chain_info(w->chain).states;
    (void)pepa_chain_transitions(w->chain, &t, NULL);
    w->rate = room(w->n * w->n, sizeof *w->rate);
    w->absorbed = room(w->n * w->n, sizeof *w->absorbed);
    for (size_t s = 0; s < w->n; s++) {
        double out = 0;
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++) {
            w->rate[s * w->n + (size_t)t.target[k]] += pepa_transition_rate(&t, k);
            out += pepa_transition_rate(&t, k);
        }
        w->fast = fmax(w->fast, out);
    }
    return true;
}

/* value, bound and truth: per state. */
static bool ask(const World *w, const char *text, const char **why, uint8_t *truth, double *value,
                double *bound)
{
    static PepaError err;
    PepaFormula *f = NULL;
    PepaStatus status = pepa_formula_new(&f, w->model, "f", text, strlen(text), NULL, NULL, &err);
    if (status == PEPA_OK)
        status = pepa_formula_states(f, w->chain, NULL, truth, value, bound, &err);
    pepa_formula_free(f);
    *why = err.message;
    return status == PEPA_OK;
}

static bool find_target(World *w)
{
    uint8_t holds[STATES];
    const char *why;
    if (!ask(w, "{S1}", &why, holds, NULL, NULL))
        return false;
    for (w->target = 0; w->target < w->n && !holds[w->target]; w->target++)
        ;
    memcpy(w->absorbed, w->rate, w->n * w->n * sizeof *w->rate);
    for (size_t j = 0; j < w->n && w->target < w->n; j++)
        w->absorbed[w->target * w->n + j] = 0;
    return w->target < w->n;
}

/* What an operator should be from each of the first states. */
static bool agrees(const World *w, const char *operator, const long double * want, double scale,
                   Text *why)
{
    char text[100];
    const char *reason;
    double value[STATES], bound[STATES];
    (void)snprintf(text, sizeof text, operator, w->time, w->time);
    if (!ask(w, text, &reason, NULL, value, bound))
        return engine_differs(why, "%s: %s", text, reason);
    for (size_t i = 0; i < w->n && i < STARTS; i++)
        if (!(fabsl(value[i] - want[i]) <= bound[i] + 1e-10 * scale && bound[i] <= 1e-8 * scale))
            return engine_differs(why, "%s in state %zu: %.17g +- %g, should be %.17Lg", text, i,
                                  value[i], bound[i], want[i]);
    return true;
}

static bool all_agree(const World *w, Text *why)
{
    long double p[STATES], spent[STATES], now[STARTS], earned[STARTS], reached[STARTS];
    for (size_t i = 0; i < w->n && i < STARTS; i++) {
        dense_transient(w->rate, w->n, i, w->time, p, spent);
        now[i] = p[w->target];
        earned[i] = spent[w->target];
        dense_transient(w->absorbed, w->n, i, w->time, p, spent);
        reached[i] = p[w->target];
    }
    return agrees(w, "R{population:S1}=? [ I=%.17g ]", now, 1, why) &&
           agrees(w, "P=? [ F[%.17g,%.17g] {S1} ]", now, 1, why) &&
           agrees(w, "P=? [ F<=%.17g {S1} ]", reached, 1, why) &&
           agrees(w, "R{population:S1}=? [ C<=%.17g ]", earned, fmax(w->time, 1), why);
}

static void check(Seeds *all, uint64_t seed)
{
    uint64_t state = seed * 53 + 11;
    Text text = stiff_model(&state, 3 + seed % 25), why = {0};
    World w = {0};
    if (derive(&w, &text) && find_target(&w)) {
        w.time = pow(10, 4.5 + 0.2 * (double)(seed % 11)) / w.fast;
        if (!all_agree(&w, &why))
            seeds_fail(all, seed, why.text ? why.text : "", text.text);
    }
    mem_free_all(w.rate, w.absorbed);
    pepa_chain_free(w.chain);
    pepa_model_free(w.model);
    text_free(&text);
    text_free(&why);
}

SHARDED_TEST(csl, stiff_chains)
{
    seeds_check(*shard, MODELS, check);
}
