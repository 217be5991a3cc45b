/* Simulation through the public header: what does not depend on chance, and errors. */
#include "pepa_simulate.h"

#include <math.h>
#include <stdio.h>

#include "api/parsing.h"
#include "pepa_fluid.h"
#include "pepa_transient.h"

enum { MOST = 64 };

static const char servers[] =
    "n = 20; m = 3;\n"
    "Client = (think, 0.5).Waiting; Waiting = (serve, T).Client;\n"
    "Server = (serve, 2).Log + (fail, 0.05).Down; Log = (log, 9).Server;\n"
    "Down = (repair, 0.4).Server;\n"
    "Client[n] <serve> Server[m]";

typedef struct {
    PepaModel *model;
    PepaMeasures *measures;
    PepaStatus status;
    PepaError err;
    PepaSimulationInfo info;
    PepaEstimate x[MOST];
} Asked;

static void ask_set(Asked *a, const char *text, const char *measures, const PepaSimulation *how,
                    const PepaSettings *set)
{
    *a = (Asked){.model = parse(text)};
    cr_assert_eq(pepa_measures_new(&a->measures, a->model, &a->err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(a->measures, "m", measures, strlen(measures), NULL, NULL,
                                   &a->err),
                 PEPA_OK, "%s", a->err.message);
    cr_assert_leq((how->steady ? 1 : how->count) * (size_t)pepa_measures_count(a->measures), MOST);
    a->status = pepa_simulate_measures(a->model, a->measures, how, set, a->x, &a->info, &a->err);
    pepa_measures_free(a->measures);
    pepa_model_free(a->model);
}

static Asked ask(const char *text, const char *measures, const PepaSimulation *how)
{
    Asked a;
    ask_set(&a, text, measures, how, NULL);
    return a;
}

/* ---- what is the same --------------------------------------------------------------------------- */

static const char all[] = "throughput:serve\nresponse:Waiting\nprobability:{Down >= 1}\n"
                          "utilisation:Server\npopulation:Waiting / throughput:{serve, think}";

static void same_by_threads(const PepaSimulation *how)
{
    Asked alone, together;
    ask_set(&alone, servers, all, how, &(PepaSettings){.threads = 1});
    cr_assert_eq(alone.status, PEPA_OK, "%s", alone.err.message);
    for (int threads = 2; threads <= 5; threads++) {
        ask_set(&together, servers, all, how, &(PepaSettings){.threads = threads});
        cr_assert_eq(together.status, PEPA_OK);
        cr_expect_arr_eq(together.x, alone.x, sizeof alone.x);
        cr_expect_eq(together.info.events, alone.info.events);
        cr_expect_eq(together.info.runs, alone.info.runs);
    }
}

Test(simulate, threads_change_nothing)
{
    const double time[] = {0, 0.5, 4};
    same_by_threads(&(PepaSimulation){.time = time, .count = 3, .runs = 333, .seed = 5});
    same_by_threads(&(PepaSimulation){.time = time, .count = 3, .relative_width = 0.2, .seed = 5});
    same_by_threads(&(PepaSimulation){.steady = 1, .seed = 5, .events = 300000});
    same_by_threads(&(PepaSimulation){.steady = 1, .seed = 5, .runs = 1, .events = 300000});
}

Test(simulate, seeds_differ)
{
    const double time[] = {2};
    const PepaSimulation how = {.time = time, .count = 1, .seed = 1},
                         other = {.time = time, .count = 1, .seed = 2};
    const Asked a = ask(servers, all, &how), b = ask(servers, all, &how),
                c = ask(servers, all, &other);
    cr_expect_arr_eq(a.x, b.x, sizeof a.x);
    cr_expect_neq(a.x[0].value, c.x[0].value);
    cr_expect_eq(a.info.runs, 1000);
}

/* More runs begin with those that fewer have: their means are partial sums of one sequence. */
Test(simulate, runs_are_numbered)
{
    const double time[] = {2};
    const Asked two = ask(servers, "population:Waiting",
                          &(PepaSimulation){.time = time, .count = 1, .runs = 2}),
                three = ask(servers, "population:Waiting",
                            &(PepaSimulation){.time = time, .count = 1, .runs = 3});
    const double third = 3 * three.x[0].value - 2 * two.x[0].value;
    cr_expect_float_eq(third, round(third), 1e-9);
    cr_expect(third >= 0 && third <= 20);
}

/* ---- closed forms ------------------------------------------------------------------------------- */

/* 10^9 independent clients: counts are binomial, so the mean is known to 1/30,000 of a part from a
 * few activities per client and one run. */
Test(simulate, many_copies)
{
    const double time[] = {1e-3}, p = 2.0 / 5 * (1 - exp(-5e-3)), n = 1e9;
    const Asked a = ask("P = (a, 2).Q; Q = (b, 3).P; P[1000000000]", "population:Q\nthroughput:b",
                        &(PepaSimulation){.time = time, .count = 1, .runs = 2, .seed = 3});
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    const double deviation = sqrt(n * p * (1 - p) / 2);
    cr_expect_lt(fabs(a.x[0].value - n * p), 7 * deviation);
    cr_expect_float_eq(a.x[1].value, 3 * a.x[0].value, 1e-3);
}

/* 10^13 of them: more than 32 bits count, so there is no chain; here the time is short. */
Test(simulate, more_copies_than_a_chain_has)
{
    const double time[] = {1e-8}, p = 2.0 / 5 * (1 - exp(-5e-8)), n = 1e13;
    const Asked a = ask("P = (a, 2).Q; Q = (b, 3).P; P[1e13]",
                        "population:Q\npopulation:P + population:Q\nutilisation:P",
                        &(PepaSimulation){.time = time, .count = 1, .runs = 2, .seed = 5});
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_lt(fabs(a.x[0].value - n * p), 7 * sqrt(n * p / 2));
    cr_expect_eq(a.x[1].value, n);
    cr_expect_float_eq(a.x[2].value, 1 - p, 1e-9);
}

/* At time 0 everything is certain; a model that stops stays where it is. */
/* Rates that count 10^12 components: few of them come to Q at the rate 10^-23 P each, 10 in all,
 * and each goes back at 10^-12 P, which is 1: M/M/oo, in the fluid limit as well.  A machine fails
 * at the rate 2. */
Test(simulate, rates_that_count_more_copies_than_32_bits)
{
    static const char text[] = "P = (a, 1e-23 * P).Q; Q = (b, 1e-12 * P).P;\n"
                               "M = (fail, 2e-12 * (P + Q)).Down; Down = (rest, 1).Down;\n"
                               "P[1000000000000] || M",
                      measures[] = "population:Q\nprobability:{M}\nthroughput:b";
    const double time[] = {0.5, 2};
    double fluid[2];
    PepaError err = {0};
    Asked a =
        ask(text, measures,
            &(PepaSimulation){.time = time, .count = 2, .runs = 4000, .confidence = 0.999999});
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    for (int j = 0; j < 2; j++) {
        const double q = 10 * (1 - exp(-time[j]));
        const double exact[] = {q, exp(-2 * time[j]), q};
        for (int i = 0; i < 3; i++)
            cr_expect(a.x[3 * j + i].low <= exact[i] && exact[i] <= a.x[3 * j + i].high,
                      "%d at %g: %g not in [%g, %g]", i, time[j], exact[i], a.x[3 * j + i].low,
                      a.x[3 * j + i].high);
    }
    PepaModel *model = NULL;
    PepaMeasures *asked = NULL;
    cr_assert_eq(pepa_model_parse(&model, "m", text, sizeof text - 1, NULL, &err) ||
                     pepa_measures_new(&asked, model, &err) ||
                     pepa_measures_add(asked, "m", measures, 12, NULL, NULL, &err) ||
                     pepa_fluid_measures(model, asked, &(PepaFluid){.time = time, .count = 2}, NULL,
                                         fluid, NULL, &err),
                 PEPA_OK, "%s", err.message);
    for (int j = 0; j < 2; j++)
        cr_expect_float_eq(fluid[j], 10 * (1 - exp(-time[j])), 1e-2, "%g", fluid[j]);
    pepa_measures_free(asked);
    pepa_model_free(model);
}

/* A local state that rates count has the components of all its phases. */
Test(simulate, rates_that_count_phases)
{
    static const char text[] = "P = (a, erlang(2, 3)).Q; Q = (b, 0.1 * P + 0.1).P; P[6]",
                      measures[] = "population:P\nthroughput:b";
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaMeasures *asked = NULL;
    PepaError err = {0};
    double exact[2];
    const Asked a = ask(text, measures,
                        &(PepaSimulation){.steady = 1, .events = 2000000, .confidence = 0.999999});
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_assert_eq(pepa_model_parse(&model, "m", text, sizeof text - 1, NULL, &err) ||
                     pepa_chain_derive(&chain, model, NULL, &err) ||
                     pepa_measures_new(&asked, model, &err) ||
                     pepa_measures_add(asked, "m", measures, sizeof measures - 1, NULL, NULL, &err),
                 PEPA_OK, "%s", err.message);
    double *pi = calloc((size_t)pepa_chain_info(chain).states, sizeof *pi);
    cr_assert_not_null(pi);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_values(asked, chain, pi, exact, &err), PEPA_OK);
    for (int i = 0; i < 2; i++)
        cr_expect(a.x[i].low <= exact[i] && exact[i] <= a.x[i].high, "%d: %g not in [%g, %g]", i,
                  exact[i], a.x[i].low, a.x[i].high);
    free(pi);
    pepa_measures_free(asked);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

Test(simulate, time_0_and_deadlock)
{
    const double time[] = {0, 1e6, 1e300};
    const Asked a = ask("P = (a, 1).Q; Q = (b, 2).Stop; P",
                        "population:P\npopulation:Stop\n"
                        "probability:{deadlock}",
                        &(PepaSimulation){.time = time, .count = 3, .runs = 100});
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    static const double value[] = {1, 0, 0, 0, 1, 1, 0, 1, 1};
    for (int i = 0; i < 9; i++)
        cr_expect_eq(a.x[i].value, value[i]);
    for (int i = 0; i < 2; i++)
        cr_expect(a.x[i].low == a.x[i].value && a.x[i].high == a.x[i].value);
    cr_expect(a.x[2].low == 0 && a.x[2].high == 0); /* nothing is random yet */
    cr_expect_lt(a.x[5].low, 1);                    /* 100 runs do not prove it */
    cr_expect_eq(a.info.events, 200);
}

/* Wilson's interval: of 0 among n it is 0 to z^2 / (n + z^2). */
Test(simulate, wilson)
{
    const double time[] = {1}, z = 1.959963984540054;
    const Asked a = ask("P = (a, 1e-9).Q; Q = (b, 1).P; P", "probability:{Q}\nprobability:{P}",
                        &(PepaSimulation){.time = time, .count = 1, .runs = 50});
    cr_assert_eq(a.status, PEPA_OK);
    cr_expect_eq(a.x[0].low, 0);
    cr_expect_float_eq(a.x[0].high, z * z / (50 + z * z), 1e-12);
    cr_expect_float_eq(a.x[1].low, 50 / (50 + z * z), 1e-12);
}

/* Where all runs agree the value is an end of its interval, and is not put outside by rounding. */
Test(simulate, values_are_in_their_intervals)
{
    const double time[] = {1e-12, 0.5};
    for (int64_t runs = 2; runs < 150; runs++) {
        const Asked a = ask("P = (a, 1).Q; Q = (b, 1).Q; P",
                            "probability:{Q}\npopulation:P\nprobability:{P}\npopulation:Q",
                            &(PepaSimulation){.time = time, .count = 2, .runs = runs});
        cr_assert_eq(a.status, PEPA_OK);
        for (int i = 0; i < 8; i++)
            cr_expect(a.x[i].low <= a.x[i].value && a.x[i].value <= a.x[i].high,
                      "%d of %lld runs: %.17g in %.17g to %.17g", i, (long long)runs, a.x[i].value,
                      a.x[i].low, a.x[i].high);
    }
}

/* Of three components one is elsewhere at most: the population is 2 or 3.  Without the lock it is 0 to
 * 3, and the interval is Student's. */
Test(simulate, one_of_several)
{
    static const char lock[] = "P = (a, 1).Q; Q = (b, 1).P; L = (a, 1).M; M = (b, 1).L;\n";
    char model[200];
    const double time[] = {1}, n = 50, z2 = 1.959963984540054 * 1.959963984540054;
    const PepaSimulation how = {.time = time, .count = 1, .runs = 50};
    (void)snprintf(model, sizeof model, "%s(P || P || P) <a, b> L", lock);
    Asked a = ask(model, "population:P", &how);
    const double share = a.x[0].value - 2;
    const double center = (share + z2 / (2 * n)) / (1 + z2 / n);
    const double half = sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n);
    cr_assert(share > 0.1 && share < 0.9);
    cr_expect_float_eq(a.x[0].low, 2 + center - half, 1e-9);
    cr_expect_float_eq(a.x[0].high, 2 + center + half, 1e-9);
    (void)snprintf(model, sizeof model, "%s(P || P || P) <> L", lock);
    a = ask(model, "population:P", &how);
    cr_expect_float_eq(a.x[0].high + a.x[0].low, 2 * a.x[0].value, 1e-9);
}

