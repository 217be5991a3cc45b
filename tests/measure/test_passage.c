/* Passage times against closed forms, on rows and on sets. */
#include "passages.h"

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

/* With a component beside it, so that there are sets. */
static const char ring_beside[] =
    "A = (a, 2).B; B = (b, 2).C; C = (c, 2).D; D = (go, 1).A; E = (e, 1).F; F = (f, 1).E; A || E";

/* The same three phases, by every way to name their ends. */
Test(passage, erlang)
{
    static const char *const ends[][2] = {{"start", "c"}, {"go", "c"},    {"{A}", "c"},
                                          {"go", "{D}"},  {"{A}", "{D}"}, {"start", "{D}"}};
    for (size_t i = 0; i < 2 * sizeof ends / sizeof *ends; i++) {
        Case c;
        open_case(&c, i % 2 ? ring_beside : ring, i % 2 ? PEPA_SYMBOLIC : PEPA_EXPLICIT,
                  ends[i / 2][0], ends[i / 2][1]);
        cr_expect_eq(pepa_chain_info(c.chain).symbolic, i % 2);
        expect_erlang(&c, 3, 2);
        cr_expect_eq(pepa_passage_solves(c.passage), 0);
        close_case(&c);
    }
}

/* Early, a probability is the sum of what has ended, and not what is missing from 1: it does not fall
 * with time, and has the digits that are asked for. */
