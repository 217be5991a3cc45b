/* Transient measures against closed forms, on rows and on sets, and what is said of their error. */
#include "transients.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "diagrams.h"

static double up_down(double t)
{
    return 0.4 * (1 - exp(-5 * t)); /* Down, from Up, at rates 2 and 3 */
}

static const char machine[] = "Up = (fail, 2).Down; Down = (repair, 3).Up; Up";

/* A few times far apart go from one to the next; many near each other share one sequence. */
Test(transient, two_states)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive(machine, 1);
    double time[101];
    for (size_t count = 1; count <= 101; count += 50) {
        for (size_t j = 0; j < count; j++)
            time[j] = count == 1 ? 3 : 0.01 * (double)j;
        for (int accumulated = 0; accumulated < 2; accumulated++) {
            Asked a;
            ask(&a, d.chain, "population:Down\nthroughput:repair", time, count, accumulated, &set);
            cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
            for (size_t j = 0; j < count; j++) {
                double t = time[j];
                double want = accumulated ? 0.4 * (t - (1 - exp(-5 * t)) / 5) : up_down(t);
                cr_expect(fabs(a.value[2 * j] - want) <= a.found.error_bound,
                          "count %zu acc %d t %g: %.17g want %.17g bound %g", count, accumulated, t,
                          a.value[2 * j], want, a.found.error_bound);
                cr_expect_float_eq(a.value[2 * j + 1], 3 * want, 3 * a.found.error_bound);
            }
            cr_expect_leq(a.found.error_bound, accumulated ? 4e-10 : 1.1e-10);
            answer_free(&a);
        }
    }
    derived_free(&d);
}

/* M/M/1/K from empty: the symmetrised generator has eigenvalues -(l + m) + 2 sqrt(l m) cos(x) with
 * x = j pi / (K + 1), and eigenvectors u_n = sin((n + 1) x) - sqrt(m / l) sin(n x), which fits the
 * equations of both ends.  Source: Takacs, Introduction to the Theory of Queues, 1962, ch. 1. */
static double queue(double l, double m, int K, int n, double t)
{
    const double c = sqrt(m / l), rho = l / m;
    double p = (1 - rho) * pow(rho, n) / (1 - pow(rho, K + 1));
    for (int j = 1; j <= K; j++) {
        double x = j * acos(-1) / (K + 1), norm = 0;
        for (int i = 0; i <= K; i++)
            norm += pow(sin((i + 1) * x) - c * sin(i * x), 2);
        p += pow(rho, n / 2.0) * sin(x) * (sin((n + 1) * x) - c * sin(n * x)) / norm *
             exp((-(l + m) + 2 * sqrt(l * m) * cos(x)) * t);
    }
    return p;
}

/* Ten places, counted: on rows and on sets, with one thread and two. */
Test(transient, queue)
{
    static const char text[] = "l = 2; m = 3; Free = (arrive, T).Full; Full = (serve, T).Free;\n"
                               "In = (arrive, l).In; Out = (serve, m).Out;\n"
                               "(In <arrive> Free[10]) <serve> Out";
    static const char measures[] =
        "empty = probability:{Full == 0}\nprobability:{Full == 10}\nprobability:{Full == 4}\n"
        "throughput:serve\npopulation:Full";
    const double time[] = {0, 0.05, 0.7, 3, 12};
    enum { TIMES = 5, K = 10 };
    Model *model = model_of(text);
    Twice twice;
    twice_new(&twice, model, 1, 4, 1000);
    cr_assert(twice.diagram, "the model suits sets");
    for (int form = 0; form < 2; form++)
        for (int threads = 1; threads < 3; threads++) {
            PepaSettings set = settings_for_tests();
            Asked a;
            set.threads = threads;
            ask(&a, form ? &twice.as_sets : twice.chain, measures, time, TIMES, false, &set);
            cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
            cr_expect_leq(a.found.error_bound, 1.1e-10);
            for (int j = 0; j < TIMES; j++) {
                const double *value = a.value + 5 * j, slack = a.found.error_bound + 1e-13;
                double mean = 0;
                for (int n = 0; n <= K; n++)
                    mean += n * queue(2, 3, K, n, time[j]);
                cr_expect_float_eq(value[0], queue(2, 3, K, 0, time[j]), slack);
                cr_expect_float_eq(value[1], queue(2, 3, K, K, time[j]), slack);
                cr_expect_float_eq(value[2], queue(2, 3, K, 4, time[j]), slack);
                cr_expect_float_eq(value[3], 3 * (1 - queue(2, 3, K, 0, time[j])), 3 * slack);
                cr_expect_float_eq(value[4], mean, K * slack);
            }
            answer_free(&a);
        }
    twice_free(&twice);
    model_free(model);
}

