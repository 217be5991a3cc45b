/* pepa_optimise.h: optimal rates against closed forms, and another method for the minimum. */
#include <math.h>
#include <stdio.h>

#include "optimising.h"

/* Where a function of one variable with one valley is lowest, by golden sections. */
static double golden(double (*f)(double, const void *), const void *user, double low, double high)
{
    const double g = (sqrt(5) - 1) / 2;
    while (high - low > 1e-9) {
        const double a = high - g * (high - low), b = low + g * (high - low);
        if (f(a, user) < f(b, user))
            high = b;
        else
            low = a;
    }
    return (low + high) / 2;
}

/* ---- one queue ------------------------------------------------------------------------------- */

static double cost(double mu, const void *user)
{
    const double *weigh = user; /* of the server, of a job */
    return weigh[0] * mu + weigh[1] * jobs_in(1, mu, 40);
}

/* The cost of a server and of what waits. */
Test(optimise_api, one_queue)
{
    const double weights[][2] = {{1, 2}, {5, 0.1}, {0.01, 3}};
    const PepaWithin within[] = {{"mu", 0.5, 30}};
    for (int i = 0; i < 3; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "%g * rate:mu + %g * population:Job", weights[i][0],
                       weights[i][1]);
        const double best = golden(cost, weights[i], 0.5, 30);
        Answer a = optimise(queue, text, false, within, 1, NULL, NULL);
        cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_float_eq(a.rate[0], best, 1e-5 * best, "%g: %.9g, not %.9g", weights[i][0],
                           a.rate[0], best);
        cr_expect_float_eq(a.found.objective, cost(best, weights[i]), 1e-9 * a.found.objective);
        cr_expect_eq(a.value[0], a.found.objective);
        cr_expect_eq(a.found.ended, PEPA_OPTIMUM_STATIONARY);
        cr_expect_not(a.found.global);
        cr_expect_leq(a.found.residual, 1e-6);
        cr_expect_eq(a.found.derived, 1);
        cr_expect_eq(a.found.states, 41);
        cr_expect_eq(a.binding[0], best > 0.5001 ? PEPA_BINDS_NOT : PEPA_BINDS_LOW);
    }
}

/* The slowest server that keeps the time in the system within 2: for M/M/1 mu = lambda + 1/2, to
 * what 40 places change. */
Test(optimise_api, response)
{
    const PepaWithin within[] = {{"mu", 0.1, 30}};
    const char *const subject[] = {"response:Job <= 2", NULL};
    Answer a = optimise(queue, "rate:mu", false, within, 1, subject, NULL);
    cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_float_eq(a.rate[0], 1.5, 1e-4);
    cr_expect_leq(a.value[1], 2 * (1 + a.found.tolerance));
    cr_expect_float_eq(a.value[1], 2, 1e-6);
    cr_expect_eq(a.value[2], 2);
    cr_expect_eq(a.binding[0], PEPA_BINDS_NOT);
    cr_expect_eq(a.binding[1], PEPA_BINDS_HIGH);
    cr_expect_leq(a.found.violation, a.found.tolerance);
}

/* The slowest server that serves a share of what arrives, and the fewest places. */
Test(optimise_api, throughput)
{
    static const double offered[] = {0.5, 0.8, 0.95};
    for (int i = 0; i < 3; i++) {
        char text[100];
        const char *const subject[] = {text, NULL};
        const PepaWithin mu[] = {{"mu", 0.1, 30}}, places[] = {{"places", 1, 30}};
        (void)snprintf(text, sizeof text, "throughput:serve >= %.17g * lambda", offered[i]);
        Answer a = optimise(queue, "rate:mu", false, mu, 1, subject, NULL);
        double low = 0.1, high = 30; /* served: mu (1 - p_0) */
        while (high - low > 1e-12) {
            double sum = 0;
            const double middle = (low + high) / 2;
            for (int n = 0; n <= 40; n++)
                sum += pow(1 / middle, n);
            *(middle * (1 - 1 / sum) < offered[i] ? &low : &high) = middle;
        }
        cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_float_eq(a.rate[0], low, 1e-6, "%.9g, not %.9g", a.rate[0], low);
        cr_expect_eq(a.binding[1], PEPA_BINDS_LOW);
        a = optimise(queue, "rate:places", false, places, 1, subject, NULL);
        int least = 1; /* with lambda = 1, mu = 2: 1 - p_K = 1 - 1 / (2^(K + 1) - 1) */
        while (1 - 1 / (pow(2, least + 1) - 1) < offered[i] * (1 - 1e-12))
            least++;
        cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_eq(a.rate[0], least, "%g, not %d", a.rate[0], least);
    }
}

