/* pepa_experiment.h: against closed forms, against every point solved by itself, and the same bytes
 * whatever the number of threads; on states one by one and on sets. */
#include "experiments.h"

/* ---- closed forms ---------------------------------------------------------------------------- */

static const char queue[] = "lambda = 1; mu = 2; places = 10;\n"
                            "Free = (arrive, lambda).Full; Full = (serve, T).Free;\n"
                            "Server = (serve, mu).Server;\n"
                            "Free[places] <serve> Server";

/* Places of a queue, each filled at rate lambda: M/M/1//K, machines that are repaired.
 * p_n = K! / (K - n)! (lambda / mu)^n p_0 with n places filled. */
static void repairs(double lambda, double mu, int places, double *served, double *filled)
{
    double p = 1, sum = 1, mean = 0;
    for (int n = 1; n <= places; n++) {
        p *= (places - n + 1) * lambda / mu;
        sum += p;
        mean += n * p;
    }
    *served = mu * (1 - 1 / sum);
    *filled = mean / sum;
}

static void expect_queue(PepaExplore explore, const PepaVary *vary, size_t count, int64_t derived)
{
    Asked a = ask(queue, "throughput:serve\npopulation:Full\nrate:lambda * 1", explore, NULL, 0);
    PepaExperimentInfo info;
    const PepaExperiment what = {.vary = vary, .count = count};
    double *value = experiment(&a, &what, &info);
    for (size_t k = 0; k < points_of(&what); k++) {
        double lambda = 1, mu = 2, places = 10, served, filled;
        size_t stride = points_of(&what);
        for (size_t x = 0; x < count; x++) {
            stride /= vary[x].count;
            *(vary[x].rate[0] == 'l'   ? &lambda
              : vary[x].rate[0] == 'm' ? &mu
                                       : &places) = vary[x].value[k / stride % vary[x].count];
        }
        repairs(lambda, mu, (int)places, &served, &filled);
        cr_expect_float_eq(value[3 * k], served, 1e-9 * served, "point %zu", k);
        cr_expect_float_eq(value[3 * k + 1], filled, 1e-9 * filled, "point %zu", k);
        cr_expect_eq(value[3 * k + 2], lambda);
    }
    cr_expect_eq(info.points, (int64_t)points_of(&what));
    cr_expect_eq(info.derived, derived);
    cr_expect_eq(info.failed, -1);
    cr_expect_leq(info.residual, 1e-10);
    cr_expect_geq(info.seconds, info.derive_seconds);
    free(value);
    asked_free(&a);
}

Test(experiment, closed_forms)
{
    double lambda[100], mu[] = {3, 0.5, 1e3, 1.25};
    const double places[] = {10, 1, 30, 2};
    for (int i = 0; i < 100; i++)
        lambda[i] = pow(10, -3 + 0.06 * i);
    for (PepaExplore explore = PEPA_EXPLICIT; explore <= PEPA_SYMBOLIC; explore++) {
        expect_queue(explore, (PepaVary[]){{"lambda", lambda, 100}}, 1, 0);
        expect_queue(explore, (PepaVary[]){{"mu", mu, 4}, {"lambda", lambda, 7}}, 2, 0);
        expect_queue(explore, (PepaVary[]){{"places", places, 4}}, 1, 3);
        expect_queue(explore, (PepaVary[]){{"places", places, 4}, {"mu", mu, 3}}, 2, 3);
        expect_queue(explore, (PepaVary[]){{"mu", mu, 3}, {"places", places, 4}}, 2, 3);
        expect_queue(explore,
                     (PepaVary[]){{"mu", mu, 2}, {"places", places + 1, 2}, {"lambda", lambda, 20}},
                     3, 2);
    }
}

/* Two groups of local states that rare jumps join.  Sweeps from a point nearby meet the tolerance at
 * once, far from the solution: they are not trusted.  Local states form a line, so that flows along
 * it balance: A : B : C : D = 1 : r / 2 : 1 / 2r : 3 / 2r. */
