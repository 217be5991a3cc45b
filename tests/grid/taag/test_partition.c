/* Graphs of groups on sites: bounds and placements against an enumeration of the hosts of groups; what is proved
 * against annealing from many starts. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brute.h"
#include "grid/taag/schedule/bound.h"
#include "grid/taag/schedule/partition.h"
#include "grid/taag/schedule/schedule.h"
#include "grid/taag/schedule/subsets.h"

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

/* ---- a grid and a graph --------------------------------------------------------------------- */

enum { HOSTS = 40, GROUPS = 14 };

typedef struct {
    int32_t hosts, places[HOSTS], groups, size[GROUPS];
    double ms[HOSTS][HOSTS];
    AmogetEdge edges[GROUPS * GROUPS];
    int32_t edge_count;
    int32_t at[GROUPS]; /* hosts */
    bool found;
    double most, sum; /* of the best */
} World;

/* own: each link has a term of its own. */
static AmogetMachine *random_world(World *w, int32_t hosts, int32_t groups, int32_t widest,
                                   bool own)
{
    static const double within[] = {0.1, 0.2, 0.3}, between[] = {2, 3, 5, 20, 30};
    const int32_t sites = 1 + below(4);
    int32_t site[HOSTS];
    double ms[4][4];
    AmogetMachine *m = NULL;
    *w = (World){.hosts = hosts, .groups = groups};
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t a = 0; a < sites; a++)
        for (int32_t c = 0; c <= a; c++)
            ms[a][c] = ms[c][a] = a == c ? within[below(3)] : between[below(5)];
    for (int32_t i = 0; i < hosts; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "h%d", i);
        site[i] = below(sites);
        w->places[i] = 1 + below(widest);
        amoget_add_processor(m, name, 1, NULL);
        amoget_set_cores(m, i, w->places[i], NULL);
        for (int32_t j = 0; j < i; j++) {
            w->ms[i][j] = w->ms[j][i] = ms[site[i]][site[j]] + (own ? 0.01 * below(20) : 0);
            amoget_set_latency(m, i, j, w->ms[i][j] / 1e3, NULL);
        }
    }
    return m;
}

/* one_of: of so many pairs one talks; 0: stars, of which the second has two groups. */
static AmogetProgram random_graph(World *w, int32_t widest, int32_t one_of)
{
    const int32_t first =
        w->groups >= 5 && one_of == 0 && below(2) == 0 ? w->groups - 2 : w->groups;
    AmogetProgram p = {.kind = AMOGET_GRAPH, .divisor = 1, .group_count = w->groups};
    for (int32_t g = 0; g < w->groups; g++) {
        p.processes += w->size[g] = 1 + below(widest);
        for (int32_t h = 0; h < g; h++)
            if (one_of == 0 ? h == (g < first ? 0 : first) : below(one_of) == 0)
                w->edges[w->edge_count++] = (AmogetEdge){g, h};
    }
    if (w->edge_count == 0)
        w->edges[w->edge_count++] = (AmogetEdge){0, 1};
    p.sizes = w->size;
    p.edges = w->edges;
    p.edge_count = w->edge_count;
    return p;
}

static void measure(const World *w, double *most, double *sum)
{
    *most = *sum = 0;
    for (int32_t e = 0; e < w->edge_count; e++) {
        const double ms = w->ms[w->at[w->edges[e].a]][w->at[w->edges[e].b]];
        *most = fmax(*most, ms);
        *sum += ms;
    }
}

/* All hosts of groups from g on. */
static void all_hosts(World *w, int32_t g)
{
    if (g == w->groups) {
        double most, sum;
        measure(w, &most, &sum);
        if (!w->found || most < w->most || (most <= w->most && sum < w->sum)) {
            w->found = true;
            w->most = most;
            w->sum = sum;
        }
        return;
    }
    for (w->at[g] = 0; w->at[g] < w->hosts; w->at[g]++) {
        const int32_t i = w->at[g];
        if (w->places[i] < w->size[g])
            continue;
        w->places[i] -= w->size[g];
        all_hosts(w, g + 1);
        w->places[i] += w->size[g];
        w->at[g] = i;
    }
}

/* Latencies went through seconds. */
static bool no_more(Cost a, Cost b)
{
    if (a.level != b.level)
        return a.level < b.level;
    return a.most < b.most - 1e-9 || (a.most < b.most + 1e-9 && a.mean < b.mean + 1e-9);
}

/* Are all latencies of two sites equal? */
static bool is_uniform(const Hosts *h, const Sites *s)
{
    bool all = true;
    for (int32_t i = 0; i < h->count; i++)
        for (int32_t j = 0; j < i; j++)
            all = all && hosts_ms(h, i, j) <= s->ms[s->of[i]][s->of[j]];
    return all;
}

typedef struct {
    int32_t compared, equal;
} Tally;

