/* Random models, right and wrong ones, explored as diagrams: the same chain to the last entry, and
 * solutions as near to the exact ones as the residual allows. */
#include <criterion/criterion.h>
#include <string.h>

#include "diagram_measures.h"
#include "measure/longrun.h"
#include "parser/check.h"
#include "property/dense.h"
#include "property/seeds.h"
#include "settings.h"

enum { MODELS = 3000, LARGE = 2000, DENSE = 150 };

/* ---- solutions ------------------------------------------------------------------------------ */

/* The chain's rates, states numbered as in the diagram. */
static void fill_dense(const Twice *t, long double *rate)
{
    const Chain *c = t->chain;
    size_t n = (size_t)t->states;
    int32_t *place = twice_room(n, sizeof *place);
    for (size_t i = 0; i < n; i++)
        place[t->id[i]] = (int32_t)i;
    for (size_t s = 0; s < n; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
            if (c->target[k] != (int32_t)s)
                rate[(size_t)place[s] * n + (size_t)place[c->target[k]]] +=
                    chain_rate(c, c->now.term, k);
    free(place);
}

/* A method that answers is as near to pi as its residual, here |x Q|_1 / flow, allows. */
static bool method_is_right(Twice *t, Chain *sets, PepaMethod method, const long double *rate,
                            const long double *pi, long double condition)
{
    size_t n = (size_t)t->states;
    PepaSettings set = settings_for_tests();
    PepaInfo info = {.caution = ""};
    double *x = twice_room(n, sizeof *x);
    set.solve.tolerance = 1e-12;
    set.solve.method = method;
    set.solve.max_iter = 3000;
    LongRun *run = NULL;
    PepaStatus status = longrun_new(&run, sets, steady_form(sets), &t->err);
    if (status == PEPA_OK)
        status = longrun_solve(run, &sets->now, &set, x, &info, &t->err);
    longrun_free(run);
    long double flow = 0, off = 0;
    for (size_t i = 0; i < n && status == PEPA_OK; i++) {
        off += fabsl(x[i] - pi[i]);
        for (size_t j = 0; j < n; j++)
            flow += x[i] * rate[i * n + j];
    }
    free(x);
    if (status == PEPA_ENOCONV && method != PEPA_AUTO && method > PEPA_GTH)
        return true;
    if (status != PEPA_OK)
        return twice_differs(t, "%s: %s", pepa_method_name(method), t->err.message);
    if (info.residual <= set.solve.tolerance &&
        off <= 1.001L * (info.residual + 1e-14L) * flow * condition + 1e-13L)
        return true;
    return twice_differs(t, "%s: off by %Lg, with residual %g and condition %Lg",
                         pepa_method_name(method), off, info.residual, condition);
}

static bool methods_are_right(Twice *t)
{
    size_t n = (size_t)t->states;
    if (!twice_fits(t) || n > DENSE)
        return true;
    long double *rate = twice_room(n * n, sizeof *rate), *pi = twice_room(n, sizeof *pi);
    fill_dense(t, rate);
    dense_long_run(rate, n, 0, pi);
    long double condition = dense_condition(rate, n, pi);
    bool right = true;
    for (int method = PEPA_AUTO; method < PEPA_METHOD_COUNT && right; method++)
        right = method_is_right(t, &t->as_sets, (PepaMethod)method, rate, pi, condition);
    free(rate);
    free(pi);
    return right;
}

/* ---- over random models --------------------------------------------------------------------- */

/* How many models suited; *why: what differs. */
static int compare(const Model *model, int32_t most_lower, Text *why)
{
    int suited = 0;
    for (int aggregate = 0; aggregate < 2 && !why->text; aggregate++) {
        Twice t;
        twice_new(&t, model, aggregate, most_lower, 200000);
        suited += t.diagram != NULL;
        if (!twice_alike(&t) || !twice_measured_alike(&t) || !methods_are_right(&t))
            text_add(why, "aggregation %d, at most %d lower states: %s", aggregate, most_lower,
                     t.why);
        twice_free(&t);
    }
    return suited;
}

SHARDED_TEST(diagram, random_models)
{
    static const int32_t most_lower[] = {2, 4, 16, 64, DIAGRAM_LOWER};
    Seeds all = seeds(*shard, MODELS);
    int suited = 0, models = 0;
    for (uint64_t seed; seeds_next(&all, &seed); models++) {
        RefModel ref = seeds_model(seed, LARGE);
        Text text = ref_model_print(&ref, (RefPrinting){0}), why = {0};
        DiagList diags = {0};
        PepaError err;
        Model *model = NULL;
        if (model_read(&model, "random", text.text, strlen(text.text), NULL, 0, &diags, &err) ==
            PEPA_OK)
            suited += compare(model, most_lower[seed % 5], &why);
        else
            text_add(&why, "%s", err.message);
        if (why.text)
            seeds_fail(&all, seed, why.text, text.text);
        model_free(model);
        diag_free(&diags);
        text_free(&text);
        text_free(&why);
        ref_model_free(&ref);
    }
    cr_expect_eq(all.failures, 0);
    cr_expect(models < 100 || 5 * suited > models, "only %d of %d suit", suited, models);
}
