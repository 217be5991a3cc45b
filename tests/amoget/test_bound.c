/* Bounds against what they bound: every mapping of small pipelines, solved. */
#include <math.h>
#include <string.h>

#include "amoget/search/bound.h"
#include "lattice.h"

enum { STAGES = 4, PROCESSORS = 3, MAPPINGS = 81 };

/* How stages share and pass on. */
typedef struct {
    int cores, phases;
    AmogetSharing sharing;
    AmogetTransfer transfer;
} Manner;

typedef struct {
    Manner manner;
    AmogetDescription *desc;
    Costs costs;
    Bounds bounds;
    double time[MAPPINGS];
} Bench;

static ChainAnswer answer_at(PipelineChain *chain, const double *seconds)
{
    bool cut = shape_is_free(pipeline_chain_shape(chain));
    PepaError err = {0};
    ChainAnswer answer;
    ChainQuestion question = {.tolerance = 1e-12, .shares = true, .cut = cut};
    cr_assert_eq(pipeline_chain_solve(chain, seconds, &question, &answer, &err), PEPA_OK, "%s",
                 err.message);
    return answer;
}

static ChainAnswer answer_of(const Shape *shape, const double *seconds)
{
    PipelineChain *chain = NULL;
    cr_assert_eq(pipeline_chain_new(&chain, shape, 10000, NULL, NULL), PEPA_OK);
    ChainAnswer answer = answer_at(chain, seconds);
    pipeline_chain_free(chain);
    return answer;
}

static Bench bench(Manner manner)
{
    Bench b = {.manner = manner, .desc = lattice(STAGES, PROCESSORS)};
    int32_t mapping[STAGES];
    double seconds[MOST_ACTIVITIES], same[MOST_ACTIVITIES];
    for (int i = -1; i < STAGES; i++) /* each move takes less than the one before */
        cr_assert_eq(amoget_set_output(b.desc, i, 1000 * (STAGES - i), NULL), PEPA_OK);
    for (int j = 0; j < PROCESSORS * PROCESSORS; j++)
        cr_assert_eq(amoget_set_bandwidth(amoget_machine(b.desc), j / PROCESSORS, j % PROCESSORS,
                                          5e5, NULL),
                     PEPA_OK);
    cr_assert_eq(amoget_set_cores(amoget_machine(b.desc), 1, manner.cores, NULL), PEPA_OK);
    cr_assert_eq(amoget_set_phases(b.desc, 2, manner.phases, NULL), PEPA_OK);
    cr_assert_eq(amoget_set_sharing(b.desc, manner.sharing, NULL), PEPA_OK);
    cr_assert_eq(amoget_set_transfer(b.desc, manner.transfer, NULL), PEPA_OK);
    cr_assert_eq(costs_new(&b.costs, b.desc, NULL), PEPA_OK);
    for (int k = 0; k < MAPPINGS; k++) {
        nth_mapping(STAGES, PROCESSORS, k, mapping);
        costs_durations(&b.costs, mapping, seconds);
        cr_assert_eq(amoget_durations(b.desc, mapping, same, NULL), PEPA_OK);
        cr_assert_arr_eq(seconds, same, (size_t)amoget_activity_count(b.desc) * sizeof *seconds);
        Shape shape = shape_of(b.desc, mapping);
        b.time[k] = answer_of(&shape, seconds).time;
    }
    return b;
}

static void bench_free(Bench *b)
{
    bounds_free(&b->bounds);
    costs_free(&b->costs);
    amoget_free(b->desc);
}

/* The bound of every partial mapping, both ways, is at most the least time of what it can become;
 * of a whole mapping whose cut is there it is that mapping's time. */
static void check_all(Bench *b, int cut_at)
{
    for (int depth = 1; depth <= STAGES; depth++) {
        int rest = (int)lround(pow(PROCESSORS, STAGES - depth));
        for (int k = 0; k < MAPPINGS; k += rest) {
            int32_t mapping[STAGES];
            PartialMapping whole, before;
            double least = INFINITY;
            nth_mapping(STAGES, PROCESSORS, k, mapping);
            for (int i = 0; i < rest; i++)
                least = fmin(least, b->time[k + i]);
            partial_mapping_at(&whole, &b->bounds, mapping, depth);
            partial_mapping_at(&before, &b->bounds, mapping, depth - 1);
            double bound = bounds_of(&b->bounds, &whole, INFINITY);
            double child = bounds_child(&b->bounds, &before, mapping[depth - 1], INFINITY);
            cr_assert(bound <= least * (1 + 1e-9), "depth %d, %d: %.12g > %.12g", depth, k, bound,
                      least);
            cr_assert(fabs(child - bound) <= 1e-12 * bound, "%g and %g", child, bound);
            if (depth == STAGES && k == cut_at && shape_turns_suffice(b->desc, mapping))
                cr_assert(bound >= least * (1 - 1e-6), "%.12g, not %.12g", bound, least);
        }
    }
}

static void add_cut(Bench *b, int32_t first, int32_t count, uint64_t turns, const double *seconds)
{
    Shape shape = shape_free(b->desc, first, count);
    shape.turns = turns;
    ChainAnswer answer = answer_of(&shape, seconds);
    bounds_add(&b->bounds, first, count, turns, answer.slope);
}

