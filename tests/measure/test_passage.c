/* Passage times against closed forms, on rows and on sets. */
#include "pepa_passage.h"

#include <criterion/criterion.h>
#include <math.h>
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
static void predicate(Case *c, const char *text, PepaPredicate **out)
{
    cr_assert_eq(pepa_predicate_new(out, c->model, "test", text + 1, strlen(text) - 2, NULL, NULL,
                                    &c->err),
                 PEPA_OK, "%s", c->err.message);
}

static void open_case(Case *c, const char *text, PepaExplore explore, const char *from,
                      const char *to)
{
    PepaSettings set = {.derive.explore = explore};
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
    c->status = pepa_passage_new(&c->passage, c->chain, c->pi, &ends, NULL, &c->err);
}

static void close_case(Case *c)
{
    pepa_passage_free(c->passage);
    pepa_predicate_free(c->from);
    pepa_predicate_free(c->to);
    pepa_chain_free(c->chain);
    pepa_model_free(c->model);
    free(c->pi);
}

static void expect_moments(Case *c, double mean, double variance)
{
    PepaPassageMoments m;
    cr_assert_eq(c->status, PEPA_OK, "%s", c->err.message);
    cr_assert_eq(pepa_passage_moments(c->passage, &m, &c->err), PEPA_OK, "%s", c->err.message);
    cr_expect_float_eq(m.ends, 1, 1e-12);
    cr_expect_float_eq(m.mean, mean, 1e-9 * mean);
    cr_expect_float_eq(m.variance, variance, 1e-8 * (variance + mean * mean));
}

static void expect_at(Case *c, double t, double cdf, double pdf)
{
    double found, density, error;
    cr_assert_eq(pepa_passage_at(c->passage, t, &found, &density, &error, &c->err), PEPA_OK);
    cr_expect(fabs(found - cdf) <= error, "P(T <= %g) is %.15g, should be %.15g, bound %g", t,
              found, cdf, error);
    cr_expect_float_eq(density, pdf, 100 * error);
    cr_expect_leq(error, 1.1e-10);
}

/* P(T > t) of Erlang with k phases at rate r. */
static double erlang_left(int k, double r, double t)
{
    double left = 0, term = exp(-r * t);
    for (int i = 0; i < k; term *= r * t / ++i)
        left += term;
    return left;
}

static void expect_erlang(Case *c, int k, double r)
{
    expect_moments(c, k / r, k / (r * r));
    for (double t = 0; t < 30 / r; t = 2 * t + 0.1) {
        double x = r * t, density = k == 1 ? r * exp(-x) : r * pow(x, k - 1) * exp(-x) / tgamma(k);
        expect_at(c, t, 1 - erlang_left(k, r, t), density);
    }
    for (double left = 0.5; left > 1e-9; left /= 10) {
        double t;
        cr_assert_eq(pepa_passage_quantile(c->passage, 1 - left, &t, &c->err), PEPA_OK);
        /* 1 - left is a double: that is what `left` is right to */
        cr_expect_float_eq(erlang_left(k, r, t) / left, 1, 1e-8 + 4e-16 / left, "%g: %g", left, t);
    }
}

static const char ring[] = "A = (a, 2).B; B = (b, 2).C; C = (c, 2).D; D = (go, 1).A; A";

