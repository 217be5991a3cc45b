/* Fronts of elimination, and the elimination of one. */
#include "solvers/problems.h"

#include "solvers/direct/fronts.h"

/* ---- one front ---------------------------------------------------------------------------- */

/* State by state, as Grassmann, Taksar and Heyman write it. */
static void eliminate_one(double *a, int32_t rows, int32_t stride, int32_t k)
{
    double out = 0;
    for (int32_t j = k + 1; j < stride; j++)
        out += a[k * stride + j];
    for (int32_t i = k + 1; i < rows; i++) {
        a[i * stride + k] /= out;
        for (int32_t j = k + 1; j < stride; j++)
            a[i * stride + j] += a[i * stride + k] * a[k * stride + j];
    }
}

/* Fronts with and without a rest, of every remainder of rows and columns that loops have; some rows
 * do not lead to the pivots. */
Test(fronts, elimination_in_blocks_is_that_of_one_after_the_other)
{
    uint64_t seed = 5;
    for (int32_t columns = 2; columns < 90; columns += columns < 30 ? 1 : 13)
        for (int32_t part = 1; part <= 3; part++) {
            const int32_t rows = columns - (columns > 4 ? random_below(&seed, 4) : 0);
            const int32_t pivots = part * rows / 3 > 0 ? part * rows / 3 : 1;
            const int32_t stride = front_stride(columns), block = 1 + random_below(&seed, 40);
            const size_t size = (size_t)rows * (size_t)stride;
            double *a = must(calloc(size, sizeof *a)), *b = must(malloc(size * sizeof *b));
            Front front = {a, rows, stride, must(malloc((size_t)rows * sizeof *a)),
                           must(malloc((size_t)rows * sizeof(int32_t)))};
            for (int32_t i = 0; i < rows; i++)
                for (int32_t j = 0; j < columns; j++)
                    if (j != i && (j >= pivots || i % 5 != 4))
                        a[i * stride + j] =
                            ldexp(1 + random_below(&seed, 1000), -random_below(&seed, 60));
            memcpy(b, a, size * sizeof *b);
            for (int32_t k = 0; k < pivots; k++)
                eliminate_one(b, rows, stride, k);
            for (int32_t k = 0; k < pivots; k += block)
                front_eliminate(&front, k, k + block < pivots ? k + block : pivots);
            for (int32_t i = 0; i < rows; i++)
                for (int32_t j = 0; j < columns; j++)
                    if (i != j && (i >= pivots || j >= pivots))
                        cr_assert_float_eq(a[i * stride + j], b[i * stride + j],
                                           1e-13 * b[i * stride + j], "%d of %d, %d: %d, %d",
                                           pivots, rows, columns, i, j);
            free(a);
            free(b);
            free(front.out);
            free(front.busy);
        }
}

/* ---- the tree ----------------------------------------------------------------------------- */

/* Jumps between `rows` states and to `classes` absorbing ones; state 0 is joined to no other. */
static Jumps jumps_by_chance(int32_t rows, int32_t classes, int32_t degree, uint64_t *seed)
{
    Jumps jumps = {.rows = rows, .columns = rows + classes};
    jumps.row = must(calloc((size_t)rows + 2, sizeof *jumps.row));
    jumps.col = must(malloc((size_t)rows * (size_t)(degree + 1) * sizeof *jumps.col));
    jumps.val = must(malloc((size_t)rows * (size_t)(degree + 1) * sizeof *jumps.val));
    int64_t at = 0;
    for (int32_t i = 0; i < rows; i++) {
        for (int32_t d = 0; i > 0 && d < degree; d++)
            jumps.col[at++] = 1 + random_below(seed, rows - 1);
        if (classes > 0 && (i == 0 || random_below(seed, 5) == 0))
            jumps.col[at++] = rows + random_below(seed, classes);
        jumps.row[i + 1] = at;
    }
    for (int64_t k = 0; k < at; k++)
        jumps.val[k] = 1;
    return jumps;
}

static void transpose(const Jumps *jumps, Jumps *back)
{
    const int32_t rows = jumps->rows;
    *back = (Jumps){.rows = rows, .columns = rows};
    back->row = must(calloc((size_t)rows + 2, sizeof *back->row));
    back->col = must(malloc((size_t)jumps->row[rows] * sizeof *back->col));
    int64_t at = 0;
    for (int32_t j = 0; j < rows; j++) {
        for (int32_t i = 0; i < rows; i++)
            for (int64_t k = jumps->row[i]; k < jumps->row[i + 1]; k++)
                if (jumps->col[k] == j)
                    back->col[at++] = i;
        back->row[j + 1] = at;
    }
}

