/* Flows within groups, exactly: the pieces, and chains that need them. */
#include "solvers/multilevel/levels.h"
#include "solvers/problems.h"

#include <time.h>

static int32_t *groups_of(int32_t n, int32_t size)
{
    int32_t *group = must(calloc((size_t)n, sizeof *group));
    for (int32_t i = 0; i < n; i++)
        group[i] = i / size;
    return group;
}

/* The solution stays.  If the flows of one group are lost, it gets them from the others. */
Test(inside, what_flows_in_says_what_is_within)
{
    enum { GROUPS = 5, SIZE = 60 };
    const Control control = {.tolerance = 1e-10};
    for (int k = 0; k < 8; k++) {
        Problem p = reversible(GROUPS, SIZE, pow(10, -k), (uint64_t)k);
        int32_t *group = groups_of(p.n, SIZE);
        double *y = guess(p.n);
        Inside in;
        cr_assert_eq(inside_new(&in, &p.flow, group, GROUPS), PEPA_OK);
        memcpy(y, p.exact, (size_t)p.n * sizeof *y);
        cr_expect_eq(inside_solve(&in, &control, NULL, y), PEPA_OK);
        cr_expect(deviation(p.n, y, p.exact) < 1e-9, "bond 1e-%d: off by %g", k,
                  deviation(p.n, y, p.exact));
        for (int32_t i = 0; i < SIZE; i++)
            y[i] = 1 + i;
        cr_expect_eq(inside_solve(&in, &control, NULL, y), PEPA_OK);
        cr_expect(deviation(p.n, y, p.exact) < 1e-9, "bond 1e-%d: off by %g when found", k,
                  deviation(p.n, y, p.exact));
        inside_free(&in);
        free(y);
        free(group);
        problem_free(&p);
    }
}

/* Groups in any order of the states, some of one state, some of many. */
Test(inside, groups_need_not_be_in_order)
{
    const Control control = {.tolerance = 1e-10};
    uint64_t seed = 5;
    Problem p = reversible(1, 200, 1, 6);
    int32_t *group = groups_of(p.n, 1);
    double *y = guess(p.n);
    Inside in;
    for (int32_t i = 0; i < p.n; i++)
        group[i] = i < 20 ? i : random_below(&seed, 20);
    for (int32_t i = 0; i < p.n; i++)
        y[i] = group[i] == 7 || group[i] == 11 ? 1 : p.exact[i];
    cr_assert_eq(inside_new(&in, &p.flow, group, 20), PEPA_OK);
    for (int k = 0; k < 200; k++)
        cr_assert_eq(inside_solve(&in, &control, NULL, y), PEPA_OK);
    cr_expect(flow_residual(&p.flow, y) < 1e-14);
    inside_free(&in);
    free(y);
    free(group);
    problem_free(&p);
}

/* Elimination of a cube fills up more than a line. */
Test(inside, too_much_work_is_refused)
{
    const double even[] = {1, 1, 1};
    const Control control = {.tolerance = 1e-10};
    Problem p = walk(3, 30, even, even);
    int32_t *group = groups_of(p.n, p.n / 2);
    double *y = guess(p.n);
    Inside in;
    cr_assert_eq(inside_new(&in, &p.flow, group, 2), PEPA_OK);
    cr_expect_eq(inside_solve(&in, &control, NULL, y), PEPA_ELIMIT);
    inside_free(&in);
    free(y);
    free(group);
    problem_free(&p);
}

/* What is charged at 2 while a supply is there, which is lost at 1e-5 and comes back at 0.2, and is used up
 * at 6 while it is not; beside it a part of so many states that moves at 1. */
static void add_battery(Problem *p, int32_t first, int32_t levels, int32_t parts)
{
    for (int32_t l = 0; l < levels; l++)
        for (int32_t part = 0; part < parts; part++) {
            const int32_t on = first + 2 * parts * l + part, off = on + parts;
            problem_add(p, on, off, 1e-5);
            problem_add(p, off, on, 0.2);
            if (parts > 1) {
                const int32_t next = (part + 1) % parts - part;
                problem_add(p, on, on + next, 1);
                problem_add(p, off, off + next, 1);
            }
            if (l + 1 < levels) {
                problem_add(p, on, on + 2 * parts, 2);
                problem_add(p, off + 2 * parts, off, 6);
            }
        }
}

