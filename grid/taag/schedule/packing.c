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

/* The node whose groups have the least room on average, of those that have none yet; -1: none. */
static int32_t narrowest(const Packing *p, const int32_t *count)
{
    int32_t best = -1;
    for (int32_t a = 0; a < p->nodes; a++)
        if (p->left[a] > 0 && (best < 0 || p->places[a] * count[best] < p->places[best] * count[a]))
            best = a;
    return best;
}

static int64_t beyond(int64_t room)
{
    return room < 0 ? -room : 0;
}

/* How much less is beyond the nodes' places if two groups change places. */
static int64_t gain(const Packing *p, int32_t g, int32_t h)
{
    const int32_t a = p->node[g], b = p->node[h];
    const int64_t more = p->size[h] - (int64_t)p->size[g];
    return beyond(p->free[a]) + beyond(p->free[b]) - beyond(p->free[a] - more) -
           beyond(p->free[b] + more);
}

/* Exchange the two groups that gain most.  False: none do. */
static bool exchange(Packing *p)
{
    int64_t most = 0;
    int32_t first = 0, second = 0;
    for (int32_t g = 0; g < p->groups; g++)
        for (int32_t h = 0; h < p->groups && p->free[p->node[g]] < 0; h++)
            if (p->node[h] != p->node[g] && gain(p, g, h) > most) {
                most = gain(p, g, h);
                first = g;
                second = h;
            }
    const int32_t a = p->node[first], b = p->node[second];
    p->work += (int64_t)p->groups * p->groups;
    if (most == 0)
        return false;
    p->free[a] += p->size[first] - (int64_t)p->size[second];
    p->free[b] += p->size[second] - (int64_t)p->size[first];
    p->node[first] = b;
    p->node[second] = a;
    return true;
}

bool packing_exchange(Packing *p, const int32_t *count)
{
    bool all;
    memcpy(p->left, count, (size_t)p->nodes * sizeof *p->left);
    memcpy(p->free, p->places, (size_t)p->nodes * sizeof *p->free);
    p->work = 0;
    for (int32_t g = p->groups - 1; g >= 0;) {
        const int32_t a = narrowest(p, count);
        for (; p->left[a] > 0; p->left[a]--, g--) {
            p->node[g] = a;
            p->free[a] -= p->size[g];
        }
    }
    do {
        all = true;
        for (int32_t a = 0; a < p->nodes; a++)
            all = all && p->free[a] >= 0;
    } while (!all && p->work < MOST_WORK && exchange(p));
    return all;
}