/* Two bottom components: 2 w / (1 + w) - w / 10 is largest where its derivative is 0, at
 * sqrt(20) - 1.  A rate without a choice stays what it is said to be. */
Test(optimise_api, two_bottom_components)
{
    static const char text[] = "w = 0.4; k = 3;\n"
                               "A = (win, w).Won + (lose, 1).Lost;\n"
                               "Won = (a, k).Won; Lost = (b, 1).Lost; A";
    const PepaWithin within[] = {{"w", 0.1, 9}, {"k", 2, 2}};
    Answer a = optimise(text, "throughput:a - rate:w / 10", true, within, 2, NULL, NULL);
    cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_float_eq(a.rate[0], sqrt(20) - 1, 1e-5);
    cr_expect_eq(a.rate[1], 2);
    cr_expect_eq(a.found.ended, PEPA_OPTIMUM_STATIONARY);
    cr_expect_eq(a.found.bottom_components, 2);
    cr_expect_eq(a.found.searches, 3);
}

/* Immediate activities choose the bottom component: the derivative does not depend on a first event. */
Test(optimise_api, several_starts)
{
    static const char text[] = "w = 1; v = 2;\n"
                               "S = (i, w: immediate).Won + (j, v: immediate).Lost;\n"
                               "Won = (a, 3).Won; Lost = (b, 1).Lost; S";
    const PepaWithin within[] = {{"w", 1, 4}, {"v", 1, 4}};
    Answer a = optimise(text, "throughput:a", true, within, 2, NULL, NULL);
    cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_float_eq(a.found.objective, 3 * 0.8, 1e-12);
    cr_expect_eq(a.rate[0], 4);
    cr_expect_eq(a.rate[1], 1);
    cr_expect_eq(a.found.wrong, 0);
    cr_expect_eq(a.found.ended, PEPA_OPTIMUM_STATIONARY);
}

/* An equation, as two constraints. */
Test(optimise_api, equation)
{
    const PepaWithin within[] = {{"mu", 0.1, 30}};
    const char *const subject[] = {"throughput:serve <= 0.8", "throughput:serve >= 0.8", NULL};
    Answer a = optimise(queue, "rate:mu", true, within, 1, subject, NULL);
    cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_float_eq(a.value[1], 0.8, 1.01e-8);
    cr_expect_leq(a.found.violation, a.found.tolerance);
    cr_expect_eq(a.binding[1], PEPA_BINDS_HIGH);
    cr_expect_eq(a.binding[2], PEPA_BINDS_LOW);
}

/* A kink: the larger of a rising and a falling function is least where they meet. */
Test(optimise_api, kink)
{
    const PepaWithin within[] = {{"mu", 0.5, 30}};
    Answer a = optimise(queue, "max(population:Job, rate:mu / 2)", false, within, 1, NULL, NULL);
    cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_float_eq(jobs_in(1, a.rate[0], 40), a.rate[0] / 2, 1e-6);
    cr_expect_eq(a.found.ended, PEPA_OPTIMUM_SEARCHED);
}

/* On a ridge, the function is p x - (a + b (p / q)^2) x^2. */
Test(optimise_api, ridges)
{
    static const char rates[] = "x = 1; y = 1; P = (a, x).P; Q = (b, y).Q; P || Q";
    const PepaWithin within[] = {{"x", 0.1, 10}, {"y", 0.1, 10}};
    uint64_t seed = 7;
    for (int i = 0; i < 60; i++) {
        double number[4];
        for (int k = 0; k < 4; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            number[k] = 0.1 + (double)(seed >> 11) * 0x1p-53;
        }
        const double p = number[0], q = number[1];
        double a = 0.2 * number[2], b = 0.2 * number[3];
        const double curve = a + b * p / q * (p / q), x = p / (2 * curve);
        if (fmin(x, x * p / q) < 0.2 || fmax(x, x * p / q) > 9)
            continue;
        char text[300];
        (void)snprintf(text, sizeof text,
                       "min(%.17g * throughput:a, %.17g * throughput:b) - %.17g * throughput:a * "
                       "throughput:a - %.17g * throughput:b * throughput:b",
                       p, q, a, b);
        const Answer found = optimise(rates, text, true, within, 2, NULL, NULL);
        const double best = p * p / (4 * curve);
        cr_expect_eq(found.status, PEPA_OK, "%s", found.err.message);
        cr_expect(fabs(found.found.objective - best) <= 1e-7 * best, "%s: %.12g, not %.12g", text,
                  found.found.objective, best);
        cr_expect_float_eq(found.rate[0], x, 1e-3 * x);
        cr_expect_lt(found.found.evaluations, 700);
    }
}

