/* Fluid limits: what is said of them, and models that have none. */
#include "api/fluids.h"

#include <math.h>
#include <stdio.h>

/* ---- findings ----------------------------------------------------------------------------------- */

Test(fluid, what_is_approximate_is_said)
{
    const Asked one = ask("A = (a, 1).B; B = (b, 2).A; A[10] || A", "population:A", &steady, false);
    cr_expect_eq(one.status, PEPA_OK);
    cr_expect_eq(one.info.single, 1);
    cr_expect(strstr(one.warning, "1 component has no copies"), "%s", one.warning);
    const Asked pair =
        ask("A = (a, 1).B; B = (s, 2).A; (A <s> A)[50]", "population:A", &steady, false);
    cr_expect_eq(pair.status, PEPA_OK);
    cr_expect(strstr(pair.warning, "composite"), "%s", pair.warning);
    const double time = 3;
    const Asked jump = ask("A = (a, 1).B; B = (b, if B > 30 then 2 else 0.1).A; A[100]",
                           "population:B", &(PepaFluid){.time = &time, .count = 1}, false);
    cr_expect_eq(jump.status, PEPA_OK);
    cr_expect(strstr(jump.warning, "condition changes"), "%s", jump.warning);
    const Asked small = ask("A = (t, 1).B; B = (s, 1).A; S = (s, 1).S; A[4] <s> S[2]",
                            "throughput:s", &steady, true);
    cr_expect_eq(small.status, PEPA_OK, "%s", small.err.message);
    cr_expect(strstr(small.warning, "`s` is limited by one side or the other"), "%s",
              small.warning);
    const Asked large = ask("A = (t, 1).B; B = (s, 1).A; S = (s, 1).S; A[400] <s> S[300]",
                            "throughput:s", &steady, true);
    cr_expect_eq(large.status, PEPA_OK);
    cr_expect_eq(large.warnings, 0, "%s", large.warning);
}

/* A source into a place that is almost always taken: the mean of the free places would be below 0. */
static const char full[] = "Source = (arrive, 40).Source; Place = (arrive, T).Job;\n"
                           "Job = (leave, T).Place; Clerk = (leave, 2).Clerk + (rest, 1).Rests;\n"
                           "Rests = (wake, 4).Clerk;\n"
                           "Source <arrive> Place[6] <leave> Clerk";

/* Linear noise in place of moments that have no solution; no deviation is above what a mean allows. */
Test(fluid, moments_next_to_an_empty_population)
{
    const double time[] = {0.5, 8};
    const PepaFluid twice = {.time = time, .count = 2};
    for (int way = 0; way < 2; way++) {
        const Asked a = ask(full,
                            "population:Place\npopulation:Job\npopulation:Clerk\n"
                            "throughput:arrive\nthroughput:arrive / population:Job",
                            way ? &twice : &steady, true);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_eq(a.info.closure, PEPA_CLOSURE_LINEAR_NOISE);
        cr_expect(strstr(a.warning, "deviations those of linear noise around it"), "%s", a.warning);
        cr_expect(strstr(a.warning, "fluctuations change"), "%s", a.warning);
        for (int i = 0; i < (way ? 10 : 5); i++) {
            const PepaMoment x = a.moment[i];
            const double most = i % 5 < 2 ? 6 : i % 5 == 2 ? 1 : 40;
            cr_expect_eq(x.mean, x.fluid);
            cr_expect_geq(x.deviation, 0);
            if (i % 5 < 4)
                cr_expect_leq(x.deviation, sqrt(x.mean * (most - x.mean)) * (1 + 1e-12) + 1e-12);
        }
        cr_expect_float_eq(a.moment[way ? 7 : 2].mean, 0.8, 1e-3); /* 4 / (4 + 1) */
        cr_expect_float_eq(a.moment[way ? 7 : 2].deviation, 0.4, 1e-3);
    }
    const Asked large = ask("A = (a, 1).B; B = (b, 2).A; A[10]", "population:A", &steady, true);
    cr_expect_eq(large.info.closure, PEPA_CLOSURE_NORMAL);
}

/* A population of 1 that rests on a line of points, of which nothing drives it back to one, beside another
 * that is next to empty: deviations are those of what is either there or not. */
Test(fluid, bounds_where_nothing_else_has_a_solution)
{
    const Asked a =
        ask("S = x.P0 + x.P1; P0 = (a, T).P1; P1 = (b, T).P0; A = (a, 1).A; B = (b, 1).B;"
            "Source = (arrive, 40).Source; Place = (arrive, T).Job;"
            "Job = (leave, T).Place; Clerk = (leave, 2).Clerk + (rest, 1).Rests;"
            "Rests = (wake, 4).Clerk;"
            "(S <a, b> (A || B)) || (Source <arrive> Place[6] <leave> Clerk)",
            "population:P0\npopulation:P1\npopulation:Clerk", &steady, true);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_eq(a.info.closure, PEPA_CLOSURE_BOUNDS);
    cr_expect(strstr(a.warning, "the largest that quantities of such means can have"), "%s",
              a.warning);
    for (int i = 0; i < 3; i++)
        cr_expect_float_eq(a.moment[i].deviation, sqrt(a.moment[i].mean * (1 - a.moment[i].mean)),
                           1e-9);
}

