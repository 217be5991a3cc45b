/* Groups that change hosts: no place is used twice, no cost rises, none is below what enumeration finds, and nearly
 * all are equal to it. */
#include "grid/taag/schedule/exchange.h"

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
    int32_t placed, better, least;
} Tally;

typedef bool (*Improve)(const Hosts *h, const Shape *s, Best *best, Effort *effort);

static AmogetMachine *machine_of(Brute *b)
{
    for (int32_t i = 0; i < b->hosts; i++) {
        b->places[i] = 2 + below(2);
        for (int32_t j = 0; j < i; j++)
            b->ms[i][j] = b->ms[j][i] = 2 + below(30);
    }
    return brute_machine(b);
}

/* Each group on the first host with room.  False: one has none. */
static bool offer_first(const Hosts *h, const Shape *shape, Best *best)
{
    int32_t host_of[MOST], used[MOST] = {0}, rank = 0;
    for (int32_t g = 0; g < shape->groups; g++) {
        int32_t i = 0;
        while (i < h->count && used[i] + shape->size[g] > h->places[i])
            i++;
        if (i == h->count)
            return false;
        used[i] += shape->size[g];
        for (int32_t k = 0; k < shape->size[g]; k++)
            host_of[rank++] = i;
    }
    best_offer(best, h, shape, host_of);
    return true;
}

static void expect_places(const Hosts *h, const Best *best, int32_t processes)
{
    int32_t used[MOST] = {0};
    for (int32_t i = 0; i < processes; i++)
        cr_expect_leq(++used[best->host_of[i]], h->places[best->host_of[i]]);
}

/* A random graph of groups of one or two processes. */
static void expect_no_worse(Improve improve, uint64_t seed, Tally *tally)
{
    Brute b = {.hosts = 3 + below(2)};
    Hosts h;
    Shape shape;
    Best best;
    int32_t size[MOST];
    AmogetEdge edge[MOST * MOST];
    bool no_memory = false;
    Effort effort = {.limit = seed % 4 == 0 ? below(20000) : 1000000, .deadline = INFINITY};
    const bool whole = seed % 4 > 0;
    AmogetMachine *m = machine_of(&b);
    AmogetProgram p = {.kind = AMOGET_GRAPH,
                       .divisor = 1,
                       .group_count = 4 + below(2),
                       .sizes = size,
                       .edges = edge};
    for (int32_t g = 0; g < p.group_count; g++)
        p.processes += size[g] = 1 + below(2);
    for (int32_t x = 0; x < p.group_count; x++)
        for (int32_t y = 0; y < x; y++)
            if (y == x - 1 || below(3) == 0)
                edge[p.edge_count++] = (AmogetEdge){y, x};
    b.program = &p;
    cr_assert_eq(hosts_make(&h, m, 1, NULL), PEPA_OK);
    amoget_machine_free(m);
    if (p.processes <= MOST && h.capacity >= p.processes &&
        division_make(&shape, &p, p.group_count, &no_memory)) {
        cr_assert(best_make(&best, p.processes));
        if (offer_first(&h, &shape, &best)) {
            const Cost before = best.cost;
            cr_assert(improve(&h, &shape, &best, &effort));
            (void)enumerate(&b);
            const Cost least = {b.level, b.most, b.mean};
            cr_expect(cost_compare(best.cost, before) <= 0, "seed %d", (int)seed);
            cr_expect(b.level == 0 && best.cost.most > least.most - 1e-9, "seed %d", (int)seed);
            cr_expect(best.cost.most > least.most + 1e-9 || best.cost.mean > least.mean - 1e-9,
                      "seed %d", (int)seed);
            expect_places(&h, &best, p.processes);
            tally->placed += whole;
            tally->better += whole && cost_compare(best.cost, before) < 0;
            tally->least += whole && fabs(best.cost.most - least.most) < 1e-9 &&
                            fabs(best.cost.mean - least.mean) < 1e-9;
        }
        best_free(&best);
        division_free(&shape);
    }
    hosts_free(&h);
}

static Tally improve_all(Improve improve)
{
    Tally tally = {0, 0, 0};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        state = seed * 0x9E3779B97F4A7C15u;
        expect_no_worse(improve, seed, &tally);
    }
    return tally;
}

Test(exchange, local_search_nearly_always_finds_the_least)
{
    const Tally t = improve_all(exchange_improve);
    cr_expect(t.placed > 80 && t.better > t.placed / 2 && t.least > t.placed * 9 / 10,
              "%d placed, %d better, %d the least", t.placed, t.better, t.least);
}

Test(exchange, annealing_nearly_always_finds_the_least)
{
    const Tally t = improve_all(exchange_anneal);
    cr_expect(t.placed > 80 && t.better > t.placed / 2 && t.least > t.placed * 95 / 100,
              "%d placed, %d better, %d the least", t.placed, t.better, t.least);
}
