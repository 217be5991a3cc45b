/* Transient measures of stiff chains: Laguerre series, and the long run. */
#include "transients.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "diagrams.h"

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
Test(transient_stiff, closed_form)
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
Test(transient_stiff, distribution)
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
Test(transient_stiff, not_negative)
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
Test(transient_stiff, beyond_rounding)
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

/* Rates beyond what twice the digits can hold: no bound of rounding, and so no number; unless the long run is near. */
Test(transient_stiff, beyond_doubles)
{
    PepaSettings set = settings_for_tests();
    const double time = 1e-3;
    for (int near = 0; near < 2; near++) {
        Derived d = derive(near ? "A = (a, 1e305).B + (b, 2).C; B = (c, 1).A; C = (d, 0.5).B; A"
                                : "A = (a, 1e305).B + (b, 2).C; B = (c, 1).A; C = (d, 0.5).B; C",
                           1);
        Asked a;
        ask(&a, d.chain, "population:C", &time, 1, false, &set);
        cr_expect_eq(a.status, near ? PEPA_OK : PEPA_ELIMIT, "%d", a.status);
        cr_expect(!near || (a.value[0] >= 0 && a.value[0] <= a.found.error_bound));
        answer_free(&a);
        derived_free(&d);
    }
}

/* Steps so long that no factors of theirs are right: shorter ones, or no answer, but an end. */
Test(transient_stiff, beyond_factors, .timeout = 60)
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
Test(transient_stiff, many_ways_out)
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
Test(transient_stiff, without_memory)
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
            cr_assert_eq(uniform_rows(u, &set, &rates, NULL), PEPA_OK);
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

/* Once the slow states have settled as well, the long run stands for all times, and there are no more steps. */
Test(transient_stiff, settles_during_the_series)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive("Up = (fail, 4e5).Down; Down = (repair, 6e5).Up;\n"
                       "New = (wear, 0.01).Old; Old = (age, 0.03).New;\n"
                       "Up || New || Up",
                       1);
    int64_t solves[2];
    for (int late = 0; late < 2; late++)
        for (int accumulated = 0; accumulated < 2; accumulated++) {
            const double time[] = {10, late ? 1e7 : 1e5, late ? 1e8 : 2e5};
            Asked a;
            ask(&a, d.chain, "population:Old", time, 3, accumulated, &set);
            cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
            cr_expect(a.found.stationary > 0 && a.found.solves > 20);
            for (int j = 0; j < 3; j++) {
                const double gone = -expm1(-0.04 * time[j]);
                const double exact = 0.25 * (accumulated ? time[j] - gone / 0.04 : gone);
                cr_expect_float_eq(a.value[j], exact, a.found.error_bound + 1e-15 * exact,
                                   "%d at %g: %.17g, not %.17g", accumulated, time[j], a.value[j],
                                   exact);
            }
            solves[late] = a.found.solves;
            answer_free(&a);
        }
    cr_expect_eq(solves[0], solves[1]);
    derived_free(&d);
}

/* However late, few states are at their long run, also where they end in one of two ways. */
Test(transient_stiff, late)
{
    static const char *const queues[] =
        {"A = (in, 1.9).A; P = (in, T).Q; Q = (out, 2.3).P; A <in> P[10]",
         "A = (in, 1.9).A; P = (in, T).Q; Q = (out, 2.3).P; X = (y, 0.1).Y + (z, 0.2).Z; Y = (e, "
         "1).Y;\n"
         "Z = (f, 2).Z; (A <in> P[10]) || X"};
    PepaSettings set = settings_for_tests();
    double mean = 0, all = 0;
    for (int k = 0; k <= 10; k++) { /* in at 1.9 while there is room, out at 2.3 each */
        double weight = 1;
        for (int j = 1; j <= k; j++)
            weight *= 1.9 / (2.3 * j);
        mean += k * weight;
        all += weight;
    }
    for (int ends = 0; ends < 2; ends++) {
        Derived d = derive(queues[ends], 1);
        for (double time = 1e12; time < 1e19; time *= 3) {
            Asked a;
            ask(&a, d.chain, "population:Q", &time, 1, false, &set);
            cr_expect_eq(a.status, PEPA_OK, "%g: %s", time, a.err.message);
            cr_expect(fabs(a.value[0] - mean / all) <= 10 * a.found.error_bound + 1e-14,
                      "%g: %.17g, should be %.17g, bound %g", time, a.value[0], mean / all,
                      a.found.error_bound);
            answer_free(&a);
        }
        derived_free(&d);
    }
}

