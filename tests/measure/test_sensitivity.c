/* Derivatives of throughputs: by hand, by Euler's identity, by differences. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pepa.h"
#include "settings.h"

typedef struct {
    PepaModel *model;
    PepaChain *chain;
    PepaSteady *steady;
    double *pi, *potential, *derivative;
    PepaInfo info;
    PepaError err;
} Run;

static Run prepare(PepaModel *model, int aggregate)
{
    Run r = {.model = model};
    PepaSettings set = settings_for_tests();
    set.derive.separate_copies = !aggregate;
    cr_assert_eq(pepa_chain_derive(&r.chain, r.model, &set, &r.err), PEPA_OK, "%s", r.err.message);
    cr_assert_eq(pepa_steady_new(&r.steady, r.chain, &r.err), PEPA_OK);
    size_t n = (size_t)pepa_chain_info(r.chain).states;
    r.pi = calloc(n, sizeof *r.pi);
    r.potential = calloc(n, sizeof *r.potential);
    r.derivative = calloc((size_t)pepa_model_rate_count(r.model) + 1, sizeof *r.derivative);
    return r;
}

static Run start(const char *text, int aggregate)
{
    PepaModel *model = NULL;
    PepaError err;
    cr_assert_eq(pepa_model_parse(&model, "test", text, strlen(text), NULL, &err), PEPA_OK, "%s",
                 err.message);
    return prepare(model, aggregate);
}

static Run load(const char *path)
{
    PepaModel *model = NULL;
    PepaError err;
    cr_assert_eq(pepa_model_load(&model, path, NULL, &err), PEPA_OK, "%s", err.message);
    return prepare(model, 1);
}

static void finish(Run *r)
{
    pepa_steady_free(r->steady);
    pepa_chain_free(r->chain);
    pepa_model_free(r->model);
    free(r->pi);
    free(r->potential);
    free(r->derivative);
}

/* Solve and differentiate; the throughput. */
static double answer(Run *r, const char *action, const PepaSettings *set)
{
    double per_time = NAN;
    cr_assert_eq(pepa_steady_solve(r->steady, set, r->pi, NULL, &r->err), PEPA_OK, "%s",
                 r->err.message);
    cr_assert_eq(pepa_throughput(r->chain, r->pi, action, &per_time, &r->err), PEPA_OK);
    cr_assert_eq(pepa_steady_sensitivities(r->steady, set, r->pi, action, r->potential,
                                           r->derivative, &r->info, &r->err),
                 PEPA_OK, "%s", r->err.message);
    cr_assert_leq(r->info.residual, 1e-10);
    return per_time;
}

static int32_t rate_id(const Run *r, const char *name)
{
    int32_t id = 0;
    while (strcmp(pepa_model_rate_name(r->model, id), name) != 0)
        id++;
    return id;
}

static double by(const Run *r, const char *name)
{
    return r->derivative[rate_id(r, name)];
}

static void set_rate(Run *r, const char *name, double value)
{
    cr_assert_eq(pepa_chain_set_rate(r->chain, name, value, &r->err), PEPA_OK, "%s",
                 r->err.message);
}

static const PepaMethod methods[] = {PEPA_AUTO, PEPA_GAUSS_SEIDEL, PEPA_DIRECT, PEPA_GTH};

/* X = l m / (l + m), so dX/dl = (m / (l + m))^2. */
Test(sensitivity, two_states)
{
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        PepaSettings set = settings_for_tests();
        set.solve.method = methods[k];
        Run r = start("l = 2; m = 6; unused = 1; P = (a, l).Q; Q = (b, m).P; P", 1);
        cr_expect_float_eq(answer(&r, "a", &set), 1.5, 1e-14);
        cr_expect_float_eq(by(&r, "l"), 9.0 / 16, 1e-12);
        cr_expect_float_eq(by(&r, "m"), 1.0 / 16, 1e-12);
        cr_expect_eq(by(&r, "unused"), 0);
        /* Starting in P rather than Q is worth half a job: it lies 1/l ahead, not 1/l + 1/m. */
        cr_expect_float_eq(fabs(r.potential[0] - r.potential[1]), 0.25, 1e-12);
        finish(&r);
    }
}

/* A rate that others are computed from counts with what it does through them, until they are set.
 */
