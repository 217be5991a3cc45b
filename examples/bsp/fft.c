/* The discrete Fourier transform: fft [LOG2_OF_N].
 *
 * The transpose algorithm: n = r c elements as an r x c matrix, whose columns are transformed, then
 * multiplied by twiddle factors, then transposed, then its new columns are transformed.  Columns are
 * distributed in blocks; the transposition is one superstep.  Any number of processes.  Check: some of
 * the results against their definition, and Parseval's identity.
 * Source: Van Loan, Computational frameworks for the fast Fourier transform (1992), 3.3. */
#include <bsp.h>
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "argument.h"

typedef double complex Number;

static const double two_pi = 6.283185307179586476925;

static Number unit(double turns)
{
    return cos(two_pi * turns) + I * sin(two_pi * turns);
}

/* In place, n a power of 2; decimation in time (Cooley and Tukey, 1965). */
static void transform(Number *x, int n)
{
    for (int i = 1, k = 0; i < n; i++) {
        int bit = n >> 1;
        for (; k & bit; bit >>= 1)
            k ^= bit;
        k ^= bit;
        if (i < k) {
            Number swap = x[i];
            x[i] = x[k];
            x[k] = swap;
        }
    }
    for (int half = 1; half < n; half *= 2)
        for (int at = 0; at < n; at += 2 * half)
            for (int k = 0; k < half; k++) {
                Number odd = x[at + half + k] * unit(-k / (2.0 * half));
                x[at + half + k] = x[at + k] - odd;
                x[at + k] += odd;
            }
}

static int first(int count, int process, int p)
{
    return (int)((long long)count * process / p);
}

static Number *allocate(size_t count)
{
    Number *x = calloc(count + 1, sizeof *x);
    if (!x)
        bsp_abort("fft: out of memory");
    return x;
}

/* x: columns first(c) .. of an r x c matrix, each of r elements one after the other; y likewise of the
 * c x r transposed one. */
static void transpose(const Number *x, Number *y, int r, int c)
{
    int p = bsp_nprocs(), from = first(c, bsp_pid(), p), to = first(c, bsp_pid() + 1, p);
    bsp_push_reg(y, (first(r, bsp_pid() + 1, p) - first(r, bsp_pid(), p)) * c * (int)sizeof *y);
    bsp_sync();
    for (int q = 0; q < p; q++) {
        Number *part = allocate((size_t)(to - from));
        for (int i = first(r, q, p); i < first(r, q + 1, p); i++) {
            for (int j = from; j < to; j++)
                part[j - from] = x[(j - from) * r + i];
            bsp_put(q, part, y, ((i - first(r, q, p)) * c + from) * (int)sizeof *y,
                    (to - from) * (int)sizeof *y);
        }
        free(part);
    }
    bsp_pop_reg(y);
    bsp_sync();
}

static Number input(int i)
{
    return sin(0.3 * i) + I * ((i * 7) % 13 - 6.0);
}

int main(int argc, char **argv)
{
    bsp_begin(bsp_nprocs());
    enum { MOST = 26 }; /* the bytes of all elements are an int */
    int log_n = argument(argc, argv, "fft", "LOG2_OF_N", 0, MOST, 12);
    int r = 1 << log_n / 2, c = 1 << (log_n - log_n / 2);
    int n = r * c, p = bsp_nprocs(), from = first(c, bsp_pid(), p), to = first(c, bsp_pid() + 1, p);
    int rows_from = first(r, bsp_pid(), p), rows_to = first(r, bsp_pid() + 1, p);
    Number *x = allocate((size_t)(to - from) * (size_t)r);
    Number *y = allocate((size_t)(rows_to - rows_from) * (size_t)c);
    for (int j = from; j < to; j++) {
        Number *column = x + (j - from) * r;
        for (int i = 0; i < r; i++)
            column[i] = input(i * c + j);
        transform(column, r);
        for (int i = 0; i < r; i++)
            column[i] *= unit(-(double)i * j / n);
    }
    transpose(x, y, r, c);
    double energy[2] = {0, 0}, all[2] = {0, 0};
    for (int i = rows_from; i < rows_to; i++) {
        Number *column = y + (i - rows_from) * c;
        transform(column, c); /* element k of it is element i + r k of the result */
        for (int k = 0; k < c; k++)
            energy[1] += creal(column[k] * conj(column[k])) / n;
        Number expected = 0;
        int k = (i * 5 + 1) % c;
        for (int m = 0; m < n; m++)
            expected += input(m) * unit(-(double)((long long)m * (i + r * k) % n) / n);
        if (!(cabs(column[k] - expected) <= 1e-9 * n))
            bsp_abort("fft: element %d is wrong by %g", i + r * k, cabs(column[k] - expected));
    }
    for (int j = from; j < to; j++)
        for (int i = 0; i < r; i++)
            energy[0] += creal(input(i * c + j) * conj(input(i * c + j)));
    for (int q = 0; q < p; q++)
        bsp_send(q, NULL, energy, sizeof energy);
    bsp_sync();
    for (int q = 0; q < p; q++) {
        double part[2];
        bsp_move(part, sizeof part);
        all[0] += part[0], all[1] += part[1];
    }
    /* A sum of n squares, each addition rounded, of elements that are right to log n roundings. */
    if (!(fabs(all[0] - all[1]) <= (n + 4096.0) * DBL_EPSILON * all[0]))
        bsp_abort("fft: energies %.17g and %.17g", all[0], all[1]);
    if (bsp_pid() == 0)
        printf("fft: %d elements on %d processes: right\n", n, p);
    free(x);
    free(y);
    bsp_end();
    return 0;
}
