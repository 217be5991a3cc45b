/* How few states part a chain, and what elimination is expected to take. */
#include "solvers/problems.h"

#include "solvers/internal.h"
#include "solvers/tuning.h"

/* States i, j of a grid, each next to its neighbours; `resets`: also before the first one. */
static Problem grid(int32_t wide, int32_t high, bool resets)
{
    Problem p = {.n = wide * high};
    for (int32_t i = 0; i < wide; i++)
        for (int32_t j = 0; j < high; j++) {
            const int32_t here = i + wide * j;
            if (i + 1 < wide) {
                problem_add(&p, here, here + 1, 1);
                problem_add(&p, here + 1, here, 2);
            }
            if (j + 1 < high) {
                problem_add(&p, here, here + wide, 1);
                problem_add(&p, here + wide, here, 3);
            }
            if (resets && here > 0)
                problem_add(&p, here, 0, 0.1);
        }
    problem_finish(&p);
    return p;
}

static double parting(Problem p)
{
    const double states = cbrt(flow_elimination_work(&p.flow) / FRONT_WORK);
    problem_free(&p);
    return states;
}

Test(separator, grids_by_their_shorter_side)
{
    cr_expect_float_eq(parting(grid(30, 100, false)), 30, 1e-6);
    cr_expect_float_eq(parting(grid(100, 30, false)), 30, 1e-6);
    cr_expect_float_eq(parting(grid(1, 1000, false)), 1, 1e-6);
}

/* One state that all may jump to parts nothing, and is not in the way. */
Test(separator, states_that_all_lead_to)
{
    cr_expect_float_eq(parting(grid(30, 100, true)), 30, 1 + 1e-6);
}

Test(separator, random_graphs_by_many)
{
    uint64_t seed = 5;
    const int32_t n = 4000;
    cr_expect_geq(parting(random_chain(n, 3, 3, &seed)), n / 20);
}

Test(separator, few_states)
{
    for (int32_t n = 2; n < 6; n++)
        cr_expect_leq(parting(grid(1, n, false)), n);
}
