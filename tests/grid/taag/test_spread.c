/* Groups that are spread over the hosts of sites: bounds and placements of each number of parts,
 * against an enumeration. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "brute.h"
#include "grid/taag/schedule/bound.h"
#include "grid/taag/schedule/schedule.h"
#include "grid/taag/schedule/spread.h"
#include "grid/taag/schedule/spread_place.h"

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

/* Up to seven hosts of up to three sites; links within are shorter than 1 ms.  own: each link has a term
 * of its own. */
static Hosts random_hosts(Brute *b, int32_t widest, bool own)
{
    static const double within[] = {0.1, 0.2, 0.3}, between[] = {2, 3, 5, 20, 30};
    int32_t sites = 1 + below(3), site[MOST];
    double ms[3][3];
    Hosts h;
    AmogetMachine *m = NULL;
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t a = 0; a < sites; a++)
        for (int32_t c = 0; c <= a; c++)
            ms[a][c] = ms[c][a] = a == c ? within[below(3)] : between[below(5)];
    b->hosts = 2 + below(6);
    for (int32_t i = 0; i < b->hosts; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "h%d", i);
        site[i] = below(sites);
        b->places[i] = 1 + below(widest);
        amoget_add_processor(m, name, 1, NULL);
        amoget_set_cores(m, i, b->places[i], NULL);
        for (int32_t j = 0; j < i; j++) {
            b->ms[i][j] = b->ms[j][i] = ms[site[i]][site[j]] + (own ? 0.01 * below(20) : 0);
            amoget_set_latency(m, i, j, b->ms[i][j] / 1e3, NULL);
        }
    }
    cr_assert_eq(hosts_make(&h, m, 1, NULL), PEPA_OK);
    amoget_machine_free(m);
    return h;
}

static AmogetProgram random_program(int32_t room, int32_t *sizes)
{
    static const AmogetProgramKind kinds[] = {AMOGET_GROUPS, AMOGET_GRAPH, AMOGET_TREE,
                                              AMOGET_RING};
    AmogetProgram p = {.kind = kinds[below(4)], .divisor = 1, .levels = 3};
    const int32_t most = room < 7 ? room : 7;
    p.processes = most - (most > 4 ? below(2) : 0);
    p.least = 1 + below(3);
    p.sizes = sizes;
    for (int32_t left = p.processes; left > 0 && p.kind == AMOGET_GRAPH;
         left -= sizes[p.group_count++])
        sizes[p.group_count] = 1 + below(left < 4 ? left : 4);
    return p;
}

