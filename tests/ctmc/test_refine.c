/* Fewer copies: on random graphs of chunks, against counting again and against all ways there are. */
#include "ctmc/share/refine.h"

#include <math.h>

#include "base/random.h"
#include "ctmc/share/partition.h"
#include "ctmc/share/tuning.h"
#include "support.h"

enum { LARGE = 600, SMALL = 12, PARTS = 7 };

typedef struct {
    ShareGraph graph;
    int32_t row[LARGE + 1];
    ShareLink link[LARGE * 40];
    double work[LARGE], states[LARGE];
    bool flow[LARGE][LARGE]; /* from, to */
} Sample;

static int32_t below(uint64_t *random, int32_t count)
{
    return (int32_t)(random_next(random) * count);
}

static void link_all(Sample *s, int32_t count)
{
    int32_t links = 0;
    for (int32_t c = 0; c < count; c++) {
        s->row[c] = links;
        for (int32_t k = 0; k < count; k++)
            if (k != c && (s->flow[k][c] || s->flow[c][k]))
                s->link[links++] = (ShareLink){k, s->flow[k][c], s->flow[c][k]};
    }
    s->row[count] = links;
    cr_assert_leq(links, LARGE * 40);
    s->graph = (ShareGraph){.count = count,
                            .work = s->work,
                            .states = s->states,
                            .row = s->row,
                            .link = s->link};
}

/* Chunks that flow into some of those near them, or anywhere. */
static void make_random(Sample *s, int32_t count, uint64_t *random)
{
    *s = (Sample){0};
    for (int32_t c = 0; c < count; c++) {
        s->states[c] = 1 + below(random, 9);
        s->work[c] = s->states[c] + below(random, 5);
        for (int32_t k = below(random, 5); k > 0; k--) {
            const bool near = below(random, 4) > 0;
            s->flow[c][near ? (c + 1 + below(random, 8)) % count : below(random, count)] = true;
        }
    }
    link_all(s, count);
}

/* By the definition: who has something that a chunk flows into gets a copy. */
static double count_copies(const Sample *s, int32_t processes, const int32_t *process)
{
    double copies = 0;
    for (int32_t c = 0; c < s->graph.count; c++)
        for (int32_t p = 0; p < processes; p++) {
            bool reads = false;
            for (int32_t k = 0; k < s->graph.count; k++)
                reads |= k != c && s->flow[c][k] && process[k] == p;
            copies += reads && process[c] != p ? s->states[c] : 0;
        }
    return copies;
}

static double largest_work(const Sample *s, int32_t processes, const int32_t *process)
{
    double work[PARTS] = {0}, most = 0;
    for (int32_t c = 0; c < s->graph.count; c++) {
        cr_assert(process[c] >= 0 && process[c] < processes);
        work[process[c]] += s->work[c];
    }
    for (int32_t p = 0; p < processes; p++)
        most = work[p] > most ? work[p] : most;
    return most;
}

static double share_of_work(const Sample *s, int32_t processes)
{
    double all = 0;
    for (int32_t c = 0; c < s->graph.count; c++)
        all += s->work[c];
    return all / processes;
}

Test(refine, copies_do_not_grow_and_work_stays_even)
{
    static Sample s;
    uint64_t random = 1;
    double dealt = 0, refined = 0, climbed = 0;
    for (int32_t round = 0; round < 60; round++) {
        int32_t process[LARGE], processes = 2 + round % (PARTS - 1);
        make_random(&s, 1 + below(&random, round % 3 ? 40 : LARGE), &random);
        if (round % 2)
            share_deal(&s.graph, (ShareParts){processes, NULL}, 1 + below(&random, 4), process);
        else
            for (int32_t c = 0; c < s.graph.count; c++)
                process[c] = below(&random, processes);
        const double limit = fmax(largest_work(&s, processes, process),
                                  SHARE_UNEVEN * share_of_work(&s, processes)) *
                             (1 + 1e-12);
        double copies = count_copies(&s, processes, process);
        cr_assert_eq(share_copies(&s.graph, process), copies);
        dealt += copies;
        for (int climbs = 0; climbs < 2; climbs++) {
            cr_assert((climbs ? share_climb : share_refine)(&s.graph, (ShareParts){processes, NULL},
                                                            process));
            const double now = count_copies(&s, processes, process);
            cr_assert_eq(share_copies(&s.graph, process), now);
            cr_assert_leq(now, copies, "round %d", (int)round);
            cr_assert_leq(largest_work(&s, processes, process), limit, "round %d", (int)round);
            copies = now;
            *(climbs ? &climbed : &refined) += now;
        }
    }
    cr_log_info("copies: dealt %.0f, refined %.0f, climbed %.0f", dealt, refined, climbed);
    cr_assert_lt(refined, 0.8 * dealt);
    cr_assert_lt(climbed, 0.95 * refined);
}

/* The first chunks have nearly all of the work and stay where they are: how many copies there are at
 * least is then a matter of all places of the others. */