/* A throughput that is seen to be 0 or 5 has the interval of a share, five times as wide; none goes below 0. */
Test(simulate, throughput_of_one)
{
    const double time[] = {1}, n = 200, z2 = 1.959963984540054 * 1.959963984540054;
    const PepaSimulation how = {.time = time, .count = 1, .runs = 200};
    const Asked a = ask("P = (a, 0.1).Q; Q = (b, 5).P; P || (P || P)",
                        "throughput:b", &how);
    const Asked one = ask("P = (a, 0.1).Q; Q = (b, 5).P; P", "throughput:b", &how);
    const double share = one.x[0].value / 5, center = (share + z2 / (2 * n)) / (1 + z2 / n);
    const double half = sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n);
    cr_assert(share > 0 && share < 0.1);
    cr_expect_float_eq(one.x[0].low, 5 * (center - half), 1e-9);
    cr_expect_float_eq(one.x[0].high, 5 * (center + half), 1e-9);
    cr_expect(a.x[0].low >= 0 && a.x[0].low < a.x[0].value && a.x[0].value < a.x[0].high);
}

/* The exact value is in as many intervals as they say, but where no run saw the action at all. */
Test(simulate, rare_throughputs)
{
    const double time[] = {3}, exact = 100 * 0.1 / 100.1; /* settled */
    int seen = 0, within = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        const Asked a = ask("P = (b, 0.1).Q; Q = (d, 100).P; P", "throughput:d",
                            &(PepaSimulation){.time = time, .count = 1, .runs = 1000, .seed = seed});
        cr_assert_eq(a.status, PEPA_OK);
        seen += a.x[0].value > 0;
        within += a.x[0].value > 0 && a.x[0].low > 0 && a.x[0].low <= exact && exact <= a.x[0].high;
    }
    cr_expect(seen > 150 && within >= 0.92 * seen, "%d of %d", within, seen);
}