Test(sensitivity, through_definitions)
{
    Run r = start("m = 6; l = m / 3; P = (a, l).Q; Q = (b, m).P; P", 1);
    (void)answer(&r, "a", NULL);
    cr_expect_float_eq(by(&r, "l"), 9.0 / 16, 1e-12);
    cr_expect_float_eq(by(&r, "m"), 1.5 / 6, 1e-12, "X is proportional to m: %g", by(&r, "m"));
    set_rate(&r, "l", 2);
    (void)answer(&r, "a", NULL);
    cr_expect_float_eq(by(&r, "l"), 9.0 / 16, 1e-12);
    cr_expect_float_eq(by(&r, "m"), 1.0 / 16, 1e-12);
    finish(&r);
}

/* M/M/1/K: X = l (1 - p^K) / (1 - p^(K+1)) with p = l / m. */
Test(sensitivity, queue)
{
    Run r = start("l = 3; m = 4; Source = (in, l).Source; Place = (in, T).Full;\n"
                  "Full = (out, T).Place; Sink = (out, m).Sink; Source <in> Place[9] <out> Sink",
                  1);
    double l = 3, m = 4, p = l / m, below = 1 - pow(p, 10), above = 1 - pow(p, 9);
    double slope = (10 * pow(p, 9) * above - 9 * pow(p, 8) * below) / (below * below);
    cr_expect_float_eq(answer(&r, "out", NULL), l * above / below, 1e-9);
    cr_expect_float_eq(by(&r, "m"), -l * l / (m * m) * slope, 1e-9);
    cr_expect_float_eq(by(&r, "l"), above / below + l / m * slope, 1e-9);
    finish(&r);
}

/* With jobs of two kinds in proportion w : 1, X = w / (w + 1) per cycle of 1/r + 1. */
Test(sensitivity, passive_weights)
{
    Run r =
        start("r = 2; w = 3; share = 2 * infty; P = (a, r).P;\n"
              "S = (a, w * infty).S1 + (a, T).S2; S1 = (b, 1).S; S2 = (c, 1).S + (d, share).S;\n"
              "D = (d, 1e-300).D; (P <a> S) <d> D",
              1);
    cr_expect_float_eq(answer(&r, "b", NULL), 0.5, 1e-10);
    cr_expect_float_eq(by(&r, "w"), 1.0 / 16 / 1.5, 1e-10);
    cr_expect_float_eq(by(&r, "r"), 0.75 / (1.5 * 1.5) / 4, 1e-10);
    cr_expect(isnan(by(&r, "share")), "a passive rate may not be set");
    finish(&r);
}

Test(sensitivity, the_slower_partner_decides)
{
    Run r = start("r = 1; s = 2; P = (a, r).P; Q = (a, s).Q; P <a> Q", 1);
    cr_expect_float_eq(answer(&r, "a", NULL), 1, 1e-15);
    cr_expect_float_eq(by(&r, "r"), 1, 1e-15);
    cr_expect_eq(by(&r, "s"), 0);
    set_rate(&r, "r", 2); /* slopes 0 and 1 to the left and the right */
    (void)answer(&r, "a", NULL);
    cr_expect_float_eq(by(&r, "r"), 0.5, 1e-15);
    cr_expect_float_eq(by(&r, "s"), 0.5, 1e-15);
    finish(&r);
}

/* Functional rates pass on what they are made of, but may not be set themselves; nor may numbers of
 * copies. */
Test(sensitivity, functional_and_structural_rates)
{
    Run r = start("n = 4; l = 0.5; m = 2; most = 3; f = min(Down, most) * m;\n"
                  "Up = (fail, l).Down; Down = (mend, T).Up; Crew = (mend, f).Crew;\n"
                  "Up[n] <mend> Crew",
                  1);
    double x = answer(&r, "mend", NULL), pi[5] = {1}, sum = 1, mean = 0, variance = 0;
    double by_m = 0;
    /* Birth and death in d down: d log pi_d / d log m = -d + const, and X = l (4 - mean d). */
    for (int d = 1; d < 5; d++) {
        pi[d] = pi[d - 1] * 0.5 * (5 - d) / (2 * fmin(d, 3));
        sum += pi[d];
    }
    for (int d = 0; d < 5; d++)
        mean += d * pi[d] / sum;
    for (int d = 0; d < 5; d++)
        variance += (d - mean) * (d - mean) * pi[d] / sum;
    by_m = 0.5 * variance / 2;
    cr_expect_float_eq(x, 0.5 * (4 - mean), 1e-12);
    cr_expect_float_eq(by(&r, "m"), by_m, 1e-10);
    cr_expect_float_eq(by(&r, "l"), (x - 2 * by_m) / 0.5, 1e-9, "Euler");
    cr_expect(isnan(by(&r, "f")) && isnan(by(&r, "n")));
    finish(&r);
}

