/* The matrix and the measures of a chain explored as a diagram are those of the chain explored one
 * by one. */
#include "diagram_measures.h"
#include "families.h"

static const int32_t sizes[] = {2, 4, 16, 64, DIAGRAM_LOWER};
enum { SIZES = sizeof sizes / sizeof *sizes };

static int expect_measured_alike(const char *name, const Model *model)
{
    int measured = 0;
    for (int aggregate = 0; aggregate < 2; aggregate++)
        for (int i = 0; i < SIZES; i++) {
            Twice t;
            twice_new(&t, model, aggregate, sizes[i], 40000);
            cr_expect(twice_alike(&t) && twice_measured_alike(&t),
                      "%s, aggregate %d, at most %d lower states: %s", name, aggregate, sizes[i],
                      t.why);
            measured += twice_fits(&t);
            twice_free(&t);
        }
    return measured;
}

Test(diagram_measures, all_models_of_the_collection)
{
    cr_assert_gt(sum_over_collection(expect_measured_alike), 100);
}

Test(diagram_measures, families)
{
    expect_of_families(expect_measured_alike, 5);
}

Test(diagram_measures, everything_that_goes_its_own_way)
{
    static const char *const texts[] = {
        /* entries from states to themselves: they count in throughputs, and not in the matrix; the
         * same matrix leads out of a block here, and back to the block itself there */
        "U = (a, 1).U + (b, 1).V; V = (a, 1).U; L = (a, T).L + (c, 2).M; M = (d, 3).L; U <a> L",
        "U = (a, 1).U + (b, 1).V; V = (a, 1).U; L = (a, T).L + (c, 2).M; M = (d, 3).L; L <a> U",
        "U = (a, 1).U + (a, 2).V + (b, 1).V; V = (a, 1).V + (a, 2).U; M = (d, 3).L;\n"
        "L = (a, T).L + (a, 3 * T).M + (c, 2).M; U <a> (L || L)",
        "P = (a, 1).P + (b, 1).Q; Q = (a, 2).P + (a, 1).Q; P || P || P || P || P || P",
        /* rates that cancel, and that add up to the same */
        "P = (a, 1).Q + (b, 2).Q + (c, 3).Q; Q = (d, 1).P; (P || P || P || P) / {a, b, c}",
        "P = (a, 0.1).Q + (a, 0.2).R; Q = (b, 0.3).P; R = (b, 0.1).P + (b, 0.2).P; P || P || P",
        /* copies of composites; counted copies in either part */
        "P = (a, 1).Q; Q = (b, 2).P; R = (c, 3).S; S = (a, T).R; (P <a> R)[3] || P || P",
        "P = (a, 1).Q; Q = (b, 2).P; X = (a, T).Y + (a, 2 * T).X; Y = (c, 1).X;\n"
        "X <a> (P || (P || P[2])[3])",
        "P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; S = (a, T).T; T = (d, 1).S; P[20] <a> S[9]",
        "P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; S = (a, T).T; T = (d, 1).S; S[9] <a> P[20]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Model *model = model_of(texts[i]);
        cr_expect_gt(expect_measured_alike(texts[i], model), 0, "%s", texts[i]);
        model_free(model);
    }
}

/* Values of now: rates are set, and the matrix follows. */
Test(diagram_measures, rates_that_change)
{
    static const double values[][2] = {{5, 0.25}, {1e-3, 7}, {2, 2}};
    Model *model = model_of("r = 1; s = 2; P = (a, r).Q + (b, s).Q; Q = (c, r + s).R;\n"
                            "R = (d, 1).P; X = (a, min(r, s)).Y; Y = (e, 2 * r).X; P[4] <a> X[3]");
    Twice t;
    twice_new(&t, model, 1, 20, 40000);
    cr_assert(t.diagram && twice_alike(&t) && twice_measured_alike(&t));
    int32_t rate[2] = {0, 1};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        cr_assert_eq(rate_values_set(&t.as_sets.now, &t.rates, 2, rate, values[i], &t.err),
                     PEPA_OK);
        cr_assert_eq(rate_values_set(&t.chain->now, &t.chain->rates, 2, rate, values[i], &t.err),
                     PEPA_OK);
        cr_expect(twice_transitions(&t) && twice_measured_alike(&t), "%s", t.why);
    }
    twice_free(&t);
    model_free(model);
}

/* ---- certificates --------------------------------------------------------------------------- */

/* Whatever the number of threads; and what is wrong with a distribution is seen. */
Test(diagram_measures, balance)
{
    static const int32_t threads[] = {2, 3, 64, 1000};
    Model *model = model_of_family("kanban 2");
    Twice t;
    Certificate one, other;
    twice_new(&t, model, 1, 64, 40000);
    cr_assert(t.diagram != NULL);
    double *pi = twice_room((size_t)t.states, sizeof *pi);
    for (int32_t i = 0; i < t.states; i++)
        pi[i] = 1e-3 * (1 + i % 17);
    one = certificate_by_library(&t.as_sets, pi, 1);
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        other = certificate_by_library(&t.as_sets, pi, threads[k]);
        cr_expect_eq(memcmp(&one, &other, sizeof one), 0, "%d threads", threads[k]);
    }
    cr_expect(one.residual > 0.01 && isfinite(one.residual) && one.by_time > 0);
    pi[t.states / 2] = -0.25;
    other = certificate_by_library(&t.as_sets, pi, 2);
    cr_expect(other.least == -0.25 && other.sum < one.sum);
    pi[t.states / 2] = NAN;
    other = certificate_by_library(&t.as_sets, pi, 2);
    cr_expect(isinf(other.residual) && isinf(other.by_time) && isnan(other.sum));
    free(pi);
    twice_free(&t);
    model_free(model);
}
