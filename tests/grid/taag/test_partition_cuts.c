/* Bounds by cuts, of groups of which some have sites, against an enumeration of the sites of the others. */
#include <criterion/criterion.h>
#include <math.h>

#include "grid/taag/schedule/partition_cuts.h"

enum { SITES = 4, GROUPS = 8, HOSTS = 8, WIDEST = 5 };

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

typedef struct {
    Sites sites;
    Shape shape;
    PartitionCuts cuts;
    double limit, least;
    int32_t site[GROUPS], used[MOST_SITES];
    /* Where groups are on one host each: */
    int32_t hosts, of[HOSTS], room[HOSTS];
    int32_t size[WIDEST], units[SITES * WIDEST], taken[SITES * WIDEST];
} World;

/* What the k-th group costs on its site, with those before it; INFINITY: a link is above the limit. */
static double cost_of_group(const World *w, int32_t k)
{
    const int32_t g = w->cuts.order[k];
    double sum = 0;
    for (int32_t e = 0; e < w->shape.edge_count; e++)
        for (int32_t i = 0; i < k; i++) {
            const AmogetEdge *edge = &w->shape.edges[e];
            const int32_t h = w->cuts.order[i];
            if ((edge->a != g || edge->b != h) && (edge->a != h || edge->b != g))
                continue;
            const double ms = w->sites.ms[w->site[g]][w->site[h]];
            sum += w->site[g] != w->site[h] && ms > w->limit ? INFINITY : ms;
        }
    return sum;
}

static void try_all(World *w, int32_t k, double sum);

/* The k-th group on each host. */
static void try_hosts(World *w, int32_t k, double sum)
{
    const int32_t g = w->cuts.order[k], size = w->shape.size[g];
    for (int32_t i = 0; i < w->hosts; i++) {
        if (w->room[i] < size)
            continue;
        w->site[g] = w->of[i];
        w->room[i] -= size;
        const double more = cost_of_group(w, k);
        if (isfinite(more))
            try_all(w, k + 1, sum + more);
        w->room[i] += size;
    }
}

static void try_all(World *w, int32_t k, double sum)
{
    if (k == w->cuts.groups) {
        w->least = fmin(w->least, sum);
        return;
    }
    if (w->hosts > 0) {
        try_hosts(w, k, sum);
        return;
    }
    const int32_t g = w->cuts.order[k], size = w->shape.size[g];
    for (int32_t a = 0; a < w->sites.count; a++) {
        if (w->used[a] + size > w->sites.places[a])
            continue;
        w->site[g] = a;
        w->used[a] += size;
        try_all(w, k + 1, sum + cost_of_group(w, k));
        w->used[a] -= size;
    }
}

static void draw_sites(World *w, int32_t processes)
{
    Sites *s = &w->sites;
    s->count = 2 + below(SITES - 1);
    for (int32_t a = 0; a < s->count; a++) {
        s->places[a] = 2 + below(processes);
        for (int32_t b = 0; b <= a; b++)
            s->ms[a][b] = s->ms[b][a] = a == b ? 0.1 : 1 + below(9);
    }
    w->limit = 1 + below(12);
}

/* Hosts on the sites, and what they can hold. */
static CutUnits draw_hosts(World *w)
{
    w->hosts = 2 + below(HOSTS - 1);
    for (int32_t a = 0; a < w->sites.count; a++)
        w->sites.places[a] = 0;
    for (int32_t z = 0; z < WIDEST; z++)
        w->size[z] = WIDEST - z;
    for (int32_t i = 0; i < w->hosts; i++) {
        w->of[i] = below(w->sites.count);
        w->room[i] = 1 + below(WIDEST);
        w->sites.places[w->of[i]] += w->room[i];
        for (int32_t z = 0; z < WIDEST; z++)
            w->units[w->of[i] * WIDEST + z] += w->room[i] / w->size[z];
    }
    return (CutUnits){WIDEST, w->size, w->units};
}

static AmogetProgram draw_graph(int32_t *sizes, AmogetEdge *edges)
{
    AmogetProgram p = {.kind = AMOGET_GRAPH, .divisor = 1, .group_count = 3 + below(GROUPS - 2)};
    for (int32_t g = 0; g < p.group_count; g++) {
        p.processes += sizes[g] = 1 + below(4);
        for (int32_t h = 0; h < g; h++)
            if (h == g - 1 || below(3) == 0)
                edges[p.edge_count++] = (AmogetEdge){g, h};
    }
    p.sizes = sizes;
    p.edges = edges;
    return p;
}

typedef struct {
    int32_t compared, none, exact, cut;
} Tally;

