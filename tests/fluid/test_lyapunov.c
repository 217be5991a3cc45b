/* Lyapunov's equation against closed forms, and by its residual on random matrices. */
#include "fluid/lyapunov.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/stream.h"

enum { MOST = 12 };

/* Whether there is a solution: x. */
static bool solve(int32_t n, const double *j, const double *d, double *x)
{
    Lyapunov *l = NULL;
    PepaError err = {0};
    bool stable;
    cr_assert_eq(lyapunov_new(&l, n, &err), PEPA_OK);
    cr_assert_eq(lyapunov_factor(l, j, &stable, &err), PEPA_OK);
    if (stable)
        lyapunov_solve(l, d, x);
    lyapunov_free(l);
    return stable;
}

Test(lyapunov, of_a_diagonal_matrix)
{
    const double j[] = {-1, 0, 0, -1e6}, d[] = {3, 1, 1, 5};
    double x[4];
    cr_assert(solve(2, j, d, x));
    const double exact[] = {1.5, 1 / 1000001.0, 1 / 1000001.0, 2.5e-6};
    for (int i = 0; i < 4; i++)
        cr_expect_float_eq(x[i], exact[i], 1e-12 * fabs(exact[i]) + 1e-16);
}

/* A damped oscillator, x'' = -k x - c x' + noise:  Var x = d / (2 c k), Var x' = d / (2 c). */
Test(lyapunov, of_an_oscillator)
{
    const double k = 9, c = 0.01, d = 2;
    const double j[] = {0, 1, -k, -c}, noise[] = {0, 0, 0, d};
    double x[4];
    cr_assert(solve(2, j, noise, x));
    cr_expect_float_eq(x[0], d / (2 * c * k), 1e-9);
    cr_expect_float_eq(x[3], d / (2 * c), 1e-8);
    cr_expect_float_eq(x[1], 0, 1e-8);
}

/* Stable ones: diagonally dominant by rows. */
Test(lyapunov, of_random_matrices)
{
    Stream stream;
    stream_start(&stream, 7, 0);
    for (int32_t n = 1; n <= MOST; n++) {
        double j[MOST * MOST], d[MOST * MOST], x[MOST * MOST];
        for (int32_t i = 0; i < n; i++) {
            double sum = 0;
            for (int32_t k = 0; k < n; k++) {
                j[i * n + k] = stream_uniform(&stream) - 0.5;
                sum += k == i ? 0 : fabs(j[i * n + k]);
                d[i * n + k] = d[k * n + i] = stream_uniform(&stream);
            }
            j[i * n + i] = -sum - 0.01 - pow(10, 4 * stream_uniform(&stream) - 2);
        }
        cr_assert(solve(n, j, d, x));
        for (int32_t i = 0; i < n; i++)
            for (int32_t k = 0; k < n; k++) {
                double sum = d[i * n + k];
                for (int32_t m = 0; m < n; m++)
                    sum += j[i * n + m] * x[m * n + k] + x[i * n + m] * j[k * n + m];
                cr_expect_lt(fabs(sum), 1e-9);
                cr_expect_eq(x[i * n + k], x[k * n + i]);
            }
    }
}

Test(lyapunov, what_does_not_settle_is_an_error)
{
    const double drifts[] = {0, 0, 0, -1}, grows[] = {1, 0, 0, -1}, turns[] = {0, 1, -1, 0};
    const double d[] = {1, 0, 0, 1};
    double x[4];
    cr_expect_not(solve(2, drifts, d, x));
    cr_expect_not(solve(2, grows, d, x));
    cr_expect_not(solve(2, turns, d, x));
    cr_expect(solve(0, NULL, NULL, NULL));
}
