/* Factors of sparse systems: what is singular, what is not finite, and pivots that no longer do. */
#include "fluid/resolvent.h"

#include <criterion/criterion.h>
#include <math.h>

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

/* Where no pivot shows it. */
Test(resolvent, what_is_not_finite_above_the_diagonal)
{
    int32_t row[] = {0, 2, 3}, col[] = {0, 1, 1};
    double value[] = {0, INFINITY, 0};
    const Sparse j = {2, row, col, value};
    Resolvent *resolvent = NULL;
    PepaError err = {0};
    cr_assert_eq(resolvent_new(&resolvent, &j, 2, &err), PEPA_OK);
    cr_expect_eq(resolvent_factor(resolvent, 1), PEPA_ENOCONV);
    value[1] = 3;
    cr_expect_eq(resolvent_factor(resolvent, 1), PEPA_OK);
    resolvent_free(resolvent);
}

/* Pivots that were good become 1e-14, then 0, and come back. */
Test(resolvent, pivots_are_chosen_again)
{
    Small s;
    begin(&s, 2, 2);
    s.value[1] = -1;
    s.value[2] = -2;
    for (int i = 0; i < 6; i++) {
        const double small[] = {1, 1e-14, 0, 1e-14, 1e-20, 1};
        double b[] = {small[i] + 1, small[i] + 2}; /* of (small, 1; 2, small): x = (1, 1) */
        cr_assert_eq(resolvent_factor(s.resolvent, small[i]), PEPA_OK, "%d", i);
        resolvent_solve(s.resolvent, b);
        cr_expect_float_eq(b[0], 1, 1e-14, "%d: %.17g", i, b[0]);
        cr_expect_float_eq(b[1], 1, 1e-14, "%d: %.17g", i, b[1]);
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