/* Sites for the first few groups, and what the others cost at least. */
static void expect_bound(uint64_t seed, World *w, Tally *tally)
{
    const PartitionCuts *c = &w->cuts;
    const int32_t k = 1 + below(c->groups);
    int8_t frontier[MOST_FRONTIER];
    for (int32_t i = 0; i < k; i++) {
        const int32_t g = c->order[i],
                      a = below(3) > 0 && i > 0 ? w->site[c->order[i - 1]] : below(w->sites.count);
        const int32_t size = w->shape.size[g];
        w->site[g] = a;
        w->used[a] += size;
        for (int32_t z = 0; z < WIDEST; z++)
            w->taken[a * WIDEST + z] += size / (WIDEST - z);
        int32_t host = 0;
        while (host < w->hosts && (w->of[host] != a || w->room[host] < size))
            host++;
        if (w->used[a] > w->sites.places[a] || isinf(cost_of_group(w, i)) ||
            (w->hosts > 0 && host == w->hosts))
            return;
        if (w->hosts > 0)
            w->room[host] -= size;
    }
    for (int32_t j = c->at[k]; j < c->at[k + 1]; j++)
        frontier[j - c->at[k]] = (int8_t)w->site[c->frontier[j]];
    const double bound =
        partition_cuts_rest(c, k, w->site[c->order[0]], frontier, w->used, w->taken);
    w->least = INFINITY;
    try_all(w, k, 0);
    cr_expect(bound <= w->least + 1e-9, "seed %llu: bound %g, least %g", (unsigned long long)seed,
              bound, w->least);
    if (w->sites.count == 2 && c->cuts == 1 && w->hosts == 0) { /* exact */
        cr_expect((isinf(bound) && isinf(w->least)) || fabs(bound - w->least) < 1e-3,
                  "seed %llu: bound %g, least %g", (unsigned long long)seed, bound, w->least);
        tally->exact++;
    }
    tally->compared++;
    tally->none += isinf(w->least);
    tally->cut += isfinite(bound) && bound > 0.1 * c->open[k] + 1e-9;
}

/* on_hosts: groups are on one host each. */
static void expect_seed(uint64_t seed, bool on_hosts, Tally *tally)
{
    World w = {.least = INFINITY};
    int32_t sizes[GROUPS];
    AmogetEdge edges[GROUPS * GROUPS];
    double price[MOST_SITES * MOST_SITES];
    Neighbours near;
    bool no_memory = false;
    state = seed * 0x9E3779B97F4A7C15u;
    AmogetProgram p = draw_graph(sizes, edges);
    draw_sites(&w, p.processes);
    const CutUnits units = on_hosts ? draw_hosts(&w) : (CutUnits){0};
    cr_assert(division_make(&w.shape, &p, p.group_count, &no_memory));
    cr_assert(neighbours_make(&near, &w.shape));
    for (int32_t a = 0; a < w.sites.count; a++)
        for (int32_t b = 0; b < w.sites.count; b++)
            price[a * MOST_SITES + b] = w.sites.ms[a][b];
    cr_assert(partition_cuts_make(&w.cuts, &w.shape, &near, false));
    cr_assert_eq(w.cuts.groups, p.group_count);
    cr_assert(partition_cuts_set(&w.cuts, &w.shape, &w.sites, w.limit, price, units));
    try_all(&w, 0, 0);
    cr_expect(partition_cuts_least(&w.cuts, w.sites.count) <= w.least + 1e-9, "seed %llu",
              (unsigned long long)seed);
    expect_bound(seed, &w, tally);
    partition_cuts_free(&w.cuts);
    neighbours_free(&near);
    division_free(&w.shape);
}

Test(partition_cuts, no_more_than_the_least)
{
    Tally tally = {0, 0, 0, 0};
    for (uint64_t seed = 1; seed <= 3000; seed++)
        expect_seed(seed, false, &tally);
    cr_expect(tally.compared > 1500 && tally.none > 100 && tally.exact > 100 && tally.cut > 300,
              "%d compared, %d without a placement, %d exact, %d with a cut", tally.compared,
              tally.none, tally.exact, tally.cut);
}

Test(partition_cuts, no_more_than_the_least_on_hosts)
{
    Tally tally = {0, 0, 0, 0};
    for (uint64_t seed = 1; seed <= 2000; seed++)
        expect_seed(seed, true, &tally);
    cr_expect(tally.compared > 500 && tally.compared - tally.none > 200 && tally.cut > 50,
              "%d compared, %d without a placement, %d with a cut", tally.compared, tally.none,
              tally.cut);
}
