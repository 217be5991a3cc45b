/* Transient measures against closed forms, on rows and on sets, and what is said of their error. */
#include "measure/transient.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "diagrams.h"
#include "support.h"

enum { MOST = 256 }; /* measures x times */

typedef struct {
    Expressions *e;
    Query query;
    TransientFound found;
    PepaStatus status;
    PepaError err;
    double value[MOST];
} Asked;

static void ask(Asked *a, const Chain *chain, const char *measures, const double *time,
                size_t count, bool accumulated, const PepaSettings *set)
{
    DiagList diags = {0};
    Source source = {"test", measures, strlen(measures)};
    *a = (Asked){0};
    cr_assert_eq(query_read(&a->query, &source, QUERY_MEASURES, chain->model, &diags), PEPA_OK,
                 "%s", diags.count ? diags.items[0].message : "");
    diag_free(&diags);
    cr_assert_eq(expressions_new(&a->e, &a->query, chain, NULL), PEPA_OK);
    cr_assert_leq((size_t)expressions_items(a->e) * count, MOST);
    TransientJob job = {chain, &chain->now, set, time, count, set->solve.tolerance};
    a->status = transient_measures(&job, a->e, accumulated, a->value, &a->found, &a->err);
}

static void answer_free(Asked *a)
{
    expressions_free(a->e);
    query_free(&a->query);
}

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

/* So late that factors of I - gamma A lose digits: what is lost is in the bound, until that is no answer
 * any more. */
Test(transient, late)
{
    static const char queue[] = "A = (in, 1.9).A; P = (in, T).Q; Q = (out, 2.3).P; A <in> P[10]";
    PepaSettings set = settings_for_tests();
    Derived d = derive(queue, 1);
    double mean = 0, all = 0, lost = 0;
    for (int k = 0; k <= 10; k++) { /* in at 1.9 while there is room, out at 2.3 each */
        double weight = 1;
        for (int j = 1; j <= k; j++)
            weight *= 1.9 / (2.3 * j);
        mean += k * weight;
        all += weight;
    }
    for (double time = 1e12; time < 1e19; time *= 10) {
        Asked a;
        ask(&a, d.chain, "population:Q", &time, 1, false, &set);
        if (a.status == PEPA_OK) {
            cr_expect(fabs(a.value[0] - mean / all) <= 10 * a.found.error_bound + 1e-14,
                      "%g: %.17g, should be %.17g, bound %g", time, a.value[0], mean / all,
                      a.found.error_bound);
            lost = fmax(lost, fabs(a.value[0] - mean / all));
        } else {
            cr_expect(a.status == PEPA_ENOCONV || a.status == PEPA_ELIMIT, "%g: %d", time,
                      a.status);
        }
        answer_free(&a);
    }
    cr_expect_gt(lost, 1e-10);
    derived_free(&d);
}

/* Many jumps, but the rest of it is seen to be the same after some hundred steps.  Of ten million,
 * rounding hides too much for that: a series follows them. */
Test(transient, stationarity)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive(machine, 1);
    const double time[] = {5e3}, later[] = {3e6}, late[] = {1e300};
    Asked far;
    ask(&far, d.chain, "population:Down", late, 1, true, &set);
    cr_expect_eq(far.status, PEPA_ELIMIT);
    answer_free(&far);
    ask(&far, d.chain, "population:Down", later, 1, false, &set);
    cr_expect_float_eq(far.value[0], 0.4, far.found.error_bound);
    cr_expect(far.found.error_bound < 1e-10 && far.found.stationary < 0 && far.found.solves > 0);
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

/* A long way, which the callback ends; on sets, which have no factors to shorten it. */
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
    ask(&a, &twice.as_sets, "probability:{deadlock}", time, 1, false, &set);
    cr_expect_eq(a.status, PEPA_ECANCEL);
    cr_expect_eq(calls, 2);
    answer_free(&a);
    twice_free(&twice);
    model_free(model);
}

/* ---- stiff chains: Laguerre series ----------------------------------------------------------- */

/* Fast between Up and Down, and slowly worn out: 1e6 against 1e-2, independent of each other. */
static const char stiff[] =
    "Up = (fail, 4e5).Down; Down = (repair, 6e5).Up;\n"
    "New = (wear, 0.01).Old; Old = (age, 0.03).Gone; Gone = (rest, 1e-9).Gone;\n"
    "Up || New || Up";

static double old(double t) /* from New, at 0.01 and 0.03 */
{
    return 0.5 * (exp(-0.01 * t) - exp(-0.03 * t));
}

static double old_until(double t)
{
    return 0.5 * (-expm1(-0.01 * t) / 0.01 + expm1(-0.03 * t) / 0.03);
}

