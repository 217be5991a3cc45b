/* pepa_optimise.h against closed forms, another method for the minimum, and every point of a grid. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments.h"
#include "pepa_optimise.h"

enum { MOST = 8 };

typedef struct {
    PepaStatus status;
    double rate[MOST], value[MOST];
    uint8_t binding[MOST];
    PepaOptimum found;
    PepaError err;
} Answer;

/* `constraints` ends with NULL. */
static Answer optimise(const char *text, const char *objective, bool maximise,
                       const PepaWithin *within, size_t count, const char *const *constraints,
                       const PepaSettings *set)
{
    Answer a = {0};
    PepaModel *model = NULL;
    PepaMeasures *measures = NULL;
    PepaConstraint subject[MOST];
    size_t subjects = 0;
    cr_assert_eq(pepa_model_parse(&model, "m", text, strlen(text), NULL, &a.err) ||
                     pepa_measures_new(&measures, model, &a.err) ||
                     pepa_measures_add(measures, "o", objective, strlen(objective), NULL, NULL,
                                       &a.err),
                 PEPA_OK, "%s", a.err.message);
    for (; constraints && constraints[subjects]; subjects++)
        cr_assert_eq(pepa_measures_add_constraint(measures, "c", constraints[subjects],
                                                  strlen(constraints[subjects]), NULL, NULL,
                                                  &subject[subjects], &a.err),
                     PEPA_OK, "%s", a.err.message);
    const PepaOptimise what = {.objective =
                                   pepa_measures_count(measures) - 1 - 2 * (int32_t)subjects,
                               .maximise = maximise,
                               .within = within,
                               .within_count = count,
                               .subject = subject,
                               .subject_count = subjects};
    a.status =
        pepa_optimise(model, measures, &what, set, a.rate, a.value, a.binding, &a.found, &a.err);
    pepa_measures_free(measures);
    pepa_model_free(model);
    return a;
}

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

static const char queue[] = "lambda = 1; mu = 2; places = 40;\n"
                            "Free = (arrive, lambda).Full; Full = (serve, T).Free;\n"
                            "Source = (arrive, lambda).Source; Server = (serve, mu).Server;\n"
                            "Place = (arrive, T).Job; Job = (serve, T).Place;\n"
                            "Source <arrive> Place[places] <serve> Server";

/* The mean number in M/M/1/K. */
static double jobs_in(double lambda, double mu, int k)
{
    double p = 1, sum = 1, mean = 0;
    for (int n = 1; n <= k; n++) {
        p *= lambda / mu;
        sum += p;
        mean += n * p;
    }
    return mean / sum;
}

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

/* With two bottom components there are no derivatives: 2 w / (1 + w) - w / 10 is largest where its
 * derivative is 0, at sqrt(20) - 1.  A rate without a choice stays what it is said to be. */
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
    cr_expect_eq(a.found.ended, PEPA_OPTIMUM_SEARCHED);
    cr_expect_eq(a.found.bottom_components, 2);
    cr_expect_eq(a.found.searches, 3);
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

/* ---- how many -------------------------------------------------------------------------------- */

/* M/M/n with a finite number of customers is not Erlang's; so arrivals are lost without a server. */
static const char lines[] = "offered = 8; servers = 3;\n"
                            "Source = (call, offered).Source; Line = (call, T).Busy;\n"
                            "Busy = (end, 1).Line;\n"
                            "Source <call> Line[servers]";

/* Erlang's loss formula. */
static double blocking(double offered, int servers)
{
    double b = 1;
    for (int n = 1; n <= servers; n++)
        b = offered * b / (n + offered * b);
    return b;
}

/* The fewest lines that lose no more than a share of calls, at a price per line. */
Test(optimise_api, erlang)
{
    const PepaWithin within[] = {{"servers", 0.5, 40.5}};
    const double losses[] = {0.5, 0.1, 0.01, 1e-4};
    for (int i = 0; i < 4; i++) {
        char text[100];
        const char *const subject[] = {text, NULL};
        int least = 1;
        (void)snprintf(text, sizeof text, "probability:{Line == 0} <= %g", losses[i]);
        while (blocking(8, least) > losses[i])
            least++;
        Answer a = optimise(lines, "10 * rate:servers", false, within, 1, subject, NULL);
        cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_eq(a.rate[0], least, "%g: %g lines, not %d", losses[i], a.rate[0], least);
        cr_expect_float_eq(a.value[1], blocking(8, least), 1e-9);
        cr_expect(a.found.global);
        cr_expect_eq(a.found.ended, PEPA_OPTIMUM_ENUMERATED);
        cr_expect_eq(a.found.evaluations, least, "dearer ones need not be solved");
        cr_expect_eq(a.found.skipped, 40 - least);
        cr_expect_eq(a.found.states, least + 1);
        cr_expect(isnan(a.found.residual));
    }
}

