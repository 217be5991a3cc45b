/* Fluid limits of populations that leave their local state as fast as they enter it: against chains, with
 * errors that fall as the populations grow; and where they are not known, a warning. */
#include "pepa_fluid.h"

#include <math.h>
#include <stdio.h>

#include "api/parsing.h"
#include "pepa_transient.h"

enum { MOST = 8 };

typedef struct {
    PepaStatus status;
    PepaError err;
    PepaFluidInfo info;
    double x[MOST];
    PepaMoment moment[MOST];
    char warnings[2048];
} Asked;

static const PepaFluid steady = {.steady = 1};

static void note(void *user, const PepaDiagnostic *d)
{
    Asked *a = user;
    const size_t length = strlen(a->warnings);
    (void)snprintf(a->warnings + length, sizeof a->warnings - length, "%s\n", d->message);
}

static Asked ask(const char *text, const char *measures, const PepaFluid *at, bool moments)
{
    Asked a = {0};
    PepaModel *model = parse(text);
    PepaMeasures *m = parse_measures(model, measures);
    const PepaSettings set = {.derive.diagnose = note, .user = &a};
    a.status = moments ? pepa_fluid_moments(model, m, at, &set, a.moment, &a.info, &a.err)
                       : pepa_fluid_measures(model, m, at, &set, a.x, &a.info, &a.err);
    pepa_measures_free(m);
    pepa_model_free(model);
    return a;
}

/* By the chain: in the long run, or at a time. */
static void solve(const char *text, const char *measures, double time, double *x)
{
    PepaModel *model = parse(text);
    PepaMeasures *m = parse_measures(model, measures);
    PepaChain *chain = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK, "%s", err.message);
    if (time > 0) {
        const PepaTransient at = {.time = &time, .count = 1};
        cr_assert_eq(pepa_transient_measures(chain, m, &at, NULL, x, NULL, &err), PEPA_OK);
    } else {
        double *pi = calloc((size_t)pepa_chain_info(chain).states, sizeof *pi);
        cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, &err), PEPA_OK);
        cr_assert_eq(pepa_measures_values(m, chain, pi, x, &err), PEPA_OK);
        free(pi);
    }
    pepa_chain_free(chain);
    pepa_measures_free(m);
    pepa_model_free(model);
}

static void put_number(char *text, size_t size, const char *model, int n)
{
    (void)snprintf(text, size, "n = %d; %s", n, model);
}

/* ---- shares ------------------------------------------------------------------------------------ */

#define PACE "A = (a, 1.2).A; B = (b, 0.3).B; "

static const struct {
    const char *text, *why;
} known[] = {
    {"I = (m, 1).J; J = (a, T).I + (b, T).I; " PACE "I[n] <a, b> (A[n] || B[n])", "two actions"},
    {"I = (m, 1).J; J = (a, T).I + (b, 3 * T).I; " PACE "I[n] <a, b> (A[n] || B[n])",
     "weights of other actions"},
    {"I = (m, 0.2).J; J = (a, T).I + (b, 2 * T).I + (b, T).L; L = (l, 0.3).I; " PACE
     "I[n] <a, b> (A[n] || B[n])",
     "weights of one action"},
    {"I = (m, 0.4).J; J = (a, T).I + (b, (2 + I / n) * T).I; " PACE "I[n] <a, b> (A[n] || B[n])",
     "weights that count"},
    {"I = (m, 0.4).J; J = (a, (1 + I / n) * T).I + (a, (2 - I / n) * T).L + (b, T).I;"
     "L = (l, 0.3).I; " PACE "I[n] <a, b> (A[n] || B[n])",
     "weights of one action that count"},
    {"I = (m, 0.1).J; J = (a, T).I + (b, T).I; K = (m, 0.1).L; L = (a, 3 * T).K + (b, 3 * "
     "T).K; " PACE "(I[n] || K[n]) <a, b> (A[n] || B[n])",
     "two local states with the same actions"},
    {"I = (m, 0.1).J; J = (a, T).K + (b, T).I; K = (c, T).I + (d, T).J;"
     "A = (a, 1.2).A + (b, 0.3).A + (c, 1).A + (d, 0.25).A; I[n] <a, b, c, d> A[n]",
     "one that changes into another"},
    {"I = (m, 0.1).J; J = (a, T).I + (b, T).I; S = (a, 0.6).S; " PACE
     "(I[n] <a, b> (A[n] || B[n])) <a> S[n]",
     "a limit outside"},
    {"I = (m, 0.2).J; J = (a, T).I + (b, T).I; P = (a, T).Q; Q = (q, 2).P; " PACE
     "(I[n] <a> P[n]) <a, b> (A[n] || B[n])",
     "both sides passive"},
    {"I = (m, 0.2).J; J = (a, T).I + (b, T).I; P = (a, T).Q; Q = (q, 2).P; " PACE
     "I[n] <a, b> ((A[n] <a> P[n]) || B[n])",
     "passive one after the other"},
    {"I = (m, 1).J; J = (a, 0.01 * T).I + (b, T).I; K = (m, 9).L; L = (a, T).K; " PACE
     "(I[n] || K[n]) <a, b> (A[n] || B[n])",
     "beside many others"},
};

