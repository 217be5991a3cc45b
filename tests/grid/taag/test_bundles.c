/* Which groups share a host: graphs whose answers are known in closed form.  Against an enumeration:
 * test_partition_savings.c. */
#include <criterion/criterion.h>

#include "grid/taag/schedule/bundles.h"

enum { MOST = 64, CELLS = 4000000 };

typedef struct {
    int32_t sizes[MOST];
    AmogetEdge edges[4 * MOST];
    AmogetProgram program;
    int32_t hosts[MOST + 1], widest;
} World;

static void add(World *w, int32_t a, int32_t b)
{
    w->edges[w->program.edge_count++] = (AmogetEdge){a, b};
}

/* So many groups of a process each, and hosts with so many places. */
static void begin(World *w, int32_t groups, int32_t places, int32_t hosts)
{
    *w = (World){.widest = places};
    w->program = (AmogetProgram){.kind = AMOGET_GRAPH, .divisor = 1, .group_count = groups};
    w->program.processes = groups;
    for (int32_t g = 0; g < groups; g++)
        w->sizes[g] = 1;
    w->hosts[places] = hosts;
}

static CliqueAnswer any(void *data, const int32_t *size, int32_t things)
{
    (void)data;
    (void)size;
    (void)things;
    return CLIQUE_FOUND;
}

typedef struct {
    bool suit, found;
    int32_t least, most;
} Answer;

static Answer solve(World *w, int32_t known, int64_t work)
{
    Shape shape;
    Neighbours near;
    PartitionCuts cuts;
    Bundles b;
    Answer answer = {0};
    bool no_memory = false, member[MOST];
    Effort effort = {.limit = work, .deadline = INFINITY};
    w->program.sizes = w->sizes;
    w->program.edges = w->edges;
    for (int32_t g = 0; g < MOST; g++)
        member[g] = true;
    cr_assert(division_make(&shape, &w->program, w->program.group_count, &no_memory));
    cr_assert(neighbours_make(&near, &shape));
    cr_assert(partition_cuts_make(&cuts, &shape, &near, true));
    cr_assert(bundles_make(&b, &shape, &cuts, w->widest, CELLS, &answer.suit));
    if (answer.suit) {
        b.fit = any;
        b.effort = &effort;
        cr_assert(bundles_find(&b, member, w->hosts, w->widest, known));
        answer = (Answer){true, b.found, b.least, b.most};
    }
    bundles_free(&b);
    partition_cuts_free(&cuts);
    neighbours_free(&near);
    division_free(&shape);
    return answer;
}

static void expect(World *w, int32_t saved)
{
    const Answer all = solve(w, -1, INT64_MAX), more = solve(w, saved, INT64_MAX);
    cr_assert(all.suit);
    cr_expect(all.found && all.least == saved && all.most == saved, "%d to %d, not %d", all.least,
              all.most, saved);
    cr_expect(!more.found && more.most == saved);
}

static int32_t parts(int32_t groups, int32_t places)
{
    return (groups + places - 1) / places;
}

/* A path on hosts of k places is cut once for each host beyond the first; a ring, that one host does not hold, once for
 * each. */
Test(bundles, paths_and_rings)
{
    World w;
    for (int32_t groups = 2; groups <= 40; groups += 19)
        for (int32_t places = 2; places <= 14; places += 3) {
            begin(&w, groups, places, groups);
            for (int32_t g = 1; g < groups; g++)
                add(&w, g - 1, g);
            expect(&w, groups - parts(groups, places));
            if (groups > places) {
                add(&w, groups - 1, 0);
                expect(&w, groups - parts(groups, places));
            }
        }
}

/* Of a star, those beside its centre. */
Test(bundles, stars)
{
    World w;
    for (int32_t places = 3; places <= 30; places += 9) {
        begin(&w, 40, places, 40);
        for (int32_t g = 1; g < 40; g++)
            add(&w, 0, g);
        expect(&w, places - 1);
    }
}

