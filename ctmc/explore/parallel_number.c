/* Numbers the states that a batch has found, and makes the table large enough for them. */
#include <math.h>

#include "ctmc/explore/explorer.h"

static bool touch(Parallel *parallel, int32_t slice, Worker *w)
{
    (void)w;
    ctable_touch(&parallel->table, slice, parallel->slices);
    return true;
}

static bool refill(Parallel *parallel, int32_t slice, Worker *w)
{
    ConcurrentTable *t = &parallel->table;
    int64_t all = (int64_t)t->taken + t->table->count;
    (void)w;
    ctable_refill(t, (int32_t)(all * slice / parallel->slices - t->taken),
                  (int32_t)(all * (slice + 1) / parallel->slices - t->taken));
    return true;
}

/* So many slots, and space in the table for their states. */
static PepaStatus reserve_slots(Parallel *parallel, int64_t slots)
{
    Explorer *x = parallel->x;
    Table *table = &x->chain->states;
    if (slots >= INT32_MAX - table->count) /* more than there are ids */
        return error_memory(x->err);
    int32_t more = (int32_t)slots;
    PepaStatus status = explore_memory(x, (size_t)more);
    if (status != PEPA_OK)
        return status;
    if (!ctable_reserve(&parallel->table, more))
        return error_memory(x->err);
    while (table->count > table->most - more) {
        if (!table_renew(table, table_next(table)))
            return error_memory(x->err);
        parallel->slices = 4 * parallel->threads;
        (void)parallel_run(parallel, touch, parallel->slices);
        (void)parallel_run(parallel, refill, parallel->slices);
    }
    return PEPA_OK;
}

/* Twice as many slots as the last batch needed, but fewer if only these made the table grow. */
PepaStatus parallel_open(Parallel *parallel)
{
    const Table *table = &parallel->x->chain->states;
    int32_t free = table->most - table->count,
            spare = parallel->table.at_a_time * parallel->threads;
    int64_t most = 2 * ((int64_t)parallel->added + spare);
    ctable_clear(&parallel->table);
    return reserve_slots(parallel, free < most && free > most / 2 ? free : most);
}

/* Look up what has not been, for lack of plans or of slots. */
static PepaStatus look_up_all(Parallel *parallel)
{
    for (;;) {
        bool unfinished = false, missing = false;
        PepaStatus status = PEPA_OK;
        for (int32_t i = 0; i < parallel->expands; i++) {
            unfinished = unfinished || parallel->blocks[i].unfinished;
            missing = missing || parallel->blocks[i].missing;
        }
        if (!unfinished && !missing)
            return PEPA_OK;
        if (unfinished)
            status = reserve_slots(parallel, 2 * (int64_t)parallel->table.slot_count);
        if (status != PEPA_OK)
            return status;
        status = parallel_run(parallel, parallel_look_up, parallel->expands);
        if (status != PEPA_OK)
            return status;
    }
}

static bool number(Parallel *parallel, int32_t index, Worker *w)
{
    const BatchBlock *p = &parallel->blocks[index];
    const Block *b = &p->block;
    int64_t *row = parallel->x->chain->row + b->first + 1, at = p->first_row;
    (void)w;
    for (int32_t i = 0; i < b->count; i++)
        row[i] = at += b->length[i];
    ctable_number(&parallel->table, parallel->lookups, index, b->id, p->first_id);
    return true;
}

/* Where the limit on states or the sum of rates may be exceeded, check state by state. */
static PepaStatus check(Parallel *parallel, int32_t longest)
{
    Explorer *x = parallel->x;
    PepaStatus status = PEPA_OK;
    if (x->chain->states.count <= x->set->derive.max_states &&
        isfinite(x->chain->rates.largest * longest))
        return PEPA_OK;
    for (int32_t i = 0; i < parallel->expands && status == PEPA_OK; i++) {
        Block *b = &parallel->blocks[i].block;
        for (size_t k = 0; k < b->moves; k++)
            b->id[k] = b->id[k] < 0 ? parallel->table.number[-1 - b->id[k]] : b->id[k];
        for (int32_t k = 0; k < b->count && status == PEPA_OK; k++)
            status = explore_check(x, b, k);
    }
    return status;
}

PepaStatus parallel_number(Parallel *parallel)
{
    Explorer *x = parallel->x;
    PepaStatus status = look_up_all(parallel);
    if (status != PEPA_OK)
        return status;
    Chain *c = x->chain;
    int64_t transitions = c->transitions;
    int32_t states = c->states.count, longest = 0;
    for (int32_t i = 0; i < parallel->expands; i++) {
        BatchBlock *p = &parallel->blocks[i];
        p->first_row = transitions;
        p->first_id = states;
        transitions += (int64_t)p->block.moves;
        states += ctable_added(&parallel->lookups[i]);
        longest = p->longest > longest ? p->longest : longest;
    }
    if (!explore_reserve(x, x->next + parallel->states, transitions) ||
        !table_reserve(&c->states, (size_t)states))
        return error_memory(x->err);
    (void)parallel_run(parallel, number, parallel->expands);
    for (int32_t i = 0; i < parallel->expands; i++)
        c->deadlocks += parallel->blocks[i].deadlocks;
    c->transitions = transitions;
    c->states.count = states;
    return check(parallel, longest);
}

PepaStatus parallel_number_singly(Parallel *parallel)
{
    Explorer *x = parallel->x;
    Table *table = &x->chain->states;
    PepaStatus status = PEPA_OK;
    if (!table_remake(table, table->bucket_count)) /* without slots */
        return error_memory(x->err);
    for (int32_t i = 0; i < parallel->expands && status == PEPA_OK; i++) {
        Block *b = &parallel->blocks[i].block;
        block_hash(b, table, 0);
        status = explore_number(x, b);
    }
    return status;
}
