/* The referee of fluid limits against closed forms. */
#include "property/oracle_fluid.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "property/by_hand.h"
#include "property/dense.h"

enum { TIMES = 4 };
static const double times[TIMES] = {0.25, 1, 2.5, 6};

static OracleFluid ask(const char *text, double edge)
{
    const OracleFluidQuestion question = {.times = times,
                                          .time_count = TIMES,
                                          .covariances = true,
                                          .edge = edge};
    OracleFluid result = oracle_fluid(text, &question);
    cr_assert_null(result.failure, "%s, at byte %zu", result.failure, result.where);
    return result;
}

static double mean(const OracleFluid *f, int k, int place, const char *name)
{
    const size_t i = oracle_fluid_find(f, place, name);
    cr_assert_lt(i, f->locals, "%d %s", place, name);
    return (double)f->mean[(size_t)k * f->locals + i];
}

static double covariance(const OracleFluid *f, int k, int place, const char *a, const char *b)
{
    const size_t i = oracle_fluid_find(f, place, a), j = oracle_fluid_find(f, place, b);
    cr_assert(i < f->locals && j < f->locals);
    return (double)f->covariance[((size_t)k * f->locals + i) * f->locals + j];
}

/* To 1e-8, relative to counts above 1. */
static void near(double got, double want, const char *what, double t)
{
    const double scale = fabs(want) > 1 ? fabs(want) : 1;
    cr_expect(fabs(got - want) <= 1e-8 * scale, "%s at %g: %.15g, not %.15g", what, t, got, want);
}

/* Each dies by itself: binomial with p = e^{-rt}. */
Test(oracle_fluid, pure_death)
{
    OracleFluid f = ask("r = 0.7; n = 500; A = (die, r).Stop; A[n]", 0);
    for (int k = 0; k < TIMES; k++) {
        const double p = exp(-0.7 * times[k]);
        near(mean(&f, k, 1, "A"), 500 * p, "mean", times[k]);
        near(mean(&f, k, 1, "Stop"), 500 * (1 - p), "mean of the dead", times[k]);
        near(covariance(&f, k, 1, "A", "A"), 500 * p * (1 - p), "variance", times[k]);
        near(covariance(&f, k, 1, "A", "Stop"), -500 * p * (1 - p), "covariance", times[k]);
    }
    oracle_fluid_free(&f);
}

/* M/M/infinity with arrivals at rate 30, as long as free lines remain: Poisson, of mean a. */
Test(oracle_fluid, infinite_server)
{
    OracleFluid f = ask("Calls = (seize, 30).Calls;"
                        "Line = (seize, T).Busy; Busy = (release, 0.5).Line;"
                        "Calls <seize> Line[100000]",
                        0);
    for (int k = 0; k < TIMES; k++) {
        const double a = 30 / 0.5 * (1 - exp(-0.5 * times[k]));
        near(mean(&f, k, 1, "Calls"), 1, "calls", times[k]);
        near(mean(&f, k, 2, "Busy"), a, "mean", times[k]);
        near(covariance(&f, k, 2, "Busy", "Busy"), a, "variance", times[k]);
    }
    oracle_fluid_free(&f);
}

/* Independent components: multinomial, with the probabilities of one of them.  Two activities of
 * one type, a state without a name, hiding, and one that changes nothing. */
Test(oracle_fluid, linear_cycle)
{
    OracleFluid f = ask("A = (go, 1).(stay, 2).B + (go, 0.5).C; B = (b, 0.3).C + (go, 9).B;"
                        "C = (c, 4).A; (A/{go, c})[1] <> A[40] / {b}",
                        0);
    /* A, A_2, B, C */
    static const long double rate[16] = {0, 1, 0, 0.5L, 0, 0, 2, 0, 0, 0, 0, 0.3L, 4};
    static const char *const name[] = {"A", "A_2", "B", "C"};
    for (int k = 0; k < TIMES; k++) {
        long double p[4], spent[4];
        dense_transient(rate, 4, 0, times[k], p, spent);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                const double pi = (double)p[i], pj = (double)p[j];
                near(mean(&f, k, 1, name[i]), pi, "mean of one", times[k]);
                near(mean(&f, k, 2, name[i]), 40 * pi, "mean", times[k]);
                near(covariance(&f, k, 2, name[i], name[j]), 40 * ((i == j) * pi - pi * pj),
                     "covariance", times[k]);
            }
    }
    oracle_fluid_free(&f);
}