/* Of few runs Student's interval holds, unless all agree: they may have missed other numbers than two neighbours. */
Test(simulate, few_runs_of_several)
{
    const double time[] = {1}, mean = 3 * (1 - exp(-2)) / 2;
    int within = 0, wide = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        const Asked a = ask("P = (a, 1).Q; Q = (b, 1).P; P[3]", "population:Q",
                            &(PepaSimulation){.time = time, .count = 1, .runs = 3, .seed = seed});
        cr_assert_eq(a.status, PEPA_OK);
        wide += a.x[0].low < a.x[0].high;
        cr_expect_geq(a.x[0].low, 0);
        within += a.x[0].low <= mean && mean <= a.x[0].high;
    }
    cr_expect(wide > 300 && within >= 0.95 * wide, "%d of %d", within, wide);
}

/* Where a model ends is chance: runs that end in either component are observations. */
Test(simulate, several_ends)
{
    static const char ends[] = "P = (l, 1).L + (r, 3).R; L = (x, 1).L2; L2 = (y, 1).L;\n"
                               "R = (z, 5).R; P";
    const Asked a = ask(ends, "population:R\npopulation:L",
                        &(PepaSimulation){.steady = 1, .runs = 2000, .events = 100000000});
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_lt(fabs(a.x[0].value - 0.75), 7 * sqrt(0.75 * 0.25 / 2000));
    cr_expect_lt(fabs(a.x[1].value - 0.125), 7 * sqrt(0.25 * 0.75 / 2000) / 2);
    cr_expect(a.x[0].low < 0.75 && a.x[0].high - a.x[0].low < 0.05);
}

