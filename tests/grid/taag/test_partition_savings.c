/* What hosts of a site save at most, against an enumeration of the hosts of its groups. */
#include <criterion/criterion.h>

#include "grid/taag/schedule/partition_savings.h"

enum { HOSTS = 5, GROUPS = 7, CELLS = 100000 };

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

/* Bundles that hosts of site 0 hold, and what these save. */
static void expect_bundles(const Savings *s, const World *w)
{
    int32_t saved = 0;
    for (int32_t e = 0; e < w->shape.edge_count; e++) {
        const int32_t a = w->shape.edges[e].a, b = w->shape.edges[e].b;
        saved +=
            w->site[a] == 0 && w->site[b] == 0 && s->bundle[a] >= 0 && s->bundle[a] == s->bundle[b];
    }
    cr_expect_eq(saved, w->most);
    for (int32_t g = 0; g < w->shape.groups; g++) {
        int32_t sum = 0;
        for (int32_t h = 0; h < w->shape.groups; h++)
            sum += w->site[g] == 0 && s->bundle[g] >= 0 && s->bundle[h] == s->bundle[g]
                       ? w->shape.size[h]
                       : 0;
        cr_expect_leq(sum, w->sites.widest[0]);
        cr_expect(w->site[g] == 0 || s->bundle[g] < 0);
    }
}

static void expect_saved(Saved saved, int32_t least, int32_t most, uint64_t seed)
{
    cr_expect(saved.least == least && saved.most == most, "seed %llu: %d to %d, not %d to %d",
              (unsigned long long)seed, saved.least, saved.most, least, most);
}

/* What is found, is remembered, and is no more than is known. */
static void expect_all(Savings *s, const World *w, uint64_t seed)
{
    const int32_t most = w->most, other = below(most + 3) - 1;
    bool some = false;
    for (int32_t g = 0; g < w->shape.groups; g++)
        some = some || w->site[g] == 0;
    const Saved first = savings_find(s, w->site, 0, other);
    if (other < most)
        expect_saved(first, most, most, seed);
    else
        cr_expect((first.least < 0 || first.least == most) && first.most >= most &&
                      first.most <= (most < other ? other : most),
                  "seed %llu: %d to %d, not %d, if %d are known", (unsigned long long)seed,
                  first.least, first.most, most, other);
    for (int32_t again = 0; again < 2; again++)
        expect_saved(savings_find(s, w->site, 0, -1), most, most, seed);
    if (most >= 0) {
        expect_saved(savings_bundle(s, w->site, 0, -1), most, most, seed);
        if (some)
            expect_bundles(s, w);
    }
}

/* Returns what is saved; -2: there are connections beside the largest sequence. */
static int32_t expect_most(uint64_t seed)
{
    World w = {.most = -1};
    int32_t sizes[GROUPS];
    AmogetEdge edges[GROUPS * GROUPS];
    Neighbours near;
    PartitionCuts cuts;
    Savings s;
    Effort effort = {.limit = INT64_MAX, .deadline = INFINITY};
    bool no_memory = false, suit;
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
    cr_assert(division_make(&w.shape, &p, p.group_count, &no_memory));
    cr_assert(neighbours_make(&near, &w.shape));
    cr_assert(partition_cuts_make(&cuts, &w.shape, &near, true));
    cr_assert(savings_make(&s, &w.hosts, &w.sites, &w.shape, &cuts, CELLS, &suit));
    s.effort = &effort;
    if (suit) {
        try_all(&w, 0, 0);
        expect_all(&s, &w, seed);
    }
    savings_free(&s);
    partition_cuts_free(&cuts);
    neighbours_free(&near);
    division_free(&w.shape);
    return suit ? w.most : -2;
}

Test(partition_savings, the_most_of_all)
{
    int32_t none = 0, some = 0;
    for (uint64_t seed = 1; seed <= 5000; seed++) {
        const int32_t most = expect_most(seed);
        none += most == -1;
        some += most > 0;
    }
    cr_expect(none > 300 && some > 1000, "%d do not fit, %d save something", none, some);
}

/* A torus of groups of one to three, and hosts for some of them: what is saved is more than a moment's work. */
enum { SIDE = 5, TORUS = SIDE * SIDE };

static Saved torus_most(Effort *effort)
{
    int32_t places[TORUS], of[TORUS] = {0}, sizes[TORUS], site[TORUS] = {0};
    const Hosts hosts = {.count = TORUS, .places = places};
    Sites sites = {.count = 1, .of = of, .hosts = {TORUS}, .widest = {9}};
    AmogetEdge edges[2 * TORUS];
    AmogetProgram p = {.kind = AMOGET_GRAPH, .divisor = 1, .sizes = sizes, .edges = edges};
    Shape shape;
    Neighbours near;
    PartitionCuts cuts;
    Savings s;
    bool no_memory = false, suit;
    for (int32_t i = 0; i < TORUS; i++)
        sites.places[0] += places[i] = 9 - i % 4;
    p.group_count = TORUS;
    for (int32_t g = 0; g < TORUS; g++) {
        p.processes += sizes[g] = 1 + g % 3;
        edges[p.edge_count++] = (AmogetEdge){g, g / SIDE * SIDE + (g + 1) % SIDE};
        edges[p.edge_count++] = (AmogetEdge){g, (g + SIDE) % TORUS};
    }
    cr_assert(division_make(&shape, &p, TORUS, &no_memory));
    cr_assert(neighbours_make(&near, &shape));
    cr_assert(partition_cuts_make(&cuts, &shape, &near, true));
    cr_assert(savings_make(&s, &hosts, &sites, &shape, &cuts, 10 * CELLS, &suit));
    cr_assert(suit);
    s.effort = effort;
    const Saved saved = savings_find(&s, site, 0, -1);
    savings_free(&s);
    partition_cuts_free(&cuts);
    neighbours_free(&near);
    division_free(&shape);
    return saved;
}

Test(partition_savings, leaves_half_of_the_effort)
{
    Effort any = {.limit = INT64_MAX, .deadline = INFINITY};
    const Saved all = torus_most(&any);
    cr_expect_eq(all.least, all.most);
    Effort enough = {.limit = 3 * any.work, .deadline = INFINITY};
    expect_saved(torus_most(&enough), all.most, all.most, 0);
    Effort scarce = {.limit = any.work / 2, .deadline = INFINITY};
    const Saved some = torus_most(&scarce);
    cr_expect(some.least < some.most && some.least <= all.least && some.most >= all.most,
              "%d to %d", some.least, some.most);
    cr_expect(4 * scarce.work < 3 * scarce.limit && !scarce.ended, "work %lld of %lld",
              (long long)scarce.work, (long long)scarce.limit);
}