static double furthest(const double *x, const double *y)
{
    return fmax(fabs(x[0] - y[0]), fabs(x[1] - y[1]));
}

Test(fluid_scarce, errors_fall_as_populations_grow)
{
    const char *measures = "throughput:a / rate:n\nthroughput:b / rate:n";
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (int in_time = 0; in_time < 2; in_time++) {
            double away[2], exact[2];
            const double time = 30;
            const PepaFluid then = {.time = &time, .count = 1};
            for (int i = 0; i < 2; i++) {
                char text[1024];
                put_number(text, sizeof text, known[k].text, i ? 32 : 8);
                const Asked a = ask(text, measures, in_time ? &then : &steady, false);
                cr_assert_eq(a.status, PEPA_OK, "%s: %s", known[k].why, a.err.message);
                cr_expect_str_empty(a.warnings, "%s: %s", known[k].why, a.warnings);
                solve(text, measures, in_time ? time : 0, exact);
                away[i] = furthest(a.x, exact);
            }
            cr_expect_lt(away[1], 0.5 * away[0] + 1e-5, "%s: %g, %g", known[k].why, away[0],
                         away[1]);
            cr_expect_lt(away[1], 0.05, "%s: %g", known[k].why, away[1]);
        }
}

/* Of 10,000 and 10^9 components alike. */
Test(fluid_scarce, shares_are_those_of_the_partners)
{
    for (double n = 1e4; n <= 1e9; n *= 10) {
        char text[512];
        (void)snprintf(text, sizeof text,
                       "User = (think, 0.05).Wait; Wait = (fast, T).User + (slow, T).Read;"
                       "Read = (read, 0.02).User; A = (fast, 9).A; B = (slow, 1).B;"
                       "User[%.0f] <fast, slow> (A[%.0f] || B[%.0f])",
                       n, n, n);
        const Asked a =
            ask(text, "population:Read\nthroughput:fast\nthroughput:slow", &steady, false);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_str_empty(a.warnings, "%s", a.warnings);
        cr_expect_float_eq(a.x[0] / n, 0.2, 1e-6, "%g: %.9g", n, a.x[0] / n);
        cr_expect_float_eq(a.x[1] / n, 0.036, 1e-7);
        cr_expect_float_eq(a.x[2] / n, 0.004, 1e-7);
    }
}

static const char model_of_two[] =
    "I = (m, 0.01).J; J = (a, T).I + (b, 3 * T).I; " PACE "I[n] <a, b> (A[n] || B[n])";

/* Means are those of the fluid limit, with fluctuations or without: next to nothing waits. */
Test(fluid_scarce, moments_have_the_same_shares)
{
    char text[512];
    put_number(text, sizeof text, model_of_two, 1000);
    const double time = 400;
    const PepaFluid then = {.time = &time, .count = 1};
    for (int in_time = 0; in_time < 2; in_time++) {
        const Asked a = ask(text, "throughput:a\nthroughput:b", in_time ? &then : &steady, true);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_float_eq(a.moment[0].mean, 8, 0.01, "%g", a.moment[0].mean);
        cr_expect_float_eq(a.moment[1].mean, 2, 0.01, "%g", a.moment[1].mean);
    }
}

/* The model of one component has them as well. */
Test(fluid_scarce, one_component_has_the_same_shares)
{
    char text[512];
    PepaModel *one = NULL;
    PepaError err = {0};
    double x[2];
    put_number(text, sizeof text, model_of_two, 1000);
    PepaModel *model = parse(text);
    cr_assert_eq(pepa_fluid_individual(&one, model, "I", NULL, &err), PEPA_OK, "%s", err.message);
    PepaMeasures *m = parse_measures(one, "throughput:a\nthroughput:b");
    PepaChain *chain = NULL;
    cr_assert_eq(pepa_chain_derive(&chain, one, NULL, &err), PEPA_OK, "%s", err.message);
    double *pi = calloc((size_t)pepa_chain_info(chain).states, sizeof *pi);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_values(m, chain, pi, x, &err), PEPA_OK);
    cr_expect_float_eq(x[0], 0.008, 1e-6, "%g", x[0]);
    cr_expect_float_eq(x[1], 0.002, 1e-6, "%g", x[1]);
    free(pi);
    pepa_chain_free(chain);
    pepa_measures_free(m);
    pepa_model_free(one);
    pepa_model_free(model);
}

/* ---- what is not known ------------------------------------------------------------------------- */

