/* Rings of groups that are spread over sites, against an enumeration of all sizes and sites. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "grid/taag/schedule/ring_walk.h"

enum { SITES = 4, GROUPS = 6 };

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

typedef struct {
    int32_t sites, groups, least, processes;
    int32_t places[SITES], size[GROUPS], site[GROUPS];
    double ms[SITES][SITES];
    double most, sum; /* of the best; INFINITY: there is none */
} Ring;

/* Hosts of one place each. */
static AmogetMachine *random_ring(Ring *r)
{
    AmogetMachine *m = NULL;
    int32_t site[SITES * 20], hosts = 0, room = 0;
    *r = (Ring){.sites = 1 + below(SITES), .groups = 3 + below(4), .least = 2 + below(2)};
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t a = 0; a < r->sites; a++) {
        r->places[a] = 2 + below(r->groups * r->least);
        room += r->places[a];
        for (int32_t b = 0; b <= a; b++)
            r->ms[a][b] = r->ms[b][a] = a == b ? 0.1 * (1 + below(3)) : 2 + below(12);
        for (int32_t i = 0; i < r->places[a]; i++) {
            char name[16];
            (void)snprintf(name, sizeof name, "h%d", hosts);
            amoget_add_processor(m, name, 1, NULL);
            for (int32_t j = 0; j < hosts; j++)
                amoget_set_latency(m, hosts, j, r->ms[a][site[j]] / 1e3, NULL);
            site[hosts++] = a;
        }
    }
    r->processes = r->groups * r->least;
    if (room > r->processes)
        r->processes += below(room - r->processes + 1);
    r->most = r->sum = INFINITY;
    return m;
}

static void measure(Ring *r)
{
    double most = 0, sum = 0;
    for (int32_t i = 0; i < r->groups; i++) {
        const double ms = r->ms[r->site[i]][r->site[(i + 1) % r->groups]];
        most = fmax(most, ms);
        sum += ms;
    }
    if (most < r->most || (most <= r->most && sum < r->sum)) {
        r->most = most;
        r->sum = sum;
    }
}

/* Sizes that do not rise, and sites, from group g on. */
static void try_all(Ring *r, int32_t g, int32_t left)
{
    if (g == r->groups) {
        if (left == 0)
            measure(r);
        return;
    }
    const int32_t high = g == 0 || r->size[g - 1] > left ? left : r->size[g - 1];
    for (r->size[g] = r->least; r->size[g] <= high; r->size[g]++)
        for (int32_t a = 0; a < r->sites; a++) {
            const int32_t size = r->size[g];
            if (r->places[a] < size)
                continue;
            r->site[g] = a;
            r->places[a] -= size;
            try_all(r, g + 1, left - size);
            r->places[a] += size;
        }
}

typedef struct {
    int32_t compared, found, ended;
} Tally;

static void expect_least(uint64_t seed, int64_t limit, Tally *tally)
{
    Ring r;
    Hosts h;
    LatencyTree t;
    Sites sites;
    Shape shape;
    Best best;
    bool no_memory = false;
    state = seed * 0x9E3779B97F4A7C15u;
    AmogetMachine *m = random_ring(&r);
    AmogetProgram p = {.kind = AMOGET_RING,
                       .processes = r.processes,
                       .least = r.least,
                       .divisor = 1};
    Effort effort = {.limit = limit, .deadline = INFINITY};
    Cost bound = {1, 0, 0};
    cr_assert_eq(hosts_make(&h, m, 1, NULL), PEPA_OK);
    amoget_machine_free(m);
    cr_assert_eq(linkage_make(&t, &h, p.processes, NULL), PEPA_OK);
    cr_assert(division_make(&shape, &p, r.groups, &no_memory));
    cr_assert(best_make(&best, p.processes));
    cr_assert(sites_find(&sites, &h, &t, 1));
    cr_assert(ring_walk_solve(&h, &sites, &shape, &bound, &best, &effort));
    try_all(&r, 0, r.processes);
    const double mean = r.sum / r.groups;
    const bool none = isinf(r.most), low = bound.level == 1;
    cr_expect(none || (low && (bound.most < r.most - 1e-9 ||
                               (bound.most < r.most + 1e-9 && bound.mean < mean + 1e-9))),
              "seed %llu: bound (%d, %g, %g), least (%g, %g)", (unsigned long long)seed,
              bound.level, bound.most, bound.mean, r.most, mean);
    if (!effort.ended) {
        cr_expect(low == !none && best.found == !none, "seed %llu", (unsigned long long)seed);
        cr_expect(none || (fabs(bound.mean - mean) < 1e-9 && fabs(best.cost.mean - mean) < 1e-9 &&
                           fabs(best.cost.most - r.most) < 1e-9),
                  "seed %llu: bound %g, found (%g, %g), least (%g, %g)", (unsigned long long)seed,
                  bound.mean, best.cost.most, best.cost.mean, r.most, mean);
    }
    tally->compared++;
    tally->found += !none;
    tally->ended += effort.ended;
    sites_free(&sites);
    best_free(&best);
    division_free(&shape);
    linkage_free(&t);
    hosts_free(&h);
}

Test(ring_walk, least_of_all)
{
    Tally tally = {0, 0, 0};
    for (uint64_t seed = 1; seed <= 1200; seed++)
        expect_least(seed, INT64_MAX, &tally);
    cr_expect(tally.found > 600 && tally.found < tally.compared && tally.ended == 0,
              "%d compared, %d found", tally.compared, tally.found);
}

Test(ring_walk, bounds_hold_when_the_effort_ends)
{
    Tally tally = {0, 0, 0};
    for (uint64_t seed = 1; seed <= 600; seed++)
        expect_least(seed, 100 + below(3000), &tally);
    cr_expect(tally.found > 300 && tally.ended > 100, "%d found, %d ended", tally.found,
              tally.ended);
}
