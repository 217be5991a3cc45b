/* Extrapolation of iterates: exact for what has few modes, harmless for what has none. */
#include "solvers/blocks/extrapolate.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* x_i goes to limit_i; what is left of the way is multiplied by one of three factors per step. */
typedef struct {
    int64_t n;
    double *x, *limit;
} Line;

static const double factors[] = {0.95, 0.6, -0.5};

static Line line_new(int64_t n)
{
    Line line = {n, malloc((size_t)n * sizeof(double)), malloc((size_t)n * sizeof(double))};
    cr_assert(line.x && line.limit);
    for (int64_t i = 0; i < n; i++) {
        line.limit[i] = exp(-(double)(i * 7 % 23)) / (double)n; /* over ten magnitudes */
        line.x[i] = line.limit[i] * (1 + 0.9 * sin((double)i + 1));
    }
    return line;
}

static void line_free(Line *line)
{
    free(line->x);
    free(line->limit);
}

static void step(Line *line)
{
    for (int64_t i = 0; i < line->n; i++)
        line->x[i] = line->limit[i] + factors[i % 3] * (line->x[i] - line->limit[i]);
}

static double off(const Line *line)
{
    double sum = 0, all = 0;
    for (int64_t i = 0; i < line->n; i++) {
        sum += fabs(line->x[i] - line->limit[i]);
        all += line->limit[i];
    }
    return sum / all;
}

static const int64_t sizes[] = {3, 255, 256, 257, 1000, 100003};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Memory for all iterates of n entries that are whole, and for those of a lean history. */
static int64_t whole_bytes(int64_t n)
{
    return 32 * n;
}

static int64_t lean_bytes(int64_t n)
{
    return 28 * n;
}

/* As many modes as there are iterates but one; and x as it was. */
static void expect_few_modes(int64_t n, int64_t memory, double left)
{
    Line line = line_new(n);
    History history;
    history_init(&history, n, MOST_HISTORY, memory, NULL, NULL);
    cr_assert_eq(history.most, 4);
    cr_expect_eq(history_bytes(&history), (double)memory);
    for (int32_t k = 0; k < history.most; k++, step(&line))
        history_add(&history, line.x);
    double before = off(&line), *last = malloc((size_t)n * sizeof *last);
    memcpy(last, line.x, (size_t)n * sizeof *last);
    cr_assert_gt(before, 0.01);
    cr_assert(history_extrapolate(&history, line.x));
    cr_expect_lt(off(&line), left, "%g from %g", off(&line), before);
    cr_expect_eq(history.count, 0);
    for (int32_t k = 0; k < history.most - 1; k++, step(&line))
        history_add(&history, line.x);
    history_restore(&history, line.x);
    cr_expect_eq(memcmp(last, line.x, (size_t)n * sizeof *last), 0);
    free(last);
    history_free(&history);
    line_free(&line);
}

Test(blocks_past, few_modes_are_found)
{
    for (int s = 0; s < SIZES; s++) {
        expect_few_modes(sizes[s], whole_bytes(sizes[s]), 1e-8);
        expect_few_modes(sizes[s], lean_bytes(sizes[s]), 1e-6);
    }
}

/* The first is held, then not: fewer modes by one, and again all. */
Test(blocks_past, the_first_is_held)
{
    const int64_t n = 1000;
    for (int lean = 0; lean < 2; lean++) {
        Line line = line_new(n);
        History history;
        double first[1000], left[2];
        history_init(&history, n, MOST_HISTORY, lean ? lean_bytes(n) : whole_bytes(n), NULL, NULL);
        for (int held = 1; held >= 0; held--) {
            history_hold(&history, held);
            cr_expect_eq(history.most, MOST_HISTORY - (lean && held));
            memcpy(first, line.x, sizeof first);
            for (int32_t k = 0; k < history.most; k++, step(&line))
                history_add(&history, line.x);
            if (held || !lean) {
                double back[1000];
                history_first(&history, back);
                cr_expect_eq(memcmp(back, first, sizeof first), 0);
            }
            double before = off(&line);
            cr_assert(history_extrapolate(&history, line.x));
            left[held] = off(&line) / before;
            for (int64_t i = 0; i < n; i++)
                line.x[i] = line.limit[i] * (1 + 0.9 * sin((double)i + 1));
        }
        cr_expect_lt(left[0], 1e-5);
        cr_expect(lean ? left[1] > 1e-4 : left[1] < 1e-5, "%g", left[1]);
        history_free(&history);
        line_free(&line);
    }
}