static double down(double t)
{
    return -0.4 * expm1(-1e6 * t);
}

/* From before the fast states settle to long after, few times and many; 1e8 mean jumps. */
Test(transient, stiff)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive(stiff, 1);
    const double few[] = {0, 1e-7, 1e-3, 2, 100};
    double many[64];
    for (int j = 0; j < 64; j++)
        many[j] = 0.5 * j;
    for (int form = 0; form < 4; form++) {
        const double *time = form & 1 ? many : few;
        const size_t count = form & 1 ? 64 : 5;
        const bool accumulated = form & 2;
        Asked a;
        ask(&a, d.chain, "population:Down\npopulation:Old\nthroughput:age", time, count,
            accumulated, &set);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect(a.found.solves > 20 && a.found.solves < 2000 && a.found.steps < 10000,
                  "%lld solutions, %lld steps", (long long)a.found.solves,
                  (long long)a.found.steps);
        const double last = time[count - 1]; /* a rounding for each mean jump, at most */
        const double bound = 1e-10 + DBL_EPSILON * a.found.rate * last;
        cr_expect_leq(a.found.error_bound, accumulated ? last * bound : bound);
        for (size_t j = 0; j < count; j++) {
            const double t = time[j], *value = a.value + 3 * j;
            const double slack = a.found.error_bound + 1e-14 * (1 + t);
            const double o = accumulated ? old_until(t) : old(t);
            const double w = accumulated ? 0.4 * t - down(t) / 1e6 : down(t);
            cr_expect(fabs(value[0] - 2 * w) <= 2 * slack && fabs(value[1] - o) <= slack &&
                          fabs(value[2] - 0.03 * o) <= 0.03 * slack,
                      "form %d time %g: %.15g for %.15g, %.15g for %.15g, bound %g", form, t,
                      value[0], 2 * w, value[1], o, slack);
        }
        answer_free(&a);
    }
    derived_free(&d);
}

/* The distribution; less error on request; the same bits whatever the threads. */
Test(transient, stiff_distribution)
{
    Derived d = derive(stiff, 1);
    const double time[] = {30};
    double p[12], first[12];
    cr_assert_leq(d.chain->state_count, 12);
    for (double tolerance = 1e-4; tolerance > 1e-12; tolerance /= 100)
        for (int threads = 1; threads < 3; threads++) {
            PepaSettings set = settings_for_tests();
            TransientFound found;
            TransientJob job = {d.chain, &d.chain->now, &set, time, 1, tolerance};
            double sum = 0;
            set.threads = threads;
            cr_assert_eq(transient_distribution(&job, p, &found, NULL), PEPA_OK);
            cr_expect_gt(found.solves, 0);
            cr_expect_leq(found.error_bound, tolerance + DBL_EPSILON * found.rate * time[0]);
            for (int32_t s = 0; s < d.chain->state_count; s++)
                sum += p[s];
            cr_expect_float_eq(sum, 1, found.error_bound);
            if (threads == 2)
                cr_expect_arr_eq(p, first, (size_t)d.chain->state_count * sizeof *p);
            memcpy(first, p, sizeof p);
        }
    derived_free(&d);
}

/* States that are left for ever come out as rounding errors of either sign, but not below 0. */
Test(transient, stiff_not_negative)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive(stiff, 1);
    const double time[] = {30000};
    double p[12], left = 0;
    TransientFound found;
    TransientJob job = {d.chain, &d.chain->now, &set, time, 1, 1e-10};
    cr_assert_leq(d.chain->state_count, 12);
    cr_assert_eq(transient_distribution(&job, p, &found, NULL), PEPA_OK);
    cr_expect_gt(found.solves, 0);
    for (int32_t s = 0; s < d.chain->state_count; s++) {
        cr_expect_geq(p[s], 0);
        left += p[s] < 1e-3 ? p[s] : 0;
    }
    cr_expect_leq(left, found.error_bound);
    derived_free(&d);
}

/* A tolerance that rounding does not allow the series to keep: uniformisation goes on. */
Test(transient, stiff_beyond_rounding)
{
    PepaSettings set = settings_for_tests();
    set.solve.tolerance = 1e-15;
    Derived d = derive("Up = (fail, 4e2).Down; Down = (repair, 6e2).Up;\n"
                       "New = (wear, 0.01).Old; Old = (age, 0.03).Gone; Gone = (rest, 1e-9).Gone;\n"
                       "Up || New",
                       1);
    const double time[] = {20, 60};
    Asked a;
    ask(&a, d.chain, "population:Old", time, 2, false, &set);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    for (int j = 0; j < 2; j++)
        cr_expect_float_eq(a.value[j], old(time[j]), a.found.error_bound);
    cr_expect_leq(a.found.error_bound, 1e-9);
    answer_free(&a);
    derived_free(&d);
}

