/* Predictions for bulk-synchronous programs: worked examples, closed forms, one way against
 * another. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "grid/predict/maximum.h"
#include "grid/bsp/predict/predict.h"

static void near(int line, double x, double y, double relative)
{
    cr_expect(fabs(x - y) <= relative * fabs(y), "line %d: %.17g, not %.17g", line, x, y);
}
#define NEAR(x, y, relative) near(__LINE__, x, y, relative)

static AmogetMachine *machine_of(const char *text)
{
    AmogetMachine *machine = NULL;
    PepaError err = {0};
    cr_assert_eq(amoget_machine_parse(&machine, "m", text, strlen(text), NULL, &err), PEPA_OK, "%s",
                 err.message);
    return machine;
}

static Trace *trace_of(const char *text)
{
    Trace *trace = NULL;
    PepaError err = {0};
    cr_assert_eq(trace_read(&trace, "t", text, strlen(text), NULL, NULL, &err), PEPA_OK, "%s",
                 err.message);
    return trace;
}

/* Four processors: 500 million units of work per second, 1.2 us for 8 bytes, barrier 300 us. */
static const char four[] = "processors { a time 2e-9; b time 2e-9; c time 2e-9; d time 2e-9; }\n"
                           "network { latency default 150 us; latency local 1 ns; }\n";
/* Work is in units; bytes of h = (150, 200, 50, 240) words. */
static const char worked[] = "bsp-trace 1\nprocesses 4\nstep 1\n"
                             "work 0 4e6\nwork 1 4e6\nwork 2 2e6\nwork 3 2e6\n"
                             "send 0 1 800\nsend 0 2 400\nsend 1 3 1600\nsend 2 0 80\n"
                             "send 3 0 80\nsend 2 3 320\n";

Test(bsp_predict, formula_of_the_worked_example)
{
    AmogetMachine *machine = machine_of(four);
    Trace *trace = trace_of(worked);
    const Platform platform = {.unit = 1, .word = 1.2e-6, .sync = 300e-6};
    Placement where;
    Superstep s;
    static const double h[] = {150, 200, 50, 240};
    cr_assert(placement_new(&where, machine, &platform, 4) && superstep_new(&s, 4));
    for (int32_t p = 0; p < 4; p++)
        where.at[p] = p;
    placement_update(&where);
    NEAR(where.barrier, 300e-6, 1e-15);
    superstep_cost(&s, trace, 0, &where);
    for (int32_t p = 0; p < 4; p++)
        NEAR(s.communicate[p], h[p] * 1.2e-6, 1e-14);
    NEAR(superstep_unequal(&s), 8.588e-3, 1e-14);
    NEAR(superstep_equal(&s, trace, 0, &where), 8.588e-3, 1e-14);
    NEAR(predict_formula(trace, &where, &s), 8.588e-3, 1e-14);
    superstep_free(&s);
    placement_free(&where);
    trace_free(trace);
    amoget_machine_free(machine);
}

/* The longest latency in use, or what the library takes if that is longer. */
Test(bsp_predict, barriers)
{
    AmogetMachine *machine =
        machine_of("processors { a time 1 cluster x; b time 1 cluster x; c time 1 cluster y; }\n"
                   "network { latency default 35.8 ms; latency x x 0.2 ms; latency local 1 us; }");
    static const double sync[] = {0, 1e-3, 0.1};
    static const double barrier[3][3] = {{0, 0.2e-3, 35.8e-3}, {0, 1e-3, 35.8e-3}, {0, 0.1, 0.1}};
    for (int k = 0; k < 3; k++)
        for (int32_t n = 1; n <= 3; n++) {
            const Platform platform = {.unit = 1, .sync = sync[k]};
            Placement where;
            cr_assert(placement_new(&where, machine, &platform, n));
            for (int32_t p = 0; p < n; p++)
                where.at[p] = p;
            placement_update(&where);
            NEAR(where.barrier, barrier[k][n - 1], 1e-15);
            placement_free(&where);
        }
    amoget_machine_free(machine);
}