/* Absorbing states keep what reaches them: Erlang with 5 phases. */
Test(transient, erlang)
{
    PepaSettings set = settings_for_tests();
    Derived d =
        derive("A = (a, 2).B; B = (a, 2).C; C = (a, 2).D; D = (a, 2).E; E = (a, 2).Stop; A", 1);
    const double time[] = {0.5, 1, 4, 40};
    Asked a;
    ask(&a, d.chain, "probability:{deadlock}\nthroughput:a", time, 4, false, &set);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    for (int j = 0; j < 4; j++) {
        double x = 2 * time[j], left = 0, term = exp(-x);
        for (int k = 0; k < 5; term *= x / ++k)
            left += term;
        cr_expect_float_eq(a.value[2 * j], 1 - left, a.found.error_bound);
        cr_expect_float_eq(a.value[2 * j + 1], 2 * left, 2 * a.found.error_bound);
    }
    answer_free(&a);
    ask(&a, d.chain, "throughput:a", time, 4, true, &set); /* completions until then: at most 5 */
    cr_expect_float_eq(a.value[3], 5, 2 * a.found.error_bound + 1e-9);
    answer_free(&a);
    derived_free(&d);
}

/* What does not change: no time, the same time again, and nothing that ever happens. */
Test(transient, nothing_happens)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive(machine, 1), still = derive("P = (a, 1).P; P", 1);
    const double time[] = {0, 0, 1, 1}, late[] = {0, 7};
    for (int accumulated = 0; accumulated < 2; accumulated++) {
        Asked a;
        ask(&a, d.chain, "population:Down", time, 4, accumulated, &set);
        cr_expect(a.value[0] == 0 && a.value[1] == 0);
        cr_expect_float_eq(a.value[2], accumulated ? 0.4 * (1 - (1 - exp(-5)) / 5) : up_down(1),
                           a.found.error_bound);
        cr_expect_eq(a.value[2], a.value[3]);
        answer_free(&a);
        ask(&a, still.chain, "population:P\nthroughput:a", late, 2, accumulated, &set);
        cr_expect_eq(a.value[2], accumulated ? 7 : 1);
        cr_expect_eq(a.value[3], accumulated ? 7 : 1);
        cr_expect(a.found.steps == 0 && a.found.rate == 0);
        answer_free(&a);
    }
    derived_free(&d);
    derived_free(&still);
}

/* Many jumps, but the rest of it is seen to be the same after some hundred steps.  Of ten million, or however many,
 * rounding hides too much for that: the long run is seen to be near. */