/* The same where nothing can happen in the end; one run cannot tell. */
Test(simulate, absorption)
{
    static const char ends[] = "P = (l, 1).L + (r, 3).R; L = (x, 1).Stop; R = (y, 1).Gone;\n"
                               "Gone = (z, 1).Over; Over = (a, T).Over; P <a> Stop";
    Asked a = ask(ends, "population:Over", &(PepaSimulation){.steady = 1, .runs = 1000});
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_lt(fabs(a.x[0].value - 0.75), 7 * sqrt(0.75 * 0.25 / 1000));
    a = ask(ends, "population:Over", &(PepaSimulation){.steady = 1, .runs = 1});
    cr_expect_eq(a.status, PEPA_ELIMIT);
    cr_expect(strstr(a.err.message, "two or more"), "%s", a.err.message);
}

/* A long beginning is left out: the mean would be off by the factor 2 with it. */
/* A mean of what never changes has no error of rounding: its interval has no width. */
Test(simulate, constants_are_exact)
{
    static const char idle[] = "P = (d, 1).P; A = (a, 1.7).B; B = (b, 2.3).A; A || (P[3] <d> A)";
    for (uint64_t seed = 1; seed < 5; seed++)
        for (int64_t runs = 32; runs; runs /= 32) {
            const PepaSimulation how = {.steady = 1, .seed = seed, .runs = runs, .events = 1000000};
            const Asked a = ask(idle, "population:P", &how);
            cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
            cr_expect(a.x[0].value == 3 && a.x[0].low == 3 && a.x[0].high == 3,
                      "%.17g in %.17g, %.17g", a.x[0].value, a.x[0].low, a.x[0].high);
        }
}

