/* Processes of spread groups that move: no place is used twice, no cost rises, none is below what enumeration finds. */
#include "grid/taag/schedule/shift.h"

#include <criterion/criterion.h>
#include <math.h>

#include "brute.h"

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

typedef struct {
    int32_t spread, better, least;
} Tally;

static AmogetMachine *machine_of(Brute *b)
{
    for (int32_t i = 0; i < b->hosts; i++) {
        b->places[i] = 1 + below(2);
        for (int32_t j = 0; j < i; j++)
            b->ms[i][j] = b->ms[j][i] = 2 + below(30);
    }
    return brute_machine(b);
}

static AmogetProgram program_of(int32_t processes)
{
    AmogetProgram p = {.divisor = 1, .processes = processes, .least = 2};
    const int32_t kind = below(3);
    p.kind = kind == 0 ? AMOGET_GROUPS : kind == 1 ? AMOGET_RING : AMOGET_TREE;
    p.levels = 3;
    return p;
}

/* A cost that is not above another, but for latencies that went through seconds. */
static bool no_more(Cost a, Cost b)
{
    if (a.level != b.level)
        return a.level < b.level;
    return a.most < b.most - 1e-9 || (a.most < b.most + 1e-9 && a.mean < b.mean + 1e-9);
}

static void expect_places(const Hosts *h, const Best *best, int32_t processes)
{
    int32_t used[MOST] = {0};
    for (int32_t i = 0; i < processes; i++)
        cr_expect_leq(++used[best->host_of[i]], h->places[best->host_of[i]]);
}

/* Each process on the next place. */
static void offer_in_order(const Hosts *h, const Shape *shape, Best *best)
{
    int32_t host_of[MOST], rank = 0;
    for (int32_t i = 0; i < h->count; i++)
        for (int32_t n = 0; n < h->places[i] && rank < shape->fixed + shape->rest; n++)
            host_of[rank++] = i;
    best_offer(best, h, shape, host_of);
}

static void expect_no_worse(uint64_t seed, Tally *tally)
{
    Brute b = {.hosts = 4 + below(3)};
    Hosts h;
    Shape shape;
    Best best;
    bool no_memory = false;
    Effort effort = {.limit = seed % 4 == 0 ? below(20000) : INT64_MAX, .deadline = INFINITY};
    AmogetMachine *m = machine_of(&b);
    AmogetProgram p = program_of(6 + below(2));
    b.program = &p;
    b.only = 2;
    cr_assert_eq(hosts_make(&h, m, 1, NULL), PEPA_OK);
    amoget_machine_free(m);
    if (h.capacity >= p.processes && division_make(&shape, &p, 2, &no_memory)) {
        cr_assert(best_make(&best, p.processes));
        offer_in_order(&h, &shape, &best);
        const Cost before = best.cost;
        cr_assert(shift_improve(&h, &shape, seed % 2 == 0, (int32_t)seed, &best, &effort));
        cr_expect(best.sizes[0] >= best.sizes[1] && best.sizes[1] >= p.least);
        cr_expect_eq(best.sizes[0] + best.sizes[1], shape.rest);
        (void)enumerate(&b);
        cr_expect(no_more(best.cost, before), "seed %d", (int)seed);
        cr_expect(no_more((Cost){b.level, b.most, b.mean}, best.cost), "seed %d", (int)seed);
        cr_expect_leq(best.cost.level, before.level, "seed %d", (int)seed);
        expect_places(&h, &best, p.processes);
        tally->spread += before.level > 0;
        tally->better += cost_compare(best.cost, before) < 0;
        tally->least += no_more(best.cost, (Cost){b.level, b.most, b.mean});
        best_free(&best);
        division_free(&shape);
    }
    hosts_free(&h);
}

Test(shift, no_cost_rises_and_no_place_is_used_twice)
{
    Tally tally = {0, 0, 0};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        state = seed * 0x9E3779B97F4A7C15u;
        expect_no_worse(seed, &tally);
    }
    cr_expect(tally.spread > 50 && tally.better > 40 && tally.least > 15,
              "%d spread, %d better, %d the least", tally.spread, tally.better, tally.least);
}