/* Throughput scales with all rates: sum r dX/dr = X over those that definitions end in. */
Test(sensitivity, euler)
{
    static const char *const paths[] = {"models/pipeline3.pepa", "models/pipeline3_111.pepa",
                                        "models/pipeline6.pepa", "models/pipeline3_slow.pepa"};
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
        Run r = load(paths[p]);
        double x = answer(&r, "process1", NULL), sum = 0, basic = 0;
        for (int32_t i = 0; i < pepa_model_rate_count(r.model); i++) {
            const char *name = pepa_model_rate_name(r.model, i);
            double share = pepa_model_rate_value(r.model, i) * r.derivative[i];
            if (strncmp(name, "mu", 2) == 0 || strncmp(name, "lambda", 6) == 0)
                sum += share;
            else
                basic += share; /* times: latency, work */
        }
        cr_expect_float_eq(sum, x, 1e-8 * x, "%s: %.12g and %.12g", paths[p], sum, x);
        cr_expect_float_eq(basic, -x, 1e-8 * x, "%s: %.12g and %.12g", paths[p], basic, x);
        finish(&r);
    }
}

/* Two deep states beyond a barrier that is crossed once in 10^21 units of time.  By the product form L = 1 / (1 + a / b + a^2 / b^2
 * + a^2 / (b c) + a^2 / c^2), of the population in L; here r counts what leaves it. */
Test(sensitivity, deep_states)
{
    Run r = start(
        "a = 1e-9; b = 1e3; c = 2e-9; L = (out, a).L1; L1 = (up, a).M + (back, b).L;\n"
        "M = (fall, b).L1 + (over, b).R1; R1 = (climb, c).M + (in, b).R; R = (leave, c).R1; L",
        1);
    const double a = 1e-9, b = 1e3, c = 2e-9;
    const double all = 1 + a / b + a * a / b / b + a * a / b / c + a * a / c / c;
    const double x = answer(&r, "out", NULL);
    cr_expect_float_eq(x, a / all, 1e-12 * a);
    cr_expect_float_eq(by(&r, "a") * a / x,
                       1 - (a / b + 2 * (a * a / b / b + a * a / b / c + a * a / c / c)) / all,
                       1e-10);
    cr_expect_float_eq(by(&r, "b") * b / x, 0, 1e-10);
    cr_expect_float_eq(by(&r, "c") * c / x, (a * a / b / c + 2 * a * a / c / c) / all, 1e-10);
    finish(&r);
}

/* Five steps up against a drift down, and a rare way out below: the chance to win is f (f / r)^5 / q but for factors of
 * 1 + 10^-7, and that to lose at the top 3 g / r of that. */
Test(sensitivity, rare_ends)
{
    Run r = start(
        "f = 1e-5; g = 2e-5; r = 1e3; q = 1e-30; S0 = (up, f).S1 + (giveup, q).L;\n"
        "S1 = (up, f).S2 + (down, r).S0; S2 = (up, f).S3 + (down, r).S1;\n"
        "S3 = (up, f).S4 + (down, r).S2; S4 = (up, f).S5 + (down, r).S3;\n"
        "S5 = (win, f).W + (lose, 3 * g).L + (down, r).S4; W = (wins, 1).W; L = (losses, 1).L; S0",
        1);
    const double x = answer(&r, "wins", NULL);
    cr_expect_float_eq(x, 1e-15, 1e-21);
    cr_expect_float_eq(by(&r, "f") * 1e-5 / x, 6, 1e-7);
    cr_expect_float_eq(by(&r, "r") * 1e3 / x, -5, 1e-7);
    cr_expect_float_eq(by(&r, "q") * 1e-30 / x, -1, 1e-7);
    cr_expect_float_eq(by(&r, "g") * 2e-5 / x, -6e-8, 1e-14);
    finish(&r);
}