/* The same three phases, by every way to name their ends. */
Test(passage, erlang)
{
    static const char *const ends[][2] = {{"start", "c"}, {"go", "c"},    {"{A}", "c"},
                                          {"go", "{D}"},  {"{A}", "{D}"}, {"start", "{D}"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        Case c;
        open_case(&c, ring, PEPA_EXPLICIT, ends[i][0], ends[i][1]);
        expect_erlang(&c, 3, 2);
        close_case(&c);
    }
}

/* A completion that changes no state ends a passage and starts the next one. */
Test(passage, self_loop)
{
    static const char two[] = "P = (tick, 2).P + (x, 1).Q; Q = (tick, 2).Q + (y, 1).P;\n"
                              "R = (u, 1).S; S = (v, 1).R; P || R";
    for (int form = 0; form < 2; form++) {
        Case c;
        open_case(&c, two, form ? PEPA_SYMBOLIC : PEPA_EXPLICIT, "tick", "tick");
        cr_expect_eq(pepa_chain_info(c.chain).symbolic, form);
        expect_erlang(&c, 1, 2);
        close_case(&c);
    }
}

/* A choice: with chance 1/4 at rate 1, else at rate 3. */
Test(passage, hyperexponential)
{
    Case c;
    open_case(&c, "I = (x, 1).S + (y, 3).F; S = (done, 1).I; F = (done, 3).I; I", PEPA_EXPLICIT,
              "{S || F}", "done");
    expect_moments(&c, 0.25 + 0.25, 2 * (0.25 + 0.75 / 9) - 0.25);
    for (double t = 0; t < 20; t += 0.7)
        expect_at(&c, t, 1 - 0.25 * exp(-t) - 0.75 * exp(-3 * t),
                  0.25 * exp(-t) + 2.25 * exp(-3 * t));
    close_case(&c);
}

/* The busy period of M/M/1, with so many places that losses do not show: mean 1 / (m - l), variance
 * (l + m) / (m - l)^3.  Source: Kleinrock, Queueing Systems I, 1975, sec. 5.8. */
Test(passage, busy_period)
{
    static const char text[] = "In = (arrive, 1).In; Out = (serve, 2).Out;\n"
                               "Free = (arrive, T).Full; Full = (serve, T).Free;\n"
                               "(In <arrive> Free[200]) <serve> Out";
    for (int form = 0; form < 2; form++) {
        Case c;
        open_case(&c, text, form ? PEPA_SYMBOLIC : PEPA_EXPLICIT, "{Full >= 1}", "{Full == 0}");
        expect_moments(&c, 1, 3);
        close_case(&c);
    }
}

/* A third of the passages never end. */
Test(passage, some_never_end)
{
    Case c;
    PepaPassageMoments m;
    double t, cdf, error;
    open_case(&c, "A = (a, 2).B + (x, 1).Stop; B = (b, 2).A; A", PEPA_EXPLICIT, "start", "b");
    cr_assert_eq(pepa_passage_moments(c.passage, &m, NULL), PEPA_OK);
    cr_expect_float_eq(m.ends, 2.0 / 3, 1e-12);
    cr_expect(isinf(m.mean) && isinf(m.variance));
    cr_assert_eq(pepa_passage_quantile(c.passage, 0.7, &t, NULL), PEPA_OK);
    cr_expect(isinf(t));
    cr_assert_eq(pepa_passage_quantile(c.passage, 0.6, &t, NULL), PEPA_OK);
    cr_assert_eq(pepa_passage_at(c.passage, t, &cdf, NULL, NULL, NULL), PEPA_OK);
    cr_expect_float_eq(cdf, 0.6, 1e-9);
    cr_assert_eq(pepa_passage_at(c.passage, 1e6, &cdf, NULL, &error, NULL), PEPA_OK);
    cr_expect_float_eq(cdf, 2.0 / 3, error);
    cr_expect_leq(pepa_passage_steps(c.passage), 1000);
    close_case(&c);
}

/* Nothing ever happens. */
Test(passage, never)
{
    Case c;
    PepaPassageMoments m;
    double t;
    open_case(&c, "A = (a, 1).A; B = (b, 1).B; A <b> B", PEPA_EXPLICIT, "start", "b");
    expect_at(&c, 5, 0, 0);
    cr_assert_eq(pepa_passage_moments(c.passage, &m, NULL), PEPA_OK);
    cr_expect(m.ends == 0 && isinf(m.mean));
    cr_assert_eq(pepa_passage_quantile(c.passage, 0.5, &t, NULL), PEPA_OK);
    cr_expect(isinf(t));
    close_case(&c);
}

/* It ends where it starts. */
Test(passage, at_once)
{
    Case c;
    double t;
    open_case(&c, ring, PEPA_EXPLICIT, "go", "{A || B}");
    expect_moments(&c, 0, 0);
    expect_at(&c, 0, 1, 0);
    cr_assert_eq(pepa_passage_quantile(c.passage, 0.9, &t, NULL), PEPA_OK);
    cr_expect_eq(t, 0);
    close_case(&c);
}

Test(passage, wrong_arguments)
{
    Case c;
    double t;
    const char *go[] = {"go"}, *none[] = {"gone"};
    PepaPassageEnds ends = {.from_action = go, .from_actions = 1, .to_action = go, .to_actions = 1};
    PepaPassage *p = NULL;
    open_case(&c, ring, PEPA_EXPLICIT, "go", "c");
    cr_expect_eq(pepa_passage_new(&p, c.chain, NULL, &ends, NULL, NULL), PEPA_EARG);
    ends.from_start = 1;
    cr_expect_eq(pepa_passage_new(&p, c.chain, c.pi, &ends, NULL, &c.err), PEPA_EARG);
    cr_expect_str_eq(c.err.message, "the start of a passage is given twice");
    ends = (PepaPassageEnds){.from_start = 1};
    cr_expect_eq(pepa_passage_new(&p, c.chain, c.pi, &ends, NULL, &c.err), PEPA_EARG);
    cr_expect_str_eq(c.err.message, "the end of a passage is missing");
    ends = (PepaPassageEnds){.from_start = 1, .to_action = none, .to_actions = 1};
    cr_expect_eq(pepa_passage_new(&p, c.chain, c.pi, &ends, NULL, &c.err), PEPA_EARG);
    cr_expect_str_eq(c.err.message, "the model has no action `gone`");
    cr_expect_eq(pepa_passage_at(c.passage, -1, &t, NULL, NULL, NULL), PEPA_EARG);
    cr_expect_eq(pepa_passage_at(c.passage, HUGE_VAL, &t, NULL, NULL, NULL), PEPA_EARG);
    cr_expect_eq(pepa_passage_quantile(c.passage, 1, &t, NULL), PEPA_EARG);
    cr_expect_eq(pepa_passage_quantile(c.passage, 0, &t, NULL), PEPA_EARG);
    cr_expect_eq(pepa_passage_moments(NULL, NULL, NULL), PEPA_EARG);
    cr_expect_null(p);
    pepa_passage_free(NULL);
    close_case(&c);
    open_case(&c, "A = (a, 1).B; B = (b, 1).C; C = (c, 1).B; A", PEPA_EXPLICIT, "a", "b");
    cr_expect_eq(c.status, PEPA_EARG);
    close_case(&c);
}