/* (x - 1) (x - 2) is below 0 for 1 < x < 2 alone, where no chain is. */
Test(fluid, rates_below_0)
{
    const double time = 30;
    const PepaFluid once = {.time = &time, .count = 1};
    const char *settles = "k = (A - 1) * (A - 2); A = (f, k).B + (d, 1).B; B = (r, 0.7).A; A[4]",
               *passes = "k = (A - 1) * (A - 2); A = (f, k).B + (d, 1).B; B = (r, 1e-3).B; A[4]",
               *stays = "k = (A - 1) * (A - 2); A = (f, k).B; B = (r, 0.7).A; A[4]";
    const Asked there = ask(settles, "throughput:f", &steady, false);
    cr_expect_lt(there.x[0], 0);
    cr_expect(strstr(there.warning, "the rate of `f` is below 0"), "%s", there.warning);
    const Asked between = ask(passes, "throughput:f", &once, false);
    cr_expect_gt(between.x[0], 0);
    cr_expect(strstr(between.warning, "the rate of `f` is below 0"), "%s", between.warning);
    cr_expect_eq(ask(stays, "throughput:f", &once, false).warnings, 0);
    cr_expect_eq(ask(stays, "throughput:f", &steady, false).warnings, 0);
    /* A - 3 is below 0 at whole numbers, which are reached: a chain refuses the model. */
    const char *reached = "k = A - 3; A = (f, k).B + (d, 1).B; B = (r, 0.7).A; A[4]";
    const Asked whole = ask(reached, "throughput:f", &steady, false);
    cr_expect_lt(whole.x[0], 0);
    cr_expect(strstr(whole.warning, "the rate of `f` is below 0"), "%s", whole.warning);
    cr_expect(strstr(whole.warning, "or in states of the model"), "%s", whole.warning);
    PepaError err = {0};
    PepaChain *chain = NULL;
    PepaModel *one = NULL, *model = parse(reached);
    cr_expect_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_EMODEL);
    pepa_model_free(model);
    model = parse(settles);
    cr_expect_eq(pepa_fluid_individual(&one, model, "A", NULL, &err), PEPA_EMODEL);
    cr_expect(strstr(err.message, "the rate of `f` is below 0"), "%s", err.message);
    pepa_model_free(model);
}

/* ---- errors ------------------------------------------------------------------------------------- */

static void refuses(const char *text, const char *measure, PepaStatus status, const char *words)
{
    for (int moments = 0; moments < 2; moments++) {
        const Asked a = ask(text, measure, &steady, moments);
        cr_expect_eq(a.status, status, "%s: %d, %s", text, (int)a.status, a.err.message);
        cr_expect(strstr(a.err.message, words), "%s", a.err.message);
    }
}

Test(fluid, what_has_no_fluid_limit)
{
    refuses("A = (a, 1).B; B = (b, 2).A; A[10]", "p = probability:{A > 2}", PEPA_EARG,
            "asks in which states the model is");
    refuses("A = (a[2], 1).B; B = (b, 2).A; A[10]", "population:A", PEPA_EARG, "priorities");
    refuses("A = (a, T).B; B = (b, 2).A; A[10]", "population:A", PEPA_EMODEL, "nothing drives");
    refuses("A = (a, 1).B; B = (meet, 2).A; A[10]{meet}", "population:A", PEPA_ELIMIT, "together");
}

/* Three kinds that turn into each other, the more the more there are: they go round. */
Test(fluid, what_does_not_settle_is_an_error)
{
    const Asked a = ask("X = (x, 2 * pow(Y / 1000, 2) + 0.0001).Y;\n"
                        "Y = (y, 2 * pow(Z / 1000, 2) + 0.0001).Z;\n"
                        "Z = (z, 2 * pow(X / 1000, 2) + 0.0001).X; X[600] || Y[300] || Z[100]",
                        "population:X", &steady, false);
    cr_expect_eq(a.status, PEPA_ENOCONV, "%d %g", (int)a.status, a.x[0]);
    cr_expect(strstr(a.err.message, "do not settle"), "%s", a.err.message);
}

Test(fluid, wrong_arguments)
{
    Asked a;
    const double times[] = {2, 1};
    read_model(&a, "A = (a, 1).B; B = (b, 2).A; A[10]", "population:A");
    cr_expect_eq(pepa_fluid_measures(NULL, a.measures, &steady, NULL, a.x, NULL, &a.err),
                 PEPA_EARG);
    cr_expect_eq(pepa_fluid_measures(a.model, NULL, &steady, NULL, a.x, NULL, &a.err), PEPA_EARG);
    cr_expect_eq(pepa_fluid_measures(a.model, a.measures, NULL, NULL, a.x, NULL, &a.err),
                 PEPA_EARG);
    cr_expect_eq(pepa_fluid_measures(a.model, a.measures, &steady, NULL, NULL, NULL, &a.err),
                 PEPA_EARG);
    cr_expect_eq(pepa_fluid_moments(a.model, a.measures, &steady, NULL, NULL, NULL, &a.err),
                 PEPA_EARG);
    cr_expect_eq(pepa_fluid_measures(a.model, a.measures, &(PepaFluid){.time = times, .count = 2},
                                     NULL, a.x, NULL, &a.err),
                 PEPA_EARG);
    cr_expect_eq(pepa_fluid_measures(a.model, a.measures,
                                     &(PepaFluid){.steady = 1, .reserved = {1}}, NULL, a.x, NULL,
                                     &a.err),
                 PEPA_EARG);
    cr_expect(strstr(a.err.message, "pepa_fluid.h"));
    forget(&a);
}
