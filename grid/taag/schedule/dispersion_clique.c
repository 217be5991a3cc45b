/* Cliques of nodes with room for all groups: branch and bound over greedy colourings.  Neighbours
 * that have equal neighbours count as one.
 * Source: Tomita, Seki, An efficient branch-and-bound algorithm for finding a maximum clique. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/dispersion.h"

typedef struct {
    const Dispersion *d;
    Effort *effort;
    double ms;
    Room wanted;
    LinkGraph graph;
    int32_t *vertex, *stands; /* a node of each vertex; the vertex of each node, or -1 */
    uint64_t *sets;           /* three for each depth: vertices that can join, and scratch */
    int32_t *order;           /* vertices for each depth, by colour */
    Room *bound;              /* of each in `order` */
    int32_t *chosen, chosen_count, *allowed, *held;
    int64_t *widest; /* places of nodes */
    CliqueAnswer answer;
} Finder;

static bool in_reach(const Finder *f, int32_t a, int32_t b)
{
    return dispersion_ms(f->d, a, b) <= f->ms;
}

/* How many groups a node can hold, if two of them may be on it. */
static int32_t most_on(const Finder *f, int32_t a)
{
    int32_t most = f->d->most[a];
    return most > 1 && !in_reach(f, a, a) ? 1 : most;
}

/* Drop nodes whose neighbours have too little room with them, until none is left to drop. */
static void drop_lonely(Finder *f)
{
    const Dispersion *d = f->d;
    for (bool again = true; again && !effort_ended(f->effort);) {
        again = false;
        for (int32_t a = 0; a < d->nodes; a++) {
            if (f->stands[a] < 0)
                continue;
            Room room = dispersion_room(d, a, most_on(f, a));
            const int32_t *near = &d->near[(size_t)a * (size_t)d->nodes];
            int32_t i = 0;
            for (; i + 1 < d->nodes && in_reach(f, a, near[i]); i++) {
                int32_t b = near[i];
                if (room_suffices(room, f->wanted))
                    break;
                if (f->stands[b] >= 0)
                    room = room_sum(room, dispersion_room(d, b, most_on(f, b)));
            }
            f->effort->work += i;
            if (!room_suffices(room, f->wanted)) {
                f->stands[a] = -1;
                again = true;
            }
        }
    }
}

static bool same_neighbours(Finder *f, int32_t a, int32_t b)
{
    bool same = in_reach(f, a, b);
    int32_t x = 0;
    for (; x < f->d->nodes && same; x++)
        same = x == a || x == b || f->stands[x] < 0 || in_reach(f, a, x) == in_reach(f, b, x);
    f->effort->work += x;
    return same;
}

/* Returns the number of vertices. */
static int32_t find_vertices(Finder *f)
{
    const Dispersion *d = f->d;
    int32_t count = 0;
    for (int32_t b = 0; b < d->nodes; b++)
        f->stands[b] = d->most[b] > 0 ? 0 : -1;
    drop_lonely(f);
    for (int32_t b = 0; b < d->nodes; b++) {
        int32_t v = 0;
        if (f->stands[b] < 0)
            continue;
        while (v < count && !same_neighbours(f, f->vertex[v], b))
            v++;
        if (v == count)
            f->vertex[count++] = b;
        f->stands[b] = v;
    }
    return count;
}

static bool make_graph(Finder *f)
{
    const Dispersion *d = f->d;
    size_t n = (size_t)find_vertices(f);
    LinkGraph *g = &f->graph;
    if (!link_graph_make(g, (int32_t)n) || !mem_new(f->sets, 3 * (n + 1) * (size_t)g->words) ||
        !mem_new(f->order, (n + 1) * n) || !mem_new(f->bound, (n + 1) * n) ||
        !mem_new(f->chosen, n + 1))
        return false;
    for (int32_t a = 0; a < g->count; a++)
        for (int32_t b = 0; b < g->count; b++)
            if (a != b && in_reach(f, f->vertex[a], f->vertex[b]))
                link_set_add(link_graph_row(g, a), b);
    for (int32_t a = 0; a < d->nodes; a++) {
        int32_t v = f->stands[a];
        if (v < 0)
            continue;
        g->room[v] = room_sum(g->room[v], dispersion_room(d, a, most_on(f, a)));
    }
    f->effort->work += (int64_t)(n * n);
    return true;
}