/* Groups that rare jumps join, of many sizes: elasticities of a throughput sum to 1, and are what differences of throughputs by
 * elimination say. */
Test(sensitivity, rare_jumps)
{
    enum { STATES = 7, JUMPS = 2 * STATES };
    uint64_t seed = 99;
    for (int trial = 0; trial < 20; trial++) {
        char text[4000] = "", name[8];
        double rate[JUMPS], sum = 0;
        for (int k = 0; k < JUMPS; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            rate[k] = pow(10, -14 * (double)(seed >> 40) / 16777216.0);
            sprintf(text + strlen(text), "r%d = %.17g; ", k, rate[k]);
        }
        for (int i = 0; i < STATES; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            sprintf(text + strlen(text), "S%d = (a%d, r%d).S%d + (b%d, r%d).S%d;\n", i, i, 2 * i,
                    (i + 1) % STATES, i, 2 * i + 1, (int)((seed >> 33) % STATES));
        }
        strcat(text, "S0");
        Run r = start(text, 1);
        PepaSettings set = settings_for_tests();
        set.solve.method = PEPA_GTH;
        const double x = answer(&r, "a0", &set);
        double *found = calloc(JUMPS, sizeof *found);
        for (int k = 0; k < JUMPS; k++) {
            sprintf(name, "r%d", k);
            found[k] = rate[k] / x * by(&r, name);
            sum += found[k];
        }
        cr_expect_float_eq(sum, 1, 1e-9, "trial %d: %.12g", trial, sum);
        for (int k = 0; k < JUMPS; k++) {
            const double step = 1e-4;
            double side[2];
            sprintf(name, "r%d", k);
            for (int up = 0; up < 2; up++) {
                set_rate(&r, name, rate[k] * (up ? 1 + step : 1 - step));
                cr_assert_eq(pepa_steady_solve(r.steady, &set, r.pi, NULL, &r.err), PEPA_OK);
                cr_assert_eq(pepa_throughput(r.chain, r.pi, "a0", &side[up], &r.err), PEPA_OK);
            }
            set_rate(&r, name, rate[k]);
            cr_expect_float_eq(found[k], (side[1] - side[0]) / (2 * step * x), 2e-8,
                               "trial %d, %s: %g, not %g", trial, name, found[k],
                               (side[1] - side[0]) / (2 * step * x));
        }
        free(found);
        finish(&r);
    }
}

/* Self-loops count in the throughput and leave the distribution alone; transient states are
 * nothing. */
Test(sensitivity, self_loops_and_transient_states)
{
    Run r = start("s = 5; t = 7; l = 1; First = (go, t).P; P = (a, s).P + (b, l).Q;\n"
                  "Q = (c, 3 * l).P; First",
                  1);
    cr_expect_float_eq(answer(&r, "a", NULL), 3.75, 1e-14);
    cr_expect_float_eq(by(&r, "s"), 0.75, 1e-12);
    cr_expect_eq(by(&r, "t"), 0);
    cr_expect_float_eq(by(&r, "l"), 0, 1e-12);
    cr_expect_eq(r.potential[0], 0);
    cr_expect_float_eq(answer(&r, "go", NULL), 0, 0);
    cr_expect_eq(by(&r, "t"), 0);
    finish(&r);
    r = start("s = 5; P = (a, s).P; P", 1);
    cr_expect_float_eq(answer(&r, "a", NULL), 5, 0);
    cr_expect_eq(by(&r, "s"), 1);
    cr_expect_str_eq(r.info.method, "none");
    finish(&r);
}

/* In M/M/1/9, d log pi_i / d log l = i - mean, at most 9: so many times the residual is the error
 * of the elasticities, no more. */
