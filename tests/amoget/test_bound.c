/* Bounds against what they bound: every mapping of small pipelines, solved. */
#include <math.h>
#include <string.h>

#include "amoget/bound.h"
#include "lattice.h"

enum { STAGES = 4, PROCESSORS = 3, MAPPINGS = 81 };

typedef struct {
    AmogetDescription *desc;
    Prices prices;
    Bounds bounds;
    Line *line, *part;
    double time[MAPPINGS];
} Bench;

static LineAnswer answer_at(Line *line, const double *seconds)
{
    PepaError err = {0};
    LineAnswer answer;
    LineQuestion question = {1e-12, true, NULL, NULL};
    cr_assert_eq(line_solve(line, seconds, &question, &answer, &err), PEPA_OK, "%s", err.message);
    return answer;
}

static Bench bench(int cores)
{
    Bench b = {.desc = lattice(STAGES, PROCESSORS)};
    int32_t mapping[STAGES];
    double seconds[2 * STAGES + 1];
    cr_assert_eq(amoget_set_cores(b.desc, 1, cores, NULL), PEPA_OK);
    cr_assert_eq(prices_new(&b.prices, b.desc, NULL), PEPA_OK);
    cr_assert_eq(line_new(&b.line, STAGES, 1000, NULL), PEPA_OK);
    cr_assert_eq(line_new(&b.part, 2, 1000, NULL), PEPA_OK);
    for (int k = 0; k < MAPPINGS; k++) {
        nth_mapping(STAGES, PROCESSORS, k, mapping);
        prices_durations(&b.prices, mapping, seconds);
        b.time[k] = answer_at(b.line, seconds).time;
    }
    return b;
}

static void bench_free(Bench *b)
{
    bounds_free(&b->bounds);
    prices_free(&b->prices);
    line_free(b->line);
    line_free(b->part);
    amoget_free(b->desc);
}

/* The bound of every beginning, both ways, is at most the least time of what it can become; of a
 * whole mapping whose cut is there it is that mapping's time. */
static void check_all(Bench *b, int cut_at)
{
    for (int depth = 1; depth <= STAGES; depth++) {
        int rest = (int)lround(pow(PROCESSORS, STAGES - depth));
        for (int k = 0; k < MAPPINGS; k += rest) {
            int32_t mapping[STAGES];
            Beginning whole, before;
            double least = INFINITY;
            nth_mapping(STAGES, PROCESSORS, k, mapping);
            for (int i = 0; i < rest; i++)
                least = fmin(least, b->time[k + i]);
            beginning_at(&whole, &b->bounds, mapping, depth);
            beginning_at(&before, &b->bounds, mapping, depth - 1);
            double bound = bounds_of(&b->bounds, &whole, INFINITY);
            double child = bounds_child(&b->bounds, &before, mapping[depth - 1], INFINITY);
            cr_assert(bound <= least * (1 + 1e-9), "depth %d, %d: %.12g > %.12g", depth, k, bound,
                      least);
            cr_assert(fabs(child - bound) <= 1e-12 * bound, "%g and %g", child, bound);
            if (depth == STAGES && k == cut_at)
                cr_assert(bound >= least * (1 - 1e-6), "%.12g, not %.12g", bound, least);
        }
    }
}

static void cuts_bound_everything(int cores)
{
    Bench b = bench(cores);
    double seconds[2 * STAGES + 1];
    int32_t mapping[STAGES];
    cr_assert_eq(bounds_new(&b.bounds, &b.prices, NULL), PEPA_OK);
    check_all(&b, -1); /* single stages */
    for (int k = 0; k < MAPPINGS; k += 7) {
        nth_mapping(STAGES, PROCESSORS, k, mapping);
        prices_durations(&b.prices, mapping, seconds);
        LineAnswer answer = answer_at(b.line, seconds);
        bounds_add(&b.bounds, 0, STAGES, seconds, &answer);
        answer = answer_at(b.part, seconds + 2);
        bounds_add(&b.bounds, 1, 2, seconds + 2, &answer);
        check_all(&b, k);
    }
    bench_free(&b);
}

Test(bound, is_below_everything_that_a_beginning_can_become)
{
    cuts_bound_everything(1);
}

Test(bound, with_cores)
{
    cuts_bound_everything(3);
}

/* Full, the pool forgets what helped least, and what it still has holds. */
Test(bound, more_cuts_than_there_is_room_for)
{
    Bench b = bench(1);
    cr_assert_eq(bounds_new(&b.bounds, &b.prices, NULL), PEPA_OK);
    for (int k = 0; k < 2 * MOST_CUTS; k++) {
        double seconds[2 * STAGES + 1];
        for (int i = 0; i <= 2 * STAGES; i++)
            seconds[i] = 0.01 + spread_out(k, i);
        LineAnswer answer = answer_at(b.line, seconds);
        bounds_add(&b.bounds, 0, STAGES, seconds, &answer);
        cr_assert(b.bounds.count <= MOST_CUTS);
    }
    check_all(&b, -1);
    bench_free(&b);
}

Test(line, shares_sum_to_one_and_parts_are_quicker_than_the_whole)
{
    Bench b = bench(1);
    for (int k = 0; k < MAPPINGS; k++) {
        int32_t mapping[STAGES];
        double seconds[2 * STAGES + 1], sum = 0;
        nth_mapping(STAGES, PROCESSORS, k, mapping);
        prices_durations(&b.prices, mapping, seconds);
        LineAnswer whole = answer_at(b.line, seconds);
        for (int i = 0; i <= 2 * STAGES; i++)
            sum += whole.share[i];
        cr_expect(fabs(sum - 1) < 1e-8, "%.12g", sum);
        for (int first = 0; first + 2 <= STAGES; first++)
            cr_expect(answer_at(b.part, seconds + 2 * first).time <= whole.time * (1 + 1e-12));
    }
    bench_free(&b);
}

Test(line, too_many_states)
{
    Line *line = NULL;
    PepaError err = {0};
    cr_expect_eq(line_new(&line, 5, 242, &err), PEPA_ELIMIT);
    cr_expect_null(line);
    cr_expect_eq(line_new(&line, 5, 243, &err), PEPA_OK, "%s", err.message);
    cr_expect_eq(line_info(line).states, 243);
    line_free(line);
}