/* What is left of X is far less than the error: noise of either sign, but nothing below 0. */
Test(transient_stiff, nothing_below_0)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive("A = (in, 19).A; P = (in, T).Q; Q = (out, 0.023).P; X = (y, 0.1).Y + (z, 0.2).Z;\n"
                       "Y = (e, 1).Y; Z = (f, 2).Z; (A <in> P[1500]) || X",
                       1);
    const double time[] = {1e3, 1e6, 1e9, 1e13};
    Asked a;
    for (int accumulated = 0; accumulated < 2; accumulated++) {
        ask(&a, d.chain, "throughput:y\npopulation:X\nprobability:{X}\nreward:{Y - 1}", time, 4,
            accumulated, &set);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_gt(a.found.solves, 20);
        for (int j = 0; j < 4; j++) {
            const double *value = a.value + 4 * j, t = time[j], slack = 2 * a.found.error_bound;
            const double x = accumulated ? -expm1(-0.3 * t) / 0.3 : exp(-0.3 * t);
            const double y = accumulated ? (t - x) / 3 - t : (1 - x) / 3 - 1;
            cr_expect(value[0] >= 0 && fabs(value[0] - 0.1 * x) <= slack);
            cr_expect(value[1] >= 0 && fabs(value[1] - x) <= slack);
            cr_expect(value[2] >= 0 && fabs(value[2] - x) <= slack);
            cr_expect_float_eq(value[3], y, slack + 1e-14 * t);
        }
        answer_free(&a);
    }
    derived_free(&d);
}

