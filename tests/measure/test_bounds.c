/* Intervals contain exact values: closed forms, and vectors that are far off. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pepa_measure.h"
#include "settings.h"

typedef struct {
    PepaModel *model;
    PepaChain *chain;
    PepaSteady *steady;
    PepaMeasures *measures;
    double *pi;
    PepaError err;
} Run;

static Run start_with(const char *text, const char *measures, const PepaSettings *settings)
{
    Run r = {0};
    const PepaSettings set = *settings;
    cr_assert_eq(pepa_model_parse(&r.model, "test", text, strlen(text), NULL, &r.err), PEPA_OK,
                 "%s", r.err.message);
    cr_assert_eq(pepa_chain_derive(&r.chain, r.model, &set, &r.err), PEPA_OK, "%s", r.err.message);
    cr_assert_eq(pepa_steady_new(&r.steady, r.chain, &r.err), PEPA_OK);
    r.pi = calloc((size_t)pepa_chain_info(r.chain).states, sizeof *r.pi);
    cr_assert_eq(pepa_steady_solve(r.steady, &set, r.pi, NULL, &r.err), PEPA_OK, "%s",
                 r.err.message);
    cr_assert_eq(pepa_measures_new(&r.measures, r.model, &r.err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(r.measures, "m", measures, strlen(measures), NULL, NULL, &r.err),
                 PEPA_OK, "%s", r.err.message);
    return r;
}

static Run start(const char *text, const char *measures, PepaExplore explore)
{
    PepaSettings set = settings_for_tests();
    set.derive.explore = explore;
    return start_with(text, measures, &set);
}

static void finish(Run *r)
{
    pepa_measures_free(r->measures);
    pepa_steady_free(r->steady);
    pepa_chain_free(r->chain);
    pepa_model_free(r->model);
    free(r->pi);
}

static void expect_within(double low, double exact, double high, double width, const char *what)
{
    cr_expect(low <= exact && exact <= high, "%s: %.17g of %.17g .. %.17g", what, exact, low, high);
    cr_expect(high - low <= width * fabs(exact), "%s: %.17g .. %.17g", what, low, high);
}

/* Two groups of two states, joined by jumps at 1e-9: to the last digits. */
Test(bounds, rare_jumps)
{
    Run r = start("P = (a, 1).Q + (c, 1e-9).R; Q = (b, 3).P; R = (d, 5).S; S = (e, 2).R + (f, "
                  "4e-9).P; P",
                  "throughput:a\npopulation:R\nthroughput:c / throughput:f\n"
                  "min(throughput:a, throughput:d) - 2 * population:S",
                  PEPA_EXPLICIT);
    double low[4], high[4], x, y;
    /* With p = pi_P, r = pi_R and so on: cuts around Q, around {R, S} and around R. */
    const long double c = 1e-9, f = 4e-9;
    const long double p = 1, q = p / 3, s = c * p / f, rr = (2 * s + c * p) / 5;
    const long double all = p + q + s + rr;
    const double throughput = (double)(p / all), population = (double)(rr / all);
    const double last = (double)(fminl(p, 5 * rr) / all - 2 * s / all);
    cr_assert_eq(pepa_measure_bounds(r.steady, NULL, r.pi, r.measures, low, high, NULL, &r.err),
                 PEPA_OK, "%s", r.err.message);
    expect_within(low[0], throughput, high[0], 1e-9, "a");
    expect_within(low[1], population, high[1], 1e-9, "R");
    expect_within(low[2], 1, high[2], 1e-9, "c / f");
    cr_expect(low[3] <= last && last <= high[3] && high[3] - low[3] < 1e-12, "%g .. %g", low[3],
              high[3]);
    cr_assert_eq(pepa_throughput_bounds(r.steady, NULL, r.pi, "a", &x, &y, NULL, &r.err), PEPA_OK);
    expect_within(x, throughput, y, 1e-9, "a");
    finish(&r);
}

/* Four machines that hardly ever fail: states in which all have failed are met after 1e21 seconds. */
Test(bounds, rare_states)
{
    const char *text =
        "P = (work, 1).P + (fail, 1e-6).Down; Down = (mend, 0.1).P; P || P || P || P";
    PepaSettings set = settings_for_tests();
    set.derive.separate_copies = 1;
    set.derive.explore = PEPA_EXPLICIT;
    set.solve.tolerance = 1e-13;
    Run r = start_with(text, "throughput:work\npopulation:Down\n1 / population:Down", &set);
    double low[3], high[3];
    cr_assert_eq(pepa_measure_bounds(r.steady, &set, r.pi, r.measures, low, high, NULL, &r.err),
                 PEPA_OK, "%s", r.err.message);
    const long double up = 0.1L / (0.1L + 1e-6L);
    expect_within(low[0], (double)(4 * up), high[0], 1e-12, "work");
    expect_within(low[1], (double)(4 * (1 - up)), high[1], 1e-12, "down");
    expect_within(low[2], (double)(1 / (4 * (1 - up))), high[2], 1e-12, "1 / down");
    finish(&r);
}