Test(transient, stationarity)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive(machine, 1);
    const double time[] = {5e3}, later[] = {3e6}, late[] = {1e300};
    Asked far;
    ask(&far, d.chain, "population:Down", late, 1, true, &set);
    cr_expect_eq(far.status, PEPA_OK, "%s", far.err.message);
    cr_expect(fabs(far.value[0] - 0.4 * late[0]) <= far.found.error_bound);
    cr_expect_leq(far.found.error_bound, 1e-10 * late[0]);
    answer_free(&far);
    ask(&far, d.chain, "population:Down", later, 1, false, &set);
    cr_expect_float_eq(far.value[0], 0.4, far.found.error_bound);
    cr_expect(far.found.error_bound < 1e-10 && far.found.stationary > 0 && far.found.solves == 0);
    answer_free(&far);
    for (int accumulated = 0; accumulated < 2; accumulated++) {
        Asked a;
        ask(&a, d.chain, "population:Down", time, 1, accumulated, &set);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect(a.found.stationary > 0 && a.found.steps < 1000, "%lld steps",
                  (long long)a.found.steps);
        double want = accumulated ? 0.4 * (5e3 - 0.2) : 0.4;
        cr_expect_float_eq(a.value[0], want, a.found.error_bound);
        cr_expect_leq(a.found.error_bound, accumulated ? 1e-4 : 1e-9);
        answer_free(&a);
    }
    derived_free(&d);
}

/* A slow change behind a fast one is no stationarity: the machine is up and down a thousand times
 * before it wears out, at rate 1e-3 in either state. */
Test(transient, slow_after_fast)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive("Up = (fail, 2).Down + (wear, 0.001).Stop;\n"
                       "Down = (repair, 3).Up + (wear, 0.001).Stop; Up",
                       1);
    const double time[] = {100, 2000};
    Asked a;
    ask(&a, d.chain, "probability:{deadlock}", time, 2, false, &set);
    for (int j = 0; j < 2; j++)
        cr_expect_float_eq(a.value[j], -expm1(-0.001 * time[j]), a.found.error_bound);
    cr_expect_leq(a.found.error_bound, 2e-10);
    answer_free(&a);
    derived_free(&d);
}

/* The tolerance is that of truncation, and is met, not by far. */
Test(transient, tolerance)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive(machine, 1);
    const double time[] = {2, 20, 200};
    for (double tolerance = 1e-3; tolerance > 1e-13; tolerance /= 10) {
        Asked a;
        set.solve.tolerance = tolerance;
        ask(&a, d.chain, "population:Down", time, 3, false, &set);
        cr_expect_leq(a.found.error_bound, tolerance + 1e-11);
        for (int j = 0; j < 3; j++)
            cr_expect_float_eq(a.value[j], up_down(time[j]), a.found.error_bound);
        answer_free(&a);
    }
    derived_free(&d);
}

/* The distribution itself. */
Test(transient, distribution)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive(machine, 1);
    const double time[] = {0.3};
    double p[2];
    TransientFound found;
    TransientJob job = {d.chain, &d.chain->now, &set, time, 1, 1e-12};
    cr_assert_eq(transient_distribution(&job, p, &found, NULL), PEPA_OK);
    cr_expect_float_eq(p[1], up_down(0.3), found.error_bound);
    cr_expect_float_eq(p[0] + p[1], 1, 1e-14);
    derived_free(&d);
}

static int stop(void *user, const PepaProgress *now)
{
    int *calls = user;
    cr_expect_str_eq(now->phase, "transient");
    cr_expect_leq((double)now->count, now->measure);
    return ++*calls == 2;
}

/* A long way, which the callback ends; on sets, without the memory for factors to shorten it. */
Test(transient, cancelled)
{
    PepaSettings set = settings_for_tests();
    Model *model = model_of("Up = (fail, 2).Down + (wear, 1e-7).Stop; Down = (repair, 3).Up;\n"
                            "Up || Up || Up || Up || Up");
    Twice twice;
    twice_new(&twice, model, 1, 4, 1000);
    cr_assert(twice.diagram, "the model suits sets");
    const double time[] = {1e7};
    int calls = 0;
    Asked a;
    set.progress = stop;
    set.user = &calls;
    set.memory = (int64_t)chain_bytes(&twice.as_sets) + 40 * twice.states;
    ask(&a, &twice.as_sets, "probability:{deadlock}", time, 1, false, &set);
    cr_expect_eq(a.status, PEPA_ECANCEL);
    cr_expect_eq(calls, 2);
    answer_free(&a);
    twice_free(&twice);
    model_free(model);
}
