/* What hosts of a site save at most, against an enumeration of the hosts of its groups. */
#include <criterion/criterion.h>

#include "grid/taag/schedule/partition_savings.h"

enum { HOSTS = 5, GROUPS = 7 };

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

typedef struct {
    Hosts hosts;
    Sites sites;
    Shape shape;
    int32_t places[HOSTS], room[HOSTS], of[HOSTS];
    int32_t site[GROUPS], at[GROUPS];
    int32_t most; /* -1: they do not fit */
} World;

static void draw_hosts(World *w)
{
    w->hosts = (Hosts){.count = 3 + below(HOSTS - 2), .places = w->places};
    w->sites = (Sites){.count = 2, .of = w->of};
    for (int32_t i = 0; i < w->hosts.count; i++) {
        const int32_t a = w->of[i] = below(3) == 0,
                      places = w->places[i] = w->room[i] = 2 + below(6);
        w->sites.hosts[a]++;
        w->sites.places[a] += places;
        w->sites.widest[a] = places > w->sites.widest[a] ? places : w->sites.widest[a];
    }
}

/* All hosts of the groups of a site, from g on. */
static void try_all(World *w, int32_t a, int32_t g)
{
    if (g == w->shape.groups) {
        int32_t saved = 0;
        for (int32_t e = 0; e < w->shape.edge_count; e++) {
            const AmogetEdge *edge = &w->shape.edges[e];
            saved +=
                w->site[edge->a] == a && w->site[edge->b] == a && w->at[edge->a] == w->at[edge->b];
        }
        w->most = saved > w->most ? saved : w->most;
        return;
    }
    if (w->site[g] != a) {
        try_all(w, a, g + 1);
        return;
    }
    for (int32_t i = 0; i < w->hosts.count; i++) {
        if (w->of[i] != a || w->room[i] < w->shape.size[g])
            continue;
        w->at[g] = i;
        w->room[i] -= w->shape.size[g];
        try_all(w, a, g + 1);
        w->room[i] += w->shape.size[g];
    }
}

static void expect_sets(const Savings *s, const World *w, const Subsets *sets)
{
    bool covered[GROUPS] = {false};
    int32_t saved = 0;
    for (int32_t i = 0; i < s->best_sets; i++) {
        const int32_t k = s->best_set[i];
        saved += sets->edges[k];
        for (size_t m = sets->first[k]; m < sets->first[k + 1]; m++) {
            cr_expect(!covered[sets->member[m]]);
            covered[sets->member[m]] = true;
        }
    }
    cr_expect_eq(saved, w->most);
}

/* Returns what is saved. */
static int32_t expect_most(uint64_t seed)
{
    World w = {.most = -1};
    int32_t sizes[GROUPS], widest = 0;
    AmogetEdge edges[GROUPS * GROUPS];
    Neighbours near;
    Subsets sets;
    Savings s;
    Effort effort = {.limit = INT64_MAX, .deadline = INFINITY};
    bool no_memory = false;
    state = seed * 0x9E3779B97F4A7C15u;
    AmogetProgram p = {.kind = AMOGET_GRAPH, .divisor = 1, .group_count = 2 + below(GROUPS - 1)};
    draw_hosts(&w);
    for (int32_t g = 0; g < p.group_count; g++) {
        p.processes += sizes[g] = 1 + below(4);
        w.site[g] = below(3) == 0;
        for (int32_t h = 0; h < g; h++)
            if (below(2) == 0)
                edges[p.edge_count++] = (AmogetEdge){g, h};
    }
    p.sizes = sizes;
    p.edges = edges;
    for (int32_t a = 0; a < 2; a++)
        widest = w.sites.widest[a] > widest ? w.sites.widest[a] : widest;
    cr_assert(division_make(&w.shape, &p, p.group_count, &no_memory));
    cr_assert(neighbours_make(&near, &w.shape));
    cr_assert(subsets_make(&sets, &w.shape, &near, widest));
    cr_assert(savings_make(&s, &w.hosts, &w.sites, &w.shape, &sets));
    s.effort = &effort;
    try_all(&w, 0, 0);
    for (int32_t again = 0; again < 2; again++) /* then it is remembered */
        cr_expect_eq(savings_most(&s, w.site, 0), w.most, "seed %llu: %d, not %d",
                     (unsigned long long)seed, savings_most(&s, w.site, 0), w.most);
    if (w.most >= 0) {
        savings_sets(&s, w.site, 0);
        expect_sets(&s, &w, &sets);
    }
    savings_free(&s);
    subsets_free(&sets);
    neighbours_free(&near);
    division_free(&w.shape);
    return w.most;
}

Test(partition_savings, the_most_of_all)
{
    int32_t none = 0, some = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        const int32_t most = expect_most(seed);
        none += most < 0;
        some += most > 0;
    }
    cr_expect(none > 300 && some > 1000, "%d do not fit, %d save something", none, some);
}

/* A ring of groups of two, and hosts of which only some have room for two of them: each saves a connection. */
enum { RING = 15, WIDE = 3 };

static int32_t ring_most(Effort *effort)
{
    int32_t places[RING - WIDE], of[RING - WIDE] = {0}, sizes[RING], site[RING] = {0};
    const Hosts hosts = {.count = RING - WIDE, .places = places};
    Sites sites = {.count = 1, .of = of, .hosts = {RING - WIDE}, .widest = {4}};
    AmogetEdge edges[RING];
    AmogetProgram p = {.kind = AMOGET_GRAPH, .divisor = 1, .sizes = sizes, .edges = edges};
    Shape shape;
    Neighbours near;
    Subsets sets;
    Savings s;
    bool no_memory = false;
    for (int32_t i = 0; i < RING - WIDE; i++)
        sites.places[0] += places[i] = i < WIDE ? 4 : 3;
    p.group_count = p.edge_count = RING;
    for (int32_t g = 0; g < RING; g++) {
        p.processes += sizes[g] = 2;
        edges[g] = (AmogetEdge){g, (g + 1) % RING};
    }
    cr_assert(division_make(&shape, &p, RING, &no_memory));
    cr_assert(neighbours_make(&near, &shape));
    cr_assert(subsets_make(&sets, &shape, &near, 4));
    cr_assert(savings_make(&s, &hosts, &sites, &shape, &sets));
    s.effort = effort;
    const int32_t most = savings_most(&s, site, 0);
    savings_free(&s);
    subsets_free(&sets);
    neighbours_free(&near);
    division_free(&shape);
    return most;
}

Test(partition_savings, leaves_most_of_the_effort)
{
    Effort any = {.limit = INT64_MAX, .deadline = INFINITY};
    cr_expect_eq(ring_most(&any), WIDE);
    Effort enough = {.limit = 4 * any.work, .deadline = INFINITY};
    cr_expect_eq(ring_most(&enough), WIDE);
    Effort scarce = {.limit = any.work, .deadline = INFINITY};
    cr_expect_eq(ring_most(&scarce), SAVINGS_UNKNOWN);
    cr_expect(2 * scarce.work < scarce.limit && !scarce.ended, "work %lld of %lld",
              (long long)scarce.work, (long long)scarce.limit);
}