static bool has(const FrontStates *of, int32_t front, int32_t state)
{
    for (int64_t k = of->start[front]; k < of->start[front + 1]; k++)
        if (of->state[k] == state)
            return true;
    return false;
}

/* What a child leaves on one side, its parent has there. */
static void expect_taken_over(const Fronts *f, const FrontStates *side, int32_t child)
{
    for (int64_t j = side->start[child] + f->pivots[child]; j < side->start[child + 1]; j++)
        cr_assert(has(side, f->parent[child], side->state[j]));
}

/* Pivots, ascending, then others; after these absorbing ones, which are no rows. */
static void expect_states(const Fronts *f, const FrontStates *side, int32_t k, int32_t rows)
{
    const int32_t *state = front_states(side, k);
    const int32_t count = front_count(side, k), absorbing = side == &f->row ? 0 : f->absorbing[k];
    for (int32_t j = 0; j < count; j++) {
        cr_assert_eq(state[j] < rows, j < count - absorbing);
        cr_assert(j >= f->pivots[k] || state[j] == front_states(&f->row, k)[j]);
        cr_assert(j == 0 || j >= f->pivots[k] || state[j - 1] < state[j]);
        cr_assert(j < f->pivots[k] || state[j] > state[f->pivots[k] - 1]);
    }
}

/* Every state is a pivot once; a front has as columns all that its pivots lead to, as rows all that lead to these, and on
 * either side what its children leave; children end just before their parent begins. */
static void expect_tree(const Fronts *f, const Jumps *jumps, const Jumps *back)
{
    const int32_t rows = jumps->rows;
    int32_t *of = must(malloc((size_t)rows * sizeof *of)), *waits, waiting = 0;
    waits = must(malloc((size_t)f->count * sizeof *waits));
    memset(of, -1, (size_t)rows * sizeof *of);
    for (int32_t k = 0; k < f->count; k++) {
        expect_states(f, &f->row, k, rows);
        expect_states(f, &f->column, k, rows);
        for (int32_t j = 0; j < f->pivots[k]; j++) {
            cr_assert(of[front_states(&f->row, k)[j]] < 0);
            of[front_states(&f->row, k)[j]] = k;
        }
        for (; waiting > 0 && f->parent[waits[waiting - 1]] == k; waiting--) {
            expect_taken_over(f, &f->row, waits[waiting - 1]);
            expect_taken_over(f, &f->column, waits[waiting - 1]);
        }
        waits[waiting++] = k;
        const int32_t left = front_count(&f->row, k) + front_count(&f->column, k) -
                             f->absorbing[k] - 2 * f->pivots[k];
        cr_assert(f->parent[k] < 0 ? left == 0 : f->parent[k] > k && left > 0);
    }
    for (; waiting > 0; waiting--)
        cr_assert(f->parent[waits[waiting - 1]] < 0);
    for (int32_t i = 0; i < rows; i++) {
        cr_assert(of[i] >= 0);
        for (int64_t k = jumps->row[i]; k < jumps->row[i + 1]; k++)
            cr_assert(jumps->col[k] <= i || has(&f->column, of[i], jumps->col[k]));
        for (int64_t k = back->row[i]; k < back->row[i + 1]; k++)
            cr_assert(back->col[k] <= i || has(&f->row, of[i], back->col[k]));
    }
    cr_assert_eq(of[rows - 1], f->count - 1);
    free(of);
    free(waits);
}

Test(fronts, have_all_that_pivots_concern)
{
    uint64_t seed = 11;
    for (int32_t round = 0; round < 200; round++) {
        const int32_t rows = 2 + random_below(&seed, 120), classes = random_below(&seed, 4);
        Jumps jumps = jumps_by_chance(rows, classes, 1 + round % 3, &seed), back;
        Fronts f;
        transpose(&jumps, &back);
        cr_assert(fronts_new(&f, &jumps, &back));
        expect_tree(&f, &jumps, &back);
        fronts_free(&f);
        free(back.row);
        free(back.col);
        jumps_free(&jumps);
    }
}