/* Clients x of n ask at rate 3 each, s servers serve at rate 2 each: min(3 x, 2 s), and those who
 * have been served think, at rate 1.  While the servers are the bottleneck,
 *   x' = -2 s + n - x, variance v' = -2 v + 2 s + n - x;
 * from the time T at which 3 x = 2 s, x' = -3 x + n - x, v' = -8 v + 3 x + n - x.  Servers go on
 * as themselves, so that their number does not vary. */
Test(oracle_fluid, min_that_switches)
{
    const double n = 100, s = 45, after_T = n / 4;
    const double T = log((n - (n - 2 * s)) / (2 * s / 3 - (n - 2 * s)));
    OracleFluid f = ask("Client = (ask, 3).Think; Think = (think, 1).Client;"
                        "Server = (ask, 2).Server; Client[100] <ask> Server[45]",
                        0);
    cr_assert(times[1] < T && T < times[2]);
    /* Variance while x = u + (n - u) e^{-t}: v' = -2 v + 2 s + n - x, from 0. */
    const double u = n - 2 * s;
    const double v_T = (4 * s) / 2 * (1 - exp(-2 * T)) - (n - u) * (exp(-T) - exp(-2 * T));
    for (int k = 0; k < TIMES; k++) {
        const double t = times[k];
        double x, v;
        if (t < T) {
            x = u + (n - u) * exp(-t);
            v = (4 * s) / 2 * (1 - exp(-2 * t)) - (n - u) * (exp(-t) - exp(-2 * t));
        } else {
            /* x = w + b e^{-4 d}: v' = -8 v + n + 2 x. */
            const double d = t - T, b = 2 * s / 3 - after_T;
            x = after_T + b * exp(-4 * d);
            v = (n + 2 * after_T) / 8 * (1 - exp(-8 * d)) +
                2 * b / 4 * (exp(-4 * d) - exp(-8 * d)) + v_T * exp(-8 * d);
        }
        near(mean(&f, k, 1, "Client"), x, "mean", t);
        near(mean(&f, k, 1, "Think"), n - x, "mean of the others", t);
        near(mean(&f, k, 2, "Server"), s, "servers", t);
        near(covariance(&f, k, 1, "Client", "Client"), v, "variance", t);
        near(covariance(&f, k, 1, "Client", "Think"), -v, "covariance", t);
    }
    oracle_fluid_free(&f);
}

/* Both partners change in each joint activity: the numbers of free workers and of jobs that are
 * with one, which fall and rise together, vary together.  From job b with x workers bound,
 * x' = min(2 (n - x), 5 m) - x, with m tools that only clear the way: 2 (n - x) here. */
Test(oracle_fluid, both_partners_change)
{
    OracleFluid f = ask("Job = (start, 2).Run; Run = (finish, 1).Job;"
                        "Worker = (start, 5).Bound; Bound = (finish, T).Worker;"
                        "Job[60] <start, finish> Worker[1000]",
                        0);
    for (int k = 0; k < TIMES; k++) {
        const double p = 2.0 / 3 * (1 - exp(-3 * times[k])), v = 60 * p * (1 - p);
        const size_t run = oracle_fluid_find(&f, 1, "Run"),
                     bound = oracle_fluid_find(&f, 2, "Bound");
        near(mean(&f, k, 1, "Run"), 60 * p, "running", times[k]);
        near(mean(&f, k, 2, "Bound"), 60 * p, "bound", times[k]);
        near(covariance(&f, k, 1, "Run", "Run"), v, "variance", times[k]);
        near(covariance(&f, k, 2, "Bound", "Bound"), v, "variance of the bound", times[k]);
        near((double)f.covariance[((size_t)k * f.locals + run) * f.locals + bound], v,
             "covariance of both", times[k]);
    }
    oracle_fluid_free(&f);
}

