/* Divisions of a program into groups. */
#include "grid/taag/schedule/shape.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static int descending(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a < b) - (a > b);
}

/* Groups on level i (from 1) of a tree: 1 on the first, the parts on the one above the leaves. */
static int32_t managers(const AmogetProgram *p, int32_t parts, int32_t level)
{
    if (level == 1)
        return 1;
    if (level == p->levels - 1)
        return parts;
    double width = pow(parts, (double)(level - 1) / (p->levels - 2));
    return (int32_t)ceil(width * (1 - 1e-12));
}

static int32_t fixed_groups(const AmogetProgram *p, int32_t parts)
{
    int64_t count = 0;
    for (int32_t level = 1; p->kind == AMOGET_TREE && level < p->levels; level++)
        count += managers(p, parts, level);
    return count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

void division_parts(const AmogetProgram *p, int32_t *first, int32_t *last, int32_t *step)
{
    bool variable = p->kind == AMOGET_GROUPS || p->kind == AMOGET_RING;
    *first = *last = *step = 1;
    if (p->kind == AMOGET_GRAPH)
        *first = *last = p->group_count;
    if (variable) {
        *first = *step = p->divisor;
        *last = p->processes / p->least;
    }
    if (p->kind == AMOGET_TREE) {
        if (p->levels > 2)
            *last = p->processes / p->least;
        while (*last > 0 &&
               p->processes - (int64_t)fixed_groups(p, *last) < (int64_t)*last * p->least)
            --*last;
    }
}

static void join(Shape *s, int32_t a, int32_t b)
{
    s->edges[s->edge_count++] = (AmogetEdge){a, b};
}

static void make_tree(Shape *s)
{
    const AmogetProgram *p = s->program;
    int32_t at = 0, above = 0, of_above = 1;
    for (int32_t level = 1; level <= p->levels; level++) {
        int32_t here = level == p->levels ? s->parts : managers(p, s->parts, level);
        for (int32_t j = 0; j < here; j++, at++) {
            int32_t parent = above + (int32_t)((int64_t)j * of_above / here);
            s->size[at] = 1;
            s->parent[at] = level == 1 ? -1 : parent;
            if (level > 1)
                join(s, parent, at);
            if (level == p->levels)
                s->unit[at] = s->unit[parent];
        }
        above = at - here;
        of_above = here;
    }
}

static void make_ring(Shape *s)
{
    for (int32_t g = 0; g + 1 < s->groups; g++)
        join(s, g, g + 1);
    if (s->groups > 2)
        join(s, s->groups - 1, 0);
}

/* Largest units first; a manager comes after its leaves, then what is above. */
static void set_order(Shape *s)
{
    int32_t at = 0;
    for (int32_t i = 0; i < s->parts; i++) {
        int32_t g = s->fixed + i;
        s->order[at++] = g;
        if (s->unit[g] != g)
            s->order[at++] = s->unit[g];
    }
    for (int32_t g = s->fixed - 1; g >= 0; g--)
        if (s->program->levels > 2 && g < s->fixed - s->parts)
            s->order[at++] = g;
    assert(at == s->groups);
    if (s->given) /* the groups of a graph have any sizes: insertion keeps equal ones in order */
        for (int32_t i = 1; i < s->groups; i++)
            for (int32_t j = i; j > 0 && s->size[s->order[j]] > s->size[s->order[j - 1]]; j--) {
                int32_t swap = s->order[j];
                s->order[j] = s->order[j - 1];
                s->order[j - 1] = swap;
            }
}

/* joined and degree; `order` is scratch. */
static void look_at_edges(Shape *s)
{
    int32_t *above = s->order;
    s->joined = s->complete ? 1 : s->groups;
    s->degree = s->complete ? s->groups - 1 : s->groups;
    for (int32_t g = 0; g < s->groups; g++)
        above[g] = g;
    for (int32_t e = 0; e < s->edge_count; e++) {
        int32_t a = s->edges[e].a, b = s->edges[e].b;
        while (above[a] != a)
            a = above[a] = above[above[a]];
        while (above[b] != b)
            b = above[b] = above[above[b]];
        s->joined -= a != b;
        above[a] = b;
    }
    for (int32_t g = 0; g < s->groups && !s->complete; g++)
        above[g] = 0;
    for (int32_t e = 0; e < s->edge_count; e++) {
        above[s->edges[e].a]++;
        above[s->edges[e].b]++;
    }
    for (int32_t g = 0; g < s->groups && !s->complete; g++)
        s->degree = above[g] < s->degree ? above[g] : s->degree;
}

bool division_make(Shape *out, const AmogetProgram *p, int32_t parts, bool *no_memory)
{
    Shape s = {.program = p, .parts = parts, .fixed = fixed_groups(p, parts), .least = p->least};
    s.rest = p->processes - s.fixed;
    s.given = p->kind == AMOGET_GRAPH || p->kind == AMOGET_SINGLETON;
    if (!s.given && (int64_t)parts * p->least > s.rest)
        return false;
    s.groups = s.fixed + parts;
    s.complete = p->kind != AMOGET_TREE && p->kind != AMOGET_RING && p->edge_count == 0;
    int32_t edges = s.groups > p->edge_count ? s.groups : p->edge_count;
    if (!mem_new(s.size, s.groups) || !mem_new(s.unit, s.groups) || !mem_new(s.order, s.groups) ||
        !mem_new(s.parent, s.groups) || !mem_new(s.edges, edges)) {
        *no_memory = true;
        division_free(&s);
        return false;
    }
    for (int32_t g = 0; g < s.groups; g++) {
        s.unit[g] = g;
        s.parent[g] = -1;
    }
    if (p->kind == AMOGET_TREE)
        make_tree(&s);
    else if (p->kind == AMOGET_RING)
        make_ring(&s);
    for (int32_t e = 0; p->kind == AMOGET_GRAPH && e < p->edge_count; e++)
        join(&s, p->edges[e].a, p->edges[e].b);
    for (int32_t i = 0; i < parts; i++)
        s.size[s.fixed + i] = p->kind == AMOGET_GRAPH       ? p->sizes[i]
                              : p->kind == AMOGET_SINGLETON ? s.rest
                              : i == 0                      ? s.rest - (parts - 1) * p->least
                                                            : p->least;
    look_at_edges(&s);
    set_order(&s);
    *out = s;
    return true;
}

bool division_next(Shape *s)
{
    int32_t *size = s->size + s->fixed, moved = 0;
    if (s->given)
        return false;
    /* the last part that can lose a process to those after it, which stay no larger than it */
    for (int32_t i = s->parts - 1; i >= 0; i--) {
        int32_t after = s->parts - 1 - i;
        int64_t room = (int64_t)after * (size[i] - 1);
        if (i < s->parts - 1 && size[i] - 1 >= s->least && moved + 1 <= room) {
            int32_t left = moved + 1 - after * s->least, most = --size[i];
            for (int32_t j = i + 1; j < s->parts; j++) {
                int32_t more = left < most - s->least ? left : most - s->least;
                size[j] = s->least + more;
                left -= more;
            }
            return true;
        }
        moved += size[i];
    }
    return false;
}

void division_set(Shape *s, const int32_t *sizes)
{
    memcpy(s->size + s->fixed, sizes, (size_t)s->parts * sizeof *sizes);
    if (!s->given)
        qsort(s->size + s->fixed, (size_t)s->parts, sizeof *sizes, descending);
}

void division_free(Shape *s)
{
    mem_free_all(s->size, s->unit, s->order, s->parent, s->edges);
    *s = (Shape){0};
}

double division_count(const AmogetProgram *p)
{
    int32_t first, last, step, n = p->processes;
    double *ways = NULL, count = 0;
    division_parts(p, &first, &last, &step);
    if (p->kind == AMOGET_GRAPH || p->kind == AMOGET_SINGLETON)
        return 1;
    if (!mem_new_zeroed(ways, n + 1))
        return NAN;
    ways[0] = 1; /* ways[m]: partitions of m into exactly k positive parts */
    for (int32_t k = 1; k <= last; k++) {
        for (int32_t m = n; m >= 1; m--)
            ways[m] = ways[m - 1];
        ways[0] = 0;
        for (int32_t m = k; m <= n; m++)
            ways[m] += m - k >= k ? ways[m - k] : 0;
        int64_t rest = (int64_t)n - fixed_groups(p, k) - (int64_t)k * (p->least - 1);
        if (k >= first && (k - first) % step == 0 && rest >= k)
            count += ways[rest];
    }
    mem_free(ways);
    return count;
}