Test(passage, early)
{
    for (int form = 0; form < 2; form++)
        for (int strict = 0; strict < 2; strict++) {
            Case c;
            double before = 0, pdf, error;
            open_case_within(&c, form ? ring_beside : ring, form ? PEPA_SYMBOLIC : PEPA_EXPLICIT,
                             "start", "c", strict ? 1e-60 : 0);
            for (double t = 1e-12; t < 1e-3; t *= 1.5) {
                double cdf, x = 2 * t, exact = 0, term = x * x * x / 6 * exp(-x);
                for (int k = 4; k < 20; term *= x / k++)
                    exact += term;
                cr_assert_eq(pepa_passage_at(c.passage, t, &cdf, &pdf, &error, &c.err), PEPA_OK,
                             "%s", c.err.message);
                cr_expect_geq(cdf, before, "at %g: %g after %g", t, cdf, before);
                cr_expect_leq(fabs(cdf - exact), error, "at %g: %g for %g", t, cdf, exact);
                cr_expect(!strict || fabs(cdf / exact - 1) < 1e-12, "at %g: %g for %g", t, cdf,
                          exact);
                before = cdf;
            }
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

/* A deviation is a double where its square is not. */
Test(passage, deviations_of_extreme_rates)
{
    static const double rates[] = {1e-160, 1e170};
    for (int i = 0; i < 2; i++) {
        Case c;
        PepaPassageMoments m;
        char text[100];
        (void)snprintf(text, sizeof text, "P = (a, %g).Q; Q = (b, %g).P; P", rates[i], rates[i]);
        open_case(&c, text, PEPA_EXPLICIT, "start", "b");
        cr_assert_eq(pepa_passage_moments(c.passage, &m, NULL), PEPA_OK);
        cr_expect_float_eq(m.mean * rates[i], 2, 1e-14);
        cr_expect_float_eq(m.deviation * rates[i], sqrt(2), 1e-14);
        cr_expect_eq(m.variance, i ? 0 : HUGE_VAL);
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
    cr_expect(isinf(m.mean) && isinf(m.variance) && isinf(m.deviation));
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

/* When nothing is left any more, no time is too late. */
Test(passage, long_ended)
{
    Case c;
    open_case(&c, "A = (a, 1e3).B; B = (b, 1e2).A + (e, 1e3).C; C = (z, 1).C; A", PEPA_EXPLICIT,
              "start", "{C}");
    for (double t = 1e3; t < 1e300; t *= 1e9)
        expect_at(&c, t, 1, 0);
    cr_expect_leq(pepa_passage_steps(c.passage), 3000);
    close_case(&c);
}

/* What steps leave is kept for all times: not without end. */
Test(passage, memory)
{
    static const char text[] = "r = 1e5; A = (go, r).B + (fail, 1).C; B = (back, r).A;\n"
                               "C = (mend, 1).A; D = (d, 1).E; E = (e, 1).D; A || D[2]";
    const char *fail = "fail";
    const PepaSettings sets = {.derive.explore = PEPA_SYMBOLIC, .memory = 20 * 1000 * 1000};
    const PepaPassageEnds ends = {.from_start = 1, .to_action = &fail, .to_actions = 1};
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaPassage *p = NULL;
    PepaError err;
    double late; /* a tail that series cannot tell */
    cr_assert_eq(pepa_model_parse(&model, "t", text, strlen(text), NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_chain_derive(&chain, model, &sets, NULL), PEPA_OK);
    cr_assert_eq(pepa_passage_new(&p, chain, NULL, &ends, &sets, NULL), PEPA_OK);
    cr_expect_eq(pepa_passage_quantile(p, 1 - 1e-9, &late, &err), PEPA_ELIMIT);
    cr_expect(strstr(err.message, "following a passage for more than ") == err.message, "%s",
              err.message);
    pepa_passage_free(p);
    p = NULL;
    int refused = 0; /* with memory for steps, but not for the equations */
    cr_assert_eq(pepa_chain_set_rate(chain, "r", 2, NULL), PEPA_OK);
    for (PepaSettings some = {.memory = 1000}; some.memory < 1000000;
         some.memory += some.memory / 20) {
        PepaPassageMoments m;
        PepaStatus status = pepa_passage_new(&p, chain, NULL, &ends, &some, &err);
        cr_assert(status == PEPA_OK || status == PEPA_ELIMIT);
        if (status == PEPA_OK) {
            status = pepa_passage_moments(p, &m, &err);
            cr_assert(status == PEPA_OK || status == PEPA_ELIMIT, "%d: %s", status, err.message);
            refused += status == PEPA_ELIMIT;
            pepa_passage_free(p);
        }
    }
    cr_expect_gt(refused, 0);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

/* What is no distribution is found out before the passage is. */
Test(passage, wrong_steady_states)
{
    static const struct {
        double first, factor;
        const char *said;
    } wrong[] = {{NAN, 1, "nan of state 0"},
                 {-1, 1, "-1 of state 0"},
                 {HUGE_VAL, 1, "inf of state 0"},
                 {0, 5, "its sum is 5"}};
    Case c;
    const char *go[] = {"go"}, *b[] = {"c"};
    const PepaPassageEnds ends = {.from_action = go,
                                  .from_actions = 1,
                                  .to_action = b,
                                  .to_actions = 1};
    open_case(&c, ring, PEPA_EXPLICIT, "go", "c");
    const int64_t states = pepa_chain_info(c.chain).states;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        PepaPassage *p = NULL;
        double pi[8];
        cr_assert_leq(states, 8);
        memcpy(pi, c.pi, (size_t)states * sizeof *pi);
        if (wrong[i].factor == 1)
            pi[0] = wrong[i].first;
        for (int64_t k = 0; k < states; k++)
            pi[k] *= wrong[i].factor;
        cr_expect_eq(pepa_passage_new(&p, c.chain, pi, &ends, NULL, &c.err), PEPA_EARG);
        cr_expect(strstr(c.err.message, wrong[i].said), "%s", c.err.message);
        cr_expect_null(p);
    }
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

Test(passage, wrong_arguments)
{
    Case c;
    double t;
    const char *go[] = {"go"}, *none[] = {"gone"};
    PepaPassageEnds ends = {.from_action = go, .from_actions = 1, .to_action = go, .to_actions = 1};
    PepaPassage *p = NULL;
    open_case(&c, ring, PEPA_EXPLICIT, "go", "c");
    cr_expect_eq(pepa_passage_new(&p, c.chain, NULL, &ends, NULL, &c.err), PEPA_EARG);
    cr_expect(strstr(c.err.message, "pepa_solve_steady finds it"), "%s", c.err.message);
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