Test(sensitivity, the_residual_bounds_the_error)
{
    Run r = start("l = 3; m = 4; Source = (in, l).Source; Place = (in, T).Full;\n"
                  "Full = (out, T).Place; Sink = (out, m).Sink; Source <in> Place[9] <out> Sink",
                  1);
    double x = answer(&r, "out", NULL), by_l = by(&r, "l"), by_m = by(&r, "m");
    bool coarse = false;
    for (double tolerance = 0.3; tolerance > 1e-9; tolerance /= 10) {
        PepaSettings set = settings_for_tests();
        set.solve.tolerance = tolerance;
        set.solve.method = PEPA_GAUSS_SEIDEL;
        cr_assert_eq(pepa_steady_sensitivities(r.steady, &set, r.pi, "out", NULL, r.derivative,
                                               &r.info, &r.err),
                     PEPA_OK);
        double bound = 9 * r.info.residual + 1e-9;
        cr_expect_leq(fabs(by(&r, "l") - by_l) * 3 / x, bound);
        cr_expect_leq(fabs(by(&r, "m") - by_m) * 4 / x, bound);
        coarse = coarse || fabs(by(&r, "m") - by_m) * 4 / x > 0.01 * bound;
    }
    cr_expect(coarse, "the bound is of use");
    finish(&r);
}

/* Q h = X 1 - r and pi h = 0, from the public transitions. */
Test(sensitivity, the_potential_keeps_its_word)
{
    Run r = load("models/pipeline6.pepa");
    double x = answer(&r, "process3", NULL), mean = 0;
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(r.chain, &t, NULL);
    for (int32_t s = 0; s < pepa_chain_info(r.chain).states; s++) {
        double worth = 0;
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++) {
            double rate = pepa_transition_rate(&t, k);
            bool counts = strcmp(pepa_chain_action_name(r.chain, pepa_transition_action(&t, k)),
                                 "process3") == 0;
            worth += rate * (r.potential[t.target[k]] - r.potential[s] + (counts ? 1 : 0));
        }
        cr_expect_float_eq(r.pi[s] * worth, r.pi[s] * x, 1e-9 * x, "state %d: %g", s, worth);
        mean += r.pi[s] * r.potential[s];
    }
    cr_expect_float_eq(mean, 0, 1e-10);
    finish(&r);
}

Test(sensitivity, aggregation_does_not_show)
{
    static const char text[] = "l = 1.3; m = 0.7; s = 2.1; P = (a, l).Q; Q = (b, m).P + (c, s).P;\n"
                               "S = (b, T).T2; T2 = (d, s * m).S; P[5] <b> S[3]";
    Run counted = start(text, 1), apart = start(text, 0);
    cr_assert_lt(pepa_chain_info(counted.chain).states, pepa_chain_info(apart.chain).states);
    double x = answer(&counted, "d", NULL);
    cr_expect_float_eq(answer(&apart, "d", NULL), x, 1e-9);
    for (int32_t i = 0; i < pepa_model_rate_count(counted.model); i++)
        cr_expect_float_eq(counted.derivative[i], apart.derivative[i], 1e-8 * x);
    finish(&counted);
    finish(&apart);
}

Test(sensitivity, warm_start)
{
    PepaSettings set = settings_for_tests();
    Run r = load("models/pipeline6.pepa");
    (void)answer(&r, "process1", &set);
    int64_t cold = r.info.iterations;
    set.solve.warm_start = 1;
    (void)answer(&r, "process1", &set);
    cr_expect_leq(r.info.iterations, 1);
    set_rate(&r, "mu2", 10.001);
    (void)answer(&r, "process1", &set);
    cr_expect_lt(r.info.iterations, cold);
    for (int32_t s = 0; s < pepa_chain_info(r.chain).states; s++)
        r.potential[s] = s % 2 ? NAN : 1e300;
    (void)answer(&r, "process1", &set);
    finish(&r);
}

static PepaStatus ask(Run *r, const PepaSettings *set, const char *action)
{
    return pepa_steady_sensitivities(r->steady, set, r->pi, action, r->potential, r->derivative,
                                     &r->info, &r->err);
}

/* Derivatives at rates that pi does not belong to would look like any others. */
Test(sensitivity, pi_of_other_rates_is_noticed)
{
    Run r = start("l = 2; m = 6; P = (a, l).Q; Q = (b, m).P; P", 1);
    (void)answer(&r, "a", NULL);
    set_rate(&r, "l", 3);
    r.derivative[0] = -1;
    cr_expect_eq(ask(&r, NULL, "a"), PEPA_EARG);
    cr_expect(strstr(r.err.message, "not the steady state at these rates"), "%s", r.err.message);
    cr_expect_eq(r.derivative[0], -1);
    r.pi[0] = NAN;
    cr_expect_eq(ask(&r, NULL, "a"), PEPA_EARG);
    set_rate(&r, "l", 2);
    (void)answer(&r, "a", NULL);
    set_rate(&r, "l", 2.00001); /* the flows of the two states differ by a share of 5e-6 */
    cr_expect_eq(ask(&r, NULL, "a"), PEPA_EARG);
    finish(&r);
}