/* most: of hosts, and of groups. */
static void expect_least(uint64_t seed, int32_t most, bool own, bool stars, int64_t limit,
                         Tally *tally)
{
    World w;
    Hosts h;
    LatencyTree t;
    Sites sites;
    Shape shape;
    Best best;
    bool no_memory = false;
    Effort effort = {.limit = limit, .deadline = INFINITY};
    state = seed * 0x9E3779B97F4A7C15u;
    AmogetMachine *m = random_world(&w, 2 + below(most - 1), 2 + below(most - 1), 5, own);
    AmogetProgram p = random_graph(&w, 3, stars ? 0 : 1 + below(2));
    cr_assert_eq(hosts_make(&h, m, 1, NULL), PEPA_OK);
    amoget_machine_free(m);
    if (p.processes <= h.capacity) {
        cr_assert_eq(linkage_make(&t, &h, p.processes, NULL), PEPA_OK);
        cr_assert(division_make(&shape, &p, w.groups, &no_memory));
        cr_assert(best_make(&best, p.processes));
        cr_assert(sites_find(&sites, &h, &t, 1));
        Cost bound = bound_of(&h, &t, &shape, true, 0);
        const bool whole = bound.level == 0;
        cr_assert(partition_solve(&h, &sites, &shape, &bound, &best, &effort));
        all_hosts(&w, 0);
        const Cost least = w.found ? (Cost){0, w.most, w.sum / w.edge_count} : (Cost){1, 0, 0};
        cr_expect(!whole || no_more(bound, least),
                  "seed %llu: bound (%d, %g, %g), least (%d, %g, %g)", (unsigned long long)seed,
                  bound.level, bound.most, bound.mean, least.level, least.most, least.mean);
        cr_expect(!best.found || best.cost.level > 0 || (w.found && no_more(least, best.cost)),
                  "seed %llu", (unsigned long long)seed);
        tally->compared += whole && w.found;
        if (whole && is_uniform(&h, &sites) && limit == INT64_MAX) {
            cr_expect(no_more(least, bound) &&
                          (!w.found || (best.found && no_more(best.cost, least))),
                      "seed %llu: bound (%d, %g, %g), best %d (%d, %g, %g), least (%d, %g, %g)",
                      (unsigned long long)seed, bound.level, bound.most, bound.mean, best.found,
                      best.cost.level, best.cost.most, best.cost.mean, least.level, least.most,
                      least.mean);
            tally->equal++;
        }
        sites_free(&sites);
        best_free(&best);
        division_free(&shape);
        linkage_free(&t);
    }
    hosts_free(&h);
}

/* Of the seeds more than `least` can be compared, and as many have the cost of the best of all. */
static void expect_more(uint64_t first, uint64_t last, int32_t groups, bool star, int32_t least)
{
    Tally tally = {0, 0};
    for (uint64_t seed = first; seed <= last; seed++)
        expect_least(seed, groups, false, star, INT64_MAX, &tally);
    cr_expect(tally.compared > least && tally.equal > least, "%d compared, %d equal",
              tally.compared, tally.equal);
}

Test(partition, least_of_all)
{
    expect_more(1, 1500, 5, false, 900);
}

Test(partition, least_of_larger_ones)
{
    expect_more(2001, 2800, 7, false, 400);
}

/* Groups that are alike but for their sizes. */
Test(partition, least_of_stars)
{
    expect_more(3001, 4200, 7, true, 600);
}

Test(partition, bounds_hold_where_each_link_is_its_own)
{
    Tally tally = {0, 0};
    for (uint64_t seed = 1; seed <= 500; seed++)
        expect_least(seed, 5, true, false, INT64_MAX, &tally);
    cr_expect_gt(tally.compared, 300);
}

Test(partition, bounds_hold_when_the_effort_ends)
{
    Tally tally = {0, 0};
    for (uint64_t seed = 1; seed <= 500; seed++)
        expect_least(seed, 5, false, seed % 2 == 0, below(3000), &tally);
    cr_expect_gt(tally.compared, 300);
}

/* ---- groups that are spread ----------------------------------------------------------------- */