/* Is the bound the least cost?  Where no two groups share a host. */
static bool is_exact(const Shape *s, const Sites *sites)
{
    int32_t widest = 0, least = s->least, second = s->least;
    for (int32_t a = 0; a < sites->count; a++)
        widest = sites->widest[a] > widest ? sites->widest[a] : widest;
    if (s->given) {
        least = s->size[s->order[s->parts - 1]];
        second = s->parts > 1 ? s->size[s->order[s->parts - 2]] : least;
    }
    if (s->program->kind == AMOGET_TREE)
        second = 1; /* the manager, beside its leaves */
    return least + second > widest;
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

/* Latencies went through seconds. */
static bool no_more(Cost a, Cost b)
{
    b.most = fmax(b.most, fabs(a.most - b.most) < 1e-9 ? a.most : 0);
    return cost_compare(a, b) <= 0 ||
           (a.level == b.level && fabs(a.most - b.most) < 1e-9 && fabs(a.mean - b.mean) < 1e-9);
}

typedef struct {
    int32_t compared, equal, placed;
} Tally;

static void expect_parts(uint64_t seed, Brute *b, const Hosts *h, const LatencyTree *t,
                         int32_t parts, int64_t limit, Tally *tally)
{
    Shape shape;
    Best best;
    Sites sites;
    bool no_memory = false;
    Effort effort = {.limit = limit, .deadline = INFINITY};
    if (!division_make(&shape, b->program, parts, &no_memory))
        return;
    cr_assert(best_make(&best, b->program->processes));
    Cost bound = bound_of(h, t, &shape, false, 0);
    const int32_t level = bound.level;
    cr_assert(sites_find(&sites, h, t, level));
    cr_assert(spread_solve(h, &sites, &shape, &bound, &best, &effort));
    b->only = parts;
    b->found = false;
    (void)enumerate(b);
    const Cost least = {b->level, b->most, b->mean};
    if (b->found) {
        cr_expect(no_more(bound, least),
                  "seed %llu, %d parts: bound (%d, %g, %g), least (%d, %g, %g)",
                  (unsigned long long)seed, parts, bound.level, bound.most, bound.mean, least.level,
                  least.most, least.mean);
        tally->compared++;
    }
    if (best.found) {
        cr_expect(b->found && no_more(least, best.cost), "seed %llu, %d parts",
                  (unsigned long long)seed, parts);
        tally->placed++;
    }
    if (b->found && is_uniform(h, &sites) && is_exact(&shape, &sites) && !effort.ended &&
        least.level == level && shape.groups > 1 && level > 0) {
        cr_expect(best.found && no_more(best.cost, least) && no_more(least, bound),
                  "seed %llu, %d parts: (%d, %g, %g), least (%d, %g, %g)", (unsigned long long)seed,
                  parts, best.cost.level, best.cost.most, best.cost.mean, least.level, least.most,
                  least.mean);
        tally->equal++;
    }
    sites_free(&sites);
    best_free(&best);
    division_free(&shape);
}

static void expect_seed(uint64_t seed, bool own, int64_t limit, Tally *tally)
{
    Brute b = {0};
    int32_t sizes[MOST], first, last, step;
    LatencyTree t;
    state = seed * 0x9E3779B97F4A7C15u;
    Hosts h = random_hosts(&b, 1 + below(2), own);
    AmogetProgram p = random_program((int32_t)h.capacity, sizes);
    b.program = &p;
    cr_assert_eq(linkage_make(&t, &h, p.processes, NULL), PEPA_OK);
    division_parts(&p, &first, &last, &step);
    for (int32_t parts = first; parts <= last; parts += step)
        expect_parts(seed, &b, &h, &t, parts, limit, tally);
    linkage_free(&t);
    hosts_free(&h);
}

Test(spread, least_of_each_number_of_parts)
{
    Tally tally = {0, 0, 0};
    for (uint64_t seed = 1; seed <= 3000; seed++)
        expect_seed(seed, false, INT64_MAX, &tally);
    cr_expect(tally.compared > 3000 && tally.equal > 1000, "%d compared, %d equal, %d placed",
              tally.compared, tally.equal, tally.placed);
}

Test(spread, bounds_hold_when_the_effort_ends)
{
    Tally tally = {0, 0, 0};
    for (uint64_t seed = 1; seed <= 1000; seed++)
        expect_seed(seed, false, below(60), &tally);
    cr_expect_gt(tally.compared, 1000);
}

Test(spread, bounds_hold_where_each_link_is_its_own)
{
    Tally tally = {0, 0, 0};
    for (uint64_t seed = 1; seed <= 1500; seed++)
        expect_seed(seed, true, INT64_MAX, &tally);
    cr_expect(tally.compared > 1500 && tally.placed > 500, "%d compared, %d placed", tally.compared,
              tally.placed);
}

/* Hosts of three sites in turn, and more sites than there may be. */
Test(spread, sites_of_hosts)
{
    AmogetMachine *m = NULL;
    Hosts h;
    LatencyTree t;
    Sites s;
    for (int32_t sites = 3; sites <= MOST_SITES + 1; sites += MOST_SITES - 2) {
        cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
        for (int32_t i = 0; i < 30; i++) {
            char name[16];
            (void)snprintf(name, sizeof name, "h%d", i);
            amoget_add_processor(m, name, 1, NULL);
            amoget_set_cores(m, i, 1 + i % 4, NULL);
            for (int32_t j = 0; j < i; j++) {
                const int32_t a = i % sites, b = j % sites;
                /* milliseconds: 0.1 + 0.1 a within, and 0.01 more but for the first two; 1 + a + b */
                const double within = 0.1 + 0.1 * a + (j < sites ? 0 : 0.01);
                amoget_set_latency(m, i, j, 1e-3 * (a == b ? within : 1 + a + b), NULL);
            }
        }
        cr_assert_eq(hosts_make(&h, m, 1, NULL), PEPA_OK);
        cr_assert_eq(linkage_make(&t, &h, 30, NULL), PEPA_OK);
        cr_assert(sites_find(&s, &h, &t, 1));
        cr_expect_eq(s.count, sites == 3 ? 3 : 0);
        if (sites == 3) {
            const int32_t first = s.of[0], second = s.of[1], third = s.of[2];
            for (int32_t i = 0; i < 30; i++)
                cr_expect_eq(s.of[i], s.of[i % 3]);
            cr_expect_eq(s.hosts[first] + s.hosts[second] + s.hosts[third], 30);
            cr_expect_eq(s.places[first] + s.places[second] + s.places[third], 73);
            cr_expect_eq(s.widest[second], 4);
            cr_expect_float_eq(s.ms[second][second], 0.2, 1e-9);
            cr_expect_float_eq(s.ms[first][third], 3, 1e-9);
            cr_expect_float_eq(s.longest[1 << first | 1 << second], 2, 1e-9);
            cr_expect_float_eq(s.walk[1 << first | 1 << second], 2 + 2 - 0.1 - 0.2, 1e-9);
            /* round all: 2 + 3 + 4, but twice through the first without the longest link */
            cr_expect_float_eq(s.longest[7], 3, 1e-9);
            cr_expect_float_eq(s.walk[7], 2 * (2 - 0.15) + 2 * (3 - 0.2), 1e-9);
        }
        sites_free(&s);
        linkage_free(&t);
        hosts_free(&h);
        amoget_machine_free(m);
    }
}

/* A hundred hosts of four sites, with so many cores each, or 2 to 7, and groups of 5, 9, 10 and more: costs are
 * proved, and those of an enumeration by another program. */
static void expect_proved(AmogetProgram *p, int32_t cores, double mean)
{
    AmogetMachine *m = NULL;
    Schedule s = {0};
    ScheduleSettings set = {.coefficient = 1};
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t i = 0; i < 100; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "h%d", i);
        amoget_add_processor(m, name, 1, NULL);
        amoget_set_cores(m, i, cores ? cores : 2 + (7 * i) % 6, NULL);
        for (int32_t j = 0; j < i; j++) {
            const int32_t a = i % 4, b = j % 4;
            amoget_set_latency(m, i, j, 1e-3 * (a == b ? 0.1 + 0.1 * a : 10 + a + b), NULL);
        }
    }
    cr_assert_eq(schedule_find(&s, m, p, &set, NULL), PEPA_OK);
    cr_expect(s.optimal && s.cost.level == 1, "kind %d: (%d, %g, %g), bound (%d, %g, %g)", p->kind,
              s.cost.level, s.cost.most, s.cost.mean, s.bound.level, s.bound.most, s.bound.mean);
    cr_expect(isnan(mean) || fabs(s.cost.mean - mean) < 1e-6, "kind %d: mean %.9g", p->kind,
              s.cost.mean);
    schedule_free(&s);
    amoget_machine_free(m);
}

