/* What tests of formulas of CSL share: models, a chain, and what is said of a formula about it. */
#ifndef PEPA_TESTS_API_FORMULAS_H
#define PEPA_TESTS_API_FORMULAS_H

#include "pepa_csl.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* An M/M/1 queue with room for 4. */
static const char queue[] = "Q0 = (in, 1).Q1; Q1 = (in, 1).Q2 + (out, 2).Q0;\n"
                            "Q2 = (in, 1).Q3 + (out, 2).Q1; Q3 = (in, 1).Q4 + (out, 2).Q2;\n"
                            "Q4 = (out, 2).Q3; Q0";

/* Stages in a row at the same rate. */
static const char stages[] = "A = (a, 3).B; B = (b, 3).C; C = (c, 3).D; D = (d, 3).E;\n"
                             "E = (e, 3).E; A";

typedef struct {
    PepaModel *model;
    PepaChain *chain;
} Given;

static inline Given given(const char *text, PepaExplore explore)
{
    Given g = {0};
    PepaError err = {0};
    const PepaSettings set = {.derive.explore = explore};
    cr_assert_eq(pepa_model_parse(&g.model, "m", text, strlen(text), NULL, &err), PEPA_OK, "%s",
                 err.message);
    cr_assert_eq(pepa_chain_derive(&g.chain, g.model, &set, &err), PEPA_OK, "%s", err.message);
    return g;
}

static inline void given_free(Given *g)
{
    pepa_chain_free(g->chain);
    pepa_model_free(g->model);
}

static inline PepaStatus ask(const Given *g, const char *text, const PepaSettings *set,
                             PepaVerdict *verdict, PepaError *err)
{
    PepaFormula *f = NULL;
    cr_assert_eq(pepa_formula_new(&f, g->model, "f", text, strlen(text), NULL, NULL, err), PEPA_OK,
                 "%s: %s", text, err->message);
    PepaStatus status = pepa_formula_check(f, g->chain, set, verdict, err);
    pepa_formula_free(f);
    return status;
}

/* The number is as near as its bound says, and the bound is no larger than `most`. */
static inline double number(const Given *g, const char *text, double most)
{
    PepaVerdict v = {0};
    PepaError err = {0};
    cr_assert_eq(ask(g, text, NULL, &v, &err), PEPA_OK, "%s: %s", text, err.message);
    cr_expect(v.error_bound >= 0 && v.error_bound <= most, "%s: bound %g", text, v.error_bound);
    cr_expect_eq(v.holds, -1);
    return v.value;
}

static inline void expect_number_by(const Given *g, const PepaSettings *set, const char *text,
                                    double want, double most)
{
    PepaVerdict v = {0};
    PepaError err = {0};
    cr_assert_eq(ask(g, text, set, &v, &err), PEPA_OK, "%s: %s", text, err.message);
    cr_expect(v.error_bound >= 0 && v.error_bound <= most, "%s: bound %g", text, v.error_bound);
    cr_expect(fabs(v.value - want) <= v.error_bound + 1e-14 * (1 + fabs(want)),
              "%s: %.17g +- %g, should be %.17g", text, v.value, v.error_bound, want);
}

static inline void expect_number(const Given *g, const char *text, double want, double most)
{
    expect_number_by(g, NULL, text, want, most);
}

static inline void expect_verdict(const Given *g, const char *text, int want)
{
    PepaVerdict v = {0};
    PepaError err = {0};
    cr_assert_eq(ask(g, text, NULL, &v, &err), PEPA_OK, "%s: %s", text, err.message);
    cr_expect_eq(v.holds, want, "%s", text);
}

#endif
