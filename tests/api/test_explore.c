/* Ways to explore, through the public header: that no answer depends on it. */
#include "ways.h"

Test(explore_ways, same_answers_by_every_method)
{
    for (int i = 0; i < CASES; i++) {
        PepaModel *model = family(cases[i].what);
        PepaSettings plain = settings(PEPA_EXPLICIT, cases[i].aggregate);
        PepaSettings sets = settings(PEPA_SYMBOLIC, cases[i].aggregate);
        Answer want, got;
        plain.solve.method = PEPA_GTH;
        derive(&want, model, &plain);
        solve(&want, &plain);
        derive(&got, model, &sets);
        cr_assert(got.info.symbolic && !want.info.symbolic);
        for (int method = 0; method < PEPA_METHOD_COUNT; method++) {
            sets.solve.method = (PepaMethod)method;
            solve(&got, &sets);
            cr_assert(method == PEPA_AUTO || method == PEPA_GAUSS_SEIDEL || method == PEPA_SOR ||
                      strcmp(got.how.method, pepa_method_name(sets.solve.method)) == 0);
            expect_same(&got, &want);
        }
        answer_free(&want);
        answer_free(&got);
        pepa_model_free(model);
    }
}

Test(explore_ways, same_bits_by_any_number_of_threads)
{
    for (int i = 0; i < CASES; i++) {
        PepaModel *model = family(cases[i].what);
        PepaSettings set = settings(PEPA_SYMBOLIC, cases[i].aggregate);
        Answer one, many;
        derive(&one, model, &set);
        solve(&one, &set);
        for (set.threads = 2; set.threads < 10; set.threads += 3) {
            derive(&many, model, &set);
            solve(&many, &set);
            cr_expect_eq(memcmp(one.pi, many.pi, (size_t)one.info.states * sizeof *one.pi), 0);
            cr_expect_eq(one.how.iterations, many.how.iterations);
            answer_free(&many);
        }
        answer_free(&one);
        pepa_model_free(model);
    }
}

/* ---- states -------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The states in words, sorted; checks each one's counts. */
static char **all_states(const Answer *a)
{
    int32_t *counts = room((size_t)a->info.counts, sizeof *counts);
    char **texts = room((size_t)a->info.states, sizeof *texts);
    PepaError err = {0};
    for (int32_t s = 0; s < a->info.states; s++) {
        cr_assert_eq(pepa_chain_state_text(a->chain, s, &texts[s], &err), PEPA_OK);
        cr_assert_eq(pepa_chain_state_counts(a->chain, s, counts, &err), PEPA_OK);
        cr_assert_eq(pepa_chain_bottom(a->chain, s), 0);
        for (int32_t p = 0, at = 0; p < a->info.positions; p++) {
            PepaPosition position = pepa_chain_position(a->chain, p);
            int32_t copies = 0;
            for (int32_t l = 0; l < position.local_count; l++, at++) {
                const char *name = pepa_chain_local_name(a->chain, position.local[l]);
                cr_assert(counts[at] == 0 || strstr(texts[s], name));
                copies += counts[at];
            }
            cr_assert_eq(copies, position.copies);
        }
    }
    qsort(texts, (size_t)a->info.states, sizeof *texts, by_text);
    free(counts);
    return texts;
}

Test(explore_ways, same_states)
{
    for (int i = 0; i < CASES; i++) {
        PepaModel *model = family(cases[i].what);
        PepaSettings plain = settings(PEPA_EXPLICIT, cases[i].aggregate);
        PepaSettings sets = settings(PEPA_SYMBOLIC, cases[i].aggregate);
        Answer want, got;
        derive(&want, model, &plain);
        derive(&got, model, &sets);
        cr_assert_eq(want.info.states, got.info.states);
        char **a = all_states(&want), **b = all_states(&got);
        for (int32_t s = 0; s < want.info.states; s++) {
            cr_assert_str_eq(a[s], b[s]);
            pepa_text_free(a[s]);
            pepa_text_free(b[s]);
        }
        free(a);
        free(b);
        answer_free(&want);
        answer_free(&got);
        pepa_model_free(model);
    }
}

/* ---- rates --------------------------------------------------------------------------------- */

Test(explore_ways, rates_that_change)
{
    static const double values[] = {5, 1e-3, 2, 1};
    PepaError err = {0};
    PepaModel *model = parse(rated);
    PepaSettings sets = settings(PEPA_SYMBOLIC, 1), plain = settings(PEPA_EXPLICIT, 1);
    PepaSteady *steady = NULL;
    Answer got, want;
    derive(&got, model, &sets);
    cr_assert_eq(pepa_steady_new(&steady, got.chain, &err), PEPA_OK);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        PepaDefine define = {"r", values[i]};
        PepaModel *other = parse_with(rated, &define);
        derive(&want, other, &plain);
        solve(&want, &plain);
        cr_assert_eq(pepa_chain_set_rate(got.chain, "r", values[i], &err), PEPA_OK);
        for (sets.solve.warm_start = 0; sets.solve.warm_start < 2; sets.solve.warm_start++) {
            cr_assert_eq(pepa_steady_solve(steady, &sets, got.pi, &got.how, &err), PEPA_OK);
            cr_assert_leq(got.how.residual, sets.solve.tolerance);
            solve(&got, &sets);
            expect_same(&got, &want);
        }
        answer_free(&want);
        pepa_model_free(other);
    }
    cr_expect_eq(pepa_chain_set_rate(got.chain, "n", 4, &err), PEPA_EARG);
    cr_expect_eq(pepa_chain_set_rate(got.chain, "r", -1, &err), PEPA_EMODEL);
    sets.solve.warm_start = 0;
    solve(&got, &sets);
    PepaModel *same = parse(rated);
    derive(&want, same, &plain);
    solve(&want, &plain);
    expect_same(&got, &want); /* what was refused has changed nothing */
    answer_free(&want);
    pepa_model_free(same);
    pepa_steady_free(steady);
    answer_free(&got);
    pepa_model_free(model);
}