/* Of two centres that talk to all others, those beside each, or twice as many beside both.  The others can all be
 * exchanged, which branches do not know: where the linear program has a gap, only the bound is sure. */
Test(bundles, two_centres)
{
    World w;
    int32_t proved = 0;
    for (int32_t places = 3; places <= 30; places += 3) {
        begin(&w, 40, places, 40);
        for (int32_t g = 2; g < 40; g++) {
            add(&w, 0, g);
            add(&w, 1, g);
        }
        const int32_t apart = 2 * (places - 1) < 38 ? 2 * (places - 1) : 38;
        const int32_t both = 2 * (places - 2), most = apart > both ? apart : both;
        const Answer some = solve(&w, -1, 300000);
        cr_expect(some.suit && some.found && some.least <= most && some.most >= most,
                  "%d places: %d to %d, not %d", places, some.least, some.most, most);
        proved += some.least == some.most;
    }
    cr_expect_geq(proved, 8);
}

/* A mesh of eight by eight on hosts of 16: squares of four by four, which have 24 connections each. */
Test(bundles, mesh)
{
    World w;
    begin(&w, 64, 16, 4);
    for (int32_t g = 0; g < 64; g++) {
        if (g % 8 < 7)
            add(&w, g, g + 1);
        if (g < 56)
            add(&w, g, g + 8);
    }
    expect(&w, 4 * 24);
    w.hosts[16] = 40; /* more hosts do not help */
    expect(&w, 4 * 24);
}

/* A cube of 16 on hosts of 4: squares. */
Test(bundles, cube)
{
    World w;
    begin(&w, 16, 4, 4);
    for (int32_t g = 0; g < 16; g++)
        for (int32_t bit = 1; bit < 16; bit *= 2)
            if ((g & bit) == 0)
                add(&w, g, g | bit);
    expect(&w, 4 * 4);
}

Test(bundles, hosts_of_unlike_sizes)
{
    World w;
    begin(&w, 12, 6, 1);
    w.hosts[3] = 1;
    w.hosts[1] = 3;
    for (int32_t g = 1; g < 12; g++)
        add(&w, g - 1, g);
    expect(&w, 5 + 2);
    w.hosts[1] = 2; /* not enough places */
    const Answer none = solve(&w, -1, INT64_MAX);
    cr_expect(none.suit && !none.found && none.most < 0);
}

/* Paths of three and two, beside groups without connections; four stars of eight. */
Test(bundles, graphs_in_parts)
{
    World w;
    begin(&w, 7, 2, 7);
    add(&w, 1, 2);
    add(&w, 2, 3);
    expect(&w, 1);
    add(&w, 4, 5);
    expect(&w, 1 + 1);
    for (int32_t places = 2; places <= 16; places += 2) {
        begin(&w, 32, places, 32);
        for (int32_t g = 0; g < 32; g++)
            if (g % 8 != 0)
                add(&w, g - g % 8, g);
        expect(&w, 4 * (places < 8 ? places - 1 : 7));
    }
    w.hosts[16] = 2;
    expect(&w, 4 * 7);
}

Test(bundles, a_gap_where_the_effort_ends)
{
    World w;
    begin(&w, 36, 7, 20);
    for (int32_t g = 0; g < 36; g++) {
        w.sizes[g] = 1 + g % 2;
        w.program.processes += g % 2;
        if (g % 6 < 5)
            add(&w, g, g + 1);
        if (g < 30)
            add(&w, g, g + 6);
    }
    const Answer all = solve(&w, -1, INT64_MAX);
    cr_assert(all.suit && all.found && all.least == all.most);
    for (int64_t work = 1; work < 100000; work *= 10) {
        const Answer some = solve(&w, -1, work);
        cr_expect(some.most >= all.most && (!some.found || some.least <= all.least));
    }
    cr_expect_gt(solve(&w, -1, 1).most, all.most);
}
