/* Whether groups of states are in balance: as solvers/multilevel/balance.c, of a matrix that is not written out by rows. */
#include "solvers/blocks/hills.h"
#include "solvers/blocks/blocks_plan.h"

#include <math.h>

#include "base/budget.h"
#include "base/mem.h"
#include "solvers/filling.h"
#include "solvers/parts.h"
#include "solvers/tuning.h"

typedef struct {
    const double *x;
    const int32_t *group;
    GroupFlows between;
} Flows;

static INLINE void cross(void *user, int64_t to, int64_t from, int32_t length, double rate,
                         const double *value)
{
    const Flows *f = user;
    for (int32_t k = 0; k < length; k++) {
        const int32_t g = f->group[to + k], other = f->group[from + k];
        const double flow = rate * (value ? value[k] : 1) * f->x[from + k];
        if (g != other) {
            f->between.in[g] += flow;
            f->between.out[other] += flow;
        }
    }
}

/* Mark states of groups that grow. */
static void mark(const Flows *f, int32_t n, uint8_t *grown)
{
    const GroupFlows *b = &f->between;
    for (int32_t i = 0; i < n; i++)
        grown[i] = grown[i] || b->in[f->group[i]] > (1 + RARE_SWEPT) * b->held[f->group[i]];
}

static Drift off_balance(Flows *f, const Blocks *b, uint8_t *grown)
{
    const int32_t n = (int32_t)b->offset[b->blocks];
    for (int32_t block = 0; block < b->blocks; block++)
        blocks_each_run(b, block, cross, f);
    for (int32_t i = 0; i < n; i++)
        f->between.held[f->group[i]] += f->x[i];
    const Drift off = group_flows_off(&f->between, blocks_processes(b));
    if (grown)
        mark(f, n, grown);
    return off;
}

Drift blocks_imbalance(const Blocks *blocks, double *x, double residual, uint8_t *grown)
{
    const int64_t all = blocks->offset[blocks->blocks + blocks->copies];
    Flows f = {.x = x};
    int32_t *group = NULL, groups = 0;
    Drift off = {0};
    if (!blocks_agree(blocks, all <= INT32_MAX && mem_new(group, all)))
        return off;
    blocks_renew_all(blocks, x);
    f.group = group;
    groups = blocks_groups(blocks, x, residual, group);
    if (groups > 1 && blocks_agree(blocks, group_flows_new(&f.between, groups)))
        off = off_balance(&f, blocks, grown);
    group_flows_free(&f.between);
    mem_free(group);
    return off;
}

/* ---- what holds next to nothing ---- */

/* next: per own state; of several processes then per copy, what this one has changed of it in a step; then per copy that others
 * have of own states, what these have. */
typedef struct {
    Filling filling;
    int64_t entries; /* of next */
    PepaExchange
        back; /* from copies to those whose states they are; pieces that are sent are borrowed */
    void *opened;
    double *change; /* scratch, per state of the largest block */
} Leading;

/* What changes in the means of states adds to the sums of those that lead there. */
typedef struct {
    double *next;
    const double *change; /* per state of the block at hand */
    int64_t first;
} Pushing;

static INLINE void push(void *user, int64_t to, int64_t from, int32_t length, double rate,
                        const double *value)
{
    const Pushing *p = user;
    double *next = p->next + from;
    const double *change = p->change + (to - p->first);
    for (int32_t k = 0; k < length; k++)
        next[k] += rate * (value ? value[k] : 1) * change[k];
}

static bool open_back(Leading *l, const BlocksShare *share)
{
    const PepaExchange *copies = share->copies;
    l->back = (PepaExchange){.number = copies->number, .partner_count = copies->partner_count};
    bool ok = mem_new_zeroed(l->back.partner, copies->partner_count);
    for (int32_t i = 0; ok && i < copies->partner_count; i++) {
        const PepaPartner *p = &copies->partner[i];
        PepaPartner *back = &l->back.partner[i];
        *back = (PepaPartner){p->process, p->received_count, p->sent_count, p->received, NULL};
        ok = mem_new(back->received, p->sent_count);
        for (int32_t k = 0; ok && k < p->sent_count; k++) {
            back->received[k] = (PepaPiece){l->entries, p->sent[k].count};
            l->entries += p->sent[k].count;
        }
    }
    l->opened = ok ? share->processes->open(share->processes->user, &l->back) : NULL;
    return l->opened != NULL;
}

