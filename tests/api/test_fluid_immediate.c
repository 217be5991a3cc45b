/* Local states that take no time, in the fluid limit: against chains whose rates are linear, and against
 * models from which they were taken out by hand. */
#include <math.h>
#include <stdio.h>

#include "api/parsing.h"
#include "pepa_fluid.h"
#include "pepa_transient.h"

enum { MOST = 16 };

typedef struct {
    PepaStatus status;
    PepaError err;
    double x[MOST];
    PepaMoment moment[MOST];
} Asked;

static Asked ask(const char *text, const char *asked, const PepaFluid *at, bool moments)
{
    Asked a = {.status = PEPA_OK};
    PepaModel *model = parse(text);
    PepaMeasures *measures = parse_measures(model, asked);
    cr_assert_leq(pepa_measures_count(measures), MOST);
    a.status = moments ? pepa_fluid_moments(model, measures, at, NULL, a.moment, NULL, &a.err)
                       : pepa_fluid_measures(model, measures, at, NULL, a.x, NULL, &a.err);
    for (int i = 0; i < MOST && moments; i++)
        a.x[i] = a.moment[i].mean;
    pepa_measures_free(measures);
    pepa_model_free(model);
    return a;
}

static const PepaFluid steady = {.steady = 1};

/* ---- against chains ----------------------------------------------------------------------------- */

/* Loops, several ways to one place, self-loops of no time, hidden and timed activities that never happen,
 * in components that never cooperate: rates are linear, and means those of the chain. */
static const char *const linear[] = {
    "Job = (arrive, 1).Decide; Decide = (x, 3 : immediate).Fast + (y, immediate).Slow + (never, "
    "9).Job;"
    "Fast = (f, 4).Leave; Slow = (s, 0.5).Leave; Leave = z.Job; Job[4]",
    "Job = (arrive, 1).Decide; Decide = (x, 3 : immediate).Decide + (y, immediate).Other;"
    "Other = (y, 2 : immediate).Decide + (x, immediate).Fast + (z, immediate).Slow;"
    "Fast = (f, 4).Job + (f, 1).Decide; Slow = (s, 0.5).Other; (Job[3] || Slow[2]) / {f}",
};

static void as_the_chain(const char *text, const double *time, size_t count)
{
    const char asked[] =
        "population:Fast\npopulation:Slow\nthroughput:x\nthroughput:y\nthroughput:s";
    enum { ASKED = 5 };
    PepaModel *model = parse(text);
    PepaMeasures *measures = parse_measures(model, asked);
    cr_assert_leq(pepa_measures_count(measures), MOST);
    PepaChain *chain;
    PepaError err = {0};
    double exact[MOST], pi[1000];
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_values(measures, chain, pi, exact, &err), PEPA_OK);
    Asked got = ask(text, asked, &steady, false);
    cr_assert_eq(got.status, PEPA_OK, "%s", got.err.message);
    for (int i = 0; i < ASKED; i++)
        cr_expect_float_eq(got.x[i], exact[i], 1e-8, "%s: %d: %g, not %g", text, i, got.x[i],
                           exact[i]);
    cr_assert_eq(pepa_transient_measures(chain, measures,
                                         &(PepaTransient){.time = time, .count = count}, NULL,
                                         exact, NULL, &err),
                 PEPA_OK);
    got = ask(text, asked, &(PepaFluid){.time = time, .count = count}, false);
    cr_assert_eq(got.status, PEPA_OK, "%s", got.err.message);
    for (size_t i = 0; i < count * ASKED; i++)
        cr_expect_float_eq(got.x[i], exact[i], 1e-7, "%s: at a time: %zu: %g, not %g", text, i,
                           got.x[i], exact[i]);
    pepa_chain_free(chain);
    pepa_measures_free(measures);
    pepa_model_free(model);
}

Test(fluid_immediate, means_of_a_chain_with_linear_rates)
{
    const double time[] = {0, 0.25, 1.5};
    as_the_chain(linear[0], time, 3);
    as_the_chain(linear[1], time, 3);
    as_the_chain("Job = (x, immediate).Fast + (y, 2 : immediate).Slow; Fast = (f, 4).Job; "
                 "Slow = (s, 0.5).Job; Job[3]",
                 time, 3);
}

/* Four components that are Fast with probability p each. */
Test(fluid_immediate, deviations_are_binomial)
{
    const Asked got = ask(linear[0], "population:Fast", &steady, true);
    const double p = got.moment[0].mean / 4;
    cr_assert_eq(got.status, PEPA_OK, "%s", got.err.message);
    cr_expect_float_eq(got.moment[0].deviation, sqrt(4 * p * (1 - p)), 1e-6);
}

/* Each of ten begins as B or as C by chance, and goes on by itself: they are multinomial. */
Test(fluid_immediate, components_that_begin_by_chance)
{
    const double time[] = {0, 0.3, 2};
    const char text[] = "A = (x, 3 : immediate).B + (y, immediate).C; B = (b, 1).D; C = (c, 4).D;\n"
                        "D = (d, 1e-9).D; A[10]";
    const Asked got = ask(text, "population:B\npopulation:C\npopulation:D",
                          &(PepaFluid){.time = time, .count = 3}, true);
    cr_assert_eq(got.status, PEPA_OK, "%s", got.err.message);
    for (int i = 0; i < 3; i++) {
        const double b = 0.75 * exp(-time[i]), c = 0.25 * exp(-4 * time[i]),
                     p[] = {b, c, 1 - b - c};
        for (int l = 0; l < 3; l++) {
            cr_expect_float_eq(got.moment[3 * i + l].mean, 10 * p[l], 1e-5);
            cr_expect_float_eq(got.moment[3 * i + l].deviation, sqrt(10 * p[l] * (1 - p[l])), 1e-4,
                               "%d, %d: %g", i, l, got.moment[3 * i + l].deviation);
        }
    }
}