Test(experiment, nearly_decomposable)
{
    static const char text[] = "r = 1; e = 1e-12;\n"
                               "A = (a, r).B + (x, e).C; B = (b, 2).A;\n"
                               "C = (c, 3).D + (y, 2 * e * r).A; D = (d, 1).C;\n"
                               "P = (p, r).Q; Q = (q, 1).P;\n"
                               "A[6] || P[5]";
    double r[40];
    const PepaExperiment what = {.vary = (PepaVary[]){{"r", r, 40}}, .count = 1};
    for (int i = 0; i < 40; i++)
        r[i] = 1 + 0.05 * i;
    for (PepaExplore explore = PEPA_EXPLICIT; explore <= PEPA_SYMBOLIC; explore++) {
        Asked a = ask(text, "population:{A, B}", explore, NULL, 0);
        double *value = experiment(&a, &what, NULL);
        for (int i = 0; i < 40; i++)
            cr_expect_float_eq(value[i], 6 * (1 + r[i] / 2) / (1 + r[i] / 2 + 2 / r[i]), 1e-12,
                               "r = %g: %.17g", r[i], value[i]);
        free(value);
        asked_free(&a);
    }
}

/* ---- point by point -------------------------------------------------------------------------- */

/* Every point as a model of its own: what `pepa solve -D` does. */
static void expect_alone(const char *text, const char *measures, PepaExplore explore,
                         const PepaDefine *given, size_t givens, const PepaExperiment *what,
                         const double *value)
{
    PepaDefine define[8];
    for (size_t k = 0; k < points_of(what); k++) {
        size_t stride = points_of(what), defines = 0;
        for (; defines < givens; defines++)
            define[defines] = given[defines];
        for (size_t x = 0; x < what->count; x++) {
            stride /= what->vary[x].count;
            define[defines++] = (PepaDefine){what->vary[x].rate,
                                             what->vary[x].value[k / stride % what->vary[x].count]};
        }
        Asked a = ask(text, measures, explore, define, defines);
        const int32_t items = pepa_measures_count(a.measures);
        double *pi = calloc((size_t)pepa_chain_info(a.chain).states, sizeof *pi), alone[8];
        PepaError err = {0};
        cr_assert_eq(pepa_solve_steady(a.chain, &a.set, pi, NULL, &err), PEPA_OK, "%s",
                     err.message);
        cr_assert_eq(pepa_measures_values(a.measures, a.chain, pi, alone, &err), PEPA_OK);
        for (int32_t i = 0; i < items; i++) {
            const double mine = value[k * (size_t)items + (size_t)i];
            if (isnan(alone[i]))
                cr_expect(isnan(mine), "point %zu, measure %d: %g", k, i, mine);
            else
                cr_expect_float_eq(mine, alone[i], 1e-9 * fabs(alone[i]) + 1e-15,
                                   "point %zu, measure %d: %.17g, %.17g", k, i, mine, alone[i]);
        }
        free(pi);
        asked_free(&a);
    }
}

Test(experiment, as_every_point_alone)
{
    double r[40];
    const double jobs[] = {3, 1, 2}, many[] = {10};
    for (int i = 0; i < 40; i++)
        r[i] = 0.25 * (i + 1);
    const PepaExperiment whats[] = {
        {.vary = (PepaVary[]){{"r", r, 40}}, .count = 1},
        {.vary = (PepaVary[]){{"jobs", jobs, 3}, {"r", r, 3}}, .count = 2},
        {.vary = (PepaVary[]){{"fast", r, 3}, {"jobs", jobs, 3}}, .count = 2},
        {.vary = (PepaVary[]){{"jobs", many, 1}, {"r", r, 32}}, .count = 2},
    };
    for (PepaExplore explore = PEPA_EXPLICIT; explore <= PEPA_SYMBOLIC; explore++)
        for (size_t w = 0; w < sizeof whats / sizeof *whats; w++) {
            Asked a = ask(line, of_line, explore, NULL, 0);
            double *value = experiment(&a, &whats[w], NULL);
            expect_alone(line, of_line, explore, NULL, 0, &whats[w], value);
            free(value);
            asked_free(&a);
        }
}

/* What the model was read with, and rates that were set since, hold at all points, also where a
 * chain is derived anew; and the chain is as it was. */
