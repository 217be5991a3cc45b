/* Phase types against the distributions that they are: the time from entering a local state to its
 * activity, with mean, variance and distribution function by their closed forms. */
#include <math.h>
#include <stdio.h>

#include "parsing.h"
#include "pepa_passage.h"

enum { TIMES = 4 };
static const double times[TIMES] = {0.05, 0.4, 1.5, 6};

typedef double Cdf(double t);

static void expect_distribution(const char *rate, double mean, double variance, Cdf *cdf)
{
    char text[300];
    (void)snprintf(text, sizeof text, "P = (a, %s).Q; Q = (b, 0.7).P; P", rate);
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaPassage *passage = NULL;
    PepaError err = {0};
    PepaPassageMoments m;
    const char *const b = "b", *const a = "a";
    cr_assert_eq(pepa_model_parse(&model, "m", text, strlen(text), NULL, &err), PEPA_OK, "%s: %s",
                 rate, err.message);
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK, "%s", err.message);
    double *pi = calloc((size_t)pepa_chain_info(chain).states, sizeof *pi);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, &err), PEPA_OK, "%s", err.message);
    const PepaPassageEnds ends = {.from_action = &b,
                                  .from_actions = 1,
                                  .to_action = &a,
                                  .to_actions = 1};
    cr_assert_eq(pepa_passage_new(&passage, chain, pi, &ends, NULL, &err), PEPA_OK, "%s",
                 err.message);
    cr_assert_eq(pepa_passage_moments(passage, &m, &err), PEPA_OK, "%s", err.message);
    cr_expect_float_eq(m.mean, mean, 1e-10 * mean, "%s: mean %.15g", rate, m.mean);
    cr_expect_float_eq(m.variance, variance, 1e-9 * variance, "%s: %.15g", rate, m.variance);
    for (int i = 0; i < TIMES; i++) {
        double got, bound;
        cr_assert_eq(pepa_passage_at(passage, times[i], &got, NULL, &bound, &err), PEPA_OK, "%s",
                     err.message);
        cr_expect_float_eq(got, cdf(times[i]), 1e-9, "%s: %.15g at %g", rate, got, times[i]);
    }
    pepa_passage_free(passage);
    free(pi);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

static double erlang3(double t)
{
    const double x = 2 * t;
    return 1 - exp(-x) * (1 + x + x * x / 2);
}

static double hyper3(double t)
{
    return 1 - (exp(-t) + 3 * exp(-4 * t) + 2 * exp(-2 * t)) / 6;
}

static double equal2(double t)
{
    return 1 - exp(-3 * t);
}

/* cox(2, 0.5, 4): 2, and then with probability 1/2 another 4. */
static double cox2(double t)
{
    const double both = 1 - 2 * exp(-2 * t) + exp(-4 * t);
    return 0.5 * (1 - exp(-2 * t)) + 0.5 * both;
}

Test(phases, distributions)
{
    expect_distribution("erlang(3, 2)", 1.5, 0.75, erlang3);
    expect_distribution("erlang(1, 3)", 1.0 / 3, 1.0 / 9, equal2);
    const double mean = (1.0 + 3.0 / 4 + 2.0 / 2) / 6;
    const double square = 2 * (1.0 + 3.0 / 16 + 2.0 / 4) / 6;
    expect_distribution("hyper(1:1, 3:4, 2:2)", mean, square - mean * mean, hyper3);
    expect_distribution("hyper(2:2, 1:1, 3:4)", mean, square - mean * mean, hyper3);
    expect_distribution("hyper(1:3, 5:3)", 1.0 / 3, 1.0 / 9, equal2);
    expect_distribution("cox(3)", 1.0 / 3, 1.0 / 9, equal2);
    expect_distribution("cox(2, 0.5, 4)", 0.625, 1.0 / 4 + 0.5 / 8 - 1.0 / 64, cox2);
}
