/* Rates of all components together, such as 5 / P of each of P, where these end: populations stay
 * between 0 and all, or there is an error. */
#include "pepa_fluid.h"

#include <math.h>
#include <stdio.h>

#include "api/parsing.h"
#include "pepa_transient.h"

enum { MOST = 64 };

typedef struct {
    PepaStatus status;
    PepaError err;
    PepaFluidInfo info;
    double x[MOST];
} Asked;

/* time: 0 in the long run. */
static PepaFluid at(const double *time)
{
    return *time > 0 ? (PepaFluid){.time = time, .count = 1} : (PepaFluid){.steady = 1};
}

static Asked ask(const char *text, const char *measures, double time, bool moments)
{
    Asked a = {0};
    PepaMoment moment[MOST] = {{0}};
    PepaModel *model = parse(text);
    PepaMeasures *m = parse_measures(model, measures);
    const PepaFluid when = at(&time);
    a.status = moments ? pepa_fluid_moments(model, m, &when, NULL, moment, &a.info, &a.err)
                       : pepa_fluid_measures(model, m, &when, NULL, a.x, &a.info, &a.err);
    for (int i = 0; i < MOST && moments; i++)
        a.x[i] = moment[i].fluid;
    pepa_measures_free(m);
    pepa_model_free(model);
    return a;
}

static double solve(const char *text, const char *measure, double time)
{
    double x;
    PepaModel *model = parse(text);
    PepaMeasures *m = parse_measures(model, measure);
    PepaChain *chain = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_transient_measures(chain, m, &(PepaTransient){.time = &time, .count = 1},
                                         NULL, &x, NULL, &err),
                 PEPA_OK, "%s", err.message);
    pepa_chain_free(chain);
    pepa_measures_free(m);
    pepa_model_free(model);
    return x;
}

static const struct {
    const char *text, *measure;
} ends[] = {
    {"P = (a, 0.5 * n / P).Q; Q = (b, 0.4).P; P[n]", "throughput:a / rate:n"},
    {"P = (a, 0.5 * n / P).Q + (c, 0.2 * n / P).R; Q = (b, 0.4).P; R = (d, 0.1).P; P[n]",
     "population:R / rate:n"},
    /* Two kinds that share one server. */
    {"P = (a, n / (P + R)).Q; Q = (b, 0.2).P; R = (a, n / (P + R)).S; S = (b, 0.1).R; P[n] || R[n]",
     "population:S / rate:n"},
    /* Divided by what is no sum. */
    {"P = (a, 0.5 * n * P / (P * P)).Q; Q = (b, 0.2).P; P[n]", "population:Q / rate:n"},
    /* With a partner. */
    {"P = (a, 0.5 * n / P).Q; Q = (b, 0.2).P; S = (a, 0.45).S; P[n] <a> S[n]",
     "population:Q / rate:n"},
    {"P = (a, 0.5 * n / P).Q + (c, 0.2 * n / P).R; Q = (b, 0.4).P; R = (d, 0.1).P;"
     "S = (a, 0.3).S; P[n] <a> S[n]",
     "population:R / rate:n"},
};

Test(fluid_end, errors_fall_as_populations_grow)
{
    const double time = 40;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        double away[2];
        for (int i = 0; i < 2; i++) {
            char text[512];
            (void)snprintf(text, sizeof text, "n = %d; %s", i ? 32 : 8, ends[k].text);
            const double exact = solve(text, ends[k].measure, time);
            const Asked a = ask(text, ends[k].measure, time, false);
            cr_assert_eq(a.status, PEPA_OK, "%s: %s", text, a.err.message);
            away[i] = fabs(a.x[0] - exact);
        }
        cr_expect_lt(away[1], 0.5 * away[0] + 1e-4, "%s: %g, %g", ends[k].text, away[0], away[1]);
        cr_expect_lt(away[1], 0.05, "%s: %g", ends[k].text, away[1]);
    }
}