/* The same with more choice than can be looked at: from the fewest on. */
Test(optimise_api, erlang_pattern)
{
    const PepaWithin within[] = {{"servers", 1, 100000}};
    const char *const subject[] = {"probability:{Line == 0} <= 0.01", NULL};
    Answer a = optimise(lines, "rate:servers", false, within, 1, subject, NULL);
    int least = 1;
    while (blocking(8, least) > 0.01)
        least++;
    cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_eq(a.rate[0], least, "%g, not %d", a.rate[0], least);
    cr_expect_not(a.found.global);
    cr_expect_eq(a.found.ended, PEPA_OPTIMUM_NEIGHBOURS);
    cr_expect_lt(a.found.evaluations, 60);
}

/* A number of lines and the speed at which calls come: the most revenue that blocks few. */
Test(optimise_api, mixed)
{
    const PepaWithin within[] = {{"servers", 1, 12}, {"offered", 0.1, 20}};
    const char *const subject[] = {"probability:{Line == 0} <= 0.05", "rate:servers <= 9", NULL};
    Answer a =
        optimise(lines, "throughput:call - 0.1 * rate:servers", true, within, 2, subject, NULL);
    double low = 0.1, high = 20; /* the load of 9 lines that blocks 5 per cent */
    while (high - low > 1e-12) {
        const double middle = (low + high) / 2;
        *(blocking(middle, 9) > 0.05 ? &high : &low) = middle;
    }
    cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_eq(a.rate[0], 9);
    cr_expect_float_eq(a.rate[1], low, 1e-5);
    cr_expect_float_eq(a.found.objective, low * 0.95 - 0.9, 1e-5);
    cr_expect_eq(a.binding[2], PEPA_BINDS_HIGH);
    cr_expect_eq(a.binding[3], PEPA_BINDS_HIGH);
}

/* ---- against every point of a grid ----------------------------------------------------------- */

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* No point of a grid is better, and the optimum is what the model has there. */
static void against_grid(uint64_t seed)
{
    enum { SIDE = 12 };
    char text[200];
    double value[SIDE * SIDE * 2], x[SIDE], y[SIDE];
    const double a = 0.2 + 3 * uniform(&seed), b = 0.2 + 3 * uniform(&seed);
    for (int i = 0; i < SIDE; i++) {
        x[i] = 0.3 * pow(20, i / (SIDE - 1.0));
        y[i] = 0.2 + 4 * i / (SIDE - 1.0);
    }
    (void)snprintf(text, sizeof text,
                   "throughput:out - %.3g * rate:r\npopulation:B1 / throughput:out",
                   0.02 + 0.2 * uniform(&seed));
    const PepaDefine defines[] = {{"fast", a}, {"s", b}};
    const PepaVary vary[] = {{"r", x, SIDE}, {"s", y, SIDE}};
    const PepaExperiment grid = {.vary = vary, .count = 2};
    Asked m = ask(line, text, PEPA_EXPLICIT, defines, 1);
    PepaError err = {0};
    cr_assert_eq(pepa_experiment_measures(m.chain, m.measures, &grid, NULL, value, NULL, &err),
                 PEPA_OK, "%s", err.message);
    const double bound =
        value[2 * (SIDE * (SIDE / 2) + SIDE / 2) + 1]; /* some point satisfies it */
    double best = -INFINITY;
    for (int k = 0; k < SIDE * SIDE; k++)
        if (value[2 * k + 1] <= bound)
            best = fmax(best, value[2 * k]);
    const PepaWithin within[] = {{"r", x[0], x[SIDE - 1]}, {"s", y[0], y[SIDE - 1]}};
    PepaConstraint subject;
    double rate[2], at[4];
    PepaOptimum found;
    (void)snprintf(text, sizeof text, "population:B1 / throughput:out <= %.17g", bound);
    cr_assert_eq(pepa_measures_add_constraint(m.measures, "c", text, strlen(text), NULL, NULL,
                                              &subject, &err),
                 PEPA_OK, "%s", err.message);
    const PepaOptimise what = {.maximise = 1,
                               .within = within,
                               .within_count = 2,
                               .subject = &subject,
                               .subject_count = 1};
    cr_assert_eq(pepa_optimise(m.model, m.measures, &what, NULL, rate, at, NULL, &found, &err),
                 PEPA_OK, "%s", err.message);
    cr_expect_geq(found.objective, best - 1e-7 * fabs(best), "%.9g, but %.9g is on the grid",
                  found.objective, best);
    cr_expect_leq(at[1], bound * (1 + found.tolerance));
    const PepaVary there[] = {{"r", &rate[0], 1}, {"s", &rate[1], 1}};
    cr_assert_eq(pepa_experiment_measures(m.chain, m.measures,
                                          &(PepaExperiment){.vary = there, .count = 2}, NULL, value,
                                          NULL, &err),
                 PEPA_OK);
    cr_expect_float_eq(value[0], found.objective, 1e-9 * fabs(found.objective));
    asked_free(&m);
}