static double fewest_copies(const Sample *s, int32_t processes, int32_t *process)
{
    double fewest = HUGE_VAL;
    int32_t ways = 1;
    for (int32_t c = processes; c < s->graph.count; c++)
        ways *= processes;
    for (int32_t way = 0; way < ways; way++) {
        int32_t rest = way;
        for (int32_t c = 0; c < s->graph.count; c++) {
            process[c] = c < processes ? c : rest % processes;
            rest /= c < processes ? 1 : processes;
        }
        fewest = fmin(fewest, count_copies(s, processes, process));
    }
    return fewest;
}

Test(refine, small_graphs_against_all_ways)
{
    static Sample s;
    uint64_t random = 2;
    int32_t graphs = 0, best = 0, best_descent = 0;
    for (; graphs < 100; graphs++) {
        const int32_t processes = 2 + graphs % 2, count = processes == 2 ? SMALL : SMALL - 3;
        int32_t process[SMALL], start[SMALL];
        make_random(&s, count, &random);
        for (int32_t c = 0; c < processes; c++)
            s.work[c] = 1e4;
        for (int32_t c = 0; c < count; c++)
            start[c] = c < processes ? c : below(&random, processes);
        const double fewest = fewest_copies(&s, processes, process);
        for (int32_t c = 0; c < count; c++)
            process[c] = start[c];
        cr_assert(share_refine(&s.graph, (ShareParts){processes, NULL}, process));
        best_descent += share_copies(&s.graph, process) == fewest;
        cr_assert(share_climb(&s.graph, (ShareParts){processes, NULL}, process));
        for (int32_t c = 0; c < processes; c++)
            cr_assert_eq(process[c], c);
        cr_assert_geq(share_copies(&s.graph, process), fewest);
        best += share_copies(&s.graph, process) == fewest;
    }
    cr_log_info("fewest copies: %d of %d, %d without climbing", (int)best, (int)graphs,
                (int)best_descent);
    cr_assert_geq(best, 70);
    cr_assert_geq(best, 2 * best_descent);
}

/* A process of which more is wanted may do more; by how much one is above its part does not grow. */
Test(refine, parts)
{
    static Sample s;
    static const double part[] = {0.5, 0.1, 0.05, 0.35};
    enum { COUNT = 4 };
    uint64_t random = 7;
    double dealt = 0, climbed = 0;
    for (int32_t round = 0; round < 60; round++) {
        int32_t process[LARGE];
        double most = 0, all = 0;
        make_random(&s, 40 + below(&random, LARGE - 40), &random);
        share_deal(&s.graph, (ShareParts){COUNT, part}, 1 + round % 3, process);
        for (int32_t c = 0; c < s.graph.count; c++)
            all += s.work[c];
        for (int stage = 0; stage < 3; stage++) {
            double work[COUNT] = {0}, now = 0;
            if (stage > 0)
                cr_assert((stage == 1 ? share_refine
                                      : share_climb)(&s.graph, (ShareParts){COUNT, part}, process));
            for (int32_t c = 0; c < s.graph.count; c++)
                work[process[c]] += s.work[c];
            for (int32_t p = 0; p < COUNT; p++)
                now = fmax(now, work[p] / (all * part[p]));
            most = stage == 0 ? fmax(now, SHARE_UNEVEN) : most;
            cr_expect_leq(now, most * (1 + 1e-12));
            cr_expect_lt(stage == 0 ? fabs(work[0] - part[0] * all) : 0, 0.02 * all + 60);
            *(stage == 0 ? &dealt : &climbed) += stage == 1 ? 0 : share_copies(&s.graph, process);
        }
    }
    cr_expect_lt(climbed, 0.9 * dealt);
}

/* Two rings, of which each process has every other run of ten chunks.  No single move gains.  With a
 * ring each there would be nothing to copy. */
Test(refine, climbs_out_of_a_local_minimum)
{
    static Sample s;
    enum { RING = 200 };
    int32_t process[2 * RING];
    s = (Sample){0};
    for (int32_t c = 0; c < 2 * RING; c++) {
        const int32_t at = c % RING, first = c - at;
        s.work[c] = s.states[c] = 1;
        s.flow[c][first + (at + 1) % RING] = s.flow[first + (at + 1) % RING][c] = true;
        process[c] = at / 10 % 2;
    }
    link_all(&s, 2 * RING);
    const double before = share_copies(&s.graph, process);
    cr_assert_eq(before, 80);
    cr_assert(share_refine(&s.graph, (ShareParts){2, NULL}, process));
    const double stuck = share_copies(&s.graph, process);
    cr_assert(share_climb(&s.graph, (ShareParts){2, NULL}, process));
    cr_log_info("rings: %.0f, then %.0f", stuck, share_copies(&s.graph, process));
    cr_assert_eq(stuck, before);
    cr_assert_lt(share_copies(&s.graph, process), 0.4 * before);
}