/* The flows of batteries alone, into `one`, and their exit rates. */
static void solve_battery(int32_t levels, int32_t parts, double *one, double *exit)
{
    const Control control = {.tolerance = 1e-10};
    Problem p = {.n = 2 * parts * levels};
    Outcome out;
    add_battery(&p, 0, levels, parts);
    problem_finish(&p);
    cr_assert_eq(solve_flow(PEPA_GTH, &p.flow, &control, one, &out, NULL), PEPA_OK);
    memcpy(exit, p.flow.exit, (size_t)p.n * sizeof *exit);
    problem_free(&p);
}

/* Batteries, beside a part that wears in steps and is changed then, which has no say: shares are those
 * of the two by themselves. */
static Problem worn(int32_t levels, int32_t parts, int32_t steps, double wear)
{
    const int32_t states = 2 * parts * levels;
    Problem p = {.n = states * steps};
    double *one = guess(states), *exit = guess(states);
    long double *pi = must(calloc((size_t)p.n, sizeof *pi));
    solve_battery(levels, parts, one, exit);
    for (int32_t s = 0; s < steps; s++) {
        const double rate = s + 1 == steps ? 0.01 : wear;
        add_battery(&p, s * states, levels, parts);
        for (int32_t i = 0; i < states; i++) {
            problem_add(&p, s * states + i, (s + 1) % steps * states + i, rate);
            pi[s * states + i] = (long double)one[i] / (long double)exit[i] / (long double)rate;
        }
    }
    problem_finish(&p);
    problem_exact(&p, pi);
    free(pi);
    free(one);
    free(exit);
    return p;
}

/* Flows within a step take long to even out: rare jumps again. */
Test(inside, slow_groups_that_rare_jumps_join)
{
    const Control control = {.tolerance = 1e-10};
    static const double wear[] = {1e-5, 1e-7, 1e-9};
    for (size_t k = 0; k < sizeof wear / sizeof *wear; k++) {
        Problem p = worn(250, 2, 10, wear[k]);
        double *y = guess(p.n);
        Outcome out;
        PepaError err = {0};
        cr_assert_eq(attempt_run(&method_aggregation, &p.flow, &control, y, &out, &err), PEPA_OK,
                     "%s", err.message);
        cr_expect(out.coupled && out.iterations <= 12, "wear %g: %lld rounds", wear[k],
                  (long long)out.iterations);
        cr_expect(deviation(p.n, y, p.exact) < 1e-8, "wear %g: off by %g", wear[k],
                  deviation(p.n, y, p.exact));
        free(y);
        problem_free(&p);
    }
}

/* Calls are a tenth of a second apart: so long each takes itself. */
static int fifth_call(void *user, const PepaProgress *now)
{
    const struct timespec tenth = {.tv_nsec = 110000000};
    (void)now;
    (void)nanosleep(&tenth, NULL);
    return ++*(int *)user == 5;
}

/* Groups may be many, and each take long: between two of them whoever wants to can stop.  The third
 * round is the first that solves them. */
Test(inside, can_be_cancelled)
{
    int calls = 0;
    const Control control = {.tolerance = 1e-10, .progress = fifth_call, .user = &calls};
    Problem p = worn(400, 2, 60, 1e-7);
    double *y = guess(p.n);
    Outcome out;
    cr_expect_eq(attempt_run(&method_aggregation, &p.flow, &control, y, &out, NULL), PEPA_ECANCEL);
    cr_expect_eq(out.iterations, 3, "%lld rounds", (long long)out.iterations);
    free(y);
    problem_free(&p);
}

/* Where no rare jumps join groups, rounds lead nowhere, however much their residuals vary. */
Test(inside, rounds_that_lead_nowhere_end)
{
    const Control control = {.tolerance = 1e-10, .max_iter = 1000};
    Problem p = worn(2000, 1, 10, 1e-3);
    double *y = guess(p.n);
    Outcome out;
    cr_expect_eq(attempt_run(&method_aggregation, &p.flow, &control, y, &out, NULL), PEPA_ENOCONV);
    cr_expect(!out.coupled && out.iterations < 500, "%lld rounds", (long long)out.iterations);
    free(y);
    problem_free(&p);
}