/* A chain explored one by one, or as sets. */
static Derived derive_as(const char *text, PepaExplore explore)
{
    PepaSettings set = settings_for_tests();
    PepaError err = {0};
    Derived d = {.model = model_of(text)};
    set.derive.explore = explore;
    cr_assert_eq(chain_derive(&d.chain, d.model, &set, &d.diags, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(!d.chain->row, explore == PEPA_SYMBOLIC);
    return d;
}

/* A slow change behind fast ones, and for ever: sets have series, too. */
Test(transient_stiff, sets)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive_as("Up = (fail, 3e5).Down + (crash, 1e5).Down; Down = (repair, 6e5).Up;\n"
                          "Day = (dusk, 0.01).Night; Night = (dawn, 0.03).Day;\n"
                          "Up || Up || Day",
                          PEPA_SYMBOLIC);
    const double time[] = {0, 1e-7, 1e-3, 2, 100};
    for (int accumulated = 0; accumulated < 2; accumulated++) {
        Asked a;
        ask(&a, d.chain, "population:Night\npopulation:Down", time, 5, accumulated, &set);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect(a.found.solves > 20 && a.found.solves < 2000 && a.found.steps < 10000,
                  "%lld solutions, %lld steps", (long long)a.found.solves,
                  (long long)a.found.steps);
        for (int j = 0; j < 5; j++) {
            const double t = time[j], night = -0.25 * expm1(-0.04 * t);
            const double slack = a.found.error_bound + 1e-14 * (1 + t);
            cr_expect_float_eq(a.value[2 * j], accumulated ? 0.25 * t - night / 0.04 : night, slack,
                               "%g", t);
            cr_expect_float_eq(a.value[2 * j + 1],
                               accumulated ? 0.8 * t - 2 * down(t) / 1e6 : 2 * down(t), 2 * slack,
                               "%g", t);
        }
        cr_expect_leq(a.found.error_bound, accumulated ? 1e-8 : 1e-9);
        answer_free(&a);
    }
    derived_free(&d);
}

/* Jumps without end, of which steps cannot tell whether they still change anything: no solution with
 * factors, since the long run is near. */
Test(transient_stiff, settled)
{
    static const PepaExplore ways[] = {PEPA_EXPLICIT, PEPA_SYMBOLIC};
    const double sum = 1e-5 + 2, share = 1e-5 / sum;
    for (int form = 0; form < 16; form++) { /* few states are eliminated, others solved */
        PepaSettings set = settings_for_tests();
        const bool few = form & 1, late = few && form & 2, accumulated = form & 4;
        const double machines = few ? 2 : 10;
        Derived d = derive_as(few ? "Up = (fail, 1e-5).Down; Down = (repair, 2).Up;\n"
                                    "On = (off, 3e-5).Off; Off = (on, 1).On; Up || Up || On"
                                  : "Up = (fail, 1e-5).Down; Down = (repair, 2).Up;\n"
                                    "On = (off, 3e-5).Off; Off = (on, 1).On;\n"
                                    "Dry = (rain, 2e-5).Wet; Wet = (sun, 1.5).Dry;\n"
                                    "Up[10] || On[10] || Dry[10]",
                              ways[form / 8]);
        const double time[] = {0.5, 1e6, late ? 1e100 : 1e7};
        Asked a;
        ask(&a, d.chain, "population:Down", time, 3, accumulated, &set);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_eq(a.found.solves, 0);
        cr_expect_leq(a.found.steps, 20000, "%lld steps", (long long)a.found.steps);
        cr_expect_gt(a.found.stationary, 0);
        cr_expect_leq(a.found.error_bound, 2e-10 * (accumulated ? time[2] : 1));
        for (int j = 0; j < 3; j++) {
            const double t = time[j], gone = -expm1(-sum * t);
            const double want = machines * share * (accumulated ? t - gone / sum : gone);
            cr_expect_float_eq(a.value[j], want, machines * a.found.error_bound + 1e-15 * t, "%g",
                               t);
            cr_expect(accumulated || fabs(a.value[j] / want - 1) < 1e-4, "%g: %g", t, a.value[j]);
        }
        answer_free(&a);
        derived_free(&d);
    }
}

/* Where factors would be large, what rounding of the long run adds up to is taken. */
Test(transient_stiff, settled_where_factors_are_large)
{
    static const PepaExplore ways[] = {PEPA_EXPLICIT, PEPA_SYMBOLIC};
    PepaSettings set = settings_for_tests();
    const double sum = 0.20001, share = 1e-5 / sum, time[] = {1, 1e8};
    for (int way = 0; way < 2; way++) {
        Derived d =
            derive_as("A = (fa, 1e-6).AD; AD = (ra, T).A; B = (fb, 3e-6).BD; BD = (rb, T).B;\n"
                      "C = (fc, 1e-9).CD; CD = (rc, T).C; Z = (well, 0.2).M;\n"
                      "M = (ra, 1).M + (rb, 0.5).M + (rc, 0.01).M + (sick, 1e-5).Z;\n"
                      "(A[14] || B[14] || C[14]) <ra, rb, rc> M[2]",
                      ways[way]);
        Asked a;
        ask(&a, d.chain, "population:Z", time, 2, false, &set);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_eq(a.found.solves, 0);
        cr_expect(a.found.error_bound > 1e-11 && a.found.error_bound < 1e-8, "%g",
                  a.found.error_bound);
        for (int j = 0; j < 2; j++)
            cr_expect_float_eq(a.value[j], -2 * share * expm1(-sum * time[j]),
                               2 * a.found.error_bound);
        Asked later; /* what rounding adds up to is in the bound */
        const double late = 1e9;
        ask(&later, d.chain, "population:Z", &late, 1, false, &set);
        cr_assert_eq(later.status, PEPA_OK, "%s", later.err.message);
        cr_expect_gt(later.found.error_bound, a.found.error_bound + 1e-13);
        answer_free(&later);
        answer_free(&a);
        derived_free(&d);
    }
}

/* Hardly anything changes, but for ever: it is not taken for the long run. */
Test(transient_stiff, far_from_settled)
{
    PepaSettings set = settings_for_tests();
    Derived d = derive_as("Up = (fail, 1e-5).Down; Down = (repair, 2).Up;\n"
                          "On = (off, 3e-5).Off; Off = (on, 1).On;\n"
                          "Day = (dusk, 1e-13).Night; Night = (dawn, 3e-13).Day;\n"
                          "Up[20] || On[20] || Day",
                          PEPA_SYMBOLIC);
    const double time = 1e8;
    Asked a;
    ask(&a, d.chain, "population:Night", &time, 1, false, &set);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_float_eq(a.value[0], -0.25 * expm1(-4e-13 * time), a.found.error_bound);
    cr_expect_leq(a.found.error_bound, 1e-9);
    answer_free(&a);
    derived_free(&d);
}
