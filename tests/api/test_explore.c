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

/* A visit to A4 in 1e14 times.  Sweeps over sets meet the tolerance when that is still wrong by half;
 * every digit counts, and the report tells what became of the sweeps. */
Test(explore_ways, rare_states_of_rates_far_apart)
{
    PepaModel *model =
        parse("A0 = (a, 0.001162).A1 + (b, 2.039e+05).A5; A1 = (a, 66.74).A2 + (b, 6.469e+04).A0;\n"
              "A2 = (a, 0.02894).A3; A3 = (a, 0.03708).A4; A4 = (rare, 7.714).A5;\n"
              "A5 = (a, 594.6).A6 + (b, 9.912e+04).A6; A6 = (a, 0.04712).A0;\n"
              "B0 = (c, 26.01).B1; B1 = (c, 0.0003262).B2; B2 = (c, 3.323e+05).B3;\n"
              "B3 = (c, 2.944e+04).B0 + (d, 0.0002436).B1;\n"
              "C0 = (e, 1.958e+05).C1 + (f, 3.812e+05).C3 + (f, 0.02159).C1;\n"
              "C1 = (e, 1.696e+05).C2 + (f, 0.004133).C0; C2 = (e, 14.18).C3 + (f, 0.006159).C3;\n"
              "C3 = (e, 0.4682).C0; D0 = (g, 0.001186).D1; D1 = (g, 2.458e+05).D2;\n"
              "D2 = (g, 0.02479).D0 + (h, 2.898e+05).D0; A0 || B0 || C0 || D0");
    PepaSettings plain = settings(PEPA_EXPLICIT, 1), sets = settings(PEPA_SYMBOLIC, 1);
    sets.solve.tolerance = 1e-10;
    Answer want, got;
    double wanted, found;
    plain.solve.method = PEPA_GTH;
    derive(&want, model, &plain);
    solve(&want, &plain);
    derive(&got, model, &sets);
    solve(&got, &sets);
    cr_assert_eq(pepa_throughput(want.chain, want.pi, "rare", &wanted, NULL), PEPA_OK);
    cr_assert_eq(pepa_throughput(got.chain, got.pi, "rare", &found, NULL), PEPA_OK);
    cr_expect(fabs(found / wanted - 1) < 1e-6, "%g, not %g", found, wanted);
    cr_expect(strstr(got.how.trail, "sweeps left rare states unsettled"), "%s", got.how.trail);
    answer_free(&want);
    answer_free(&got);
    pepa_model_free(model);
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
