/* Formulas of CSL at random against brute force on dense matrices: every number in every state is
 * within its bound, and every verdict is right, on rows and on sets. */
#include "pepa_csl.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "property/engine_run.h"
#include "property/formula_random.h"
#include "property/seeds.h"

enum { MODELS = 300, STATES = 24, FORMULAS = 4 };

static void *room(size_t count, size_t size)
{
    void *p = mem_calloc(count, size);
    if (!p)
        abort();
    return p;
}

static PepaFormula *formula_of(const PepaModel *model, const Text *text)
{
    PepaFormula *f = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_formula_new(&f, model, "f", text->text, text->length, NULL, NULL, &err),
                 PEPA_OK, "%s\n%s", err.message, text->text);
    return f;
}

/* Dense numbers are right to some 1e-14 of their scale. */
static bool number_agrees(const PepaModel *model, FormulaWorld *w, const PepaChain *sets, Text *why)
{
    Text text = {0};
    PepaError err = {0};
    double scale, *value = room(2 * w->n, sizeof *value), *bound = value + w->n;
    long double *want = room(w->n, sizeof *want);
    formula_number(w, 2, &text, want, &scale);
    bool right = true;
    if (!w->close) {
        PepaFormula *f = formula_of(model, &text);
        PepaVerdict verdict = {0};
        PepaStatus status = pepa_formula_states(f, w->chain, NULL, NULL, value, bound, &err);
        right = status == PEPA_OK;
        if (!right)
            (void)engine_differs(why, "%s\n%s", text.text, err.message);
        for (size_t i = 0; i < w->n && right; i++) {
            right = isinf((double)want[i])
                        ? isinf(value[i]) != 0
                        : fabsl(value[i] - want[i]) <= bound[i] + 1e-13 * scale &&
                              bound[i] <= 1e-8 * scale * (1 + w->fast);
            if (!right)
                (void)engine_differs(why, "%s\nin state %zu: %.17g +- %g, should be %.17g",
                                     text.text, i, value[i], bound[i], (double)want[i]);
        }
        if (right && sets) {
            status = pepa_formula_check(f, sets, NULL, &verdict, &err);
            right = status == PEPA_OK &&
                    (isinf((double)want[0])
                         ? isinf(verdict.value) != 0
                         : fabsl(verdict.value - want[0]) <= verdict.error_bound + 1e-13 * scale);
            if (!right)
                (void)engine_differs(why, "%s\non sets: %.17g +- %g, should be %.17g %s", text.text,
                                     verdict.value, verdict.error_bound, (double)want[0],
                                     err.message);
        }
        pepa_formula_free(f);
    }
    text_free(&text);
    mem_free_all(value, want);
    return right;
}

static bool truth_agrees(const PepaModel *model, FormulaWorld *w, const PepaChain *sets, Text *why)
{
    Text text = {0};
    PepaError err = {0};
    uint8_t *holds = room(w->n, 1);
    bool *want = room(w->n, 1), right = true;
    formula_states(w, 3, &text, want);
    if (!w->close) {
        PepaFormula *f = formula_of(model, &text);
        PepaVerdict verdict = {0};
        PepaStatus status = pepa_formula_states(f, w->chain, NULL, holds, NULL, NULL, &err);
        right = status == PEPA_OK;
        if (!right)
            (void)engine_differs(why, "%s\n%s", text.text, err.message);
        for (size_t i = 0; i < w->n && right; i++) {
            right = holds[i] == want[i];
            if (!right)
                (void)engine_differs(why, "%s\nin state %zu: %d", text.text, i, holds[i]);
        }
        if (right && sets) {
            status = pepa_formula_check(f, sets, NULL, &verdict, &err);
            right = status == PEPA_OK && verdict.holds == want[0];
            if (!right)
                (void)engine_differs(why, "%s\non sets: %d %s", text.text, verdict.holds,
                                     err.message);
        }
        pepa_formula_free(f);
    }
    text_free(&text);
    mem_free_all(holds, want);
    return right;
}

static void check(Seeds *all, uint64_t seed)
{
    RefModel reference = seeds_model(seed, STATES);
    Text text = ref_model_print(&reference, (RefPrinting){0}), why = {0};
    const PepaSettings symbolic = {.derive.explore = PEPA_SYMBOLIC};
    PepaModel *model = NULL;
    PepaChain *chain = NULL, *sets = NULL;
    PepaError err;
    if (pepa_model_parse(&model, "random", text.text, text.length, NULL, &err) == PEPA_OK &&
        pepa_chain_derive(&chain, model, NULL, &err) == PEPA_OK &&
        pepa_chain_info(chain).states <= STATES) {
        if (pepa_chain_derive(&sets, model, &symbolic, NULL) != PEPA_OK)
            sets = NULL;
        FormulaWorld w = formula_world(chain, seed);
        bool right = true;
        for (int i = 0; i < FORMULAS && right; i++) {
            w.close = false;
            right =
                i % 2 ? truth_agrees(model, &w, sets, &why) : number_agrees(model, &w, sets, &why);
        }
        if (!right)
            seeds_fail(all, seed, why.text ? why.text : "", text.text);
        formula_world_free(&w);
    }
    pepa_chain_free(sets);
    pepa_chain_free(chain);
    pepa_model_free(model);
    text_free(&text);
    text_free(&why);
    ref_model_free(&reference);
}

ParameterizedTestParameters(csl, random_models)
{
    static int shards[SHARDS];
    for (int i = 0; i < SHARDS; i++)
        shards[i] = i;
    return cr_make_param_array(int, shards, SHARDS);
}

ParameterizedTest(int *shard, csl, random_models)
{
    Seeds all = seeds(*shard, MODELS);
    uint64_t seed;
    while (seeds_next(&all, &seed))
        check(&all, seed);
    cr_assert_eq(all.failures, 0);
}
