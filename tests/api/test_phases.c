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

/* cox(2, 0.25, 4): 2, and then with probability 1/4 another 4. */
static double cox2(double t)
{
    const double both = 1 - 2 * exp(-2 * t) + exp(-4 * t);
    return 0.75 * (1 - exp(-2 * t)) + 0.25 * both;
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
    expect_distribution("cox(2, 0.25, 4)", 0.5625, 1.0 / 4 + 0.25 / 8 - 1.0 / 256, cox2);
}

/* Erlang(2, 4) against Erlang(3, 2): no activity after t with exp(-6t) (1 + 4t) (1 + 2t + 2t^2), of which the
 * integral is 25/54; the first wins with the integral of 16t exp(-6t) (1 + 2t + 2t^2), 8/9. */
Test(phases, race)
{
    PepaModel *model = parse("P = (a, erlang(2, 4)).P + (b, erlang(3, 2)).P; P");
    PepaChain *chain = NULL;
    PepaError err = {0};
    double pi[6], throughput[3];
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_chain_info(chain).states, 6);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, &err), PEPA_OK, "%s", err.message);
    pepa_throughputs(chain, pi, throughput);
    const int32_t actions =
        pepa_chain_info(chain).actions; /* with what goes on to the next phase */
    cr_assert_leq(actions, 3);
    for (int32_t i = 0; i < actions; i++) {
        const char *name = pepa_chain_action_name(chain, i);
        const double wanted = (strcmp(name, "a") == 0 ? 8.0 : 1.0) / 9 * 54 / 25;
        if (strcmp(name, "tau") != 0)
            cr_expect_float_eq(throughput[i], wanted, 1e-12, "%s: %.15g", name, throughput[i]);
    }
    pepa_chain_free(chain);
    pepa_model_free(model);
}

/* The name of a local state stands for all of its phases: in populations, in measures, in rates. */
Test(phases, names)
{
    PepaModel *model = parse("k = 3; P = (a, erlang(k, 6)).Q + (c, P * 0.1).Q; Q = (b, 2).P; P[2]");
    PepaChain *chain = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK, "%s", err.message);
    const PepaChainInfo info = pepa_chain_info(chain);
    cr_assert_eq(info.states, 10, "two components in four local states");
    cr_assert_eq(info.local_states, 2);
    cr_assert_eq(info.counts, 2);
    cr_assert_str_eq(pepa_chain_local_name(chain, 0), "P");
    double *pi = calloc((size_t)info.states, sizeof *pi), mean[2], share[2], sum = 0, c;
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_populations(chain, pi, mean, &err), PEPA_OK);
    cr_assert_eq(pepa_utilisations(chain, pi, share, &err), PEPA_OK);
    cr_expect_float_eq(mean[0] + mean[1], 2, 1e-12);
    cr_expect_float_eq(share[0], mean[0] / 2, 1e-12);
    /* each P does c at the rate 0.1 P: the throughput is that of 0.1 P^2 */
    for (int64_t s = 0; s < info.states; s++) {
        int32_t counts[2];
        cr_assert_eq(pepa_chain_state_counts(chain, s, counts, &err), PEPA_OK);
        cr_assert_eq(counts[0] + counts[1], 2);
        sum += pi[s] * 0.1 * counts[0] * counts[0];
    }
    cr_assert_eq(pepa_throughput(chain, pi, "c", &c, &err), PEPA_OK);
    cr_expect_float_eq(c, sum, 1e-12);
    free(pi);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

Test(phases, wrong)
{
    static const struct {
        const char *rate, *message;
    } cases[] = {
        {"erlang(0, 1)", "the number of phases is a whole number from 1 to 10000"},
        {"erlang(2.5, 1)", "the number of phases is a whole number from 1 to 10000"},
        {"erlang(2, 0)", "the rate of a phase must be finite and > 0"},
        {"hyper(0:1, 1:2)", "the weight of an alternative must be finite and > 0"},
        {"hyper(1:1, 1:-2)", "the rate of an alternative must be finite and > 0"},
        {"cox(1, 0, 2)", "the probability to go on must be > 0 and at most 1"},
        {"cox(1, 1.5, 2)", "the probability to go on must be > 0 and at most 1"},
        {"erlang(2, infty)",
         "the numbers of a phase type cannot be passive, immediate or depend on the state"},
        {"erlang(P, 1)",
         "the numbers of a phase type cannot be passive, immediate or depend on the state"},
        {"2 * erlang(2, 1)",
         "a phase type is the whole rate of an activity: it cannot be part of an "
         "expression or have a name"},
        {"if P > 1 then erlang(2, 1) else 1", "a phase type is the whole rate of an activity: it "
                                              "cannot be part of an expression or have a name"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        PepaModel *model = NULL;
        PepaError err = {0};
        (void)snprintf(text, sizeof text, "P = (a, %s).P; P", cases[i].rate);
        cr_assert_eq(pepa_model_parse(&model, "m", text, strlen(text), NULL, &err), PEPA_EMODEL,
                     "%s", text);
        cr_assert(strstr(err.message, cases[i].message), "%s: %s", text, err.message);
    }
}

/* The number of phases can vary; rates of phases have derivatives. */
Test(phases, rates_vary)
{
    const PepaDefine two = {"k", 2};
    static const char text[] = "k = 4; r = 3; P = (a, erlang(k, k * r)).Q; Q = (b, 1).P; P";
    PepaModel *model = parse_with(text, &two);
    PepaChain *chain = NULL;
    double pi[3], x;
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_chain_info(chain).states, 3);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_throughput(chain, pi, "a", &x, NULL), PEPA_OK);
    cr_expect_float_eq(x, 0.75, 1e-12, "1 / (1/3 + 1)");
    pepa_chain_free(chain);
    pepa_model_free(model);
}
