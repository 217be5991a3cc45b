/* Groups of states, each around one that holds more than the others of it. */
#include "solvers/blocks/hills.h"

#include <math.h>

#include "base/mem.h"
#include "solvers/parts.h"

typedef struct {
    const double *x;
    int32_t *group;
    double common;   /* states are one group that more than this flows between */
    int64_t first;   /* state of the block at hand */
    double *most;    /* per state of it: the largest flow from one with more probability, ... */
    int32_t *uphill; /* ... and that state; -1: there is none */
} Hills;

static INLINE void climb(void *user, int64_t to, int64_t from, int32_t length, double rate,
                         const double *value)
{
    Hills *h = user;
    for (int32_t k = 0; k < length; k++) {
        const int32_t i = (int32_t)(to + k), j = (int32_t)(from + k);
        const double flow = rate * (value ? value[k] : 1) * h->x[j];
        const bool higher = h->x[j] > h->x[i] || (h->x[j] >= h->x[i] && j < i);
        if (flow >= h->common) {
            if (h->group[i] != h->group[j])
                group_join(h->group, i, j);
        } else if (higher && flow > h->most[i - h->first]) {
            h->most[i - h->first] = flow;
            h->uphill[i - h->first] = j;
        }
    }
}

/* Flows out of own states, of all processes. */
static double whole_flow(const Blocks *b, const double *x)
{
    double flow = 0;
    for (int32_t k = 0; k < b->blocks; k++)
        for (int64_t i = b->offset[k]; i < b->offset[k + 1]; i++)
            flow += x[i] * (b->base[k] + b->parts[b->part[k]][i - b->offset[k]]);
    blocks_sum(b, &flow, 1);
    return flow;
}

static int32_t find(Hills *h, const Blocks *b)
{
    const int32_t all = (int32_t)b->offset[b->blocks + b->copies];
    for (int32_t i = 0; i < all; i++)
        h->group[i] = i;
    for (int32_t block = 0; block < b->blocks; block++) {
        const int32_t rows = (int32_t)(b->offset[block + 1] - b->offset[block]);
        h->first = b->offset[block];
        for (int32_t i = 0; i < rows; i++) {
            h->most[i] = 0;
            h->uphill[i] = -1;
        }
        blocks_each_run(b, block, climb, h);
        for (int32_t i = 0; i < rows; i++)
            if (h->uphill[i] >= 0)
                group_join(h->group, (int32_t)h->first + i, h->uphill[i]);
    }
    return group_number(h->group, all);
}

/* ---- groups of several processes -------------------------------------------------------------- */

/* The parts of copies: label is as vectors are, but only copies, and own states that others have copies of, take memory. */
static void label_copies(const GroupParts *p, const Blocks *b, const int32_t *group, double *label)
{
    const PepaExchange *copies = b->share->copies;
    for (int32_t i = 0; i < copies->partner_count; i++)
        for (int32_t k = 0; k < copies->partner[i].sent_count; k++) {
            const PepaPiece piece = copies->partner[i].sent[k];
            for (int64_t j = piece.first; j < piece.first + piece.count; j++)
                label[j] = p->first + group[j];
        }
    blocks_renew_all(b, label);
}

/* Groups of processes that have copies of each other's states become one, the same number in all.  Returns how many there are. */
static int32_t merge(GroupParts *p, const Blocks *b, int32_t *group, double *label)
{
    const int64_t own = b->offset[b->blocks], all = b->offset[b->blocks + b->copies];
    label_copies(p, b, group, label);
    for (int64_t i = own; i < all; i++)
        if (group[i] < p->own)
            group_join(p->group, p->first + group[i], (int32_t)label[i]);
    const int32_t count = parts_number(p);
    for (int64_t i = 0; i < own; i++)
        group[i] = p->group[p->first + group[i]];
    for (int64_t i = own; i < all; i++)
        group[i] = p->group[(int32_t)label[i]];
    return count;
}

static int32_t merge_all(const Blocks *b, int32_t *group)
{
    const int64_t own = b->offset[b->blocks], all = b->offset[b->blocks + b->copies];
    GroupParts parts;
    double *label = NULL;
    int32_t groups = 0, parts_own = 0;
    for (int64_t i = 0; i < own; i++)
        parts_own = group[i] >= parts_own ? group[i] + 1 : parts_own;
    if (!parts_new(&parts, blocks_processes(b), parts_own))
        return 0;
    if (blocks_agree(b, mem_new(label, all)))
        groups = merge(&parts, b, group, label);
    parts_free(&parts);
    mem_free(label);
    return groups;
}

/* ---------------------------------------------------------------------------------------------- */

int32_t blocks_groups(const Blocks *b, const double *x, double residual, int32_t *group)
{
    Hills h = {.x = x,
               .group = group,
               .common = COMMON_FLOW * fmax(residual, LEAST_RESIDUAL) * whole_flow(b, x)};
    int32_t groups = 0;
    const bool ok = mem_new(h.most, b->largest) && mem_new(h.uphill, b->largest);
    if (ok)
        groups = find(&h, b);
    mem_free_all(h.most, h.uphill);
    if (b->share)
        groups = blocks_agree(b, ok) ? merge_all(b, group) : 0;
    return groups;
}