/* Weights of passive rates: jobs are shared out 3 x to the first and 1 x to the second kind of the
 * servers that are free. */
Test(oracle_fluid, weights)
{
    OracleFluid f = ask("In = (put, 8).In; A = (put, 3 * T).A2; A2 = (a, 1000).A;"
                        "B = (put, T).B2; B2 = (b, 1).B; In <put> (A[500] || B[500000])",
                        0);
    /* Many are free: 3 A / (3 A + B) of 8 go to the As. */
    const double b2 = 8 * (1 - 1500.0 / 501500);
    near(round(mean(&f, 3, 2, "A2") * 1e6) / 1e6, round(8 * 1500.0 / 501500 / 1000 * 1e6) / 1e6,
         "busy in the first", 6);
    cr_expect_float_eq(mean(&f, 3, 3, "B2"), b2 * (1 - exp(-6)), 1e-3);
    oracle_fluid_free(&f);
}

/* Logistic growth, by a functional rate: x' = 2 x (n - x) / n; x = n / (1 + 9 e^{-2t}). */
Test(oracle_fluid, functional_rate)
{
    OracleFluid f = ask("n = 1000; start = n / 10; c = if start < n && !(n < 5) then 2 else 7;"
                        "S = (infect, c * I / n).I; I = (stay, 0.5).I; S[n - start] || I[start]",
                        0);
    for (int k = 0; k < TIMES; k++) {
        const double x = 1000 / (1 + 9 * exp(-2 * times[k]));
        near(mean(&f, k, 1, "I") + mean(&f, k, 2, "I"), x, "infected", times[k]);
        near(mean(&f, k, 1, "S"), 1000 - x, "susceptible", times[k]);
    }
    oracle_fluid_free(&f);
}

/* A jump of a rate that is crossed: x falls from 100 at rate 1, below 40 at rate 3. */
Test(oracle_fluid, jump_that_is_crossed)
{
    const double T = log(100 / 40.0);
    OracleFluid f = ask("A = (a, if A < 40 then 3 else 1).Stop; A[100]", 0);
    for (int k = 0; k < TIMES; k++) {
        const double t = times[k], x = t < T ? 100 * exp(-t) : 40 * exp(-3 * (t - T));
        near(mean(&f, k, 1, "A"), x, "mean", t);
    }
    oracle_fluid_free(&f);
}

/* Thinkers of rate 1 wait for a passive turn at a clerk of rate 50: the queue is empty while fewer
 * than 50 a time unit come, so that all turns are taken at once, n e^{-t} of them. */
Test(oracle_fluid, passive_population_that_empties)
{
    const char *text = "Think = (think, 1).Wait; Wait = (turn, T).Stop; Clerk = (turn, 50).Clerk;"
                       "Think[40] <turn> Clerk";
    const OracleFluidQuestion hard = {.times = times, .time_count = TIMES};
    OracleFluid f = oracle_fluid(text, &hard);
    cr_expect(f.failure && strstr(f.failure, "holds the solution back"));
    oracle_fluid_free(&f);
    double before = INFINITY;
    for (double edge = 1; edge > 5e-3; edge /= 10) {
        f = ask(text, edge);
        const double off = fabs(mean(&f, 1, 1, "Stop") - 40 * (1 - exp(-1)));
        cr_expect(off < edge && off < before / 5, "edge %g: off by %g", edge, off);
        before = off;
        oracle_fluid_free(&f);
    }
}

/* Two passive turns of one population that is empty: as many of each kind as its clerk is fast. */
Test(oracle_fluid, clerks_share_a_population_that_is_empty)
{
    OracleFluid f = ask("Think = (think, 1).Wait; Wait = (a, T).A + (b, T).B;"
                        "A = (stay, 1).A; B = (stay, 1).B; X = (a, 90).X; Y = (b, 30).Y;"
                        "Think[40] <a, b> (X || Y)",
                        0.05);
    near(mean(&f, 3, 1, "A"), 3 * mean(&f, 3, 1, "B"), "by their rates", 6);
    cr_expect_float_eq(mean(&f, 1, 1, "B"), 10 * (1 - exp(-1)), 0.05);
    oracle_fluid_free(&f);
}

