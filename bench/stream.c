/* bench_stream [MEBIBYTES]: how fast one core reads and writes memory, in GB/s: the best of ten
 * passes of a_i = b_i + s c_i over three arrays of MEBIBYTES each [256], 24 bytes per element.
 * Source: McCalpin, STREAM, Triad. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void triad(double *restrict a, const double *restrict b, const double *restrict c, double s,
                  size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}

int main(int argc, char **argv)
{
    size_t n = (argc > 1 ? strtoul(argv[1], NULL, 10) : 256) * (1048576 / sizeof(double));
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
    if (n == 0 || !a || !b || !c) {
        (void)fputs("bench_stream: out of memory\n", stderr);
        return 1;
    }
    for (size_t i = 0; i < n; i++) {
        a[i] = 0;
        b[i] = 1 + (double)(i % 7);
        c[i] = 2;
    }
    double best = 1e300, sum = 0;
    for (int pass = 0; pass < 10; pass++) {
        double start = now();
        triad(a, b, c, pass, n);
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
        sum += a[(size_t)pass * (n / 10)]; /* what is never looked at need not be computed */
    }
    (void)printf("%.2f\n", 24e-9 * (double)n / best);
    free(a);
    free(b);
    free(c);
    return sum > 0 ? 0 : 1;
}