Test(spread, a_hundred_hosts)
{
    int32_t sizes[32];
    AmogetProgram each = {.kind = AMOGET_GROUPS, .processes = 320, .least = 10, .divisor = 1};
    AmogetProgram ring = {.kind = AMOGET_RING, .processes = 320, .least = 10, .divisor = 32};
    AmogetProgram tree = {.kind = AMOGET_TREE, .processes = 320, .least = 9, .levels = 3};
    AmogetProgram given = {.kind = AMOGET_GRAPH, .group_count = 32, .sizes = sizes};
    for (int32_t i = 0; i < 32; i++)
        given.processes += sizes[i] = 5 + i % 9;
    AmogetProgram near = {.kind = AMOGET_RING, .processes = 80, .least = 10, .divisor = 8};
    expect_proved(&near, 0, 0.1); /* all within the first site */
    expect_proved(&each, 0, 3.4417582417582415);
    expect_proved(&ring, 0, 1.715625);
    expect_proved(&tree, 0, 1.1272727272727272);
    expect_proved(&given, 0, 7.115322580645161);
    given.processes = 0;
    for (int32_t i = 0; i < 32; i++)
        given.processes += sizes[i] = 3 + i % 15;
    expect_proved(&given, 4, NAN); /* a packing that exchanges find */
}
