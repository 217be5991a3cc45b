/* How a crowd numbers what it has found, and makes room for it. */
#include <math.h>

#include "ctmc/explore/parallel.h"

/* ---- room for guests ----------------------------------------------------------------------- */

static void touch(Crowd *crowd, int32_t slice, Worker *w)
{
    (void)w;
    guests_touch(&crowd->guests, slice, crowd->slices);
}

static void refill(Crowd *crowd, int32_t slice, Worker *w)
{
    Guests *g = &crowd->guests;
    int64_t all = (int64_t)g->taken + g->table->count;
    (void)w;
    guests_refill(g, (int32_t)(all * slice / crowd->slices - g->taken),
                  (int32_t)(all * (slice + 1) / crowd->slices - g->taken));
}

/* Room for so many guests. */
static PepaStatus invite(Crowd *crowd, int64_t guests)
{
    Explorer *x = crowd->x;
    Table *table = &x->chain->states;
    if (guests >= INT32_MAX - table->count) /* more than there are ids */
        return error_memory(x->err);
    int32_t room = (int32_t)guests;
    PepaStatus status = explore_room(x, (size_t)room);
    if (status != PEPA_OK)
        return status;
    if (!guests_reserve(&crowd->guests, room))
        return error_memory(x->err);
    while (table->count > table->most - room) {
        if (!table_renew(table, table_next(table)))
            return error_memory(x->err);
        crowd->slices = 4 * crowd->threads;
        crowd_do(crowd, touch, crowd->slices);
        crowd_do(crowd, refill, crowd->slices);
    }
    return PEPA_OK;
}

/* At the beginning there is room for twice as many guests as last time, but for fewer if the table
 * would have to grow for these alone. */
PepaStatus crowd_open(Crowd *crowd)
{
    const Table *table = &crowd->x->chain->states;
    int32_t free = table->most - table->count, some = crowd->guests.some * crowd->threads;
    int64_t most = 2 * ((int64_t)crowd->came + some);
    guests_clear(&crowd->guests);
    return invite(crowd, free < most && free > most / 2 ? free : most);
}

/* Look up what has not been, for lack of plans or of room for guests. */
static PepaStatus look_up_all(Crowd *crowd)
{
    for (;;) {
        bool waits = false, missing = false;
        PepaStatus status = PEPA_OK;
        for (int32_t i = 0; i < crowd->fills; i++) {
            waits = waits || crowd->portions[i].waits;
            missing = missing || crowd->portions[i].missing;
        }
        if (!waits && !missing)
            return PEPA_OK;
        if (waits)
            status = invite(crowd, 2 * (int64_t)crowd->guests.room);
        if (status != PEPA_OK)
            return status;
        crowd_do(crowd, crowd_look_up, crowd->fills);
        status = crowd_memory(crowd, crowd->fills);
        if (status != PEPA_OK)
            return status;
    }
}

/* ---- numbering ----------------------------------------------------------------------------- */

static void number(Crowd *crowd, int32_t index, Worker *w)
{
    const Portion *p = &crowd->portions[index];
    const Block *b = &p->block;
    int64_t *row = crowd->x->chain->row + b->first + 1, at = p->first_row;
    (void)w;
    for (int32_t i = 0; i < b->count; i++)
        row[i] = at += b->length[i];
    guests_number(&crowd->guests, crowd->visits, index, b->id, p->first_id);
}

/* Where something may be wrong: is it? */
static PepaStatus check(Crowd *crowd, int32_t longest)
{
    Explorer *x = crowd->x;
    PepaStatus status = PEPA_OK;
    if (x->chain->states.count <= x->set->derive.max_states && isfinite(x->chain->rates.largest * longest))
        return PEPA_OK;
    for (int32_t i = 0; i < crowd->fills && status == PEPA_OK; i++) {
        Block *b = &crowd->portions[i].block;
        for (size_t k = 0; k < b->moves; k++)
            b->id[k] = b->id[k] < 0 ? crowd->guests.number[-1 - b->id[k]] : b->id[k];
        for (int32_t k = 0; k < b->count && status == PEPA_OK; k++)
            status = explore_check(x, b, k);
    }
    return status;
}

PepaStatus crowd_number(Crowd *crowd)
{
    Explorer *x = crowd->x;
    PepaStatus status = look_up_all(crowd);
    if (status != PEPA_OK)
        return status;
    Chain *c = x->chain;
    int64_t transitions = c->transitions;
    int32_t states = c->states.count, longest = 0;
    for (int32_t i = 0; i < crowd->fills; i++) {
        Portion *p = &crowd->portions[i];
        p->first_row = transitions;
        p->first_id = states;
        transitions += (int64_t)p->block.moves;
        states += guests_brought(&crowd->visits[i]);
        longest = p->longest > longest ? p->longest : longest;
    }
    if (!explore_reserve(x, x->next + crowd->states, transitions) ||
        !table_reserve(&c->states, (size_t)states))
        return error_memory(x->err);
    crowd_do(crowd, number, crowd->fills);
    for (int32_t i = 0; i < crowd->fills; i++)
        c->deadlocks += crowd->portions[i].deadlocks;
    c->transitions = transitions;
    c->states.count = states;
    return check(crowd, longest);
}

PepaStatus crowd_number_singly(Crowd *crowd)
{
    Explorer *x = crowd->x;
    Table *table = &x->chain->states;
    PepaStatus status = PEPA_OK;
    if (!table_remake(table, table->bucket_count)) /* without guests */
        return error_memory(x->err);
    for (int32_t i = 0; i < crowd->fills && status == PEPA_OK; i++) {
        Block *b = &crowd->portions[i].block;
        block_hash(b, table, 0);
        status = explore_number(x, b);
    }
    return status;
}