Test(experiment, present_rates)
{
    const double jobs[] = {2, 1};
    const PepaDefine given[] = {{"fast", 7}, {"s", 3}, {"r", 0.125}};
    const PepaExperiment what = {.vary = (PepaVary[]){{"jobs", jobs, 2}}, .count = 1};
    Asked a = ask(line, of_line, PEPA_EXPLICIT, given, 1);
    PepaTransitions before, after;
    PepaError err = {0};
    cr_assert_eq(pepa_chain_set_rates(a.chain, given + 1, 2, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_chain_transitions(a.chain, &before, NULL), PEPA_OK);
    const double rate = pepa_transition_rate(&before, 0);
    double *value = experiment(&a, &what, NULL);
    expect_alone(line, of_line, PEPA_EXPLICIT, given, 3, &what, value);
    cr_assert_eq(pepa_chain_transitions(a.chain, &after, NULL), PEPA_OK);
    cr_expect_eq(after.value, before.value);
    cr_expect_eq(pepa_transition_rate(&after, 0), rate);
    free(value);
    asked_free(&a);
}

/* A functional rate is switched on and off, and one is given a value: other structures. */
Test(experiment, other_structures)
{
    static const char text[] = "on = 1; r = 2; f = 1 + on * Idle;\n"
                               "Idle = (work, r).Busy + (rest, on * Busy).Asleep;\n"
                               "Busy = (done, f).Idle; Asleep = (wake, r / 2).Idle;\n"
                               "Idle[3]";
    static const char asked[] = "throughput:rest\nthroughput:done\npopulation:Asleep";
    const double on[] = {1, 0, 0.5, 0, 2}, f[] = {1, 2, 3}, r[] = {1, 5};
    const PepaExperiment whats[] = {
        {.vary = (PepaVary[]){{"on", on, 5}, {"r", r, 2}}, .count = 2},
        {.vary = (PepaVary[]){{"f", f, 3}, {"on", on, 2}}, .count = 2},
    };
    const int64_t derived[] = {4, 6}; /* where `on` is 0; every value of f, and there again */
    for (size_t w = 0; w < 2; w++) {
        Asked a = ask(text, asked, PEPA_EXPLICIT, NULL, 0);
        PepaExperimentInfo info;
        double *value = experiment(&a, &whats[w], &info);
        cr_expect_eq(info.points, (int64_t)points_of(&whats[w]));
        cr_expect_eq(info.derived, derived[w], "%lld", (long long)info.derived);
        expect_alone(text, asked, PEPA_EXPLICIT, NULL, 0, &whats[w], value);
        free(value);
        asked_free(&a);
    }
}

/* ---- threads --------------------------------------------------------------------------------- */

static void expect_same_bytes(const char *text, const char *measures, PepaExplore explore,
                              const PepaExperiment *what)
{
    Asked a = ask(text, measures, explore, NULL, 0);
    PepaExperimentInfo one, info;
    double *value = experiment(&a, what, &one);
    for (a.set.threads = 2; a.set.threads <= 3; a.set.threads++) {
        double *again = experiment(&a, what, &info);
        cr_expect_arr_eq(again, value,
                         points_of(what) * (size_t)pepa_measures_count(a.measures) * sizeof *value);
        cr_expect_eq(info.iterations, one.iterations);
        cr_expect_eq(info.residual, one.residual);
        free(again);
    }
    free(value);
    asked_free(&a);
}

Test(experiment, threads)
{
    double r[300];
    const double jobs[] = {2, 10};
    for (int i = 0; i < 300; i++)
        r[i] = 0.1 * pow(100, i / 299.0);
    for (PepaExplore explore = PEPA_EXPLICIT; explore <= PEPA_SYMBOLIC; explore++) {
        expect_same_bytes(line, of_line, explore,
                          &(PepaExperiment){.vary = (PepaVary[]){{"r", r, 300}}, .count = 1});
        expect_same_bytes(line, of_line, explore,
                          &(PepaExperiment){.vary =
                                                (PepaVary[]){{"fast", r, 10}, {"jobs", jobs, 2}},
                                            .count = 2});
    }
}
