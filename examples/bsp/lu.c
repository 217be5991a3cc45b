/* LU factors of a dense matrix with partial pivoting: lu [N].
 *
 * Rows are distributed cyclically: row i is on process i mod p.  A step finds the largest element of
 * its column, swaps two rows, sends the pivot row to all, and subtracts it from the rows below.
 * Check: P A = L U, element by element, on process 0, and every |l| <= 1.
 * Source: Golub and Van Loan, Matrix computations, 3.4; Bisseling, Parallel scientific computation. */
#include <bsp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"

typedef struct {
    int n, p, pid, rows;   /* of this process */
    double *a;             /* rows x n */
    double *pivot;         /* the pivot row */
    double *best;          /* by process: the largest element of its rows */
    int *best_row, *order; /* by process: its row; by row: which row of A it is */
} Lu;

static void *allocate(size_t count, size_t size)
{
    void *array = calloc(count + 1, size);
    if (!array)
        bsp_abort("lu: out of memory");
    return array;
}

static double element(int n, int i, int j)
{
    return sin(1 + 3.0 * i + 7.0 * j * j) + (i == n - 1 - j ? 2 : 0);
}

static double *row(const Lu *lu, int i)
{
    return lu->a + (size_t)(i / lu->p) * (size_t)lu->n;
}

/* The first own row that is not above row k. */
static int first_from(const Lu *lu, int k)
{
    return k + (lu->pid - k % lu->p + lu->p) % lu->p;
}

/* The row with the largest element of column k, the same on all processes. */
static int find_pivot(Lu *lu, int k)
{
    double mine = -1;
    int mine_row = k, found = 0;
    for (int i = first_from(lu, k); i < lu->n; i += lu->p)
        if (fabs(row(lu, i)[k]) > mine) {
            mine = fabs(row(lu, i)[k]);
            mine_row = i;
        }
    for (int q = 0; q < lu->p; q++) {
        bsp_put(q, &mine, lu->best, lu->pid * (int)sizeof mine, sizeof mine);
        bsp_put(q, &mine_row, lu->best_row, lu->pid * (int)sizeof mine_row, sizeof mine_row);
    }
    bsp_sync();
    for (int q = 1; q < lu->p; q++)
        if (lu->best[q] > lu->best[found])
            found = q;
    return lu->best_row[found];
}

/* Swap rows k and r of the matrix; process r mod p also sends row r, the pivot row, to all. */
static void swap_and_send(Lu *lu, int k, int r)
{
    int size = lu->n * (int)sizeof *lu->a, offset_k = k / lu->p * size, offset_r = r / lu->p * size;
    if (r % lu->p == lu->pid) {
        for (int q = 0; q < lu->p; q++)
            bsp_put(q, row(lu, r), lu->pivot, 0, size);
        if (r != k)
            bsp_put(k % lu->p, row(lu, r), lu->a, offset_k, size);
    }
    if (k % lu->p == lu->pid && r != k)
        bsp_put(r % lu->p, row(lu, k), lu->a, offset_r, size);
    bsp_sync();
    int swap = lu->order[k];
    lu->order[k] = lu->order[r];
    lu->order[r] = swap;
}

static void subtract(Lu *lu, int k)
{
    for (int i = first_from(lu, k + 1); i < lu->n; i += lu->p) {
        double *a = row(lu, i), factor = a[k] /= lu->pivot[k];
        for (int j = k + 1; j < lu->n; j++)
            a[j] -= factor * lu->pivot[j];
    }
}

static void factorise(Lu *lu)
{
    for (int k = 0; k < lu->n; k++) {
        swap_and_send(lu, k, find_pivot(lu, k));
        subtract(lu, k);
    }
}

/* Process 0 gets all rows and multiplies. */
static void check(const Lu *lu)
{
    int n = lu->n;
    size_t size = (size_t)n * sizeof(double);
    double *all = allocate(lu->pid == 0 ? (size_t)n * (size_t)n : 0, sizeof *all);
    bsp_push_reg(all, lu->pid == 0 ? n * (int)size : 0);
    bsp_sync();
    for (int i = lu->pid; i < n; i += lu->p)
        bsp_put(0, row(lu, i), all, i * (int)size, (int)size);
    bsp_sync();
    for (int i = 0; i < n && lu->pid == 0; i++)
        for (int j = 0; j < n; j++) {
            double sum = i <= j ? all[i * n + j] : 0;
            for (int k = 0; k < i && k <= j; k++)
                sum += all[i * n + k] * all[k * n + j];
            double error = fabs(sum - element(n, lu->order[i], j));
            if (!(error <= 1e-13 * n))
                bsp_abort("lu: P A and L U differ by %g", error);
            if (j < i && !(fabs(all[i * n + j]) <= 1))
                bsp_abort("lu: |l| > 1");
        }
    free(all);
}

int main(int argc, char **argv)
{
    bsp_begin(bsp_nprocs());
    enum { MOST = 16383 }; /* the bytes of the matrix are an int */
    Lu lu = {.n = argument(argc, argv, "lu", "N", 0, MOST, 60),
             .p = bsp_nprocs(),
             .pid = bsp_pid()};
    size_t n = (size_t)lu.n, p = (size_t)lu.p;
    lu.rows = (lu.n - lu.pid + lu.p - 1) / lu.p;
    lu.a = allocate(((size_t)lu.n / p + 1) * n, sizeof *lu.a);
    lu.pivot = allocate(n, sizeof *lu.pivot);
    lu.best = allocate(p, sizeof *lu.best);
    lu.best_row = allocate(p, sizeof *lu.best_row);
    lu.order = allocate(n, sizeof *lu.order);
    for (int i = 0; i < lu.n; i++)
        lu.order[i] = i;
    for (int i = lu.pid; i < lu.n; i += lu.p)
        for (int j = 0; j < lu.n; j++)
            row(&lu, i)[j] = element(lu.n, i, j);
    bsp_push_reg(lu.a, lu.rows * lu.n * (int)sizeof *lu.a);
    bsp_push_reg(lu.pivot, lu.n * (int)sizeof *lu.pivot);
    bsp_push_reg(lu.best, lu.p * (int)sizeof *lu.best);
    bsp_push_reg(lu.best_row, lu.p * (int)sizeof *lu.best_row);
    bsp_sync();
    factorise(&lu);
    check(&lu);
    if (lu.pid == 0)
        printf("lu: %d rows on %d processes: right\n", lu.n, lu.p);
    free(lu.a), free(lu.pivot), free(lu.best), free(lu.best_row), free(lu.order);
    bsp_end();
    return 0;
}