/* 4 enter P in a unit of time, and could leave it five at a time. */
Test(fluid_end, a_population_stays_at_0)
{
    for (double n = 10; n <= 1e9; n *= 100) {
        char text[128];
        (void)snprintf(text, sizeof text, "P = (a, %g / P).Q; Q = (b, 0.4).P; P[%g]", n / 2, n);
        for (int way = 0; way < 4; way++) {
            const Asked a =
                ask(text, "population:P\npopulation:Q\nthroughput:a", way % 2 ? 20 : 0, way >= 2);
            cr_assert_eq(a.status, PEPA_OK, "%s: %s", text, a.err.message);
            cr_expect(a.x[0] >= 0 && a.x[0] < 1e-4 + 1e-8 * n, "%s: %g", text, a.x[0]);
            cr_expect_float_eq(a.x[1] / n, 1, 1e-5, "%s: %g", text, a.x[1]);
            cr_expect_float_eq(a.x[2] / n, 0.4, 1e-5, "%s: %g", text, a.x[2]);
        }
    }
}

/* What is written out has the same limit. */
Test(fluid_end, is_what_a_condition_says)
{
    const char *plain = "P = (a, 500 / P).Q; Q = (b, 0.4).P; P[1000]",
               *guarded = "P = (a, if P > 0 then 500 / P else 0).Q; Q = (b, 0.4).P; P[1000]";
    for (double time = 0; time < 3; time += 1.25) {
        const Asked a = ask(plain, "population:Q", time, false),
                    b = ask(guarded, "population:Q", time, false);
        cr_expect_float_eq(a.x[0], b.x[0], 1, "%g: %g, %g", time, a.x[0], b.x[0]);
    }
}

/* Several of them, which rent and return; blocked ones go on. */
Test(fluid_end, bicycles_that_run_out)
{
    const char *text =
        "cap = 4; mu = 2;"
        "B1 = (rent1, 1 / B1).R12 + (go13, 0.3).R13; B2 = (rent2, 1.5 / B2).R23;"
        "B3 = (rent3, 0.7 / B3).R31;"
        "R12 = (ret2, if B2 < cap then mu else 0).B2 + (retry, if B2 >= cap then mu else 0).R23;"
        "R13 = (ret3, if B3 < cap then mu else 0).B3 + (retry, if B3 >= cap then mu else 0).R31;"
        "R23 = (ret3, if B3 < cap then mu else 0).B3 + (retry, if B3 >= cap then mu else 0).R31;"
        "R31 = (ret1, if B1 < cap then mu else 0).B1 + (retry, if B1 >= cap then mu else 0).R12;"
        "B1[4] || B2[3]";
    for (double time = 0; time<20; time = time> 0 ? 2 * time : 0.5) {
        const Asked a =
            ask(text, "population:B1\npopulation:B2\npopulation:B3\npopulation:R12", time, false);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        for (int i = 0; i < 4; i++)
            cr_expect(a.x[i] >= 0 && a.x[i] <= 7, "%g: %g", time, a.x[i]);
        cr_expect_lt(a.info.steps, 10000);
    }
}

/* ---- what is left ------------------------------------------------------------------------------ */

static void refuses(const char *text, const char *words, const char *advice)
{
    for (int way = 0; way < 4; way++) {
        const Asked a = ask(text, "population:P", way % 2 ? 20 : 0, way >= 2);
        cr_expect_eq(a.status, PEPA_ENOCONV, "%s: %d", text, (int)a.status);
        cr_expect(strstr(a.err.message, words), "%s", a.err.message);
        cr_expect(strstr(a.err.message, advice), "%s", a.err.message);
        cr_expect_lt(a.info.steps, 10000);
    }
    PepaModel *one = NULL, *model = parse(text);
    PepaError err = {0};
    cr_expect_eq(pepa_fluid_individual(&one, model, "P", NULL, &err), PEPA_ENOCONV);
    cr_expect(strstr(err.message, words), "%s", err.message);
    pepa_model_free(model);
}

Test(fluid_end, a_population_below_0_is_an_error)
{
    refuses("P = (a, if R >= 3.9 && R < 5 then 5 / P else 0).Q; Q = (b, 0.4).P;"
            "R = (c, 1e-4).S; S = (d, 1e-4).R; P[10] || R[4]",
            "the population of `P` is below 0: the rate of `a`",
            "write `if P > 0 then ... else 0`");
    refuses(
        "P = (a, 1 - 5 / P).Q; Q = (b, 0.4).P; P[4]",
        "the population of `Q` is below 0: the rate of `a`, which counts local states, is below 0",
        "write `max(..., 0)`");
}
