/* The least largest latency of graphs against an enumeration of the hosts of groups. */
#include "grid/taag/schedule/threshold.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "grid/taag/schedule/schedule.h"

enum { MOST_HOSTS = 7, GROUPS = 6 };

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

typedef struct {
    int32_t hosts, places[MOST_HOSTS], groups, size[GROUPS], at[GROUPS];
    double ms[MOST_HOSTS][MOST_HOSTS];
    AmogetEdge edges[GROUPS * GROUPS];
    int32_t edge_count;
    double least; /* INFINITY: no placement */
} World;

static AmogetMachine *machine_of(World *w, int32_t hosts)
{
    AmogetMachine *m = NULL;
    *w = (World){.hosts = hosts, .least = INFINITY};
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t i = 0; i < hosts; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "h%d", i);
        w->places[i] = 1 + below(6);
        amoget_add_processor(m, name, 1, NULL);
        amoget_set_cores(m, i, w->places[i], NULL);
        for (int32_t j = 0; j < i; j++) {
            w->ms[i][j] = w->ms[j][i] = 1 + below(9);
            amoget_set_latency(m, i, j, w->ms[i][j] / 1e3, NULL);
        }
    }
    return m;
}

static AmogetProgram graph_of(World *w, int32_t groups, int32_t one_of)
{
    AmogetProgram p = {.kind = AMOGET_GRAPH, .divisor = 1, .group_count = w->groups = groups};
    for (int32_t g = 0; g < groups; g++) {
        p.processes += w->size[g] = 1 + below(4);
        for (int32_t h = 0; h < g; h++)
            if (below(one_of) == 0)
                w->edges[w->edge_count++] = (AmogetEdge){g, h};
    }
    if (w->edge_count == 0)
        w->edges[w->edge_count++] = (AmogetEdge){0, 1};
    p.sizes = w->size;
    p.edges = w->edges;
    p.edge_count = w->edge_count;
    return p;
}

static void all_hosts(World *w, int32_t g)
{
    if (g == w->groups) {
        double most = 0;
        for (int32_t e = 0; e < w->edge_count; e++)
            most = fmax(most, w->ms[w->at[w->edges[e].a]][w->at[w->edges[e].b]]);
        w->least = fmin(w->least, most);
        return;
    }
    for (int32_t i = 0; i < w->hosts; i++) {
        if (w->places[i] < w->size[g])
            continue;
        w->at[g] = i;
        w->places[i] -= w->size[g];
        all_hosts(w, g + 1);
        w->places[i] += w->size[g];
    }
}

/* Returns whether all groups fit on hosts as wholes. */
static bool expect_least(uint64_t seed, bool whole_effort)
{
    World w;
    Hosts h;
    Shape shape;
    Best best = {0};
    Cost bound = {0, 0, 0};
    bool no_memory = false;
    state = seed * 0x9E3779B97F4A7C15u;
    AmogetMachine *m = machine_of(&w, 2 + below(MOST_HOSTS - 1));
    AmogetProgram p = graph_of(&w, 2 + below(GROUPS - 1), 1 + below(3));
    Effort effort = {.limit = whole_effort ? INT64_MAX : below(20000), .deadline = INFINITY};
    cr_assert_eq(hosts_make(&h, m, 1, NULL), PEPA_OK);
    amoget_machine_free(m);
    cr_assert(division_make(&shape, &p, w.groups, &no_memory));
    cr_assert(best_make(&best, p.processes));
    cr_assert(threshold_solve(&h, &shape, &bound, &best, &effort));
    all_hosts(&w, 0);
    const bool fits = isfinite(w.least);
    cr_expect(bound.level == 0 ? bound.most <= w.least + 1e-9 : !fits,
              "seed %d: bound %d, %g, least %g", (int)seed, bound.level, bound.most, w.least);
    cr_expect(!best.found || best.cost.most >= w.least - 1e-9, "seed %d", (int)seed);
    if (whole_effort) {
        cr_expect_eq(best.found, fits, "seed %d", (int)seed);
        cr_expect(fits ? best.cost.most <= w.least + 1e-9 && bound.most >= w.least - 1e-9
                       : bound.level == 1,
                  "seed %d: found %g, bound %g, least %g", (int)seed, best.cost.most, bound.most,
                  w.least);
    }
    best_free(&best);
    division_free(&shape);
    hosts_free(&h);
    return fits;
}

Test(threshold, least_of_all)
{
    int32_t fit = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++)
        fit += expect_least(seed, true);
    cr_expect(fit > 1500 && fit < 3900, "%d", fit);
}

Test(threshold, bounds_hold_when_the_effort_ends)
{
    for (uint64_t seed = 1; seed <= 2000; seed++)
        (void)expect_least(seed, false);
}

/* A star whose middle has links of 1 ms to hosts of so many places in all, and longer ones to the others: floors of
 * places / 2 tell that groups of 2 do not fit on hosts of 3 places side by side. */
Test(threshold, groups_are_whole)
{
    AmogetMachine *m = NULL;
    int32_t sizes[6] = {3, 2, 2, 2, 2, 2};
    AmogetEdge edges[5] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}};
    AmogetProgram p = {.kind = AMOGET_GRAPH, .divisor = 1, .group_count = 6, .processes = 13};
    ScheduleSettings set = {.coefficient = 1};
    Schedule found;
    p.sizes = sizes;
    p.edges = edges;
    p.edge_count = 5;
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t i = 0; i < 6; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "h%d", i);
        amoget_add_processor(m, name, 1, NULL);
        amoget_set_cores(m, i, 3, NULL);
        for (int32_t j = 0; j < i; j++)
            amoget_set_latency(m, i, j, j == 0 && i < 5 ? 1e-3 : 5e-3, NULL);
    }
    cr_assert_eq(schedule_find(&found, m, &p, &set, NULL), PEPA_OK);
    cr_expect(found.optimal);
    cr_expect_float_eq(found.cost.most, 5, 1e-9);
    schedule_free(&found);
    amoget_machine_free(m);
}