Test(bsp_predict, sharers_cores_availability)
{
    AmogetMachine *machine =
        machine_of("processors { a time 2 availability 0.5 cores 2; b time 3; }\n"
                   "network { latency default 1; }");
    const Platform platform = {.unit = 10};
    static const int32_t at[] = {0, 0, 1, 0};
    static const double second[] = {40, 40, 30, 40}; /* cores that are half free */
    /* Three on two cores, until the first has ended at 40 x 3/2. */
    static const double compute[] = {60, 60 + 40, 150, 60 + 40 + 80};
    Trace *trace = trace_of("bsp-trace 1\nprocesses 4\nstep 1\n"
                            "work 0 1\nwork 1 2\nwork 2 5\nwork 3 4\n");
    Placement where;
    Superstep s;
    cr_assert(superstep_new(&s, 4));
    cr_assert(placement_new(&where, machine, &platform, 4));
    memcpy(where.at, at, sizeof at);
    placement_update(&where);
    for (int32_t p = 0; p < 4; p++)
        NEAR(where.second[p], second[p], 1e-15);
    NEAR(where.slowest, 60, 1e-15);
    superstep_cost(&s, trace, 0, &where);
    for (int32_t p = 0; p < 4; p++)
        NEAR(s.compute[p], compute[p], 1e-15);
    NEAR(superstep_unequal(&s), 180 + 1, 1e-15);
    NEAR(superstep_equal(&s, trace, 0, &where), 5 * 60 + 1, 1e-15);
    superstep_free(&s);
    trace_free(trace);
    placement_free(&where);
    amoget_machine_free(machine);
}

static Superstep step_of(int32_t n, const double *compute, const double *communicate,
                         double barrier)
{
    Superstep s;
    cr_assert(superstep_new(&s, n));
    memcpy(s.compute, compute, (size_t)n * sizeof *compute);
    memcpy(s.communicate, communicate, (size_t)n * sizeof *communicate);
    s.barrier = barrier;
    return s;
}

/* Equal processes: H_4 times the mean for one stage; the others from independent computation. */
Test(bsp_predict, model_of_equal_processes)
{
    static const double ones[] = {1, 1, 1, 1}, fifths[] = {0.2, 0.2, 0.2, 0.2};
    static const struct {
        int32_t stages;
        double mean, within;
    } known[] = {{1, (1 + 0.5 + 1.0 / 3 + 0.25) * 1.2 + 0.1, 1e-9},
                 {2, 2.228, 5e-4},
                 {3, 2.057, 5e-4},
                 {5, 1.883, 5e-4}};
    Superstep s = step_of(4, ones, fifths, 0.1);
    NEAR(superstep_unequal(&s), 1.3, 1e-15);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double solved, integral;
        PepaError err;
        cr_assert_eq(model_solve(&s, known[i].stages, NULL, &solved, &err), PEPA_OK);
        cr_assert_eq(model_mean(&s, known[i].stages, &integral, &err), PEPA_OK);
        cr_expect(fabs(solved - known[i].mean) <= known[i].within, "%g", solved);
        NEAR(integral, solved, 1e-7);
    }
    superstep_free(&s);
}

Test(bsp_predict, model_approaches_the_formula)
{
    static const double compute[] = {3, 1, 2}, communicate[] = {0.5, 0.1, 0.7};
    Superstep s = step_of(3, compute, communicate, 0.2);
    double before = HUGE_VAL, mean;
    PepaError err;
    for (int32_t stages = 1; stages <= MOST_STAGES; stages *= 10) {
        cr_assert_eq(model_mean(&s, stages, &mean, &err), PEPA_OK);
        cr_expect(mean < before && mean > superstep_unequal(&s));
        before = mean;
    }
    NEAR(before, superstep_unequal(&s), 0.03);
    superstep_free(&s);
}

/* Random supersteps, with processes that do nothing and no barrier: engine against integrals. */
Test(bsp_predict, two_ways_agree)
{
    srand(7);
    for (int round = 0; round < 60; round++) {
        const int32_t n = 1 + rand() % 4, stages = 1 + rand() % 3;
        double compute[4], communicate[4], solved, integral;
        for (int32_t p = 0; p < n; p++) {
            compute[p] = rand() % 3 ? (1 + rand() % 5) * 1e-3 : 0;
            communicate[p] = rand() % 3 ? (1 + rand() % 4) * 1e-4 : 0;
        }
        Superstep s = step_of(n, compute, communicate, rand() % 2 ? 1e-3 : 0);
        PepaError err = {0};
        cr_assert_eq(model_solve(&s, stages, NULL, &solved, &err), PEPA_OK, "%s", err.message);
        cr_assert_eq(model_mean(&s, stages, &integral, &err), PEPA_OK);
        cr_expect(fabs(solved - integral) <= 1e-7 * integral, "%d: %.12g, %.12g", round, solved,
                  integral);
        superstep_free(&s);
    }
}

