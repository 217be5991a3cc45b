/* Cliques of nodes with room for all groups: branch and bound over greedy colourings, on sets of
 * bits.  Nodes with equal neighbours that are neighbours themselves count as one.
 * Source: Tomita, Seki, An efficient branch-and-bound algorithm for finding a maximum clique; San
 * Segundo et al., An exact bit-parallel algorithm for the maximum clique problem. */
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/dispersion.h"

typedef struct {
    const Dispersion *d;
    Effort *effort;
    double ms;
    int32_t count, words;     /* vertices; words of a set of them */
    int32_t *vertex, *stands; /* a node of each vertex; the vertex of each node, or -1 */
    int32_t *groups;          /* of vertices: what they can hold */
    int64_t *places;
    uint64_t *linked; /* count x words */
    uint64_t *sets;   /* two for each depth: vertices that can join, and scratch */
    int32_t *order;   /* count for each depth */
    int64_t *bound;   /* 2 for each in `order`: groups and places of colours up to it */
    int32_t *chosen, chosen_count, *allowed, *held;
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
    for (bool again = true; again;) {
        again = false;
        for (int32_t a = 0; a < d->nodes; a++) {
            if (f->stands[a] < 0)
                continue;
            int64_t groups = most_on(f, a), places = d->places[a];
            const int32_t *near = &d->near[(size_t)a * (size_t)d->nodes];
            int32_t i = 0;
            for (; i + 1 < d->nodes && in_reach(f, a, near[i]); i++) {
                int32_t b = near[i];
                if (groups >= d->groups && places >= d->processes)
                    break;
                if (f->stands[b] >= 0) {
                    groups += most_on(f, b);
                    places += d->places[b];
                }
            }
            f->effort->work += i;
            if (groups < d->groups || places < d->processes) {
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

static void find_vertices(Finder *f)
{
    const Dispersion *d = f->d;
    for (int32_t b = 0; b < d->nodes; b++)
        f->stands[b] = d->most[b] > 0 ? 0 : -1;
    drop_lonely(f);
    for (int32_t b = 0; b < d->nodes; b++) {
        int32_t v = 0;
        if (f->stands[b] < 0)
            continue;
        while (v < f->count && !same_neighbours(f, f->vertex[v], b))
            v++;
        if (v == f->count) {
            f->vertex[f->count] = b;
            f->groups[f->count] = 0;
            f->places[f->count++] = 0;
        }
        int64_t groups = (int64_t)f->groups[v] + most_on(f, b);
        f->groups[v] = groups < d->groups ? (int32_t)groups : d->groups;
        f->places[v] += d->places[b];
        f->stands[b] = v;
    }
}

static bool make_graph(Finder *f)
{
    size_t n = (size_t)f->count, words = (n + 63) / 64;
    f->words = (int32_t)words;
    if (!mem_new_zeroed(f->linked, n * words + 1) || !mem_new(f->sets, 3 * (n + 1) * words + 1) ||
        !mem_new(f->order, (n + 1) * n + 1) || !mem_new(f->bound, 2 * (n + 1) * n + 1) ||
        !mem_new(f->chosen, n + 1))
        return false;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            if (a != b && in_reach(f, f->vertex[a], f->vertex[b]))
                f->linked[a * words + b / 64] |= (uint64_t)1 << (b % 64);
    f->effort->work += (int64_t)(n * n);
    return true;
}

/* Colour `from` so that linked vertices differ: colour by colour into order. */
static int32_t colour(Finder *f, const uint64_t *from, uint64_t *left, uint64_t *open,
                      int32_t *order, int64_t *bound)
{
    int32_t done = 0;
    int64_t groups = 0, places = 0;
    size_t bytes = (size_t)f->words * sizeof *left;
    memcpy(left, from, bytes);
    for (bool any = true; any;) {
        int64_t most_groups = 0, most_places = 0;
        any = false;
        memcpy(open, left, bytes);
        for (int32_t w = 0; w < f->words; w++)
            while (open[w]) {
                int32_t v = 64 * w + __builtin_ctzll(open[w]);
                const uint64_t *linked = &f->linked[(size_t)v * (size_t)f->words];
                left[w] &= ~((uint64_t)1 << (v % 64));
                open[w] &= ~((uint64_t)1 << (v % 64));
                for (int32_t x = w; x < f->words; x++)
                    open[x] &= ~linked[x];
                most_groups = f->groups[v] > most_groups ? f->groups[v] : most_groups;
                most_places = f->places[v] > most_places ? f->places[v] : most_places;
                order[done] = v;
                bound[2 * done] = groups + most_groups;
                bound[2 * done++ + 1] = places + most_places;
                any = true;
            }
        groups += most_groups;
        places += most_places;
        f->effort->work += f->words;
    }
    f->effort->work += (int64_t)done * f->words;
    return done;
}

/* Are the conditions enough? */
static bool has_room(Finder *f, int32_t depth)
{
    const Dispersion *d = f->d;
    if (!d->possible)
        return true;
    for (int32_t a = 0; a < d->nodes; a++) {
        f->allowed[a] = 0;
        for (int32_t i = 0; i < depth && f->stands[a] >= 0; i++)
            if (f->chosen[i] == f->stands[a])
                f->allowed[a] = most_on(f, a);
    }
    f->effort->work += (int64_t)d->nodes * depth;
    CliqueAnswer answer = d->possible(d->data, f->allowed, f->held);
    if (answer == CLIQUE_UNKNOWN || answer == CLIQUE_NO_MEMORY)
        f->answer = answer;
    return answer == CLIQUE_FOUND;
}

static bool expand(Finder *f, int32_t depth, int64_t groups, int64_t places)
{
    const Dispersion *d = f->d;
    size_t words = (size_t)f->words, n = (size_t)f->count;
    uint64_t *from = &f->sets[3 * (size_t)depth * words], *next = from + 3 * words;
    int32_t *order = &f->order[(size_t)depth * n];
    int64_t *bound = &f->bound[2 * (size_t)depth * n];
    if (groups >= d->groups && places >= d->processes && has_room(f, depth)) {
        f->answer = CLIQUE_FOUND;
        f->chosen_count = depth;
        return true;
    }
    int32_t count = colour(f, from, from + words, from + 2 * words, order, bound);
    for (int32_t i = count - 1; i >= 0; i--) {
        if (groups + bound[2 * i] < d->groups || places + bound[2 * i + 1] < d->processes)
            break;
        if (effort_ended(f->effort)) {
            f->answer = CLIQUE_UNKNOWN;
            return true;
        }
        if (f->answer == CLIQUE_NO_MEMORY)
            return true;
        int32_t v = order[i];
        const uint64_t *linked = &f->linked[(size_t)v * words];
        for (size_t w = 0; w < words; w++)
            next[w] = from[w] & linked[w];
        f->chosen[depth] = v;
        if (expand(f, depth + 1, groups + f->groups[v], places + f->places[v]))
            return true;
        from[v / 64] &= ~((uint64_t)1 << (v % 64));
    }
    return false;
}

CliqueAnswer dispersion_clique(const Dispersion *d, double ms, bool *member, Effort *effort)
{
    Finder f = {.d = d, .effort = effort, .ms = ms, .answer = CLIQUE_NONE};
    size_t n = (size_t)d->nodes;
    bool good = mem_new(f.vertex, n) && mem_new(f.stands, n) && mem_new(f.groups, n) &&
                mem_new(f.places, n) && mem_new(f.allowed, n) && mem_new(f.held, n);
    if (good)
        find_vertices(&f);
    good = good && make_graph(&f);
    if (good) {
        memset(f.sets, 0, (size_t)f.words * sizeof *f.sets);
        for (int32_t v = 0; v < f.count; v++)
            f.sets[v / 64] |= (uint64_t)1 << (v % 64);
        (void)expand(&f, 0, 0, 0);
    }
    if (good && f.answer == CLIQUE_FOUND) {
        memset(member, 0, n * sizeof *member);
        for (int32_t a = 0; a < d->nodes; a++)
            for (int32_t i = 0; i < f.chosen_count; i++)
                member[a] = member[a] || f.stands[a] == f.chosen[i];
    }
    mem_free_all(f.vertex, f.stands, f.groups, f.places, f.allowed, f.held, f.linked, f.sets,
                 f.order, f.bound, f.chosen);
    return good ? f.answer : CLIQUE_NO_MEMORY;
}
