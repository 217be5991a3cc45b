/* Jumps within bottom components: from transitions to rows. */
#include "measure/recurrent.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

void recurrent_free(Recurrent *r)
{
    for (int32_t b = 0; r->component && b < r->chain->bottom_count; b++)
        potential_factors_free(r->component[b].factors);
    mem_free_all(r->component, r->order, r->place, r->row, r->col, r->target, r->val, r->exit);
}

/* States of no component have no places. */
static bool choose_order(Recurrent *r, const LongRun *run)
{
    const int32_t count = r->chain->bottom_count;
    const size_t states = (size_t)r->chain->state_count;
    if (!mem_new_zeroed(r->component, count))
        return false;
    for (int32_t b = 0; b < count; b++) {
        r->component[b].first = r->n;
        r->component[b].n = longrun_order(run, b, NULL);
        r->n += r->component[b].n;
    }
    const size_t n = (size_t)r->n;
    if (!(mem_new(r->order, n) && mem_new(r->place, states) && mem_new(r->exit, n) &&
          mem_new_zeroed(r->row, n + (size_t)count)))
        return false;
    memset(r->place, -1, states * sizeof *r->place);
    for (int32_t b = 0; b < count; b++) {
        int32_t *order = r->order + r->component[b].first;
        (void)longrun_order(run, b, order);
        order_reverse(order, r->component[b].n);
    }
    for (int32_t i = 0; i < r->n; i++)
        r->place[r->order[i]] = i;
    return true;
}

/* One pass over the transitions.  Those between the same two states share an entry. */
typedef struct {
    Recurrent *r;
    int64_t *at;                   /* per state: the entry that it had when last met as a target */
    int64_t from, end, met, first; /* the source at hand; entries and transitions until now */
    int64_t met_before;            /* transitions of the sources before it */
    bool fills;                    /* the second pass */
    int64_t *keys, *moved;         /* per entry of a row: column and entry; where that went */
} Structure;

static int by_key(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Where the row of a state begins. */
static int64_t row_of(const Recurrent *r, int64_t state)
{
    return recurrent_row(r, chain_component(r->chain, state), r->place[state]);
}

/* The columns of the row at hand ascend, as incomplete factors want them. */
static void sort_row(Structure *l)
{
    Recurrent *r = l->r;
    if (!l->fills || l->from < 0)
        return;
    int32_t *col = r->col + row_of(r, l->from);
    const int64_t width = l->end - l->first;
    bool ascends = true;
    for (int64_t e = 0; e < width; e++) {
        l->keys[e] = (int64_t)col[e] << 32 | e;
        ascends = ascends && (e == 0 || col[e - 1] < col[e]);
    }
    if (ascends)
        return;
    qsort(l->keys, (size_t)width, sizeof *l->keys, by_key);
    for (int64_t e = 0; e < width; e++) {
        col[e] = (int32_t)(l->keys[e] >> 32);
        l->moved[l->keys[e] & INT32_MAX] = e;
    }
    for (int64_t k = l->met_before; k < l->met; k++)
        r->target[k] = (int32_t)l->moved[r->target[k]];
}

static void add_to_structure(void *user, const Transition *t)
{
    Structure *l = user;
    Recurrent *r = l->r;
    if (r->place[t->from] < 0 || t->to == t->from)
        return;
    if (t->from != l->from) {
        sort_row(l);
        l->from = t->from;
        l->first = l->end;
        l->met_before = l->met;
    }
    const bool fresh = l->at[t->to] < l->first;
    const int32_t b = chain_component(r->chain, t->from);
    if (fresh)
        l->at[t->to] = l->end++;
    if (!l->fills) {
        r->row[r->place[t->from] + b + 1] += fresh;
    } else {
        const int64_t entry = l->at[t->to] - l->first;
        r->col[row_of(r, t->from) + entry] = r->place[t->to] - r->component[b].first;
        r->target[l->met] = (int32_t)entry;
    }
    l->met++;
}

/* Room for rows that have been counted. */
static bool reserve_rows(Structure *l)
{
    Recurrent *r = l->r;
    int64_t widest = 0, entry = 0;
    for (int32_t b = 0; b < r->chain->bottom_count; b++) {
        BottomComponent *c = &r->component[b];
        int64_t *row = r->row + c->first + b;
        for (int32_t i = 0; i < c->n; i++) {
            widest = row[i + 1] > widest ? row[i + 1] : widest;
            row[i + 1] += row[i];
        }
        c->entry = entry;
        entry += row[c->n];
    }
    return mem_new(r->col, l->end) && mem_new(r->val, l->end) && mem_new(r->target, l->met) &&
           mem_new(l->keys, widest) && mem_new(l->moved, widest);
}

static PepaStatus build(Recurrent *r, PepaError *err)
{
    const size_t states = (size_t)r->chain->state_count;
    Structure l = {.r = r, .from = -1};
    l.at = mem_alloc(states, sizeof *l.at);
    PepaStatus status = l.at ? PEPA_OK : error_memory(err);
    for (int pass = 0; pass < 2 && status == PEPA_OK; pass++) {
        memset(l.at, -1, states * sizeof *l.at);
        status = chain_each_transition(r->chain, add_to_structure, &l, err);
        if (pass == 1 || status != PEPA_OK)
            break;
        if (!reserve_rows(&l))
            status = error_memory(err);
        l = (Structure){.r = r,
                        .at = l.at,
                        .from = -1,
                        .fills = true,
                        .keys = l.keys,
                        .moved = l.moved};
    }
    if (status == PEPA_OK)
        sort_row(&l);
    mem_free_all(l.at, l.keys, l.moved);
    return status;
}

PepaStatus recurrent_new(Recurrent *r, const Chain *chain, const LongRun *run, PepaError *err)
{
    r->chain = chain;
    const PepaStatus status =
        error_by_rows(err, chain->state_count, "the matrix of jumps within components");
    if (status != PEPA_OK)
        return status;
    return choose_order(r, run) ? build(r, err) : error_memory(err);
}

Flow recurrent_flow(const Recurrent *r, int32_t b)
{
    const BottomComponent *c = &r->component[b];
    return (Flow){.n = c->n,
                  .row = r->row + c->first + b,
                  .col = r->col + c->entry,
                  .val = r->val + c->entry,
                  .exit = r->exit + c->first};
}

void recurrent_forget(Recurrent *r)
{
    for (int32_t b = 0; b < r->chain->bottom_count; b++) {
        BottomComponent *c = &r->component[b];
        const size_t entries = (size_t)r->row[c->first + b + c->n];
        const uint64_t hash = hash_bytes(r->val + c->entry, entries * sizeof *r->val);
        if (hash == c->hash)
            continue;
        potential_factors_free(c->factors);
        c->factors = NULL;
        c->hash = hash;
    }
}