/* Groups may be larger than hosts: processes one by one. */
static void expect_spread(uint64_t seed, Tally *tally)
{
    World w;
    Brute b = {0};
    Hosts h;
    LatencyTree t;
    Sites sites;
    Shape shape;
    Best best;
    bool no_memory = false;
    Effort effort = {.limit = INT64_MAX, .deadline = INFINITY};
    state = seed * 0x9E3779B97F4A7C15u;
    AmogetMachine *m = random_world(&w, 2 + below(5), 2 + below(2), 2, false);
    AmogetProgram p = random_graph(&w, 3, 1 + below(2));
    cr_assert_eq(hosts_make(&h, m, 1, NULL), PEPA_OK);
    amoget_machine_free(m);
    if (p.processes <= h.capacity && p.processes <= 7) {
        b.program = &p;
        b.hosts = w.hosts;
        for (int32_t i = 0; i < w.hosts; i++) {
            b.places[i] = w.places[i];
            for (int32_t j = 0; j < w.hosts; j++)
                b.ms[i][j] = w.ms[i][j];
        }
        (void)enumerate(&b);
        const Cost least = {b.level, b.most, b.mean};
        cr_assert_eq(linkage_make(&t, &h, p.processes, NULL), PEPA_OK);
        cr_assert(division_make(&shape, &p, w.groups, &no_memory));
        cr_assert(best_make(&best, p.processes));
        Cost bound = bound_of(&h, &t, &shape, true, 0);
        const int32_t level = bound.level;
        cr_assert(sites_find(&sites, &h, &t, level > 0 ? level : 1));
        cr_assert(partition_solve(&h, &sites, &shape, &bound, &best, &effort));
        cr_expect(no_more(bound, least), "seed %llu: bound (%d, %g, %g), least (%d, %g, %g)",
                  (unsigned long long)seed, bound.level, bound.most, bound.mean, least.level,
                  least.most, least.mean);
        cr_expect(!best.found || no_more(least, best.cost), "seed %llu", (unsigned long long)seed);
        tally->compared += level > 0;
        tally->equal += level > 0 && best.found && no_more(best.cost, bound);
        sites_free(&sites);
        best_free(&best);
        division_free(&shape);
        linkage_free(&t);
    }
    hosts_free(&h);
}

Test(partition, groups_that_are_spread)
{
    Tally tally = {0, 0};
    for (uint64_t seed = 1; seed <= 2000; seed++)
        expect_spread(seed, &tally);
    cr_expect(tally.compared > 300 && tally.equal > 300, "%d compared, %d equal", tally.compared,
              tally.equal);
}

/* ---- annealing ------------------------------------------------------------------------------ */

/* Largest latencies weigh more than all sums. */
static double weighed(const World *w, double heavy)
{
    double most, sum;
    measure(w, &most, &sum);
    return heavy * most + sum;
}

/* From random hosts on, groups move and change places; written apart from the scheduler. */
static void anneal(World *w, double *most, double *mean)
{
    int32_t free[HOSTS];
    memcpy(free, w->places, sizeof free);
    for (int32_t g = 0; g < w->groups; g++) { /* the first host with room from a random one on */
        int32_t i = below(w->hosts), tries = 0;
        while (free[i] < w->size[g] && tries++ < w->hosts)
            i = (i + 1) % w->hosts;
        if (free[i] < w->size[g])
            return;
        w->at[g] = i;
        free[i] -= w->size[g];
    }
    double now = weighed(w, 1000);
    for (double heat = 3000; heat > 0.01; heat *= 0.999) {
        const int32_t g = below(w->groups), other = below(w->groups), from = w->at[g];
        const bool swap = below(2);
        const int32_t to = swap ? w->at[other] : below(w->hosts);
        const int32_t more = swap ? w->size[g] - w->size[other] : w->size[g];
        if (to == from || free[to] < more || (swap && free[from] < -more))
            continue;
        w->at[g] = to;
        if (swap)
            w->at[other] = from;
        const double then = weighed(w, 1000);
        if (then <= now || exp((now - then) / heat) * 1e6 > below(1000000)) {
            free[from] += more;
            free[to] -= more;
            now = then;
            measure(w, most, mean);
            *mean /= w->edge_count;
            continue;
        }
        w->at[g] = from;
        if (swap)
            w->at[other] = to;
    }
}

/* Returns whether the cost is proved. */
static bool expect_not_beaten(uint64_t seed, bool own)
{
    World w;
    Schedule s = {0};
    ScheduleSettings set = {.coefficient = 1};
    PepaError err = {0};
    int64_t capacity = 0;
    state = seed * 0x9E3779B97F4A7C15u;
    AmogetMachine *m = random_world(&w, HOSTS / 2 + below(HOSTS / 2), GROUPS, 4, own);
    AmogetProgram p = random_graph(&w, 4, 3 + below(4));
    for (int32_t i = 0; i < w.hosts; i++)
        capacity += w.places[i];
    bool proved = false;
    if (capacity >= p.processes && schedule_find(&s, m, &p, &set, &err) == PEPA_OK) {
        const Cost bound = s.bound;
        proved = s.optimal;
        for (int32_t start = 0; start < 10; start++) {
            double most = INFINITY, mean = INFINITY;
            anneal(&w, &most, &mean);
            cr_expect(isinf(most) || no_more(bound, (Cost){0, most, mean}),
                      "seed %llu: bound (%d, %g, %g), annealing (0, %g, %g)",
                      (unsigned long long)seed, bound.level, bound.most, bound.mean, most, mean);
        }
        schedule_free(&s);
    }
    amoget_machine_free(m);
    return proved;
}

Test(partition, no_annealing_beats_a_bound)
{
    int32_t proved = 0;
    for (uint64_t seed = 1; seed <= 20; seed++)
        proved += expect_not_beaten(seed, false);
    cr_expect_geq(proved, 10, "%d proved", proved);
    for (uint64_t seed = 1; seed <= 5; seed++)
        (void)expect_not_beaten(seed, true);
}
