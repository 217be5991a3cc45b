/* Groups of states, each around one that holds more than the others of it. */
#include "solvers/blocks/hills.h"

#include <math.h>

#include "base/mem.h"
#include "solvers/blocks/tuning.h"

static int32_t top(int32_t *group, int32_t i)
{
    while (group[i] != i)
        i = group[i] = group[group[i]];
    return i;
}

static void join(int32_t *group, int32_t i, int32_t j)
{
    i = top(group, i);
    j = top(group, j);
    group[i > j ? i : j] = i > j ? j : i;
}

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
                join(h->group, i, j);
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
    int32_t count = 0;
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
                join(h->group, (int32_t)h->first + i, h->uphill[i]);
    }
    for (int32_t i = 0; i < all; i++) /* the first of a group comes before the others */
        h->group[i] = h->group[i] == i ? count++ : h->group[h->group[i]];
    return count;
}

/* ---- groups of several processes -------------------------------------------------------------- */

/* Parts of groups, as processes have found them, are numbered through: this one has first .. first + own - 1. */
typedef struct {
    int32_t first, own, all;
    int32_t *group; /* per part: another one of its group, or itself; later its number */
    double *least;  /* per part */
} Parts;

/* How many each process has; false: too many. */
static bool count_parts(Parts *p, const Blocks *b, int32_t own, double *count)
{
    const PepaProcesses *processes = blocks_processes(b);
    double all = 0;
    count[processes->rank] = own;
    blocks_sum(b, count, processes->count);
    p->own = own;
    for (int32_t k = 0; k < processes->count; k++) {
        if (k == processes->rank)
            p->first = (int32_t)fmin(all, INT32_MAX);
        all += count[k];
    }
    p->all = (int32_t)fmin(all, INT32_MAX);
    return all <= MOST_PARTS;
}

/* Each process joins what it knows of, and hears what others have joined, until nobody hears anything new. */
static void join_parts(Parts *p, const Blocks *b)
{
    const PepaProcesses *processes = blocks_processes(b);
    for (bool news = true; news;) {
        for (int32_t k = 0; k < p->all; k++)
            p->least[k] = -top(p->group, k);
        processes->largest(processes->user, p->least, p->all);
        news = false;
        for (int32_t k = 0; k < p->all; k++) {
            const int32_t other = (int32_t)-p->least[k];
            if (top(p->group, k) == top(p->group, other))
                continue;
            join(p->group, k, other);
            news = true;
        }
        news = !blocks_agree(b, !news);
    }
}

/* The first part of a group stands for it, and comes before the others. */
static int32_t number_groups(Parts *p)
{
    int32_t count = 0;
    for (int32_t k = 0; k < p->all; k++)
        p->group[k] = p->group[k] == k ? count++ : p->group[p->group[k]];
    return count;
}

/* The parts of copies: label is as vectors are, but only copies, and own states that others have copies of, take memory. */
static void label_copies(const Parts *p, const Blocks *b, const int32_t *group, double *label)
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
static int32_t merge(Parts *p, const Blocks *b, int32_t *group, double *label)
{
    const int64_t own = b->offset[b->blocks], all = b->offset[b->blocks + b->copies];
    label_copies(p, b, group, label);
    for (int32_t k = 0; k < p->all; k++)
        p->group[k] = k;
    for (int64_t i = own; i < all; i++)
        if (group[i] < p->own)
            join(p->group, p->first + group[i], (int32_t)label[i]);
    join_parts(p, b);
    const int32_t count = number_groups(p);
    for (int64_t i = 0; i < own; i++)
        group[i] = p->group[p->first + group[i]];
    for (int64_t i = own; i < all; i++)
        group[i] = p->group[(int32_t)label[i]];
    return count;
}

static int32_t merge_all(const Blocks *b, int32_t *group)
{
    const int64_t own = b->offset[b->blocks], all = b->offset[b->blocks + b->copies];
    Parts parts = {0};
    double *label = NULL, *count = NULL;
    int32_t groups = 0, parts_own = 0;
    for (int64_t i = 0; i < own; i++)
        parts_own = group[i] >= parts_own ? group[i] + 1 : parts_own;
    bool ok = blocks_agree(b, mem_new_zeroed(count, blocks_processes(b)->count));
    if (ok && count_parts(&parts, b, parts_own, count)) {
        ok = mem_new(label, all) && mem_new(parts.group, parts.all) &&
             mem_new(parts.least, parts.all);
        if (blocks_agree(b, ok))
            groups = merge(&parts, b, group, label);
    }
    mem_free_all(label, count, parts.group, parts.least);
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
