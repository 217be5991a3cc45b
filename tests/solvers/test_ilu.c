/* Incomplete factors. */
#include "solvers/problems.h"

#include <float.h>

#include "solvers/krylov/krylov.h"

/* Without fill-in (a tridiagonal matrix) LU is A but for the rounding of L and U to single
 * precision: (LU) z = r solves A z = r to within |A - LU| |z|. */
Test(ilu, exact_for_tridiagonal_matrices)
{
    Problem p = ruin_visits(50, 10);
    double r[50], z[50], back[50], size = 0;
    Ilu ilu;
    cr_assert(ilu_factor(&ilu, &p.flow) == PEPA_OK);
    for (int i = 0; i < 50; i++)
        r[i] = sin(i);
    ilu_solve(&ilu, r, z);
    flow_apply(&p.flow, z, back);
    for (int i = 0; i < 50; i++)
        size += fabs(z[i]);
    cr_expect(distance(50, back, r) <= 2 * FLT_EPSILON * size);
    ilu_solve(&ilu, r, r);
    cr_expect(distance(50, r, z) == 0);
    ilu_free(&ilu);
    problem_free(&p);
}

/* The last pivot of the singular matrix is 0 (or rounding); the factors must stay regular. */
Test(ilu, vanishing_last_pivot)
{
    static const double rho[] = {0.3, 1, 2};
    for (int k = 0; k < 3; k++) {
        Problem p = birth_death(30, rho[k], 0, 1);
        double r[30] = {1, -1}, z[30], back[30];
        Ilu ilu;
        cr_assert(ilu_factor(&ilu, &p.flow) == PEPA_OK);
        ilu_solve(&ilu, r, z);
        flow_apply(&p.flow, z, back);
        double size = 0;
        for (int i = 0; i < 30; i++)
            size += fabs(z[i]);
        cr_expect(distance(30, back, r) <= 1e-14 * size + 1e-12);
        ilu_free(&ilu);
        problem_free(&p);
    }
}

/* L U equals I - P' on the pattern: checked entry by entry through the products of unit vectors. */
Test(ilu, agrees_with_the_matrix_on_its_pattern)
{
    uint64_t seed = 3;
    Problem p = random_chain(40, 3, 1, &seed);
    const Flow *flow = &p.flow;
    double product[40][40] = {{0}}, lower[40][40] = {{0}}, upper[40][40] = {{0}};
    Ilu ilu;
    cr_assert(ilu_factor(&ilu, flow) == PEPA_OK);
    for (int i = 0; i < 40; i++) {
        lower[i][i] = 1;
        upper[i][i] = 1 / ilu.inverse[i];
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            (k < ilu.upper[i] ? lower : upper)[i][flow->col[k]] = ilu.val[k];
    }
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++)
            for (int k = 0; k < 40; k++)
                product[i][j] += lower[i][k] * upper[k][j];
    for (int i = 0; i < 40; i++) {
        cr_expect_float_eq(product[i][i], 1, 4 * FLT_EPSILON);
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            cr_expect_float_eq(product[i][flow->col[k]], -flow->val[k], 4 * FLT_EPSILON);
    }
    ilu_free(&ilu);
    problem_free(&p);
}
