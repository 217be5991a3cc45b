/* Bases of random moves: by dense elimination, and by what they have to span. */
#include "fluid/basis.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/stream.h"

enum { MOST = 24, MOVES = 60, STEPS = 3, CASES = 2000 };

typedef struct {
    PopulationMove move[MOVES];
    PopulationStep step[MOVES * STEPS];
    Population p;
} Moves;

static int32_t below(Stream *s, int32_t n)
{
    return (int32_t)(stream_uniform(s) * n);
}

/* Slots of a few local states; moves of some of them in step. */
static void draw(Moves *m, uint64_t seed)
{
    int32_t first[MOST + 1] = {0}, slots = 0, steps = 0;
    Stream s;
    stream_start(&s, seed, 0);
    while (first[slots] < MOST - 4) {
        first[slots + 1] = first[slots] + 2 + below(&s, 4);
        slots++;
    }
    const int32_t moves = 1 + below(&s, MOVES);
    m->p = (Population){.moves = m->move,
                        .steps = m->step,
                        .slots = slots,
                        .variables = first[slots],
                        .move_count = (size_t)moves};
    for (int32_t i = 0; i < moves; i++) {
        m->move[i] = (PopulationMove){.first = steps};
        for (int32_t k = 1 + below(&s, STEPS); k > 0; k--) {
            const int32_t slot = below(&s, slots), size = first[slot + 1] - first[slot],
                          from = below(&s, size), to = (from + 1 + below(&s, size - 1)) % size;
            m->step[steps++] = (PopulationStep){first[slot] + from, first[slot] + to};
        }
        m->move[i].end = m->move[i].end_of_stays = steps;
    }
}

static void change_of(const Moves *m, size_t move, double *change)
{
    memset(change, 0, MOST * sizeof *change);
    for (int32_t k = m->move[move].first; k < m->move[move].end; k++) {
        change[m->step[k].from] -= 1;
        change[m->step[k].to] += 1;
    }
}

/* By Gaussian elimination with complete pivoting. */
static int32_t rank_of(const Moves *m)
{
    double a[MOVES][MOST];
    const int32_t rows = (int32_t)m->p.move_count;
    int32_t rank = 0;
    for (int32_t i = 0; i < rows; i++)
        change_of(m, (size_t)i, a[i]);
    for (;; rank++) {
        int32_t row = rank, col = 0;
        for (int32_t i = rank; i < rows; i++)
            for (int32_t k = 0; k < MOST; k++)
                if (fabs(a[i][k]) > fabs(a[row][col])) {
                    row = i;
                    col = k;
                }
        if (rank == rows || fabs(a[row][col]) < 1e-9)
            return rank;
        double pivot[MOST];
        memcpy(pivot, a[row], sizeof pivot);
        memcpy(a[row], a[rank], sizeof pivot);
        memcpy(a[rank], pivot, sizeof pivot);
        for (int32_t i = rank + 1; i < rows; i++) {
            const double by = a[i][col] / pivot[col];
            for (int32_t k = 0; k < MOST; k++)
                a[i][k] -= by * pivot[k];
        }
    }
}

/* Every change is that of the coordinates, expanded. */
static void check_span(const Moves *m, const Sparse *basis, const int32_t *free)
{
    double change[MOST];
    for (size_t i = 0; i < m->p.move_count; i++) {
        change_of(m, i, change);
        for (int32_t k = 0; k < m->p.variables; k++) {
            double sum = 0;
            for (int32_t b = basis->row[k]; b < basis->row[k + 1]; b++)
                sum += basis->value[b] * change[free[basis->col[b]]];
            cr_assert_float_eq(sum, change[k], 1e-9);
        }
    }
}

Test(basis, spans_what_moves_change_and_no_more)
{
    int less = 0;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        Moves m;
        Sparse basis = {0};
        int32_t *free = NULL, r;
        draw(&m, seed);
        cr_assert(basis_new(&m.p, &basis, &free, &r));
        cr_assert_eq(r, rank_of(&m), "seed %d: %d, not %d", (int)seed, r, rank_of(&m));
        for (int32_t i = 0; i < r; i++) { /* its own column has 1 there, and no other has any */
            cr_assert_eq(basis.row[free[i] + 1] - basis.row[free[i]], 1);
            cr_assert_eq(basis.col[basis.row[free[i]]], i);
            cr_assert_float_eq(basis.value[basis.row[free[i]]], 1, 1e-12);
        }
        check_span(&m, &basis, free);
        less += r < m.p.variables - m.p.slots;
        sparse_free(&basis);
        mem_free(free);
    }
    cr_expect_gt(less, CASES / 10); /* moves in step keep more than slots do */
}

/* A long line of local states, whose moves come from its end: two entries for each coordinate. */
Test(basis, a_line_is_sparse_whatever_comes_first)
{
    enum { LONG = 20000 };
    PopulationMove *move = mem_calloc(LONG, sizeof *move);
    PopulationStep *step = mem_calloc(LONG, sizeof *step);
    for (int back = 0; back < 2; back++) {
        Sparse basis = {0};
        int32_t *free = NULL, r;
        for (int32_t i = 0; i < LONG; i++) {
            const int32_t from = back ? LONG - 1 - i : i;
            step[i] = (PopulationStep){from, (from + 1) % LONG};
            move[i] = (PopulationMove){.first = i, .end = i + 1, .end_of_stays = i + 1};
        }
        const Population p = {.moves = move,
                              .steps = step,
                              .slots = 1,
                              .variables = LONG,
                              .move_count = LONG};
        cr_assert(basis_new(&p, &basis, &free, &r));
        cr_expect_eq(r, LONG - 1);
        cr_expect_eq(basis.row[LONG], 2 * r);
        sparse_free(&basis);
        mem_free(free);
    }
    mem_free_all(move, step);
}