/* ---- against models without ----------------------------------------------------------------------- */

/* Clients try again one time of five; servers break one time of ten; who waits for R is served at once. */
static const char dispatched[] =
    "Client = (think, 0.1).Route; Route = (left, 2 : immediate).WaitL + (right, immediate).WaitR;\n"
    "WaitL = (serveL, T).Retry; WaitR = (serveR, 3).Retry;\n"
    "Retry = (again, immediate).Route + (done, 4 : immediate).Client;\n"
    "L = (serveL, 2).Check; Check = (ok, 9 : immediate).L + (bad, immediate).Fix; Fix = (fix, "
    "0.5).L;\n"
    "R = (serveR, immediate).R;\n"
    "Client[1000] <serveL, serveR> (L[40] || R[10])";
static const char by_hand[] =
    "Client = (think, 0.1 * 2 / 3).WaitL + (think, 0.1 / 3).WaitR;\n"
    "WaitL = (serveL, 12 * T).Client + (serveL, 2 * T).WaitL + (serveL, T).WaitR;\n"
    "WaitR = (serveR, 3 * 0.8).Client + (serveR, 3 * 2 / 15).WaitL + (serveR, 0.2).WaitR;\n"
    "L = (serveL, 1.8).L + (serveL, 0.2).Fix; Fix = (fix, 0.5).L; R = (serveR, T).R;\n"
    "Client[1000] <serveL, serveR> (L[40] || R[10])";

/* Without moments: of the shares that are written out by hand they take quotients to the second order. */
static void same(const PepaFluid *at)
{
    const size_t count = at->steady ? 1 : at->count;
    const Asked want = ask(by_hand,
                           "population:WaitL\npopulation:WaitR\npopulation:Fix\nthroughput:serveL\n"
                           "2 / 3 * (throughput:think + 0.2 * throughput:{serveL, serveR})\n"
                           "0.1 * throughput:serveL",
                           at, false);
    const Asked got = ask(dispatched,
                          "population:WaitL\npopulation:WaitR\npopulation:Fix\nthroughput:serveL\n"
                          "throughput:left\nthroughput:bad",
                          at, false);
    cr_assert_eq(want.status, PEPA_OK, "%s", want.err.message);
    cr_assert_eq(got.status, PEPA_OK, "%s", got.err.message);
    for (size_t i = 0; i < count * 6; i++)
        cr_expect_float_eq(got.x[i], want.x[i], 1e-6 * (1 + want.x[i]), "%zu: %g, not %g", i,
                           got.x[i], want.x[i]);
}

Test(fluid_immediate, is_the_model_without)
{
    const double time[] = {0.5, 30};
    same(&steady);
    same(&(PepaFluid){.time = time, .count = 2});
}

/* The model of one client has the states in which time passes, and thinks a thousandth as often. */
Test(fluid_immediate, one_component)
{
    PepaModel *all = parse(dispatched), *one;
    PepaChain *chain;
    PepaError err = {0};
    double pi[3], often;
    const Asked whole = ask(dispatched, "throughput:think", &steady, false);
    cr_assert_eq(pepa_fluid_individual(&one, all, "Client", NULL, &err), PEPA_OK, "%s",
                 err.message);
    cr_assert_eq(pepa_chain_derive(&chain, one, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_chain_info(chain).states, 3);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, &err), PEPA_OK);
    PepaMeasures *measures = parse_measures(one, "throughput:think");
    cr_assert_eq(pepa_measures_values(measures, chain, pi, &often, &err), PEPA_OK);
    cr_expect_float_eq(1000 * often, whole.x[0], 1e-5 * whole.x[0]);
    pepa_measures_free(measures);
    pepa_chain_free(chain);
    pepa_model_free(one);
    pepa_model_free(all);
}

/* ---- what has no fluid limit ----------------------------------------------------------------------- */

static void refuses(const char *text, const PepaFluid *at, bool moments, PepaStatus status,
                    const char *word)
{
    const Asked a = ask(text, "population:B", at, moments);
    cr_expect_eq(a.status, status, "%s: %d", text, (int)a.status);
    cr_expect(strstr(a.err.message, word), "%s: %s", text, a.err.message);
}

Test(fluid_immediate, what_is_refused)
{
    refuses("A = (a, 1).B; B = (b, T).A; S = b.S; A[10] <b> S[2]", &steady, false, PEPA_EARG,
            "`b` is immediate and shared");
    refuses("A = (a, 1).B; B = (x, immediate).A; C = (x, 2).C; A[10] || C[10]", &steady, false,
            PEPA_EARG, "`x` is immediate in one component and has a rate in another");
    refuses("A = (a, 1).B; B = (b, (A + 1) : immediate).A; A[10]", &steady, false, PEPA_EARG,
            "counts local states");
    refuses("A = (a, 1).B; B = b.C; C = c.B; A[10]", &steady, false, PEPA_EMODEL, "go on for ever");
    refuses("A = (a[2], 1).B; B = (b, 1).A; A[10]", &steady, false, PEPA_EARG, "priorities");
}

Test(fluid_immediate, one_component_that_begins_without_time)
{
    PepaModel *all = parse("A = x.B + y.C; B = (b, 1).A; C = (c, 1).A; A[10]"), *one;
    PepaError err = {0};
    cr_expect_eq(pepa_fluid_individual(&one, all, "A", NULL, &err), PEPA_EARG);
    cr_expect(strstr(err.message, "takes no time"), "%s", err.message);
    pepa_model_free(all);
}