static bool leading_new(Leading *l, const Blocks *b)
{
    const int64_t own = b->offset[b->blocks];
    *l = (Leading){.entries = b->offset[b->blocks + b->copies]};
    const bool ok = !b->share || open_back(l, b->share);
    return blocks_agree(b, ok && mem_new(l->change, b->largest) &&
                               filling_new(&l->filling, (int32_t)own, l->entries));
}

static void leading_free(Leading *l, const Blocks *b)
{
    if (l->opened)
        b->share->processes->close(b->share->processes->user, l->opened);
    for (int32_t i = 0; l->back.partner && i < l->back.partner_count; i++)
        mem_free(l->back.partner[i].received);
    mem_free_all(l->back.partner, l->change);
    filling_free(&l->filling);
}

/* What others have changed of own states. */
static void add_back(Leading *l, const Blocks *b)
{
    const PepaExchange *copies = b->share->copies;
    double *next = l->filling.next;
    blocks_exchange(b->share, l->opened, next);
    for (int32_t i = 0; i < copies->partner_count; i++)
        for (int32_t k = 0; k < copies->partner[i].sent_count; k++) {
            const PepaPiece own = copies->partner[i].sent[k];
            const int64_t found = l->back.partner[i].received[k].first;
            for (int64_t j = 0; j < own.count; j++)
                next[own.first + j] += next[found + j];
        }
    for (int64_t i = b->offset[b->blocks]; i < l->entries; i++)
        next[i] = 0;
}

static void push_block(Leading *l, const Blocks *b, int32_t block)
{
    Pushing p = {l->filling.next, l->change, b->offset[block]};
    blocks_each_run(b, block, push, &p);
}

static void begin_means(Leading *l, const Blocks *b)
{
    for (int32_t block = 0; block < b->blocks; block++) {
        for (int64_t i = b->offset[block]; i < b->offset[block + 1]; i++)
            l->change[i - b->offset[block]] = l->filling.mean[i];
        push_block(l, b, block);
    }
    if (b->share)
        add_back(l, b);
}

static void jump(Leading *l, const Blocks *b)
{
    for (int32_t k = 0; k < b->blocks; k++) {
        const int32_t block = block_place(b, k);
        const int64_t first = b->offset[block];
        bool changes = false;
        for (int64_t i = first; i < b->offset[block + 1]; i++) {
            l->change[i - first] =
                filling_jump(&l->filling, i, b->base[block] + b->parts[b->part[block]][i - first]);
            changes |= l->change[i - first] != 0;
        }
        if (changes)
            push_block(l, b, block);
    }
    if (b->share)
        add_back(l, b);
}

bool blocks_may_fill(const Blocks *blocks, const double *x, double growth, const uint8_t *grown,
                     int64_t memory)
{
    Leading l;
    FillingFound found = FILLING_OPEN;
    const int64_t all = blocks->offset[blocks->blocks + blocks->copies];
    if (!(growth > RARE_SWEPT) ||
        !blocks_agree(blocks, all <= INT32_MAX && budget_allows(memory, filling_bytes(all))))
        return false;
    if (leading_new(&l, blocks)) {
        filling_begin(&l.filling, x);
        l.filling.grown = grown;
        begin_means(&l, blocks);
        while (found == FILLING_OPEN) {
            jump(&l, blocks);
            found = filling_look(&l.filling, blocks_processes(blocks));
        }
    }
    leading_free(&l, blocks);
    return found == FILLING_LIKELY;
}

double blocks_imbalance_bytes(const Blocks *blocks)
{
    const double state = sizeof(int32_t) + sizeof(double); /* groups are much fewer than states */
    return state * (double)blocks->offset[blocks->blocks + blocks->copies];
}
