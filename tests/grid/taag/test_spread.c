/* Groups that are spread over the hosts of sites: bounds and placements of each number of parts,
 * against an enumeration. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "brute.h"
#include "grid/taag/schedule/bound.h"
#include "grid/taag/schedule/spread.h"

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

/* Up to seven hosts of up to three sites; links within are shorter than 1 ms. */
static Hosts random_hosts(Brute *b, int32_t widest)
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
            b->ms[i][j] = b->ms[j][i] = ms[site[i]][site[j]];
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

/* Is the bound the least cost?  Where no two groups share a host, and in all rings that have a
 * placement with sizes that fall along the sites. */
static bool exact(const Shape *s, const Sites *sites)
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
    return s->program->kind != AMOGET_RING && least + second > widest;
}

/* Is every site one set of that level? */
static bool divided(const Hosts *h, const Sites *s, int32_t level)
{
    bool all = level > 0;
    for (int32_t a = 0; a < s->count; a++)
        for (int32_t b = 0; b < s->count; b++)
            all = all && (a == b) == (s->ms[a][b] <= h->most[level]);
    return all;
}

typedef struct {
    int32_t compared, equal, placed;
} Tally;

static void expect_parts(uint64_t seed, Brute *b, const Hosts *h, const LatencyTree *t,
                         const Sites *sites, int32_t parts, int64_t limit, Tally *tally)
{
    Shape shape;
    Best best;
    bool no_memory = false;
    Effort effort = {.limit = limit, .deadline = INFINITY};
    if (!division_make(&shape, b->program, parts, &no_memory))
        return;
    cr_assert(best_make(&best, b->program->processes));
    Cost bound = bound_of(h, t, &shape, false);
    const int32_t level = bound.level;
    cr_assert(spread_solve(h, sites, &shape, &bound, &best, &effort));
    b->only = parts;
    b->found = false;
    (void)enumerate(b);
    const Cost least = {b->level, b->most, b->mean};
    if (b->found) {
        cr_expect(cost_compare(bound, least) <= 0 || fabs(bound.mean - least.mean) < 1e-9,
                  "seed %llu, %d parts: bound (%d, %g, %g), least (%d, %g, %g)",
                  (unsigned long long)seed, parts, bound.level, bound.most, bound.mean, least.level,
                  least.most, least.mean);
        tally->compared++;
    }
    if (best.found) {
        cr_expect(b->found && (cost_compare(best.cost, least) >= 0 ||
                               fabs(best.cost.mean - least.mean) < 1e-9));
        tally->placed++;
    }
    if (b->found && exact(&shape, sites) && !effort.ended && least.level == level &&
        shape.groups > 1 && divided(h, sites, level)) {
        cr_expect(best.found && best.cost.most <= least.most &&
                      fabs(best.cost.mean - least.mean) < 1e-9 && bound.most >= least.most &&
                      fabs(bound.mean - least.mean) < 1e-9,
                  "seed %llu, %d parts: (%d, %g, %g), least (%d, %g, %g)", (unsigned long long)seed,
                  parts, best.cost.level, best.cost.most, best.cost.mean, least.level, least.most,
                  least.mean);
        tally->equal++;
    }
    best_free(&best);
    division_free(&shape);
}

static void expect_seed(uint64_t seed, int64_t limit, Tally *tally)
{
    Brute b = {0};
    int32_t sizes[MOST], first, last, step;
    LatencyTree t;
    Sites sites;
    state = seed * 0x9E3779B97F4A7C15u;
    Hosts h = random_hosts(&b, 1 + below(2));
    AmogetProgram p = random_program((int32_t)h.capacity, sizes);
    b.program = &p;
    cr_assert_eq(linkage_make(&t, &h, p.processes, NULL), PEPA_OK);
    cr_assert(sites_find(&sites, &h));
    cr_expect(sites.count > 0 && sites.count <= 3);
    division_parts(&p, &first, &last, &step);
    for (int32_t parts = first; parts <= last; parts += step)
        expect_parts(seed, &b, &h, &t, &sites, parts, limit, tally);
    sites_free(&sites);
    linkage_free(&t);
    hosts_free(&h);
}

Test(spread, least_of_each_number_of_parts)
{
    Tally tally = {0, 0, 0};
    for (uint64_t seed = 1; seed <= 3000; seed++)
        expect_seed(seed, INT64_MAX, &tally);
    cr_expect(tally.compared > 3000 && tally.equal > 1000, "%d compared, %d equal, %d placed",
              tally.compared, tally.equal, tally.placed);
}

Test(spread, bounds_hold_when_the_effort_ends)
{
    Tally tally = {0, 0, 0};
    for (uint64_t seed = 1; seed <= 1000; seed++)
        expect_seed(seed, below(60), &tally);
    cr_expect_gt(tally.compared, 1000);
}

/* Twenty hosts that all differ are no sites; three sites are found in any order of hosts. */
Test(spread, sites_of_hosts)
{
    AmogetMachine *m = NULL;
    Hosts h;
    Sites s;
    for (int32_t kind = 0; kind < 2; kind++) {
        cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
        for (int32_t i = 0; i < 20; i++) {
            char name[16];
            (void)snprintf(name, sizeof name, "h%d", i);
            amoget_add_processor(m, name, 1, NULL);
            amoget_set_cores(m, i, 1 + i % 4, NULL);
            for (int32_t j = 0; j < i; j++)
                amoget_set_latency(m, i, j, kind == 0 ? 1 + i * 20 + j : 1 + i % 3 + j % 3, NULL);
        }
        cr_assert_eq(hosts_make(&h, m, 1, NULL), PEPA_OK);
        cr_assert(sites_find(&s, &h));
        cr_expect_eq(s.count, kind == 0 ? 0 : 3);
        for (int32_t i = 0; i < 20 && kind == 1; i++)
            cr_expect_eq(s.of[i], i % 3);
        if (kind == 1) {
            cr_expect_eq(s.hosts[0] + s.hosts[1] + s.hosts[2], 20);
            cr_expect_float_eq(s.ms[1][1], 3000, 1e-9);
            cr_expect_float_eq(s.longest[3], 2000, 1e-9);
            /* round three sites, 1 + a + b: 2 + 3 + 4 and the ends' (1 + 2 a) / 2 twice each */
            cr_expect_float_eq(s.walk[7], 1e3 * (2 + 3 + 4 - 1 - 3 - 5), 1e-9);
        }
        sites_free(&s);
        hosts_free(&h);
        amoget_machine_free(m);
    }
}
