/* Factors of sparse systems: what is singular, what is not finite, and pivots that no longer do. */
#include "fluid/resolvent.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

typedef struct {
    int32_t row[4], col[9];
    double value[9];
    Sparse j;
    Resolvent *resolvent;
} Small;

/* All entries of n x n; variables: of them. */
static void begin(Small *s, int32_t n, int32_t variables)
{
    PepaError err = {0};
    for (int32_t i = 0; i <= n; i++)
        s->row[i] = i * n;
    for (int32_t k = 0; k < n * n; k++) {
        s->col[k] = k % n;
        s->value[k] = 0;
    }
    s->j = (Sparse){n, s->row, s->col, s->value};
    cr_assert_eq(resolvent_new(&s->resolvent, &s->j, variables, &err), PEPA_OK);
}

Test(resolvent, what_is_singular)
{
    Small s;
    double b[] = {3, 4};
    begin(&s, 2, 2);
    cr_expect_eq(resolvent_factor(s.resolvent, 0), PEPA_ENOCONV);
    s.value[0] = s.value[1] = s.value[2] = s.value[3] = 1;
    cr_expect_eq(resolvent_factor(s.resolvent, 0), PEPA_ENOCONV);
    cr_expect_eq(resolvent_factor(s.resolvent, 2), PEPA_ENOCONV); /* an eigenvalue */
    cr_expect_eq(resolvent_factor(s.resolvent, 3), PEPA_OK);
    resolvent_solve(s.resolvent, b); /* (2, -1; -1, 2) */
    cr_expect_float_eq(b[0], 10.0 / 3, 1e-14);
    cr_expect_float_eq(b[1], 11.0 / 3, 1e-14);
    resolvent_free(s.resolvent);
}

Test(resolvent, what_is_not_finite)
{
    Small s;
    begin(&s, 2, 2);
    for (int i = 0; i < 4; i++) {
        s.value[i] = NAN;
        cr_expect_eq(resolvent_factor(s.resolvent, 1), PEPA_ENOCONV);
        s.value[i] = INFINITY;
        cr_expect_eq(resolvent_factor(s.resolvent, 1), PEPA_ENOCONV);
        s.value[i] = 0;
    }
    s.value[0] = s.value[1] = s.value[3] = -1.5e308;
    s.value[2] = 1.5e308; /* it overflows on the way */
    cr_expect_eq(resolvent_factor(s.resolvent, 1), PEPA_ENOCONV);
    for (int i = 0; i < 4; i++)
        s.value[i] = 0;
    cr_expect_eq(resolvent_factor(s.resolvent, 1), PEPA_OK);
    resolvent_free(s.resolvent);
}

/* Where no pivot shows it, above or below the diagonal. */
Test(resolvent, what_is_not_finite_beside_the_diagonal)
{
    static const int32_t rows[][3] = {{0, 2, 3}, {0, 1, 3}}, cols[][3] = {{0, 1, 1}, {0, 0, 1}};
    for (int below = 0; below < 2; below++) {
        int32_t row[3], col[3];
        double value[] = {0, 0, 0};
        const Sparse j = {2, row, col, value};
        Resolvent *resolvent = NULL;
        PepaError err = {0};
        memcpy(row, rows[below], sizeof row);
        memcpy(col, cols[below], sizeof col);
        cr_assert_eq(resolvent_new(&resolvent, &j, 2, &err), PEPA_OK);
        value[1] = INFINITY;
        cr_expect_eq(resolvent_factor(resolvent, 1), PEPA_ENOCONV, "%d", below);
        value[1] = 3;
        cr_expect_eq(resolvent_factor(resolvent, 1), PEPA_OK);
        value[1] = -INFINITY; /* with the pivots of before */
        cr_expect_eq(resolvent_factor(resolvent, 1), PEPA_ENOCONV, "%d", below);
        resolvent_free(resolvent);
    }
}

/* Pivots that were good become small, then 0, and come back. */
Test(resolvent, pivots_are_chosen_again)
{
    Small s;
    begin(&s, 2, 2);
    s.value[1] = -3;
    s.value[2] = -7;
    for (int i = 0; i < 7; i++) {
        const double small[] = {1, 1e-9, 1e-14, 0, 1e-14, 1e-20, 1}, x[] = {0.1, 0.7};
        double b[] = {small[i] * x[0] + 3 * x[1], 7 * x[0] + small[i] * x[1]};
        cr_assert_eq(resolvent_factor(s.resolvent, small[i]), PEPA_OK, "%d", i);
        resolvent_solve(s.resolvent, b);
        cr_expect_float_eq(b[0], x[0], 1e-14, "%d: %.17g", i, b[0]);
        cr_expect_float_eq(b[1], x[1], 1e-14, "%d: %.17g", i, b[1]);
    }
    resolvent_free(s.resolvent);
}

/* y' = -y + 4 q, q = 2 y - p, p = y: J is 3. */
Test(resolvent, intermediate_quantities)
{
    Small s;
    double b = 7;
    begin(&s, 3, 1);
    s.value[0] = -1;
    s.value[1] = 4;
    s.value[3] = 2;
    s.value[5] = -1;
    s.value[6] = 1;
    cr_assert_eq(resolvent_factor(s.resolvent, 5), PEPA_OK);
    resolvent_solve(s.resolvent, &b);
    cr_expect_float_eq(b, 7 / (5.0 - 3), 1e-13);
    cr_expect_eq(resolvent_factor(s.resolvent, 3), PEPA_ENOCONV);
    resolvent_free(s.resolvent);
}