static int descending(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a < b) - (a > b);
}

/* As many nodes as there are groups, those with most places: can they hold the processes? */
static bool is_roomy(Finder *f)
{
    const Dispersion *d = f->d;
    int32_t count = 0;
    int64_t places = 0;
    for (int32_t a = 0; a < d->nodes; a++)
        if (f->allowed[a] > 0)
            f->widest[count++] = d->places[a];
    if (count > d->groups)
        qsort(f->widest, (size_t)count, sizeof *f->widest, descending);
    for (int32_t i = 0; i < count && i < d->groups; i++)
        places += f->widest[i];
    return places >= d->processes;
}

/* Are the conditions enough? */
static bool has_room(Finder *f, int32_t depth)
{
    const Dispersion *d = f->d;
    for (int32_t a = 0; a < d->nodes; a++) {
        f->allowed[a] = 0;
        for (int32_t i = 0; i < depth && f->stands[a] >= 0; i++)
            if (f->chosen[i] == f->stands[a])
                f->allowed[a] = most_on(f, a);
    }
    f->effort->work += (int64_t)d->nodes * depth;
    if (!is_roomy(f))
        return false;
    CliqueAnswer answer = d->possible ? d->possible(d->data, f->allowed, f->held) : CLIQUE_FOUND;
    if (answer == CLIQUE_UNKNOWN || answer == CLIQUE_NO_MEMORY)
        f->answer = answer;
    return answer == CLIQUE_FOUND;
}

static bool expand(Finder *f, int32_t depth, Room room)
{
    size_t words = (size_t)f->graph.words, n = (size_t)f->graph.count;
    uint64_t *from = &f->sets[3 * (size_t)depth * words], *next = from + 3 * words;
    int32_t *order = &f->order[(size_t)depth * n];
    Room *bound = &f->bound[(size_t)depth * n];
    if (room_suffices(room, f->wanted) && has_room(f, depth)) {
        f->answer = CLIQUE_FOUND;
        f->chosen_count = depth;
        return true;
    }
    int32_t count = link_graph_colour(&f->graph, from, from + words, order, bound);
    f->effort->work += (int64_t)(count + 1) * (int64_t)words;
    for (int32_t i = count - 1; i >= 0; i--) {
        int32_t v = order[i];
        if (!room_suffices(room_sum(room, bound[i]), f->wanted))
            break;
        if (f->answer == CLIQUE_NO_MEMORY)
            return true;
        if (effort_ended(f->effort)) {
            f->answer = CLIQUE_UNKNOWN;
            return true;
        }
        for (size_t w = 0; w < words; w++)
            next[w] = from[w] & link_graph_row(&f->graph, v)[w];
        f->chosen[depth] = v;
        if (expand(f, depth + 1, room_sum(room, f->graph.room[v])))
            return true;
        link_set_remove(from, v);
    }
    return false;
}

CliqueAnswer dispersion_clique(const Dispersion *d, double ms, bool *member, Effort *effort)
{
    Finder f = {.d = d, .effort = effort, .ms = ms, .answer = CLIQUE_NONE};
    f.wanted = dispersion_wanted(d);
    size_t n = (size_t)d->nodes;
    bool good = mem_new(f.vertex, n) && mem_new(f.stands, n) && mem_new(f.allowed, n) &&
                mem_new(f.held, n) && mem_new(f.widest, n) && make_graph(&f);
    if (good) {
        memset(f.sets, 0, (size_t)f.graph.words * sizeof *f.sets);
        for (int32_t v = 0; v < f.graph.count; v++)
            link_set_add(f.sets, v);
        (void)expand(&f, 0, (Room){{0}});
    }
    for (int32_t a = 0; a < d->nodes && good && f.answer == CLIQUE_FOUND; a++) {
        member[a] = false;
        for (int32_t i = 0; i < f.chosen_count; i++)
            member[a] = member[a] || f.stands[a] == f.chosen[i];
    }
    link_graph_free(&f.graph);
    mem_free_all(f.vertex, f.stands, f.allowed, f.held, f.widest, f.sets, f.order, f.bound,
                 f.chosen);
    return good ? f.answer : CLIQUE_NO_MEMORY;
}