Test(simulate, warm_up)
{
    static const char slow[] = "P = (a, 0.001).Q; Q = (b, 1).R; R = (c, 1).Q; P[50]";
    const Asked a = ask(slow, "population:Q", &(PepaSimulation){.steady = 1, .seed = 8});
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_gt(a.info.warm_up, 1000);
    cr_expect_lt(fabs(a.x[0].value - 25), 0.2);
}

/* ---- widths ------------------------------------------------------------------------------------- */

Test(simulate, goes_on_until_it_is_narrow)
{
    const double time[] = {3};
    for (int steady = 0; steady < 2; steady++) {
        const PepaSimulation how = {.time = time,
                                    .count = 1,
                                    .steady = steady,
                                    .relative_width = 0.01};
        const Asked a = ask(servers, "population:Waiting\nthroughput:serve", &how);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_leq(a.info.width, 0.01);
        for (int i = 0; i < 2; i++)
            cr_expect_leq((a.x[i].high - a.x[i].low) / 2, 0.01 * a.x[i].value * (1 + 1e-12));
    }
}

Test(simulate, limits)
{
    const double time[] = {3};
    Asked a = ask(servers, "population:Waiting",
                  &(PepaSimulation){.time = time, .count = 1, .relative_width = 1e-4, .runs = 500});
    cr_expect_eq(a.status, PEPA_ELIMIT);
    cr_expect_eq(a.err.limit, PEPA_LIMIT_SIMULATION);
    cr_expect(strstr(a.err.message, "after 500 runs"), "%s", a.err.message);
    a = ask(servers, "population:Waiting",
            &(PepaSimulation){.time = time, .count = 1, .events = 1000});
    cr_expect_eq(a.status, PEPA_ELIMIT);
    a = ask(servers, "population:Waiting",
            &(PepaSimulation){.steady = 1, .relative_width = 1e-6, .events = 1000000});
    cr_expect_eq(a.status, PEPA_ELIMIT);
}

/* ---- errors ------------------------------------------------------------------------------------- */

static void first_finding(void *user, const PepaDiagnostic *found)
{
    char *text = user;
    if (!*text)
        (void)snprintf(text, 400, "%s", found->message);
}

/* A state that is wrong is named as exploration names it, whichever run finds it. */
Test(simulate, wrong_states)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"P = (a, T).P; P", "has nothing to drive it"},
        {"P = (b, 1).Q; Q = (a, T).P; P", "has nothing to drive it in state (Q)"},
        {"P = (b, 1).Q; Q = (a, 1).P + (a, T).P; R = (a, 1).R; P <a> R",
         "meet in one component, in state (Q, R)"},
        {"P = (b, 1).Q; Q = (a, P - 1).P; P[3]", "comes to -1 in state (Q:3)"},
    };
    const double time[] = {100};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[400] = "";
        Asked a;
        const PepaSettings set = {.derive.diagnose = first_finding, .user = text};
        ask_set(&a, wrong[i].text, "throughput:a",
                &(PepaSimulation){.time = time, .count = 1, .runs = 10}, &set);
        cr_expect_eq(a.status, PEPA_EMODEL, "%s: %d", wrong[i].text, a.status);
        cr_expect(strstr(text, wrong[i].says), "%s: %s", wrong[i].text, text);
    }
}

