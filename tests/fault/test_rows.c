/* Memory runs out while it is found out how threads share the rows of a matrix: nothing leaks, and
 * one thread does without.  Several threads allocate, so that k goes up until one try has not
 * reached it. */
#include "solvers/problems.h"

#include "base/mem.h"
#include "fault/memory.h"
#include "solvers/internal.h"
#include "solvers/rows/rows.h"

static Problem cube(int32_t side)
{
    static const double up[] = {1, 2, 0.5}, down[] = {1.5, 1, 1};
    return walk(3, side, up, down);
}

static bool make_plan(const Flow *flow, bool lines)
{
    RowsPlan *plan = NULL;
    bool ok = rows_plan_by(&plan, flow, lines, 3, 8, 0);
    cr_assert(ok == (plan != NULL));
    rows_plan_free(plan);
    return ok;
}

static void expect_clean_plans(const Flow *flow, bool lines, bool and_after)
{
    bool reached = true;
    for (int64_t k = 1; reached; k++) {
        mem_fail_at(k, and_after);
        bool made = make_plan(flow, lines);
        reached = mem_allocations() >= k;
        mem_fail_at(0, false);
        cr_assert_eq(made, !reached, "allocation %d", (int)k);
    }
}

Test(fault_rows, plans)
{
    Problem p = cube(9);
    for (int lines = 0; lines < 2; lines++)
        for (int and_after = 0; and_after < 2; and_after++)
            expect_clean_plans(&p.flow, lines, and_after);
    problem_free(&p);
}

/* A team is there or not; without a plan, sweeps are those of one thread. */
Test(fault_rows, teams)
{
    Problem p = cube(40);
    double *y = guess(p.n), *z = guess(p.n);
    const int32_t sweeps = 6;
    for (int32_t s = 0; s < sweeps; s++)
        (void)flow_sweep(&p.flow, y);
    bool reached = true;
    for (int64_t k = 1; reached; k++) {
        Flow many = p.flow;
        for (int32_t i = 0; i < p.n; i++)
            z[i] = 1 / (double)p.n;
        mem_fail_at(k, k % 2);
        bool made = flow_team_new(&many.team, &many, 2);
        for (int32_t s = 0; s < sweeps; s++)
            (void)flow_sweep(&many, z);
        reached = mem_allocations() >= k;
        mem_fail_at(0, false);
        cr_assert_eq(made, many.team != NULL, "allocation %d", (int)k);
        cr_assert_eq(memcmp(y, z, (size_t)p.n * sizeof *y), 0, "allocation %d", (int)k);
        flow_team_free(many.team);
    }
    free(y);
    free(z);
    problem_free(&p);
}
