/* Bin packing by depth-first search: the largest group first, into the node that it fills best. */
#include "grid/taag/schedule/packing.h"

#include <string.h>

#include "base/mem.h"

static const int64_t MOST_WORK = 200000; /* nodes looked at */

bool packing_make(Packing *out, int32_t groups, const int32_t *size, int32_t nodes,
                  const int64_t *places)
{
    Packing p = {.groups = groups, .nodes = nodes, .size = size, .places = places};
    if (!mem_new(p.node, groups) || !mem_new(p.free, nodes) || !mem_new(p.left, nodes) ||
        !mem_new(p.rest, groups + 1)) {
        packing_free(&p);
        return false;
    }
    p.rest[groups] = 0;
    for (int32_t g = groups - 1; g >= 0; g--)
        p.rest[g] = p.rest[g + 1] + size[g];
    *out = p;
    return true;
}

void packing_free(Packing *p)
{
    mem_free_all(p->node, p->free, p->left, p->rest);
    *p = (Packing){0};
}

/* Can the groups from g on be placed, as far as their number and size say? */
static bool is_hopeful(Packing *p, int32_t g)
{
    int64_t groups = 0, places = 0;
    int32_t size = p->size[g], alike = 0, here = 0;
    int64_t fits = 0;
    while (g + alike < p->groups && p->size[g + alike] == size)
        alike++;
    for (int32_t a = 0; a < p->nodes; a++) {
        if (p->left[a] == 0)
            continue;
        int64_t room = p->free[a] / size;
        groups += p->left[a];
        places += p->free[a];
        fits += room < p->left[a] ? room : p->left[a];
        here++;
    }
    p->work += p->nodes;
    return here > 0 && groups >= p->groups - g && places >= p->rest[g] && fits >= alike;
}

/* The node after `before` in the order of trial: least room first, then first numbers; of nodes with
 * equal room and number of groups only one.  -1: none. */
static int32_t next_node(Packing *p, int32_t size, int32_t before)
{
    int32_t best = -1;
    for (int32_t a = 0; a < p->nodes; a++) {
        if (p->left[a] == 0 || p->free[a] < size)
            continue;
        bool later = before < 0 || p->free[a] > p->free[before] ||
                     (p->free[a] == p->free[before] && p->left[a] < p->left[before]);
        if (later && (best < 0 || p->free[a] < p->free[best] ||
                      (p->free[a] == p->free[best] && p->left[a] > p->left[best])))
            best = a;
    }
    p->work += p->nodes;
    return best;
}

/* As deep as there are groups. */
static CliqueAnswer place(Packing *p, int32_t g)
{
    if (g == p->groups)
        return CLIQUE_FOUND;
    if (!is_hopeful(p, g))
        return CLIQUE_NONE;
    int32_t size = p->size[g];
    for (int32_t a = next_node(p, size, -1); a >= 0; a = next_node(p, size, a)) {
        p->free[a] -= size;
        p->left[a]--;
        p->node[g] = a;
        CliqueAnswer answer = place(p, g + 1);
        p->free[a] += size;
        p->left[a]++;
        if (answer != CLIQUE_NONE)
            return answer;
        if (p->work > MOST_WORK)
            return CLIQUE_UNKNOWN;
    }
    return CLIQUE_NONE;
}

CliqueAnswer packing_find(Packing *p, const int32_t *most)
{
    for (int32_t a = 0; a < p->nodes; a++)
        p->free[a] = most[a] > 0 ? p->places[a] : 0;
    memcpy(p->left, most, (size_t)p->nodes * sizeof *p->left);
    p->work = 0;
    return place(p, 0);
}