/* Where there are too many components for a chain, a walk cannot say in which state a rate is
 * wrong: errors say what they can. */
Test(simulate, wrong_states_of_large_models)
{
    static const struct {
        const char *text, *says;
        PepaStatus status;
    } wrong[] = {
        {"P = (a, 1 / (Q - 3)).Q; Q = (b, 1).P; P[1e13]",
         "a rate that counts local states comes to be negative or not finite", PEPA_EMODEL},
        {"P = (a, T).P; P[1e13]", "`a` comes to be passive with nothing to drive it", PEPA_EMODEL},
        {"P = (b, 1).Q; Q = (a, T).P; P[1e13]", "`a` comes to be passive", PEPA_EMODEL},
    };
    const double time[] = {1e-9};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const Asked a = ask(wrong[i].text, "throughput:a",
                            &(PepaSimulation){.time = time, .count = 1, .runs = 2});
        cr_expect_eq(a.status, wrong[i].status, "%s: %d", wrong[i].text, a.status);
        cr_expect(strstr(a.err.message, wrong[i].says), "%s: %s", wrong[i].text, a.err.message);
    }
}

Test(simulate, wrong_arguments)
{
    const double time[] = {2, 1}, bad[] = {-1};
    const PepaSimulation wrong[] = {
        {.time = time, .count = 2},
        {.time = bad, .count = 1},
        {.count = 0},
        {.time = time, .count = 1, .runs = 1},
        {.time = time, .count = 1, .runs = -1},
        {.time = time, .count = 1, .events = -1},
        {.time = time, .count = 1, .confidence = 1},
        {.time = time, .count = 1, .confidence = NAN},
        {.time = time, .count = 1, .relative_width = -1},
        {.time = time, .count = 1, .relative_width = INFINITY},
        {.time = time, .count = 1, .reserved = {1}},
        {.steady = 1, .runs = 1000000},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_eq(ask(servers, "throughput:log", &wrong[i]).status, PEPA_EARG, "%zu", i);
    PepaModel *one = parse("P = (a, 1).P; P"), *other = parse("P = (a, 1).P; P");
    PepaMeasures *measures = NULL;
    PepaEstimate x;
    PepaError err;
    const PepaSimulation how = {.time = time, .count = 1};
    cr_assert_eq(pepa_measures_new(&measures, one, &err), PEPA_OK);
    cr_expect_eq(pepa_simulate_measures(other, measures, &how, NULL, &x, NULL, &err), PEPA_EARG);
    cr_expect_eq(pepa_simulate_measures(one, NULL, &how, NULL, &x, NULL, &err), PEPA_EARG);
    cr_expect_eq(pepa_simulate_measures(one, measures, NULL, NULL, &x, NULL, &err), PEPA_EARG);
    cr_expect_eq(pepa_simulate_measures(one, measures, &how, NULL, NULL, NULL, &err), PEPA_EARG);
    pepa_measures_free(measures);
    pepa_model_free(one);
    pepa_model_free(other);
}

static int stop(void *user, const PepaProgress *now)
{
    int *asked = user;
    cr_expect_str_eq(now->phase, "simulate");
    cr_expect_gt(now->count, 0);
    return ++*asked;
}

Test(simulate, cancel)
{
    const double time[] = {1e9};
    int asked = 0;
    Asked a;
    const PepaSettings set = {.progress = stop, .user = &asked, .threads = 2};
    ask_set(&a, servers, "throughput:log",
            &(PepaSimulation){.time = time, .count = 1, .runs = 4, .events = INT64_C(1) << 40},
            &set);
    cr_expect_eq(a.status, PEPA_ECANCEL, "%d %s", a.status, a.err.message);
    cr_expect_eq(asked, 1);
    asked = 0;
    ask_set(&a, servers, "throughput:log",
            &(PepaSimulation){.steady = 1, .relative_width = 1e-9, .events = INT64_C(1) << 40},
            &set);
    cr_expect_eq(a.status, PEPA_ECANCEL, "%d %s", a.status, a.err.message);
    cr_expect_eq(asked, 1);
}