Test(optimise_api, grids)
{
    for (uint64_t seed = 1; seed <= 12; seed++)
        against_grid(seed);
}

/* ---- what ends without an optimum ------------------------------------------------------------ */

Test(optimise_api, infeasible)
{
    const PepaWithin within[] = {{"mu", 0.5, 2}};
    const char *const subject[] = {"response:Job <= 0.25", NULL}; /* 1 / mu at least */
    Answer a = optimise(queue, "rate:mu", false, within, 1, subject, NULL);
    cr_expect_eq(a.status, PEPA_ENOCONV);
    cr_expect(a.found.failed);
    cr_expect_float_eq(a.rate[0], 2, 1e-3);
    cr_expect_float_eq(a.found.violation, jobs_in(1, 2, 40) / 0.25 - 1, 1e-2);
    const PepaWithin few[] = {{"servers", 1, 4}};
    const char *const blocks[] = {"probability:{Line == 0} <= 0.01", "rate:servers <= 3.5", NULL};
    a = optimise(lines, "rate:servers", false, few, 1, blocks, NULL);
    cr_expect_eq(a.status, PEPA_ENOCONV);
    cr_expect(a.found.failed);
}

/* A point that cannot be solved is named; one at which the model is wrong is passed over. */
Test(optimise_api, points_that_fail)
{
    const PepaWithin few[] = {{"servers", 1, 400}};
    PepaSettings set = {.derive.max_states = 100};
    Answer a = optimise(lines, "throughput:call", true, few, 1, NULL, &set);
    cr_expect_eq(a.status, PEPA_ELIMIT);
    cr_expect_eq(a.err.limit, PEPA_LIMIT_STATES);
    cr_expect(a.found.failed);
    cr_expect_eq(a.rate[0], 100);
    const PepaWithin none[] = {{"servers", -4, 0}};
    a = optimise(lines, "throughput:call", true, none, 1, NULL, NULL);
    cr_expect_eq(a.status, PEPA_EMODEL);
    cr_expect_not(a.found.failed);
    const PepaWithin some[] = {{"servers", -4, 5}};
    a = optimise(lines, "throughput:call", true, some, 1, NULL, NULL);
    cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_eq(a.rate[0], 5);
    cr_expect_eq(a.found.wrong, 5);
    const PepaWithin mu[] = {{"mu", 0.5, 2}};
    a = optimise(queue, "1 / (rate:lambda - 1)", true, mu, 1, NULL, NULL);
    cr_expect_eq(a.status, PEPA_ENOCONV, "no value anywhere");
}

static int refuse(void *user, const PepaProgress *now)
{
    int *calls = user;
    cr_assert_str_eq(now->phase, "optimise");
    return ++*calls > 3;
}

Test(optimise_api, cancelled)
{
    int calls = 0;
    const PepaSettings set = {.progress = refuse, .user = &calls};
    const PepaWithin few[] = {{"servers", 1, 400}};
    Answer a = optimise(lines, "throughput:call", true, few, 1, NULL, &set);
    cr_expect_eq(a.status, PEPA_ECANCEL, "%s", a.err.message);
}