static const struct {
    const char *text, *words;
} unknown[] = {
    /* Another scarce local state does one of the two. */
    {"I = (m, 0.5).J; J = (a, T).I + (b, T).I; K = (m, 0.5).L; L = (a, T).K; " PACE
     "(I[n] || K[n]) <a, b> (A[n] || B[n])",
     "next to none are in `J`, and how they divide between `a` and `b`"},
    /* Both do both, with weights against each other. */
    {"I = (m, 0.5).J; J = (a, T).I + (b, 3 * T).I; K = (m, 0.5).L; L = (a, 3 * T).K + (b, "
     "T).K; " PACE "(I[n] || K[n]) <a, b> (A[n] || B[n])",
     "and how they divide between `a` and `b`"},
    /* The other side is as scarce. */
    {"I = (m, 0.5).J; J = (a, T).I + (b, T).I; P = (q, 0.2).Q; Q = (a, T).P; " PACE
     "(I[n] <a> P[n]) <a, b> (A[n] || B[n])",
     "next to none are in `J`, and how they divide"},
    {"I = (m, 0.5).J; J = (a, T).I + (b, T).I; P = (q, 0.2).Q; Q = (a, T).P; " PACE
     "I[n] <a, b> ((A[n] <a> P[n]) || B[n])",
     "next to none are in `J`, and how they divide"},
    /* A server outside is enough for one of two, and not for both. */
    {"I = (m, 0.5).J; J = (a, T).I; P = (q, 100).Q; Q = (a, T).P; A = (a, 1).A; B = (a, 1).B;"
     "S = (a, 1.5).S; ((I[n] <a> A[n]) || (P[n] <a> B[n])) <a> S[n]",
     "`a` is limited by one side while some are in `J`"},
};

Test(fluid_scarce, what_is_not_known_is_said)
{
    const double time[] = {0, 50};
    const PepaFluid then = {.time = time, .count = 2};
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++)
        for (int way = 0; way < 4; way++) {
            char text[1024];
            put_number(text, sizeof text, unknown[k].text, 100);
            const Asked a = ask(text, "throughput:a", way % 2 ? &then : &steady, way >= 2);
            cr_assert_eq(a.status, PEPA_OK, "%s: %s", text, a.err.message);
            cr_expect(strstr(a.warnings, unknown[k].words), "%s: %s", text, a.warnings);
            cr_expect(strstr(a.warnings, way % 2 ? "from about time" : "where populations settle"),
                      "%s", a.warnings);
        }
}

Test(fluid_scarce, what_one_component_cannot_know_is_said)
{
    Asked a = {0};
    char text[1024];
    PepaModel *one = NULL;
    const PepaSettings set = {.derive.diagnose = note, .user = &a};
    put_number(text, sizeof text, unknown[0].text, 100);
    PepaModel *model = parse(text);
    cr_assert_eq(pepa_fluid_individual(&one, model, "I", &set, &a.err), PEPA_OK);
    cr_expect(strstr(a.warnings, unknown[0].words), "%s", a.warnings);
    pepa_model_free(one);
    pepa_model_free(model);
}

/* On the way through, and with enough of all, nothing is scarce. */
Test(fluid_scarce, what_is_known_is_not_doubted)
{
    static const char *const texts[] = {
        "I = (m, 0.5).J; J = (a, T).I + (b, T).I; K = (m, 2).L; L = (a, T).K; " PACE
        "(I[n] || K[n]) <a, b> (A[n] || B[n])",
        "I = (m, 0.5).J; J = (a, T).I; P = (q, 100).Q; Q = (a, T).P; A = (a, 1).A; B = (a, 1).B;"
        "S = (a, 2.5).S; ((I[n] <a> A[n]) || (P[n] <a> B[n])) <a> S[n]",
    };
    const double time[] = {0, 1e-6, 1e-3, 0.1, 50};
    const PepaFluid then = {.time = time, .count = 5};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (int in_time = 0; in_time < 2; in_time++) {
            char text[1024];
            put_number(text, sizeof text, texts[k], 100);
            const Asked a = ask(text, "throughput:a", in_time ? &then : &steady, false);
            cr_assert_eq(a.status, PEPA_OK, "%s: %s", text, a.err.message);
            cr_expect_str_empty(a.warnings, "%s: %s", text, a.warnings);
        }
}

/* It leaves the scarce regime so fast that the cubic through a long step ends where the step does not begin:
 * such a step is shortened, and the next ones as well. */
Test(fluid_scarce, a_population_that_is_suddenly_many)
{
    const char *text =
        "P0 = (m, 0.1).P1; P1 = (c, T).P2 + (a, T).P2 + (a, T).P3; P2 = (a, 3 * T).P1;"
        "P3 = (k, 0.3).P2 + (l, 2).P2; A = (a, 4).A; C = (c, 1).C;"
        "P0[2000] <a, c> (A[2000] || C[2000])";
    const Asked a = ask(text, "throughput:a\nthroughput:c", &steady, false);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_float_eq(a.x[0], 8000, 1e-6);
    cr_expect_float_eq(a.x[1], 2000, 1e-6);
    cr_expect_lt(a.info.steps, 10000);
}