/* A state that is hardly ever entered or left: a millionth too much time in it puts a share of
 * 5e-13 of the flow out of balance.  X = l (1 - z) / (1 + l / 3), with z, some 3e-5, the time
 * asleep. */
Test(sensitivity, pi_may_be_out_of_balance_by_time)
{
    Run r = start("l = 6; P = (a, l).Q + (sleep, 1e-10).Z; Q = (b, 3).P; Z = (wake, 1e-6).P; P", 1);
    (void)answer(&r, "a", NULL);
    int32_t asleep = 0;
    for (int32_t s = 1; s < 3; s++)
        asleep = r.pi[s] < r.pi[asleep] ? s : asleep;
    for (int32_t s = 0; s < 3; s++)
        r.pi[s] = (1 - 1e-6) * r.pi[s] + (s == asleep ? 1e-6 : 0);
    cr_expect_eq(ask(&r, NULL, "a"), PEPA_OK, "%s", r.err.message);
    cr_expect_float_eq(by(&r, "l"), 1.0 / 9, 1e-4);
    finish(&r);
}

/* Several ways from one state to the same next one, by every method: X = (k + l) m / (k + l + m).
 */
Test(sensitivity, parallel_transitions)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        PepaSettings set = settings_for_tests();
        set.solve.method = methods[i];
        Run r = start("k = 1; l = 2; m = 6; P = (a, k).Q + (c, l).Q + (d, 1e-300).R;\n"
                      "Q = (b, m).P; R = (e, 1).P; P",
                      1);
        cr_expect_float_eq(answer(&r, "b", &set), 2, 1e-12);
        cr_expect_float_eq(by(&r, "k"), 4.0 / 9, 1e-12);
        cr_expect_float_eq(by(&r, "l"), 4.0 / 9, 1e-12);
        cr_expect_float_eq(by(&r, "m"), 1.0 / 9, 1e-12);
        finish(&r);
    }
}

static int stop(void *user, const PepaProgress *now)
{
    (void)now;
    return ++*(int *)user;
}

Test(sensitivity, refusals)
{
    PepaSettings set = settings_for_tests();
    Run r = load("models/pipeline3.pepa");
    (void)answer(&r, "process1", NULL);
    cr_expect_eq(ask(&r, NULL, "process9"), PEPA_EARG);
    cr_expect(strstr(r.err.message, "`process9`"), "%s", r.err.message);
    set.solve.method = PEPA_GAUSS_SEIDEL;
    set.solve.max_iter = 2;
    cr_expect_eq(ask(&r, &set, "process1"), PEPA_ENOCONV);
    cr_expect(r.err.limit == PEPA_LIMIT_ITERATIONS &&
                  strstr(r.err.message, "; allow more iterations") && r.info.residual > 1e-10 &&
                  strcmp(r.info.method, "gauss-seidel") == 0,
              "%s", r.err.message);
    int calls = 0;
    set = settings_for_tests();
    set.progress = stop;
    set.user = &calls;
    cr_expect_eq(ask(&r, &set, "process1"), PEPA_ECANCEL);
    cr_expect_eq(calls, 1);
    finish(&r);
    r = start("P = (a, 1).Q + (b, 1).R; Q = (c, 1).Q; R = (d, 1).R; P", 1);
    cr_assert_eq(pepa_steady_solve(r.steady, NULL, r.pi, NULL, &r.err), PEPA_OK);
    for (int64_t i = 0; i < 3; i++)
        r.pi[i] = r.pi[i] > 0 ? (i == 1 ? 0.4 : 0.6) : 0; /* balanced, and wrong */
    cr_expect_eq(ask(&r, NULL, "c"), PEPA_EARG);
    cr_expect(strstr(r.err.message, "ending in each bottom component"), "%s", r.err.message);
    finish(&r);
}