Test(optimise_api, arguments)
{
    const struct {
        PepaWithin within[2];
        size_t count;
        const char *says;
    } wrong[] = {{{{"mue", 1, 2}}, 1, "the model has no rate `mue`; did you mean `mu`?"},
                 {{{"mu", 2, 1}}, 1, "the range of `mu`, 2 to 1, is empty"},
                 {{{"mu", 0, INFINITY}}, 1, "the range of `mu`, 0 to inf, is empty"},
                 {{{"mu", 1, 2}, {"mu", 2, 3}}, 2, "the rate `mu` has two ranges"},
                 {{{"mu", 1, 2}}, 0, "an optimisation needs a rate to choose"},
                 {{{"places", 2.1, 2.9}},
                  1,
                  "the rate `places` decides a number of copies, and there is no whole number from "
                  "2.1 to 2.9"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Answer a = optimise(queue, "rate:mu", true, wrong[i].within, wrong[i].count, NULL, NULL);
        cr_expect_eq(a.status, PEPA_EARG);
        cr_expect_str_eq(a.err.message, wrong[i].says);
    }
}

/* The two sides of constraints, and what is none. */
Test(optimise_api, constraints)
{
    PepaModel *model = NULL;
    PepaMeasures *measures = NULL;
    PepaConstraint c;
    PepaError err = {0};
    cr_assert_eq(pepa_model_parse(&model, "m", queue, sizeof queue - 1, NULL, &err) ||
                     pepa_measures_new(&measures, model, &err),
                 PEPA_OK);
    static const struct {
        const char *text, *says;
    } wrong[] = {{"rate:mu", "a constraint is EXPR <= VALUE or EXPR >= VALUE"},
                 {"rate:mu < 1", "a constraint is EXPR <= VALUE or EXPR >= VALUE"},
                 {"rate:mu <= 1 && rate:mu >= 0", "a constraint is EXPR <= VALUE or EXPR >= VALUE"},
                 {"mu <= 1", "`mu` is a rate: write `rate:mu`"},
                 {"rate:mu <= nu", "no measure `nu` is defined before this one"},
                 {"rate:mu <=", "unexpected end of the text; expected an expression"},
                 {"", "unexpected end of the text; expected an expression"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(pepa_measures_add_constraint(measures, "c", wrong[i].text,
                                                  strlen(wrong[i].text), NULL, NULL, &c, &err),
                     PEPA_EARG);
        cr_expect_str_eq(err.message, wrong[i].says);
        cr_expect_eq(pepa_measures_count(measures), 0);
    }
    static const char first[] = "(2 * throughput:serve\n>= mu / lambda)", again[] = "rate:mu <= 2",
                      name[] = "mu = 3", later[] = "rate:lambda <= mu", twice[] = "mu + mu";
    cr_expect_eq(pepa_measures_add_constraint(measures, "c", first, sizeof first - 1, NULL, NULL,
                                              &c, &err),
                 PEPA_OK, "%s", err.message);
    cr_expect_eq(c.measure, 0);
    cr_expect_eq(c.bound, 1);
    cr_expect(c.at_least);
    cr_expect_str_eq(pepa_measures_name(measures, 1), "mu / lambda");
    cr_expect_eq(pepa_measures_add(measures, "m", name, sizeof name - 1, NULL, NULL, &err),
                 PEPA_OK);
    cr_expect_eq(pepa_measures_add_constraint(measures, "c", again, sizeof again - 1, NULL, NULL,
                                              &c, &err),
                 PEPA_OK);
    cr_expect_not(c.at_least);
    cr_expect_str_eq(pepa_measures_name(measures, c.measure), again);
    cr_expect_eq(pepa_measures_add_constraint(measures, "c", later, sizeof later - 1, NULL, NULL,
                                              &c, &err),
                 PEPA_OK, "%s", err.message);
    cr_expect_eq(pepa_measures_add(measures, "m", twice, sizeof twice - 1, NULL, NULL, &err),
                 PEPA_OK);
    PepaChain *chain = NULL;
    double pi[64], value[8];
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err) ||
                     pepa_solve_steady(chain, NULL, pi, NULL, &err) ||
                     pepa_measures_values(measures, chain, pi, value, &err),
                 PEPA_OK, "%s", err.message);
    cr_expect_eq(value[1], 2, "rates in a bound are rates");
    cr_expect_eq(value[c.bound], 2, "also where a measure has the name");
    cr_expect_eq(value[7], 6, "which is meant elsewhere");
    pepa_chain_free(chain);
    pepa_measures_free(measures);
    pepa_model_free(model);
}