/* Fewer iterates than modes: nearer to the limit still, and what is positive stays so. */
Test(blocks_past, two_are_better_than_none)
{
    Line line = line_new(1000);
    History history;
    history_init(&history, line.n, 2, 0, NULL, NULL);
    for (int k = 0; k < 25; k++)
        step(&line);
    for (int32_t k = 0; k < history.most; k++, step(&line))
        history_add(&history, line.x);
    double before = off(&line);
    cr_assert(history_extrapolate(&history, line.x));
    cr_expect_lt(off(&line), 0.2 * before, "%g from %g", off(&line), before);
    for (int64_t i = 0; i < line.n; i++)
        cr_assert_gt(line.x[i], 0);
    history_free(&history);
    line_free(&line);
}

/* Entries that are overshot stay where they are. */
Test(blocks_past, nothing_becomes_negative)
{
    double x[] = {8, 1, 0}; /* by halves, but for the last step of the second */
    const double next[][3] = {{4, 2, 0}, {2, 2.5, 0}};
    History history;
    history_init(&history, 3, 2, 0, NULL, NULL);
    for (int k = 0; k < 2; k++) {
        history_add(&history, x);
        memcpy(x, next[k], sizeof x);
    }
    x[1] = 0.001;
    cr_assert(history_extrapolate(&history, x));
    cr_expect(x[0] >= 0 && x[1] >= 0.001 && x[2] == 0, "%g %g %g", x[0], x[1], x[2]);
    history_free(&history);
}

Test(blocks_past, what_stands_still_tells_nothing)
{
    const double bad[] = {0, NAN, HUGE_VAL};
    for (int b = 0; b < 3; b++) {
        double x[] = {1, bad[b], 2}, as_it_was[3];
        History history;
        history_init(&history, 3, MOST_HISTORY, 0, NULL, NULL);
        memcpy(as_it_was, x, sizeof x);
        for (int32_t k = 0; k < history.most; k++)
            history_add(&history, x);
        cr_expect_not(history_extrapolate(&history, x));
        cr_expect_eq(memcmp(x, as_it_was, sizeof x), 0);
        history_first(&history, x);
        cr_expect_eq(memcmp(x, as_it_was, sizeof x), 0);
        history_free(&history);
    }
}

/* Vectors of 1000 entries take 8000 bytes each, or one of them 4000 where there are more than two. */
Test(blocks_past, no_more_than_memory_allows)
{
    static const struct {
        int64_t memory;
        int32_t most;
    } limits[] = {{1, 0},     {7999, 0},  {8000, 1},  {16000, 2}, {19999, 2},  {20000, 3},
                  {27999, 3}, {28000, 4}, {31999, 4}, {32000, 4}, {1 << 20, 4}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        History history;
        history_init(&history, 1000, MOST_HISTORY, limits[i].memory, NULL, NULL);
        cr_expect_eq(history.most, limits[i].most, "%d", (int)limits[i].memory);
        cr_expect_leq(history_bytes(&history), (double)limits[i].memory);
        history_free(&history);
    }
}

/* Whatever the number of threads: the same bits. */
Test(blocks_past, by_threads)
{
    Workers *workers = workers_new(3);
    cr_assert(workers);
    for (int s = 0; s < 2 * SIZES; s++) {
        const int64_t n = sizes[s / 2], memory = s % 2 ? lean_bytes(n) : whole_bytes(n);
        Line one = line_new(n), other = line_new(n);
        History alone, many;
        history_init(&alone, n, MOST_HISTORY, memory, NULL, NULL);
        history_init(&many, n, MOST_HISTORY, memory, workers, NULL);
        for (int32_t k = 0; k < MOST_HISTORY - 1; k++, step(&one), step(&other)) {
            history_add(&alone, one.x);
            history_add(&many, other.x);
        }
        cr_assert(history_extrapolate(&alone, one.x) && history_extrapolate(&many, other.x));
        cr_expect_eq(memcmp(one.x, other.x, (size_t)n * sizeof *one.x), 0);
        history_free(&alone);
        history_free(&many);
        line_free(&one);
        line_free(&other);
    }
    workers_free(workers);
}
