/* Connected sets, depth first. */
#include "grid/taag/schedule/subsets.h"

#include <string.h>

#include "base/mem.h"

enum { MOST_SUBSETS = 8000 };

/* Each connection is declared once: repeated ones would count twice in costs as well. */
bool neighbours_make(Neighbours *out, const Shape *s)
{
    Neighbours n = {0};
    const size_t groups = (size_t)s->groups;
    if (!mem_new_zeroed(n.at, groups + 2) || !mem_new(n.to, 2 * (size_t)s->edge_count)) {
        neighbours_free(&n);
        return false;
    }
    for (int32_t e = 0; e < s->edge_count; e++) {
        n.at[s->edges[e].a + 2]++;
        n.at[s->edges[e].b + 2]++;
    }
    for (size_t g = 0; g < groups; g++)
        n.at[g + 2] += n.at[g + 1];
    for (int32_t e = 0; e < s->edge_count; e++) {
        n.to[n.at[s->edges[e].a + 1]++] = s->edges[e].b;
        n.to[n.at[s->edges[e].b + 1]++] = s->edges[e].a;
    }
    *out = n;
    return true;
}

void neighbours_free(Neighbours *n)
{
    mem_free_all(n->at, n->to);
    *n = (Neighbours){0};
}

typedef struct {
    Subsets *sets;
    const Shape *shape;
    const Neighbours *near;
    int32_t most, root;
    int32_t *set, size; /* the present one */
    int32_t *seen;      /* of groups: members of the set that are it, or talk to it */
    int32_t *open;      /* a stack of groups that may join, of all depths */
    bool *inside;       /* the set */
    bool no_memory;
} Finder;

static bool keep(Finder *f, int32_t sum, int32_t edges)
{
    Subsets *s = f->sets;
    const size_t n = (size_t)s->count;
    if (s->count == MOST_SUBSETS)
        return false;
    if (!mem_grow(s->member, s->member_cap, s->members + (size_t)f->size) ||
        !mem_grow(s->first, s->first_cap, n + 2) || !mem_grow(s->sum, s->sum_cap, n + 1) ||
        !mem_grow(s->edges, s->edges_cap, n + 1)) {
        f->no_memory = true;
        return false;
    }
    memcpy(s->member + s->members, f->set, (size_t)f->size * sizeof *f->set);
    s->first[n] = s->members;
    s->first[n + 1] = s->members += (size_t)f->size;
    s->sum[n] = sum;
    s->edges[n] = edges;
    s->count++;
    return true;
}

/* A group joins, or leaves: by 1, -1. */
static void mark(Finder *f, int32_t g, int32_t by)
{
    f->seen[g] += by;
    f->inside[g] = by > 0;
    for (int32_t i = f->near->at[g]; i < f->near->at[g + 1]; i++)
        f->seen[f->near->to[i]] += by;
}

static int32_t edges_into(const Finder *f, int32_t g)
{
    int32_t edges = 0;
    for (int32_t i = f->near->at[g]; i < f->near->at[g + 1]; i++)
        edges += f->inside[f->near->to[i]];
    return edges;
}

/* All sets with the present one in them, and some of open[from] .. open[to - 1].  False: too many, or out of
 * memory.  As deep as sets are large. */
static bool extend(Finder *f, int32_t from, int32_t to, int32_t sum, int32_t edges)
{
    bool good = f->size < 2 || keep(f, sum, edges);
    for (int32_t i = from; i < to && good; i++) {
        const int32_t g = f->open[i], more = edges_into(f, g);
        int32_t end = to;
        if (sum + f->shape->size[g] > f->most)
            continue;
        for (int32_t j = i + 1; j < to; j++)
            f->open[end++] = f->open[j];
        for (int32_t j = f->near->at[g]; j < f->near->at[g + 1]; j++)
            if (f->near->to[j] > f->root && f->seen[f->near->to[j]] == 0)
                f->open[end++] = f->near->to[j];
        f->set[f->size++] = g;
        mark(f, g, 1);
        good = extend(f, to, end, sum + f->shape->size[g], edges + more);
        mark(f, g, -1);
        f->size--;
    }
    return good;
}

bool subsets_make(Subsets *out, const Shape *s, const Neighbours *near, int32_t most)
{
    Subsets sets = {0};
    Finder f = {.sets = &sets, .shape = s, .near = near, .most = most};
    const size_t n = (size_t)s->groups, deep = (most < s->groups ? (size_t)most : n) + 2;
    bool good = true;
    f.no_memory = !mem_new(f.set, n) || !mem_new_zeroed(f.seen, n) ||
                  !mem_new(f.open, deep * n + 1) || !mem_new_zeroed(f.inside, n) ||
                  !mem_grow(sets.first, sets.first_cap, 1);
    for (f.root = 0; f.root < s->groups && good && !f.no_memory; f.root++) {
        const int32_t g = f.root;
        int32_t end = 0;
        if (s->size[g] > most)
            continue;
        for (int32_t j = near->at[g]; j < near->at[g + 1]; j++)
            if (near->to[j] > g)
                f.open[end++] = near->to[j];
        f.set[0] = g;
        f.size = 1;
        mark(&f, g, 1);
        good = extend(&f, 0, end, s->size[g], 0);
        mark(&f, g, -1);
    }
    if (!good)
        sets.count = -1;
    mem_free_all(f.set, f.seen, f.open, f.inside);
    if (f.no_memory)
        subsets_free(&sets);
    *out = sets;
    return !f.no_memory;
}

void subsets_free(Subsets *s)
{
    mem_free_all(s->member, s->first, s->sum, s->edges);
    *s = (Subsets){0};
}