/* It begins in A, one of two ends, in 2 of 3 times; else in T, from which A is an end with probability 1e-9. */
Test(bounds, several_starts)
{
    Run r =
        start("S = (i, 2 : immediate).A + (j, 1 : immediate).T;"
              "T = (x, 1e-9).A + (y, 1 - 1e-9).B; A = (a, 1).A2; A2 = (b, 3).A; B = (c, 1).B; S",
              "population:A\nthroughput:c", PEPA_EXPLICIT);
    double low[2], high[2];
    cr_assert_eq(pepa_measure_bounds(r.steady, NULL, r.pi, r.measures, low, high, NULL, &r.err),
                 PEPA_OK, "%s", r.err.message);
    expect_within(low[0], 0.75 * (2 + 1e-9) / 3, high[0], 1e-12, "A");
    expect_within(low[1], (1 - 1e-9) / 3, high[1], 1e-12, "c");
    finish(&r);
}

/* Two ends, each of which hardly ever moves. */
Test(bounds, several_ends_that_hardly_move)
{
    Run r = start("S = (go, 1).A + (come, 3).C; A = (a, 1).B; B = (b, 1e-60).A; C = (c, 1e-80).D; "
                  "D = (d, 5).C; S",
                  "throughput:a\nthroughput:d\npopulation:D", PEPA_EXPLICIT);
    double low[3], high[3];
    cr_assert_eq(pepa_measure_bounds(r.steady, NULL, r.pi, r.measures, low, high, NULL, &r.err),
                 PEPA_OK, "%s", r.err.message);
    expect_within(low[0], 0.25e-60, high[0], 1e-12, "a");
    expect_within(low[1], 0.75e-80, high[1], 1e-12, "d");
    expect_within(low[2], 0.15e-80, high[2], 1e-12, "D");
    finish(&r);
}

/* What is 0 in the long run divides nothing. */
Test(bounds, nothing_is_known_of_division_by_0)
{
    Run r = start("S = (go, 1).S1; S1 = (on, 2).S2; S2 = (back, 1).S1; S",
                  "1 / population:S\nthroughput:go\n0 / throughput:go", PEPA_EXPLICIT);
    double low[3], high[3];
    cr_assert_eq(pepa_measure_bounds(r.steady, NULL, r.pi, r.measures, low, high, NULL, &r.err),
                 PEPA_OK, "%s", r.err.message);
    cr_expect(isinf(low[0]) && low[0] < 0 && isinf(high[0]) && high[0] > 0);
    cr_expect(low[1] == 0 && high[1] == 0, "%g %g", low[1], high[1]);
    cr_expect(isinf(low[2]) && isinf(high[2]));
    finish(&r);
}

/* M/M/1/K with K = 20, as rows and as sets beside other queues; from a pi that is wrong. */
Test(bounds, queue)
{
    static const char text[] =
        "Q = (arrive, 2).Q1; Q1 = (arrive, 2).Q2 + (serve, 3).Q; Q2 = (arrive, 2).Q3 + (serve, "
        "3).Q1; Q3 = (serve, 3).Q2; R = (up, 1).R1; R1 = (down, 2).R;\n"
        "Q || R || R || R || Q || Q || Q";
    const double rho = 2.0 / 3, full = pow(rho, 3) * (1 - rho) / (1 - pow(rho, 4));
    for (PepaExplore explore = PEPA_EXPLICIT; explore <= PEPA_SYMBOLIC; explore++) {
        Run r = start(text,
                      "throughput:arrive\npopulation:Q3\n0 / population:Q3\n"
                      "1 / (population:R - population:R)",
                      explore);
        for (int wrong = 0; wrong < 2; wrong++) {
            double low[4], high[4];
            cr_assert_eq(pepa_measure_bounds(r.steady, NULL, r.pi, r.measures, low, high, NULL,
                                             &r.err),
                         PEPA_OK, "%s", r.err.message);
            expect_within(low[0], 8 * (1 - full), high[0], 1e-9, "arrive");
            expect_within(low[1], 4 * full, high[1], 1e-9, "full");
            cr_expect(low[2] <= 0 && high[2] >= 0);
            cr_expect(isinf(low[3]) && isinf(high[3]));
            for (int64_t i = 0; i < pepa_chain_info(r.chain).states; i++)
                r.pi[i] *= 1 + 1e-6 * (double)(i % 7);
        }
        finish(&r);
    }
}
