/* Factors with fill-in, of the whole matrix or of blocks. */
#include <float.h>

#include "solvers/krylov/krylov.h"
#include "solvers/problems.h"

/* |(I - P') z - r|_1 for z = M^-1 r, divided by |r|_1 + |z|_1. */
static double mismatch(const Ilu *f, const double *r, double *z)
{
    int32_t n = f->flow->n;
    double *back = must(malloc((size_t)n * sizeof *back)), size = 0;
    ilu_solve(f, r, z);
    flow_apply(f->flow, z, back);
    for (int32_t i = 0; i < n; i++)
        size += fabs(z[i]) + fabs(r[i]);
    double off = distance(n, back, r) / size;
    free(back);
    return off;
}

/* Where nothing is dropped, or a block holds all states, the factors are complete; their entries
 * are rounded to single precision. */
Test(filled, exact_without_dropping)
{
    double effort;
    uint64_t seed = 17;
    for (int32_t block = 0; block <= MOST_BLOCK; block += MOST_BLOCK)
        for (int k = 0; k < 20; k++) {
            const int32_t more = block == 0 && k < 3 ? 2 * LONG_QUEUE : 0;
            Problem p = random_chain(2 + more + random_below(&seed, 300), 3, 2, &seed);
            const Filling filling = {0, INT32_MAX, block, 1e9, 0, 0};
            double *r = guess(p.n), *z = guess(p.n), sum = 0;
            Ilu f;
            cr_assert(ilu_factor_filling(&f, &p.flow, &filling, &effort) == PEPA_OK);
            for (int32_t i = 0; i < p.n; i++) {
                r[i] = sin(i);
                sum += r[i];
            }
            r[0] -= sum; /* else the singular system has no solution */
            double off = mismatch(&f, r, z);
            cr_expect(off <= 2 * FLT_EPSILON, "%d states, block %d: %g", p.n, block, off);
            ilu_free(&f);
            free(r);
            free(z);
            problem_free(&p);
        }
}

/* (D - L) z = r, with D and L taken from the matrix entry by entry. */
Test(filled, blocks_are_swept)
{
    double effort;
    uint64_t seed = 99;
    enum { BLOCK = 16 };
    Problem p = random_chain(100, 4, 1, &seed);
    const Filling filling = {0, INT32_MAX, BLOCK, 1e9, 0, 0};
    double r[100], z[100], size = 0;
    Ilu f;
    cr_assert(ilu_factor_filling(&f, &p.flow, &filling, &effort) == PEPA_OK);
    for (int i = 0; i < 100; i++)
        r[i] = cos(i);
    ilu_solve(&f, r, z);
    for (int32_t i = 0; i < 100; i++)
        size = fmax(size, fabs(z[i]));
    for (int32_t i = 0; i < 100; i++) {
        double left = z[i];
        for (int64_t k = p.flow.row[i]; k < p.flow.row[i + 1]; k++)
            if (p.flow.col[k] < i / BLOCK * BLOCK + BLOCK)
                left -= p.flow.val[k] * z[p.flow.col[k]];
        cr_expect_float_eq(left, r[i], 4 * FLT_EPSILON * size);
    }
    ilu_free(&f);
    problem_free(&p);
}

/* What is left of a row: the largest entries, and no more than allowed. */
Test(filled, rows_keep_what_is_large)
{
    double effort;
    uint64_t seed = 5;
    Problem p = random_chain(400, 6, 2, &seed);
    for (int32_t extra = 0; extra < 4; extra++) {
        const Filling filling = {1e-3, extra, 0, 1e9, 0, 0};
        Ilu f;
        cr_assert(ilu_factor_filling(&f, &p.flow, &filling, &effort) == PEPA_OK);
        for (int32_t i = 0; i < p.n; i++) {
            int64_t k = p.flow.row[i];
            double largest = 0;
            while (k < p.flow.row[i + 1] && p.flow.col[k] < i)
                k++;
            for (int64_t e = p.flow.row[i]; e < p.flow.row[i + 1]; e++)
                largest = fmax(largest, p.flow.val[e]);
            cr_expect_leq(f.upper[i] - f.row[i], k - p.flow.row[i] + extra);
            cr_expect_leq(f.row[i + 1] - f.upper[i], p.flow.row[i + 1] - k + extra);
            cr_expect(f.inverse[i] >= 1 - 1e-12 && isfinite(f.inverse[i]));
            for (int64_t e = f.row[i]; e < f.row[i + 1]; e++) {
                cr_expect(-f.val[e] >= 1e-3 * largest, "an M-matrix has no others");
                cr_expect(e < f.upper[i] ? f.col[e] < i : f.col[e] > i);
            }
        }
        ilu_free(&f);
    }
    problem_free(&p);
}

/* With every entry allowed the factors are those of the matrix; with few, these are the largest. */
Test(filled, the_largest_stay)
{
    double effort;
    uint64_t seed = 21;
    Problem p = random_chain(60, 5, 2, &seed);
    Ilu all, few;
    const Filling everything = {0, INT32_MAX, 0, 1e9, 0, 0}, some = {0, 1, 0, 1e9, 0, 0};
    cr_assert(ilu_factor_filling(&all, &p.flow, &everything, &effort) == PEPA_OK);
    cr_assert(ilu_factor_filling(&few, &p.flow, &some, &effort) == PEPA_OK);
    /* the first row that fills up has only rows before it that are complete */
    int32_t i = 0;
    while (few.row[i + 1] == all.row[i + 1] && i + 1 < p.n)
        i++;
    cr_assert(i + 1 < p.n, "some row must have been cut");
    double least = HUGE_VAL;
    int64_t above = 0;
    for (int64_t e = few.upper[i]; e < few.row[i + 1]; e++)
        least = fmin(least, fabs(few.val[e]));
    for (int64_t e = all.upper[i]; e < all.row[i + 1]; e++)
        above += fabs(all.val[e]) > least;
    cr_expect_leq(above, few.row[i + 1] - few.upper[i]);
    ilu_free(&all);
    ilu_free(&few);
    problem_free(&p);
}

Test(filled, refuses_too_many_entries)
{
    double effort;
    static const double up[] = {1, 1, 1}, down[] = {1, 1, 1};
    Problem p = walk(3, 12, up, down);
    const Filling filling = {0, INT32_MAX, MOST_BLOCK, 20000, 0, 0};
    Ilu f;
    cr_expect(ilu_factor_filling(&f, &p.flow, &filling, &effort) == PEPA_ELIMIT);
    cr_expect(f.row == NULL && f.val == NULL);
    problem_free(&p);
}

/* Where one way is much more likely than others rows fill up little, in space much; and there they
 * take more multiply-adds. */
Test(filled, growth_and_effort_are_looked_at_early)
{
    static const double up[] = {1, 2, 1}, down[] = {1.01, 100, 1.02}, even[] = {1, 1, 1};
    static const Filling limits[] = {{1e-2, 6, 0, 1e9, 3.5, 0}, {1e-2, 6, 0, 1e9, 0, 50}};
    Problem plane = walk(2, 60, up, down), space = walk(3, 20, even, even);
    Ilu f;
    double effort;
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        cr_expect(ilu_factor_filling(&f, &plane.flow, &limits[k], &effort) == PEPA_OK, "%zu", k);
        cr_expect(effort > 0 && effort < 50);
        ilu_free(&f);
        cr_expect(ilu_factor_filling(&f, &space.flow, &limits[k], &effort) == PEPA_ELIMIT, "%zu",
                  k);
        cr_expect(effort > 50, "of the rows that were made");
    }
    problem_free(&plane);
    problem_free(&space);
}