Test(bsp_predict, maxima_in_closed_form)
{
    double mean[64], out, harmonic = 0;
    PepaError err;
    for (int32_t n = 1; n <= 64; n++) {
        mean[n - 1] = 2;
        harmonic += 1.0 / n;
        cr_assert_eq(maximum_mean(&(Durations){mean, n, 1}, &out, &err), PEPA_OK);
        NEAR(out, 2 * harmonic, 1e-9);
    }
    /* Two exponential durations: a + b - 1 / (1 / a + 1 / b), however unequal. */
    for (double b = 1e-9; b < 1e10; b *= 1e3) {
        const double two[] = {1, b};
        cr_assert_eq(maximum_mean(&(Durations){two, 2, 1}, &out, &err), PEPA_OK);
        NEAR(out, 1 + b - 1 / (1 + 1 / b), 1e-9);
    }
    /* One duration: its mean, for any number of stages. */
    for (int32_t k = 1; k <= MOST_STAGES; k++) {
        cr_assert_eq(maximum_mean(&(Durations){mean, 1, k}, &out, &err), PEPA_OK);
        NEAR(out, 2, 1e-9);
    }
}

/* The mean of the lesser of two durations of k stages with means a and b: the integral of the product of their
 * tails, term by term. */
static double lesser(int32_t k, double a, double b)
{
    const double first = log(1 / a / (1 / a + 1 / b)), second = log(1 / b / (1 / a + 1 / b));
    double sum = 0;
    for (int32_t i = 0; i < k; i++)
        for (int32_t j = 0; j < k; j++)
            sum += exp(lgamma(i + j + 1.0) - lgamma(i + 1.0) - lgamma(j + 1.0) + i * first +
                       j * second);
    return sum / (k / a + k / b);
}

Test(bsp_predict, maxima_of_unequal_stages)
{
    static const int32_t stages[] = {1, 2, 20, 50, 70, 100};
    double out;
    PepaError err;
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++)
        for (double b = 1e-12; b < 1e13; b *= 10) {
            const double two[] = {1, b}, all[] = {b, 1, b, b};
            const int32_t k = stages[s];
            cr_assert_eq(maximum_mean(&(Durations){two, 2, k}, &out, &err), PEPA_OK);
            const double expected = 1 + b - lesser(k, 1, b);
            cr_expect(fabs(out - expected) <= 1e-9 * expected, "%d stages, %g: %.12g, %.12g", k, b,
                      out, expected);
            cr_assert_eq(maximum_mean(&(Durations){all, 4, k}, &out, &err), PEPA_OK);
            cr_expect(out >= expected * (1 - 1e-9) && out <= (expected + 2 * b) * (1 + 1e-9));
        }
}

Test(bsp_predict, text_counts_equal_processes)
{
    static const double compute[] = {2, 1, 2}, communicate[] = {0, 0, 0};
    Superstep s = step_of(3, compute, communicate, 0.5);
    char *text = NULL;
    PepaError err;
    cr_assert_eq(model_text(&s, 2, "about", &text, &err), PEPA_OK);
    cr_assert_str_eq(text, "// about\n// Unit of time: second.\n\n"
                           "c1 = 1;\nP1 = (compute, c1).(compute, c1).(sync, T).P1;\n"
                           "c2 = 2;\nP2 = (compute, c2).(compute, c2).(sync, T).P2;\n"
                           "Barrier = (sync, 2).Barrier;\n\n"
                           "(P1[2]{sync} <sync> P2) <sync> Barrier\n");
    mem_free(text);
    superstep_free(&s);
}

Test(bsp_predict, sums_over_equal_supersteps)
{
    AmogetMachine *machine = machine_of(four);
    Trace *trace = trace_of("bsp-trace 1\nprocesses 2\nstep 1\nwork 0 1\nstep 2\nwork 1 2\n"
                            "step 3\nwork 0 1\nstep 4\n");
    const Platform platform = {.unit = 1e9, .sync = 1};
    Placement where;
    Prediction each[4], sum;
    PepaError err;
    cr_assert(placement_new(&where, machine, &platform, 2));
    where.at[1] = 1;
    placement_update(&where);
    Predicting p = {.trace = trace,
                    .where = &where,
                    .stages = 2,
                    .most_states = 1000,
                    .each = each};
    cr_assert_eq(predict_trace(&p, &sum, &err), PEPA_OK);
    NEAR(sum.unequal, 2 + 4 + 2 + 4, 1e-14);
    NEAR(sum.model, 2 + 4 + 2 + 4, 1e-7); /* one process works at a time */
    NEAR(each[0].model, 3, 1e-7);
    NEAR(each[2].model, 3, 1e-7);
    NEAR(each[1].unequal, 5, 1e-14);
    NEAR(each[3].model, 1, 1e-7); /* the barrier alone */
    cr_expect_eq(p.solved, 3);
    cr_expect_eq(p.integral, 0);
    p.most_states = 0;
    cr_assert_eq(predict_trace(&p, &sum, &err), PEPA_OK);
    NEAR(sum.model, 12, 1e-7);
    cr_expect_eq(p.integral, 3);
    placement_free(&where);
    trace_free(trace);
    amoget_machine_free(machine);
}
