/* Derivatives of measures of several functionals: of quotients, whose parts cancel, and of differences. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pepa_measure.h"
#include "settings.h"

enum { RATES = 3 };

static bool cautioned; /* by the last find() */

/* The value of a measure of a model with RATES rates, and its elasticities in their order. */
static double find(const char *text, const char *measure, double elasticity[RATES])
{
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaSteady *steady = NULL;
    PepaMeasures *m = NULL;
    PepaInfo info;
    PepaError err = {0};
    double value = NAN;
    const PepaSettings set = settings_for_tests();
    cr_assert_eq(pepa_model_parse(&model, "test", text, strlen(text), NULL, &err), PEPA_OK, "%s",
                 err.message);
    cr_assert_eq(pepa_model_rate_count(model), RATES);
    cr_assert_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_OK);
    cr_assert_eq(pepa_steady_new(&steady, chain, &err), PEPA_OK);
    double *pi = calloc((size_t)pepa_chain_info(chain).states, sizeof *pi);
    cr_assert_eq(pepa_steady_solve(steady, &set, pi, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_measures_new(&m, model, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(m, "m", measure, strlen(measure), NULL, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_measure_sensitivities(steady, &set, pi, m, 0, &value, elasticity, &info,
                                            &err),
                 PEPA_OK, "%s of %s: %s", measure, text, err.message);
    cautioned = info.caution[0] != '\0';
    cr_expect(info.residual <= set.solve.tolerance && info.seconds >= 0);
    for (int32_t r = 0; r < RATES; r++)
        elasticity[r] *= pepa_model_rate_value(model, r) / value;
    free(pi);
    pepa_measures_free(m);
    pepa_steady_free(steady);
    pepa_chain_free(chain);
    pepa_model_free(model);
    return value;
}

static void expect(const char *text, const char *measure, double value, const double exact[RATES])
{
    double found[RATES];
    const double is = find(text, measure, found);
    cr_expect(fabs(is / value - 1) <= 1e-9, "%s of %s: %.12g, not %.12g", measure, text, is, value);
    for (int r = 0; r < RATES; r++)
        cr_expect(fabs(found[r] - exact[r]) <= 1e-9, "%s of %s: elasticity %d is %.12g, not %.12g",
                  measure, text, r, found[r], exact[r]);
}

/* Little's law in a cycle: the mean time in Q is 1 / y, whatever the other rates are. */
Test(measure_sensitivities, of_littles_law)
{
    char text[200];
    for (int x = 1; x <= 8; x++)
        for (int y = 1; y <= 8; y++) {
            (void)snprintf(text, sizeof text,
                           "x = %d; y = %d; z = 7; P = (a, x).Q; Q = (b, y).R; R = (c, z).P; P", x,
                           y);
            expect(text, "population:Q / throughput:b", 1.0 / y, (double[RATES]){0, -1, 0});
            expect(text, "throughput:b / population:Q", y, (double[RATES]){0, 1, 0});
        }
}

/* Nearly all of the time is in Q, which R hardly ever leaves by u: visits of Q to one of P are
 * (u + v) / u, each of 1 / s. */
Test(measure_sensitivities, of_quotients_in_stiff_chains)
{
    char text[200];
    for (double s = 1e-12; s < 1; s *= 1e3)
        for (double u = 1e-12; u < 1; u *= 1e3) {
            const double v = 2, share = v / (u + v);
            (void)snprintf(text, sizeof text,
                           "s = %g; u = %g; v = %g; P = (a, 0.1).Q; Q = (b, s).R; "
                           "R = (c, u).P + (d, v).Q; P",
                           s, u, v);
            expect(text, "population:Q / throughput:a", (u + v) / (s * u),
                   (double[RATES]){-1, -share, share});
            expect(text, "throughput:a / population:Q", s * u / (u + v),
                   (double[RATES]){1, share, -share});
        }
}

/* T = 1 / (1/x + 1/y + 1/z), and its share of Q: their elasticities by x are T / x. */
Test(measure_sensitivities, of_sums_with_both_signs)
{
    const double x = 2, y = 0.003, z = 1e4, t = 1 / (1 / x + 1 / y + 1 / z), q = t / y;
    const double value = q - 5 * t + 3 * y, by_t[RATES] = {t / x, t / y, t / z};
    double exact[RATES];
    for (int r = 0; r < RATES; r++)
        exact[r] = (by_t[r] * (q - 5 * t) + (r == 1 ? 3 * y - q : 0)) / value;
    char text[200];
    (void)snprintf(text, sizeof text,
                   "x = %g; y = %g; z = %g; P = (a, x).Q; Q = (b, y).R; R = (c, z).P; P", x, y, z);
    expect(text, "population:Q - 5 * throughput:b + 3 * rate:y", value, exact);
    const double mean = 0.25 * q - 5 * t / x; /* of what is negative in P */
    double of_mean[RATES];
    for (int r = 0; r < RATES; r++)
        of_mean[r] = (by_t[r] * mean - (r == 1 ? 0.25 * q : r == 0 ? -5 * t / x : 0)) / mean;
    expect(text, "reward:{0.25 * Q - 5 * P}", mean, of_mean);
    for (int r = 0; r < RATES; r++)
        exact[r] = by_t[r];
    expect(text, "-throughput:b", -t, exact);
}

/* What begins with another value of a rate is no transition: that is told, and nothing else. */
Test(measure_sensitivities, rates_that_may_begin)
{
    static const struct {
        const char *rate;
        bool told;
    } cases[] = {{"max(x - Q, 0)", true},
                 {"max(x - Q, 0) + y", false},
                 {"z * P", false}, /* 0 as there is no P */
                 {"if Q > 1 then x else 0", false},
                 {"max(x - Q - 1, 0)", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        double found[RATES];
        (void)snprintf(text, sizeof text,
                       "x = 1; y = 1; z = 1; P = (a, y).Q; Q = (b, %s).P + (c, z).P; P",
                       cases[i].rate);
        (void)find(text, "population:Q", found);
        cr_expect_eq(cautioned, cases[i].told, "%s", cases[i].rate);
    }
}

/* It begins before two ends with probability w / (w + v), and in the first of them otherwise.  Or each is an end. */
Test(measure_sensitivities, of_several_starts)
{
    static const char ends[] = "A = (a, 1).A2; A2 = (b, 3).A; B = (c, 2).B2; B2 = (d, 1).B; S";
    char text[300];
    for (double w = 1e-6; w < 1e7; w *= 100) {
        const double v = 2, r = 0.3, s = 1 - r, first = (v + w * r) / (w + v);
        const double by_w = -w * v * s / pow(w + v, 2) / first;
        (void)snprintf(text, sizeof text,
                       "w = %g; v = %g; r = %g; S = (i, w: immediate).T + (j, v: immediate).A; "
                       "T = (x, r).A + (y, 1 - r).B; %s",
                       w, v, r, ends);
        expect(text, "population:A", 0.75 * first,
               (double[RATES]){by_w, -by_w, r * w / (w + v) / first});
        (void)snprintf(text, sizeof text,
                       "w = %g; v = %g; u = 1; S = (i, w: immediate).A + (j, v: immediate).B; %s",
                       w, v, ends);
        expect(text, "population:A", 0.75 * w / (w + v),
               (double[RATES]){v / (w + v), -v / (w + v), 0});
    }
}

/* Powers of what is negative, or 0 in the long run: (Q - P)^2 = 1 / 9, and its derivatives are -8 / 27 by a, 4 / 27 by b. */
Test(measure_sensitivities, of_powers)
{
    static const char text[] =
        "a = 1; b = 2; z = 3; Z = (z, z).P; P = (go, a).Q; Q = (back, b).P; Z";
    static const double exact[RATES] = {-4.0 / 15, 4.0 / 15, 0};
    expect(text, "1 + pow(population:Q - population:P, 2) + pow(population:Z, 2)", 10.0 / 9, exact);
    expect(text, "1 + pow(population:Q - population:P, 1 + 1) + pow(population:Z, 1)", 10.0 / 9,
           exact);
}