/* Copies of a composite, and copies that cooperate: the same as they are written out. */
Test(oracle_fluid, copies_of_a_composite)
{
    const char *defined = "A = (x, 2).B; B = (y, 1).A; C = (x, 3).D; D = (z, 2).C; E = A <x> C;";
    char copies[300], written[300];
    (void)snprintf(copies, sizeof copies, "%s E[2]", defined);
    (void)snprintf(written, sizeof written, "%s E || (A <x> C)", defined);
    OracleFluid f = ask(copies, 0), g = ask(written, 0);
    for (int k = 0; k < TIMES; k++) {
        near(mean(&f, k, 1, "A"), mean(&g, k, 1, "A") * 2, "copies", times[k]);
        near(mean(&f, k, 2, "D"), mean(&g, k, 2, "D") + mean(&g, k, 4, "D"), "written", times[k]);
        near(covariance(&f, k, 1, "A", "B"), covariance(&g, k, 3, "A", "B") * 2, "covariance",
             times[k]);
    }
    oracle_fluid_free(&f);
    oracle_fluid_free(&g);
    f = ask("A = (x, 2).B; B = (y, 1).A; A[2, {x}]", 0);
    g = ask("A = (x, 2).B; B = (y, 1).A; A <x> A", 0);
    near(mean(&f, 1, 1, "A"), mean(&g, 1, 1, "A") + mean(&g, 1, 2, "A"), "cooperating", 1);
    cr_expect(fabs(mean(&g, 1, 1, "B") - 2.0 / 3 * (1 - exp(-3))) < 1e-8);
    oracle_fluid_free(&f);
    oracle_fluid_free(&g);
}

/* A hidden action is done by those inside alone; one of the same name outside is another. */
Test(oracle_fluid, hiding)
{
    OracleFluid f = ask("A = (a, 2).A2; A2 = (b, 1).A; B = (a, 1).B2; B2 = (b, 3).B;"
                        "(A[10] / {a}) <a> B[5] / {b}",
                        0);
    for (int k = 0; k < TIMES; k++) {
        near(mean(&f, k, 1, "A"), 10 * (1 + 2 * exp(-3 * times[k])) / 3, "inside", times[k]);
        near(mean(&f, k, 2, "B"), 5, "waiting for an action that is hidden", times[k]);
    }
    oracle_fluid_free(&f);
}

static void fails(const char *text, const char *part)
{
    const OracleFluidQuestion question = {.times = times, .time_count = 1};
    OracleFluid f = oracle_fluid(text, &question);
    cr_expect(f.failure && strstr(f.failure, part), "%s: %s", text, f.failure);
    oracle_fluid_free(&f);
}

Test(oracle_fluid, what_has_no_meaning)
{
    fails("A = (a, T).A; A[5]", "passive");
    fails("A = (a, T).A; B = (a, T).B; A[5] <a> B[2]", "passive");
    fails("A = (a, T).A; B = (a, 1).B; A[5] || B[2]", "meet");
    fails("A = (a, A - 7).A; A[5]", "positive");
    fails("A = (a, 0).A; A[5]", "positive");
    fails("A = (a, 1).B; A[5]", "name");
    fails("A = (a, b).A; A[5]", "name");
    fails("A = (a, 1).A", "system");
    fails("A = (a, 1).A; A[5", "sign");
}

Test(oracle_fluid, constants_are_put_aside)
{
    const RefConstant constants[] = {{"n", 1e6}, {"r", 2}};
    const double t = 0.5;
    OracleFluidQuestion question = {.constants = constants,
                                    .constant_count = 2,
                                    .times = &t,
                                    .time_count = 1};
    OracleFluid f = oracle_fluid("n = 5; r = 1; A = (a, r).Stop; A[n]", &question);
    cr_assert_null(f.failure);
    near((double)f.mean[0], 1e6 * exp(-1), "mean", t);
    cr_expect_eq(f.local[0].place, 1);
    oracle_fluid_free(&f);
    f = oracle_fluid("m = 5; A = (a, 1).A; A[m]", &question);
    cr_expect_not_null(f.failure);
    oracle_fluid_free(&f);
}
