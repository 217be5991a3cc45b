/* The inner product of two vectors that are distributed cyclically: inner_product [N].
 *
 * One superstep: each process sends its part of the sum to all, and each adds them in the same order,
 * so that all have the same bits.  Check: x_i = y_i = i, whose product is n (n - 1) (2 n - 1) / 6. */
#include <bsp.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "argument.h"

/* Of `count` elements each process has x[i] and y[i], element pid + i p. */
static double inner_product(int count, const double *x, const double *y)
{
    int p = bsp_nprocs();
    double part = 0, sum = 0, *parts = calloc((size_t)p, sizeof *parts);
    if (!parts)
        bsp_abort("inner_product: out of memory");
    bsp_push_reg(parts, p * (int)sizeof *parts);
    bsp_sync();
    for (int i = 0; i < count; i++)
        part += x[i] * y[i];
    for (int q = 0; q < p; q++)
        bsp_put(q, &part, parts, bsp_pid() * (int)sizeof part, sizeof part);
    bsp_pop_reg(parts);
    bsp_sync();
    for (int q = 0; q < p; q++)
        sum += parts[q];
    free(parts);
    return sum;
}

int main(int argc, char **argv)
{
    bsp_begin(bsp_nprocs());
    int n = argument(argc, argv, "inner_product", "N", 0, 1000000000, 100000);
    int p = bsp_nprocs(), pid = bsp_pid();
    int count = (n - pid + p - 1) / p;
    double *x = calloc((size_t)count + 1, sizeof *x), d = n;
    if (!x)
        bsp_abort("inner_product: out of memory");
    for (int i = 0; i < count; i++)
        x[i] = pid + (double)i * p;
    double sum = inner_product(count, x, x), expected = d * (d - 1) * (2 * d - 1) / 6;
    /* Each of the n products and n - 1 additions rounds by DBL_EPSILON / 2 of at most the sum; the
     * formula by a few more. */
    if (!(fabs(sum - expected) <= (n + 4.0) * DBL_EPSILON * expected))
        bsp_abort("inner_product: process %d: %.17g instead of %.17g", pid, sum, expected);
    if (pid == 0)
        printf("inner_product: %d elements on %d processes: right\n", n, p);
    free(x);
    bsp_end();
    return 0;
}