/* Rates beyond what twice the digits can hold: no bound of rounding, and so no number. */
Test(transient, stiff_beyond_doubles)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive("A = (a, 1e305).B + (b, 2).C; B = (c, 1).A; C = (d, 0.5).B; A", 1);
    const double time = 1e-3;
    Asked a;
    ask(&a, d.chain, "population:C", &time, 1, false, &set);
    cr_expect_eq(a.status, PEPA_ELIMIT, "%d", a.status);
    answer_free(&a);
    derived_free(&d);
}

/* Steps so long that no factors of theirs are right: shorter ones, or no answer, but an end. */
Test(transient, stiff_beyond_factors, .timeout = 60)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive("A = (b, 0.0169).B + (b, 8.03e9).F;\n"
                       "B = (b, 0.0133).G + (c, 6780).A + (a, 4.12e9).C;\n"
                       "C = (a, 4750).B + (c, 0.00454).B + (c, 7830).F + (c, 17700).D;\n"
                       "D = (c, 0.00433).E + (b, 8820).F + (b, 4.94e9).E;\n"
                       "E = (b, 0.00518).F + (b, 5.45e9).D;\n"
                       "F = (e, 5320).C + (a, 8600).G + (b, 2560).G;\n"
                       "G = (b, 0.00755).F + (b, 9.08e9).A; A",
                       1);
    for (double time = 1e8; time < 1e11; time *= 10)
        for (int accumulated = 0; accumulated < 2; accumulated++) {
            Asked a;
            ask(&a, d.chain, "population:C", &time, 1, accumulated, &set);
            cr_expect(a.status == PEPA_OK || a.status == PEPA_ENOCONV, "%d", a.status);
            answer_free(&a);
        }
    derived_free(&d);
}

/* So many rates of one state that their sum, rounded each time, is off by more than steps are. */
Test(transient, many_ways_out)
{
    enum { LEAVES = 10000, SIZE = 40 * LEAVES * 2 };
    PepaSettings set = settings_for_tests();
    char *text = malloc(SIZE);
    size_t at = (size_t)snprintf(text, SIZE, "S = (a, 0.1).L0");
    double jumps = 0; /* from a leaf back, summed over all leaves: a heap */
    for (int i = 1; i < LEAVES; i++)
        at += (size_t)snprintf(text + at, SIZE - at, "\n + (a, 0.1).L%d", i);
    at += (size_t)snprintf(text + at, SIZE - at, "; L0 = (b, 1e4).S;\n");
    for (int i = 1; i < LEAVES; i++)
        at += (size_t)snprintf(text + at, SIZE - at, "L%d = (b, 1e4).L%d;\n", i, (i - 1) / 2);
    for (int i = 0; i < LEAVES; i++)
        for (int k = i + 1; k > 0; k /= 2)
            jumps++;
    (void)snprintf(text + at, SIZE - at, "S");
    Derived d = derive(text, 1);
    const double times[] = {1, 10}, away = jumps / LEAVES / 1e4, here = 1 / (0.1 * LEAVES);
    for (int j = 0; j < 2; j++) {
        Asked a;
        ask(&a, d.chain, "population:S", &times[j], 1, false, &set);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect(fabs(a.value[0] - here / (here + away)) <= a.found.error_bound, "%.17g %g",
                  a.value[0] - here / (here + away), a.found.error_bound);
        answer_free(&a);
    }
    free(text);
    derived_free(&d);
}

/* Where memory does not allow factors, uniformisation does all. */
Test(transient, stiff_without_memory)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive("Up = (fail, 40).Down; Down = (repair, 60).Up; New = (wear, 0.01).Old;\n"
                       "Old = (rest, 1).Old; Up || Up || Up || New",
                       1);
    const double time[] = {300};
    for (int form = 0; form < 2; form++) {
        Asked a;
        if (form) {
            Flow rates;
            Uniform *u = NULL;
            cr_assert_eq(uniform_new(&u, d.chain, d.chain->now.term, NULL, &set, NULL), PEPA_OK);
            cr_assert(uniform_rows(u, &rates));
            set.memory = (int64_t)chain_bytes(d.chain) + 60 * rates.n + 24 * rates.row[rates.n];
            uniform_free(u);
        }
        ask(&a, d.chain, "population:Old", time, 1, false, &set);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_eq(a.found.solves > 0, !form);
        cr_expect_float_eq(a.value[0], -expm1(-0.01 * 300), a.found.error_bound);
        answer_free(&a);
    }
    derived_free(&d);
}
