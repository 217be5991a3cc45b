/* The PEPA model of processes that take sparks: worked numbers, closed forms, both ways to solve it. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "grid/gum/predict/taking.h"
#include "grid/predict/throughput.h"

static const PepaSettings precise = {.solve = {.tolerance = 1e-12}};

/* Tasks a second, of all. */
static double solved(const TakingModel *m, double most_states, double *rate)
{
    PepaError err = {0};
    ModelMethod method;
    double sum = 0;
    cr_assert_eq(taking_solve(m, most_states, &precise, rate, &method, &err), PEPA_OK, "%s",
                 err.message);
    cr_expect_eq(method, most_states > 0 ? MODEL_EXACT : MODEL_FLUID);
    for (int32_t g = 0; g <= m->groups; g++)
        sum += rate[g];
    return sum;
}

/* A main process and three of 534 MHz, one of 1529 MHz far away; tasks of w thousand million cycles.
 * GUM1: a FISH goes (n - 2) times over a link, then to the main process and back. */
static double share(double w, int way)
{
    enum { GUM1, GUM2, SUPER };
    const double near = 0.2e-3, far = 35.8e-3, hop = (3 * near + far) / 4;
    const ModelGroup group[] = {{3, w / 0.534, way == GUM1 ? 3 * hop + 2 * near : 2 * near,
                                 way == GUM1 ? 1 : 2, 1},
                                {1, w / 1.529, way == GUM1 ? 3 * far + 2 * far : 2 * far,
                                 way == GUM1 ? 1 : 2, way == SUPER ? 2 : 1}};
    const TakingModel m = {.work = w / 0.534, .stages = 1, .group = group, .groups = 2};
    double rate[3];
    return 100 * solved(&m, 1e4, rate) * w / (4 * 0.534 + 1.529);
}

Test(gum_taking, gives_the_worked_shares_of_capacity)
{
    static const double expected[][4] = {{0.02, 42.5, 65.7, 70.9},
                                         {0.1, 63.8, 84.8, 90.7},
                                         {0.5, 84.0, 98.4, 99.2},
                                         {2.0, 94.7, 99.9, 99.9}};
    for (int row = 0; row < 4; row++)
        for (int way = 0; way < 3; way++)
            cr_expect(fabs(share(expected[row][0], way) - expected[row][way + 1]) <= 0.05 + 1e-9,
                      "%g GHz s, way %d: %.3f, not %g", expected[row][0], way,
                      share(expected[row][0], way), expected[row][way + 1]);
}

/* The same model as grid.md of the project's sources writes it: sparks of the main process one by one,
 * made faster than they are taken. */
Test(gum_taking, agrees_with_a_pool_that_is_counted)
{
    const char *text = "mE = 5.34;\nmR = 15.29;\nrE = 2500;\nrR = 13.966480446927374;\n"
                       "M0 = (gen, 1e6).M1;\n"
                       "M1 = (gen, 1e6).M2 + (work, mE).M0 + (stealE, T).M0 + (stealR, T).M0;\n"
                       "M2 = (gen, 1e6).M3 + (work, mE).M1 + (stealE, T).M1 + (stealR, T).M0;\n"
                       "M3 = (work, mE).M2 + (stealE, T).M2 + (stealR, T).M1;\n"
                       "E0 = (stealE, rE).E1;\nE1 = (work, mE).E0 + (stealE, rE).E2;\n"
                       "E2 = (work, mE).E1;\n"
                       "R0 = (stealR, rR).R2;\nR1 = (work, mR).R0 + (stealR, rR).R3;\n"
                       "R2 = (work, mR).R1;\nR3 = (work, mR).R2;\n"
                       "M3 <stealE, stealR> (E0[3] || R0)\n";
    double sum;
    PepaError err = {0};
    cr_assert_eq(text_throughput(text, "pool", "work", &precise, &sum, &err), PEPA_OK, "%s",
                 err.message);
    cr_expect(fabs(100 * sum * 0.1 / (4 * 0.534 + 1.529) - share(0.1, 2)) < 0.01);
}

/* Who asks when it has nothing to do: a renewal process, whatever the stages. */
Test(gum_taking, without_prefetch_is_a_renewal)
{
    for (int32_t stages = 1; stages <= 4; stages++) {
        const ModelGroup group[] = {{5, 0.3, 0.2, 1, 1}, {1, 2, 0.5, 1, 4}};
        const TakingModel m = {.work = 0.4, .stages = stages, .group = group, .groups = 2};
        double rate[3];
        (void)solved(&m, 1e5, rate);
        cr_expect(fabs(rate[0] - 1 / 0.4) < 1e-9);
        cr_expect(fabs(rate[1] - 5 / (0.3 + 0.2)) < 1e-8, "%.15g", rate[1]);
        cr_expect(fabs(rate[2] - 4 / (4 * 2 + 0.5)) < 1e-8, "%.15g", rate[2]);
    }
}

Test(gum_taking, is_the_same_as_a_fluid_where_nobody_is_a_bottleneck)
{
    const ModelGroup group[] = {{4, 0.3, 0.2, 2, 1}, {3, 0.1, 0.9, 2, 3}};
    const TakingModel m = {.work = 0.4, .stages = 2, .group = group, .groups = 2};
    double exact[3], fluid[3];
    (void)solved(&m, 1e7, exact);
    (void)solved(&m, 0, fluid);
    for (int g = 0; g <= 2; g++)
        cr_expect(fabs(exact[g] - fluid[g]) < 1e-6 * exact[g], "%d: %.12g %.12g", g, exact[g],
                  fluid[g]);
}

Test(gum_taking, is_bounded_by_who_answers)
{
    const ModelGroup group[] = {{40, 0.01, 0.001, 1, 1}};
    const TakingModel m = {.work = 0.01, .serve = 0.002, .stages = 1, .group = group, .groups = 1};
    double rate[2];
    (void)solved(&m, 0, rate);
    cr_expect(fabs(rate[1] - 500) < 1e-3, "%g", rate[1]);
    (void)solved(&m, 1e5, rate); /* the machine repair queue: as many as the server can, almost */
    cr_expect(rate[1] < 500 && rate[1] > 499.9, "%g", rate[1]);
}

/* More stages are nearer to fixed durations: with a prefetch that takes less than a task, none waits. */
Test(gum_taking, tends_to_fixed_durations)
{
    double before = 0;
    for (int32_t stages = 1; stages <= 16; stages *= 2) {
        const ModelGroup group[] = {{1, 1, 0.5, 2, 1}};
        const TakingModel m = {.stages = stages, .group = group, .groups = 1};
        double rate[2];
        (void)solved(&m, 1e6, rate);
        cr_expect(rate[1] > before && rate[1] < 1);
        before = rate[1];
    }
    cr_expect(before > 0.99, "%g", before);
}

Test(gum_taking, counts_its_states)
{
    const ModelGroup group[] = {{3, 1, 1, 1, 1}, {2, 1, 1, 2, 1}};
    const TakingModel m = {.work = 1, .stages = 1, .group = group, .groups = 2};
    cr_expect_eq(taking_states(&m), 4 * 6);
    PepaError err;
    char *text = NULL;
    cr_assert_eq(taking_text(&m, "two groups", &text, &err), PEPA_OK);
    cr_expect(strstr(text, "Main <give> (P1_0[3] || P2_0[2])") != NULL, "%s", text);
    mem_free(text);
}
