/* The models of GUM's policies, and the policy `predicted`, against simulations of random grids and programs.
 *
 *   make bench-gum-model [ROWS=25] [SEED=1] [FEW=few: one to eight processes, short tasks] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/grid/gum_sim/compare.h"
#include "grid/gum/predict/advise.h"

/* The policies, whose tasks run once, and `predicted` whose tasks are pure. */
enum { PURE = POLICIES, WAYS, MOST_TASKS = 4000, MOST_ROWS = 10000 };

typedef struct {
    double model[WAYS], run[WAYS];
    int named[2]; /* the best by the models: of the first three, of all with pure tasks */
} Row;

static const char *const shape_names[SHAPES] = {"list", "log-normal list", "tree",
                                                "lists of lists"};

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int least(const double *of, const int *ways, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (of[ways[i]] < of[ways[best]])
            best = i;
    return ways[best];
}

static const int three[] = {POLICY_RANDOM, POLICY_NEAREST_LOADED, POLICY_BUSIEST};
static const int four[] = {POLICY_RANDOM, POLICY_NEAREST_LOADED, POLICY_BUSIEST, PURE};

static PepaStatus compare_all(const TestGrid *grid, const Platform *platform, TestProgram *program,
                              Row *row, PepaError *err)
{
    const Predicting how = {.age_limit = -1, .stages = 1, .most_states = 1000};
    for (int way = 0; way < WAYS; way++) {
        const PolicyName policy = way == PURE ? POLICY_PREDICTED : (PolicyName)way;
        Profile profile;
        Prediction it;
        program->pure = way == PURE;
        test_profile_new(&profile, program);
        const PepaStatus status = predict_policy(platform, &profile, policy, &how, &it, err);
        test_profile_free(&profile);
        if (status != PEPA_OK)
            return status;
        row->model[way] = it.makespan;
        row->run[way] = compare_median(grid, program, policy);
        if (row->run[way] < 0)
            return PEPA_ENOMEM;
    }
    row->named[0] = least(row->model, three, 3);
    row->named[1] = least(row->model, four, 4);
    return PEPA_OK;
}

/* Programs of too many tasks for a simulation in seconds are drawn again. */
static PepaStatus draw(Shape shape, bool few, uint64_t *chance, Row *row, PepaError *err)
{
    TestGrid grid;
    TestProgram program;
    Platform platform;
    int32_t tasks;
    (few ? test_grid_few : test_grid_new)(&grid, chance);
    const double mean = few ? chance_log_uniform(chance, 1e-4, 1)
                            : chance_log_uniform(chance, 1e-3, 10),
                 spread = 2 * chance_uniform(chance);
    do
        tasks = few ? (int32_t)chance_log_uniform(chance, 4, 2000)
                    : grid.size * (int32_t)chance_log_uniform(chance, 10, 500);
    while (tasks > MOST_TASKS);
    test_program_new(&program, shape, tasks, mean, spread, chance);
    PepaStatus status = compare_platform(&platform, &grid, err);
    if (status == PEPA_OK) {
        status = compare_all(&grid, &platform, &program, row, err);
        platform_free(&platform);
    }
    test_program_free(&program);
    test_grid_free(&grid);
    return status;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void errors(const Row *row, int rows, int way)
{
    static double error[MOST_ROWS];
    for (int i = 0; i < rows; i++)
        error[i] = fabs(row[i].model[way] / row[i].run[way] - 1);
    qsort(error, (size_t)rows, sizeof *error, ascending);
    printf(" | %.1f%% / %.0f%%", 100 * error[rows / 2], 100 * error[rows * 9 / 10]);
}

static void against(const Row *row, int rows, int way, const int *ways, int count)
{
    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum += log(row[i].run[way] / row[i].run[least(row[i].run, ways, count)]);
    printf(" | %+.1f%%", 100 * (exp(sum / rows) - 1));
}

static void winners(const Row *row, int rows, const int *ways, int count, int which)
{
    int differ = 0, right = 0;
    for (int i = 0; i < rows; i++) {
        double best = INFINITY, worst = 0;
        for (int k = 0; k < count; k++) {
            best = fmin(best, row[i].run[ways[k]]);
            worst = fmax(worst, row[i].run[ways[k]]);
        }
        differ += worst > 1.03 * best;
        right += worst > 1.03 * best && row[i].run[row[i].named[which]] <= 1.03 * best;
    }
    printf("the winner of %d is named within 3%% in %d of %d\n", count, right, differ);
}

static void report(const Row *row, int rows)
{
    static const char *const ways[] = {"random", "nearest-loaded", "busiest",
                                       "predicted, no task runs twice",
                                       "predicted, tasks are pure"};
    printf("error of the makespan, median / nine in ten; %d rows a column\n|", rows);
    for (int s = 0; s < SHAPES; s++)
        printf(" | %s", shape_names[s]);
    for (int way = 0; way < WAYS; way++) {
        printf(" |\n| %s", ways[way]);
        for (int s = 0; s < SHAPES; s++)
            errors(row + (size_t)s * (size_t)rows, rows, way);
    }
    printf(" |\n\n`predicted` against the best of the three, the same with no task twice, each of "
           "the three\n");
    for (int s = 0; s < SHAPES; s++) {
        const Row *its = row + (size_t)s * (size_t)rows;
        printf("| %s", shape_names[s]);
        against(its, rows, PURE, three, 3);
        against(its, rows, POLICY_PREDICTED, three, 3);
        for (int k = 0; k < 3; k++)
            against(its, rows, PURE, &three[k], 1);
        printf(" |\n");
    }
    printf("\n");
    winners(row, SHAPES * rows, three, 3, 0);
    winners(row, SHAPES * rows, four, 4, 1);
}

int main(int argc, char **argv)
{
    const int rows = argc > 1 ? atoi(argv[1]) : 25;
    uint64_t chance = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const bool few = argc > 3 && strcmp(argv[3], "few") == 0;
    if (rows < 1 || rows > MOST_ROWS)
        return 2;
    Row *row = calloc((size_t)rows * SHAPES, sizeof *row);
    PepaError err = {0};
    for (int i = 0; row && i < rows * SHAPES; i++)
        if (draw((Shape)(i / rows), few, &chance, &row[i], &err) != PEPA_OK) {
            fprintf(stderr, "row %d: %s\n", i, err.message);
            free(row);
            return 1;
        }
    if (row)
        report(row, rows);
    free(row);
    return row ? 0 : 1;
}
