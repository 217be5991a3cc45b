/* Passage times in tests: a model, how its passages begin and end, and what is known of them. */
#ifndef TESTS_MEASURE_PASSAGES_H
#define TESTS_MEASURE_PASSAGES_H

#include "pepa_passage.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    PepaModel *model;
    PepaChain *chain;
    PepaPassage *passage;
    PepaPredicate *from, *to;
    double *pi;
    PepaStatus status;
    PepaError err;
} Case;

/* from, to: an action, a predicate in braces, or "start". */
static inline void predicate(Case *c, const char *text, PepaPredicate **out)
{
    cr_assert_eq(pepa_predicate_new(out, c->model, "test", text + 1, strlen(text) - 2, NULL, NULL,
                                    &c->err),
                 PEPA_OK, "%s", c->err.message);
}

/* tolerance 0: the default. */
static inline void open_case_within(Case *c, const char *text, PepaExplore explore,
                                    const char *from, const char *to, double tolerance)
{
    PepaSettings set = {.derive.explore = explore, .solve.tolerance = tolerance};
    *c = (Case){0};
    cr_assert_eq(pepa_model_parse(&c->model, "test", text, strlen(text), NULL, &c->err), PEPA_OK,
                 "%s", c->err.message);
    cr_assert_eq(pepa_chain_derive(&c->chain, c->model, &set, &c->err), PEPA_OK, "%s",
                 c->err.message);
    PepaPassageEnds ends = {.from_start = strcmp(from, "start") == 0};
    if (*from == '{')
        predicate(c, from, &c->from);
    else if (!ends.from_start)
        ends.from_actions = 1;
    if (*to == '{')
        predicate(c, to, &c->to);
    else
        ends.to_actions = 1;
    ends.from_action = &from;
    ends.to_action = &to;
    ends.from = c->from;
    ends.to = c->to;
    c->pi = malloc((size_t)pepa_chain_info(c->chain).states * sizeof *c->pi);
    if (!ends.from_start)
        cr_assert_eq(pepa_solve_steady(c->chain, NULL, c->pi, NULL, &c->err), PEPA_OK);
    c->status = pepa_passage_new(&c->passage, c->chain, c->pi, &ends, &set, &c->err);
}

static inline void open_case(Case *c, const char *text, PepaExplore explore, const char *from,
                             const char *to)
{
    open_case_within(c, text, explore, from, to, 0);
}

static inline void close_case(Case *c)
{
    pepa_passage_free(c->passage);
    pepa_predicate_free(c->from);
    pepa_predicate_free(c->to);
    pepa_chain_free(c->chain);
    pepa_model_free(c->model);
    free(c->pi);
}

static inline void expect_moments(Case *c, double mean, double variance)
{
    PepaPassageMoments m;
    cr_assert_eq(c->status, PEPA_OK, "%s", c->err.message);
    cr_assert_eq(pepa_passage_moments(c->passage, &m, &c->err), PEPA_OK, "%s", c->err.message);
    cr_expect_float_eq(m.ends, 1, 1e-12);
    cr_expect_float_eq(m.mean, mean, 1e-9 * mean);
    cr_expect_float_eq(m.variance, variance, 1e-8 * (variance + mean * mean));
    cr_expect_float_eq(m.deviation * m.deviation, m.variance, 1e-14 * m.variance);
}

static inline void expect_at(Case *c, double t, double cdf, double pdf)
{
    double found, density, error;
    cr_assert_eq(pepa_passage_at(c->passage, t, &found, &density, &error, &c->err), PEPA_OK);
    cr_expect(fabs(found - cdf) <= error, "P(T <= %g) is %.15g, should be %.15g, bound %g", t,
              found, cdf, error);
    cr_expect_float_eq(density, pdf, 100 * error);
    cr_expect_leq(error, 1.1e-10);
}

/* Erlang with three phases at rate 2, from start to c. */
static const char ring[] = "A = (a, 2).B; B = (b, 2).C; C = (c, 2).D; D = (go, 1).A; A";

#endif
