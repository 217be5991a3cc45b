/* What the threads of a crowd do side by side: storing, expanding and looking up; and what was left
 * out there. */
#include "ctmc/explore/parallel.h"

/* Where block `index` of those to be filled begins. */
static int32_t first_of(const Crowd *crowd, int32_t index)
{
    int32_t before = index * crowd->each;
    return crowd->x->next + (before < crowd->states ? before : crowd->states);
}

/* Look up the targets of a block, or as many of them as there is room for. */
static bool look_up(Crowd *crowd, int32_t index, Worker *w)
{
    Portion *p = &crowd->portions[index];
    Block *b = &p->block;
    Visit *v = &crowd->visits[index];
    const Table *table = &crowd->x->chain->states;
    if (!p->waits) {
        block_hash(b, table, 0);
        v->done = v->count = 0;
        if (!mem_reserve(&v->met, &p->met_cap, b->moves, sizeof *v->met))
            return false;
    }
    p->waits = !guests_meet(&crowd->guests, &w->seats, crowd->visits, index, b->target, b->hash,
                            (int32_t)b->moves, b->id);
    return true;
}

/* A state has so many moves; -1: it was left out. */
static void tell(Portion *p, int32_t length)
{
    p->longest = length > p->longest ? length : p->longest;
    p->deadlocks += length == 0;
}

/* Expand the states of a block; those that take more than there is are left out. */
static bool fill(const Crowd *crowd, Expander *e, int32_t index)
{
    const Table *table = &crowd->x->chain->states;
    Portion *p = &crowd->portions[index];
    Block *b = &p->block;
    int32_t first = first_of(crowd, index), count = first_of(crowd, index + 1) - first;
    if (!block_begin(b, first, count))
        return false;
    p->missing = p->waits = false;
    p->longest = p->deadlocks = 0;
    for (int32_t i = 0; i < count; i++) {
        size_t begin = b->moves;
        Expansion how = expand_state(e, table->state + (size_t)(first + i) * table->words, b);
        if (how == EXPAND_MEMORY)
            return false;
        block_add(b, begin, how == EXPANDED);
        p->missing = p->missing || how != EXPANDED;
        tell(p, b->length[i]);
    }
    return true;
}

static void store_and_fill(Crowd *crowd, int32_t index, Worker *w)
{
    Portion *p = &crowd->portions[index];
    p->no_memory = false;
    if (index < crowd->count) {
        p->no_memory = !explore_store(crowd->x, &p->block, crowd->guests.number, &w->steps);
    }
    if (index < crowd->fills)
        p->no_memory = p->no_memory || !fill(crowd, &w->expander, index) ||
                       (!p->missing && !look_up(crowd, index, w));
}

void crowd_look_up(Crowd *crowd, int32_t index, Worker *w)
{
    Portion *p = &crowd->portions[index];
    if (p->waits || p->missing)
        p->no_memory = !look_up(crowd, index, w);
    p->missing = false;
}

PepaStatus crowd_fill(Crowd *crowd)
{
    Explorer *x = crowd->x;
    int32_t blocks = crowd->fills > crowd->count ? crowd->fills : crowd->count;
    for (int32_t i = 0; i < crowd->threads; i++) {
        rates_view(&crowd->workers[i].rates, &x->chain->rates, crowd->workers[i].packed);
        crowd->workers[i].seats = (Seats){0};
    }
    for (int32_t i = 0; i < crowd->fills; i++)
        crowd->visits[i].lost = 0;
    crowd_do(crowd, store_and_fill, blocks);
    crowd->count = 0;
    return crowd_memory(crowd, blocks);
}

/* Expand the states of a block that were left out, unless something is wrong with one: then *all is
 * false. */
static bool learn(Crowd *crowd, Portion *p, bool *all)
{
    Explorer *x = crowd->x;
    const Table *table = &x->chain->states;
    Block *b = &p->block;
    for (int32_t i = 0; i < b->count; i++) {
        size_t begin = b->moves;
        if (b->length[i] >= 0)
            continue;
        Expansion how =
            expand_state(&x->expander, table->state + (size_t)(b->first + i) * table->words, b);
        *all = how == EXPANDED && x->chain->rates.status == PEPA_OK;
        if (how == EXPAND_MEMORY)
            return false;
        if (!*all) {
            b->moves = begin;
            return true;
        }
        b->begin[i] = begin;
        b->length[i] = (int32_t)(b->moves - begin);
        tell(p, b->length[i]);
    }
    return block_sort(b, &crowd->spare, table->words);
}

PepaStatus crowd_learn(Crowd *crowd, bool *all)
{
    *all = true;
    for (int32_t i = 0; i < crowd->fills && *all; i++)
        if (crowd->portions[i].missing && !learn(crowd, &crowd->portions[i], all))
            return error_memory(crowd->x->err);
    return explore_widen(crowd->x) ? PEPA_OK : error_memory(crowd->x->err);
}
