/* Incomplete factors that solutions share: the answers are those of fresh ones, and factors are really kept. */
#include "solvers/krylov/krylov.h"
#include "solvers/problems.h"

enum { LENGTH = 400 };

/* Visits from the start of a walk that ends at either end, in closed form (problems.h). */
static Outcome visit(Problem *p, PepaMethod method, const Control *control, double *y)
{
    Outcome out;
    PepaError err = {0};
    memcpy(y, p->flow.b, (size_t)p->n * sizeof *y);
    const PepaStatus status = solve_flow(method, &p->flow, control, y, &out, &err);
    cr_assert_eq(status, PEPA_OK, "%d %s", (int)status, err.message);
    return out;
}

Test(kept_factors, answers_are_those_of_fresh_ones)
{
    static const PepaMethod methods[] = {PEPA_BICGSTAB, PEPA_IDR};
    static const PepaPrecondition kinds[] = {PEPA_PRECONDITION_ILU0, PEPA_PRECONDITION_ILUT,
                                             PEPA_PRECONDITION_BLOCK, PEPA_PRECONDITION_SYMMETRIC};
    for (size_t m = 0; m < 2; m++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            Problem p = ruin_visits(LENGTH, 0);
            double *b = (double *)p.flow.b;
            FlowFactors *kept = NULL;
            for (int32_t start = 50; start < LENGTH; start += 100) {
                static double fresh[LENGTH], shared[LENGTH];
                Control control = {.tolerance = 1e-10, .precondition = kinds[k]};
                memset(b, 0, LENGTH * sizeof *b);
                b[start] = 1;
                const Outcome alone = visit(&p, methods[m], &control, fresh);
                control.factors = &kept;
                const Outcome again = visit(&p, methods[m], &control, shared);
                cr_assert_eq(again.iterations, alone.iterations);
                cr_assert_str_eq(again.precondition, alone.precondition);
                cr_assert_eq(memcmp(fresh, shared, sizeof fresh), 0);
            }
            flow_factors_free(kept);
            problem_free(&p);
        }
}

/* The factors of a walk are complete, so that one step is enough; those of another matrix would not be. */
Test(kept_factors, are_kept)
{
    Problem p = ruin_visits(LENGTH, 100);
    static double y[LENGTH];
    FlowFactors *kept = NULL;
    double *val = (double *)p.flow.val;
    const Control control = {.tolerance = 1e-10, .factors = &kept}, fresh = {.tolerance = 1e-10};
    visit(&p, PEPA_BICGSTAB, &control, y);
    for (int64_t k = 0; k < p.flow.row[p.n]; k++)
        val[k] *= 0.9;
    const Outcome with = visit(&p, PEPA_BICGSTAB, &control, y),
                  without = visit(&p, PEPA_BICGSTAB, &fresh, y);
    cr_expect_gt(with.iterations, 2 * without.iterations, "%lld and %lld iterations",
                 (long long)with.iterations, (long long)without.iterations);
    flow_factors_free(kept);
    problem_free(&p);
}

/* A refusal is kept with its limits: the entries are not looked at again, until there may be more. */
Test(kept_factors, refusals_are_kept)
{
    static const double even[] = {1, 1, 1};
    Problem p = walk(2, 40, even, even);
    double *b = calloc((size_t)p.n, sizeof *b), *y = calloc((size_t)p.n, sizeof *y);
    double *val = (double *)p.flow.val, effort = 0;
    FlowFactors *kept = NULL;
    Outcome out;
    Control control = {.tolerance = 1e-8,
                       .precondition = PEPA_PRECONDITION_ILUT,
                       .fill = 1.01,
                       .effort = 0.1};
    b[0] = 1;
    p.flow.b = b;
    control.factors = &kept;
    for (int twice = 0; twice < 2; twice++) {
        y[0] = 1;
        cr_assert_eq(solve_flow(PEPA_BICGSTAB, &p.flow, &control, y, &out, NULL), PEPA_ELIMIT);
        cr_assert(twice == 0 || out.effort == effort);
        effort = out.effort;
        cr_assert_gt(effort, 0);
        for (int64_t k = 0; k < p.flow.row[p.n]; k++)
            val[k] = 0; /* nothing fills up any more */
    }
    control.factors = NULL;
    cr_assert_eq(solve_flow(PEPA_BICGSTAB, &p.flow, &control, y, &out, NULL), PEPA_OK);
    control.factors = &kept;
    control.effort = 1e6;
    cr_assert_eq(solve_flow(PEPA_BICGSTAB, &p.flow, &control, y, &out, NULL), PEPA_OK);
    p.flow.b = NULL;
    flow_factors_free(kept);
    free(b);
    free(y);
    problem_free(&p);
}