/* More is better, without an end: the end of the range, exactly; where there is no derivative too. */
Test(optimise_api, ends_of_ranges)
{
    const PepaWithin within[] = {{"mu", 0.5, 3}, {"lambda", 0.25, 2}};
    const char *const objectives[] = {"2 * rate:mu - rate:lambda", "reward:{mu} - rate:lambda"};
    for (int i = 0; i < 2; i++) {
        Answer a = optimise(queue, objectives[i], true, within, 2, NULL, NULL);
        cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_float_eq(a.rate[0], 3, i * 1e-6);
        cr_expect_float_eq(a.rate[1], 0.25, i * 1e-6);
        if (i == 1) {
            cr_expect(isnan(a.found.residual));
            continue;
        }
        cr_expect_eq(a.binding[0], PEPA_BINDS_HIGH);
        cr_expect_eq(a.binding[1], PEPA_BINDS_LOW);
        cr_expect_eq(a.found.objective, 5.75);
    }
}

/* ---- two queues and one budget --------------------------------------------------------------- */

static const char two[] = "l1 = 1; l2 = 2; m1 = 3; m2 = 3; budget = 6; k = 12;\n"
                          "A = (a, l1).A; P = (a, T).J; J = (s, T).P; S = (s, m1).S;\n"
                          "B = (b, l2).B; Q = (b, T).R; R = (t, T).Q; U = (t, m2).U;\n"
                          "(A <a> P[k] <s> S) || (B <b> Q[k] <t> U)";

static double waiting(double m1, const void *user)
{
    (void)user;
    return jobs_in(1, m1, 12) + jobs_in(2, 6 - m1, 12);
}

/* All of the budget is spent, and the rest is a problem in one variable.  The budget is a rate, so
 * that the bound follows it. */
Test(optimise_api, budget)
{
    const PepaWithin within[] = {{"m1", 0.5, 10}, {"m2", 0.5, 10}};
    const char *const subject[] = {"rate:m1 + rate:m2 <= budget", NULL};
    const double best = golden(waiting, NULL, 0.5, 5.5);
    Answer a = optimise(two, "population:{J, R}", false, within, 2, subject, NULL);
    cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_float_eq(a.rate[0], best, 1e-3, "%.9g, not %.9g", a.rate[0], best);
    cr_expect_float_eq(a.rate[0] + a.rate[1], 6, 1e-6);
    cr_expect_float_eq(a.found.objective, waiting(best, NULL), 1e-6 * a.found.objective);
    cr_expect_eq(a.binding[2], PEPA_BINDS_HIGH);
    cr_expect_leq(a.found.residual, 1e-4);
}

/* The same with the sets of a decision diagram, and with rates from which others follow. */
Test(optimise_api, sets)
{
    static const char share[] = "l1 = 1; l2 = 2; m1 = 3; m2 = 6 - m1; k = 12;\n"
                                "A = (a, l1).A; P = (a, T).J; J = (s, T).P; S = (s, m1).S;\n"
                                "B = (b, l2).B; Q = (b, T).R; R = (t, T).Q; U = (t, m2).U;\n"
                                "(A <a> P[k] <s> S) || (B <b> Q[k] <t> U)";
    const double best = golden(waiting, NULL, 0.5, 5.5);
    for (PepaExplore explore = PEPA_EXPLICIT; explore <= PEPA_SYMBOLIC; explore++) {
        const PepaSettings set = {.derive.explore = explore};
        /* beyond 6 the model is wrong: these points are not feasible */
        const PepaWithin within[] = {{"m1", 0.5, 9}};
        Answer a = optimise(share, "population:{J, R}", false, within, 1, NULL, &set);
        cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_float_eq(a.rate[0], best, 1e-4);
        cr_expect_float_eq(a.found.objective, waiting(best, NULL), 1e-8);
        cr_expect_eq(a.found.symbolic, explore == PEPA_SYMBOLIC);
    }
}