static void cuts_bound_everything(Manner manner)
{
    Bench b = bench(manner);
    double seconds[MOST_ACTIVITIES];
    int32_t mapping[STAGES];
    cr_assert_eq(bounds_new(&b.bounds, &b.costs, NULL), PEPA_OK);
    check_all(&b, -1); /* single stages */
    for (int k = 0; k < MAPPINGS; k += 7) {
        nth_mapping(STAGES, PROCESSORS, k, mapping);
        costs_durations(&b.costs, mapping, seconds);
        add_cut(&b, 0, STAGES, 0, seconds);
        add_cut(&b, 0, STAGES, shape_turns(b.desc, mapping, STAGES), seconds);
        if (manner.transfer == AMOGET_RENDEZVOUS)
            add_cut(&b, 1, 2, 0, seconds + 2);
        check_all(&b, k);
    }
    bench_free(&b);
}

Test(bound, is_below_everything_that_a_partial_mapping_can_become)
{
    for (int cores = 1; cores <= 3; cores += 2)
        for (int phases = 1; phases <= 2; phases++)
            for (int sharing = AMOGET_STATIC; sharing <= AMOGET_SERIAL; sharing++)
                for (int transfer = AMOGET_RENDEZVOUS; transfer <= AMOGET_BUFFERED; transfer++)
                    cuts_bound_everything(
                        (Manner){cores, phases, (AmogetSharing)sharing, (AmogetTransfer)transfer});
}

/* Two neighbours and nothing else on a processor of one core: turns say all there is to say. */
Test(bound, turns_are_what_a_serial_processor_of_two_neighbours_does)
{
    Bench b = bench((Manner){1, 2, AMOGET_SERIAL, AMOGET_RENDEZVOUS});
    int compared = 0;
    for (int k = 0; k < MAPPINGS; k++) {
        int32_t mapping[STAGES];
        double seconds[MOST_ACTIVITIES];
        nth_mapping(STAGES, PROCESSORS, k, mapping);
        Shape shape = shape_free(b.desc, 0, STAGES);
        shape.turns = shape_turns(b.desc, mapping, STAGES);
        costs_durations(&b.costs, mapping, seconds);
        double time = answer_of(&shape, seconds).time;
        cr_expect(time <= b.time[k] * (1 + 1e-11), "%d", k);
        if (!shape_turns_suffice(b.desc, mapping) || !shape.turns)
            continue;
        cr_expect(fabs(time - b.time[k]) <= 1e-11 * time, "%d: %.14g, %.14g", k, time, b.time[k]);
        compared++;
    }
    cr_expect_gt(compared, 10);
    bench_free(&b);
}

/* Full, the pool forgets what helped least, and what it still has holds. */
Test(bound, more_cuts_than_there_is_room_for)
{
    Bench b = bench((Manner){1, 1, AMOGET_STATIC, AMOGET_RENDEZVOUS});
    Shape shape = shape_free(b.desc, 0, STAGES);
    PipelineChain *chain = NULL;
    cr_assert_eq(pipeline_chain_new(&chain, &shape, 1000, NULL, NULL), PEPA_OK);
    cr_assert_eq(bounds_new(&b.bounds, &b.costs, NULL), PEPA_OK);
    for (int k = 0; k < 2 * MOST_CUTS; k++) {
        double seconds[2 * STAGES + 1];
        for (int i = 0; i <= 2 * STAGES; i++)
            seconds[i] = 0.01 + spread_out(k, i);
        ChainAnswer answer = answer_at(chain, seconds);
        bounds_add(&b.bounds, 0, STAGES, 0, answer.slope);
        cr_assert(b.bounds.count <= MOST_CUTS);
    }
    check_all(&b, -1);
    pipeline_chain_free(chain);
    bench_free(&b);
}

Test(chain, shares_sum_to_one_and_parts_are_quicker_than_the_whole)
{
    Bench b = bench((Manner){1, 1, AMOGET_STATIC, AMOGET_RENDEZVOUS});
    for (int k = 0; k < MAPPINGS; k++) {
        int32_t mapping[STAGES];
        double seconds[2 * STAGES + 1], sum = 0;
        Shape shape = shape_free(b.desc, 0, STAGES), part = shape_free(b.desc, 0, 2);
        nth_mapping(STAGES, PROCESSORS, k, mapping);
        costs_durations(&b.costs, mapping, seconds);
        ChainAnswer whole = answer_of(&shape, seconds);
        for (int i = 0; i <= 2 * STAGES; i++)
            sum += whole.share[i];
        cr_expect(fabs(sum - 1) < 1e-9, "%.12g", sum);
        for (int first = 0; first + 2 <= STAGES; first++)
            cr_expect(answer_of(&part, seconds + 2 * first).time <= whole.time * (1 + 1e-12));
    }
    bench_free(&b);
}

Test(chain, too_many_states)
{
    AmogetDescription *desc = lattice(5, 1);
    Shape shape = shape_free(desc, 0, 5);
    PipelineChain *chain = NULL;
    PepaError err = {0};
    cr_expect_eq(pipeline_chain_new(&chain, &shape, 242, NULL, &err), PEPA_ELIMIT);
    cr_expect_str_eq(err.message,
                     "a pipeline of 5 stages has 243 states, more than the limit of 242; merge "
                     "stages until at most 4 are left, or raise the limit");
    cr_expect_null(chain);
    cr_expect_eq(pipeline_chain_new(&chain, &shape, 243, NULL, &err), PEPA_OK, "%s", err.message);
    cr_expect_eq(pipeline_chain_info(chain).states, 243);
    pipeline_chain_free(chain);
    amoget_free(desc);
}
