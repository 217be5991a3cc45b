/* Predictions against a discrete-event simulation that shares nothing with them but the policies, on
 * random grids and programs; and the policy `predicted` against the others there. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../gum_sim/grids.h"
#include "grid/gum/predict/advise.h"

enum { ROWS = 24, RUNS = 3 };

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void platform_of(Platform *out, const TestGrid *grid)
{
    AmogetMachine *machine = NULL;
    PepaError err = {0};
    cr_assert_eq(amoget_machine_new(&machine, &err), PEPA_OK);
    for (int32_t i = 0; i < grid->size; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "p%d", (int)i);
        cr_assert_eq(amoget_add_processor(machine, name, grid->time[i], &err), PEPA_OK);
        for (int32_t j = 0; j < i; j++)
            cr_assert_eq(amoget_set_latency(machine, i, j, grid->latency[i * grid->size + j], &err),
                         PEPA_OK);
    }
    cr_assert_eq(platform_new(out, machine, 0, &err), PEPA_OK, "%s", err.message);
    amoget_machine_free(machine);
}

/* The median of some runs. */
static double simulated(const TestGrid *grid, const TestProgram *program, PolicyName policy)
{
    double time[RUNS];
    for (int run = 0; run < RUNS; run++) {
        const SimGrid g = sim_grid(grid);
        const SimProgram p = sim_program(program);
        const SimPolicy how = {{policy, grid->size, 0}, 0, 5 + 17 * (uint64_t)run};
        SimResult result;
        cr_assert_eq(simulate(&g, &p, &how, &result), 0);
        cr_assert(result.efficiency > 0 && result.efficiency <= 1);
        time[run] = result.makespan;
    }
    qsort(time, RUNS, sizeof *time, ascending);
    return time[RUNS / 2];
}

typedef struct {
    double error[ROWS * POLICIES];
    int errors, differ, right;
    double against[POLICIES]; /* sums of log (predicted / policy), simulated */
} Tally;

static void compare(uint64_t *chance, int row, Tally *t)
{
    TestGrid grid;
    TestProgram program;
    Profile profile;
    Platform platform;
    Prediction each[POLICIES];
    PepaError err = {0};
    double time[POLICIES], best = INFINITY, worst = 0;
    const Predicting how = {.age_limit = -1, .stages = 1, .most_states = 1000};
    test_grid_new(&grid, chance);
    const double mean = chance_log_uniform(chance, 1e-3, 10), spread = 2 * chance_uniform(chance);
    const int32_t tasks = grid.size * (int32_t)chance_log_uniform(chance, 10, 200);
    test_program_new(&program, (Shape)(row % SHAPES), tasks, mean, spread, chance);
    test_profile_new(&profile, &program);
    platform_of(&platform, &grid);
    cr_assert_eq(predict_all(&platform, &profile, &how, each, &err), PEPA_OK, "%s", err.message);
    for (int k = 0; k < POLICIES; k++) {
        time[k] = simulated(&grid, &program, (PolicyName)k);
        t->error[t->errors++] = fabs(each[k].makespan / time[k] - 1);
        best = fmin(best, time[k]);
        worst = fmax(worst, time[k]);
    }
    for (int k = 0; k < POLICIES; k++)
        t->against[k] += log(time[POLICY_PREDICTED] / time[k]);
    if (worst > 1.03 * best) {
        t->differ++;
        t->right += time[best_policy(each)] <= 1.03 * best;
    }
    platform_free(&platform);
    test_profile_free(&profile);
    test_program_free(&program);
    test_grid_free(&grid);
}

Test(gum_accuracy, of_makespans_winners_and_the_policy_predicted)
{
    static Tally t;
    uint64_t chance = 2005;
    for (int row = 0; row < ROWS; row++)
        compare(&chance, row, &t);
    qsort(t.error, (size_t)t.errors, sizeof *t.error, ascending);
    cr_expect(t.error[t.errors / 2] < 0.1, "median error %.1f%%", 100 * t.error[t.errors / 2]);
    /* Of four policies, two are often nearly as good: doc/gum-model.md. */
    cr_expect(t.right >= 0.75 * t.differ, "the winner is right in %d of %d", t.right, t.differ);
    for (int k = 0; k < POLICY_PREDICTED; k++)
        cr_expect(t.against[k] < 0, "%s is %.1f%% better than predicted",
                  policy_text((PolicyName)k), 100 * (exp(t.against[k] / ROWS) - 1));
}
