/* The sequence of groups for tables of cuts, and its frontiers. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/partition_cuts.h"

/* Groups that are connected with g, into list.  Returns their number. */
static int32_t list_joined(const Neighbours *near, int32_t g, bool *seen, int32_t *list)
{
    int32_t count = 0;
    list[count++] = g;
    seen[g] = true;
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = near->at[list[i]]; j < near->at[list[i] + 1]; j++)
            if (!seen[near->to[j]]) {
                seen[near->to[j]] = true;
                list[count++] = near->to[j];
            }
    return count;
}

typedef struct {
    const Neighbours *near;
    int32_t groups, *list; /* that are to be ordered */
    int32_t *order;        /* so far, and the best */
    int32_t *left;         /* of each group: neighbours that have no place yet */
    bool *placed;
} Sequence;

/* How many groups the frontier has more with g. */
static int32_t growth(const Sequence *s, int32_t g)
{
    int32_t more = s->left[g] > 0;
    for (int32_t j = s->near->at[g]; j < s->near->at[g + 1]; j++)
        more -= s->placed[s->near->to[j]] && s->left[s->near->to[j]] == 1;
    return more;
}

/* From a group on, next the one with which the frontier is smallest.  Returns the sum of 2^frontier. */
static double order_from(Sequence *s, int32_t first)
{
    int32_t width = 0;
    double cells = 0;
    for (int32_t i = 0; i < s->groups; i++) {
        s->placed[s->list[i]] = false;
        s->left[s->list[i]] = s->near->at[s->list[i] + 1] - s->near->at[s->list[i]];
    }
    for (int32_t k = 0; k < s->groups; k++) {
        int32_t best = k == 0 ? first : -1, least = 0;
        for (int32_t i = 0; i < s->groups && k > 0; i++) {
            const int32_t g = s->list[i];
            const int32_t more = s->placed[g] ? 0 : growth(s, g);
            if (!s->placed[g] && (best < 0 || more < least)) {
                best = g;
                least = more;
            }
        }
        width += growth(s, best);
        s->order[k] = best;
        s->placed[best] = true;
        for (int32_t j = s->near->at[best]; j < s->near->at[best + 1]; j++)
            s->left[s->near->to[j]]--;
        cells += exp2(width);
    }
    return cells;
}

/* Frontiers of the sequence, and where their tables begin.  False: one is too large. */
static bool list_frontiers(PartitionCuts *c, const Neighbours *near, int32_t *place)
{
    int32_t count = 0;
    for (int32_t k = 0; k < c->groups; k++)
        place[c->order[k]] = k;
    c->rows = 0;
    c->open[0] = 0;
    for (int32_t k = 0; k <= c->groups; k++) {
        const int32_t before = count;
        c->at[k] = before;
        c->open[k] = 0;
        for (int32_t i = 0; i < c->groups; i++) {
            bool later = false;
            const int32_t g = c->order[i];
            for (int32_t j = near->at[g]; j < near->at[g + 1]; j++) {
                const int32_t other = place[near->to[j]];
                later = later || other >= k;
                c->open[k] += other > i && other >= k;
            }
            if (i < k && later && count - before == MOST_FRONTIER)
                return false;
            if (i < k && later)
                c->frontier[count++] = g;
        }
        c->first[k] = c->rows;
        c->rows += (size_t)1 << (count - before);
    }
    c->at[c->groups + 1] = count;
    return c->rows * ((size_t)c->processes + 1) <= MOST_CUT_CELLS;
}

/* How frontiers follow each other. */
static void join_frontiers(PartitionCuts *c, const Neighbours *near)
{
    for (int32_t k = 0; k < c->groups; k++) {
        const int32_t g = c->order[k];
        c->close[k] = 0;
        for (int32_t j = c->at[k]; j < c->at[k + 1]; j++)
            for (int32_t i = near->at[g]; i < near->at[g + 1]; i++)
                c->close[k] |= (uint32_t)(near->to[i] == c->frontier[j]) << (j - c->at[k]);
        for (int32_t i = c->at[k + 1]; i < c->at[k + 2]; i++) {
            c->from[i] = -1;
            for (int32_t j = c->at[k]; j < c->at[k + 1]; j++)
                if (c->frontier[j] == c->frontier[i])
                    c->from[i] = j - c->at[k];
        }
    }
}

/* Those groups in the best order.  Returns the work. */
static int64_t order_best(Sequence *s, int32_t *list, int32_t groups, int32_t *order)
{
    double least = INFINITY;
    s->list = list;
    s->groups = groups;
    for (int32_t i = 0; i < groups; i++) {
        const double cells = order_from(s, list[i]);
        if (cells >= least)
            continue;
        least = cells;
        memcpy(order, s->order, (size_t)groups * sizeof *order);
    }
    return (int64_t)groups * groups * groups;
}

bool partition_cuts_make(PartitionCuts *out, const Shape *shape, const Neighbours *near, bool whole)
{
    const size_t n = (size_t)shape->groups;
    PartitionCuts *c = out;
    *c = (PartitionCuts){0};
    Sequence s = {.near = near};
    bool *seen = NULL;
    int32_t *list = NULL, *place = NULL;
    const bool good = mem_new_zeroed(seen, n) && mem_new(list, n) && mem_new(s.order, n) &&
                      mem_new(s.left, n) && mem_new(s.placed, n) && mem_new_zeroed(place, n) &&
                      mem_new(c->order, n) && mem_new(c->open, n + 1) && mem_new(c->at, n + 2) &&
                      mem_new(c->frontier, (n + 1) * MOST_FRONTIER) &&
                      mem_new(c->from, (n + 1) * MOST_FRONTIER) && mem_new(c->close, n) &&
                      mem_new(c->first, n + 2);
    for (int32_t g = 0; g < shape->groups && good; g++) {
        const int32_t count = seen[g] ? 0 : list_joined(near, g, seen, list);
        const int32_t before = whole ? c->groups : 0;
        if (count > 1 && (whole || count > c->groups)) {
            c->work += order_best(&s, list, count, c->order + before);
            c->groups = before + count;
        }
    }
    if (good) {
        for (int32_t k = 0; k < c->groups; k++)
            c->processes += shape->size[c->order[k]];
        if (shape->edge_count >= CUT_NO_WAY || !list_frontiers(c, near, place))
            c->groups = 0;
        join_frontiers(c, near);
    }
    mem_free_all(seen, list, place, s.order, s.left, s.placed);
    return good;
}
