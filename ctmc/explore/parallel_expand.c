/* The tasks of parallel exploration: to store and expand blocks and look up their targets; then the
 * states that were left out. */
#include "ctmc/explore/explorer.h"

/* The first state of block `index` of those to be expanded. */
static int32_t first_state(const Parallel *parallel, int32_t index)
{
    int32_t before = index * parallel->each;
    return parallel->x->next + (before < parallel->states ? before : parallel->states);
}

/* Look up the targets of a block, or as many of them as there are free slots for. */
static bool look_up(Parallel *parallel, int32_t index, Worker *w)
{
    BatchBlock *p = &parallel->blocks[index];
    Block *b = &p->block;
    Lookups *v = &parallel->lookups[index];
    const Table *table = &parallel->x->chain->states;
    if (!p->unfinished) {
        block_hash(b, table, 0);
        v->done = v->count = 0;
        if (!mem_grow(v->firsts, p->firsts_cap, b->moves))
            return false;
    }
    p->unfinished = !ctable_look_up(&parallel->table, &w->slots, parallel->lookups, index,
                                    b->target, b->hash, (int32_t)b->moves, b->id);
    return true;
}

/* A state has so many moves; -1: it was left out. */
static void note_length(BatchBlock *p, int32_t length)
{
    p->longest = length > p->longest ? length : p->longest;
    p->deadlocks += length == 0;
}

/* Expand the states of a block; those that need new plans, kinds or rates are left out. */
static bool expand_block(const Parallel *parallel, Expander *e, int32_t index)
{
    const Table *table = &parallel->x->chain->states;
    BatchBlock *p = &parallel->blocks[index];
    Block *b = &p->block;
    int32_t first = first_state(parallel, index), count = first_state(parallel, index + 1) - first;
    if (!block_begin(b, first, count))
        return false;
    p->missing = p->unfinished = false;
    p->longest = p->deadlocks = 0;
    for (int32_t i = 0; i < count; i++) {
        size_t begin = b->moves;
        Expansion how = expand_state(e, table->state + (size_t)(first + i) * table->words, b);
        if (how == EXPAND_MEMORY)
            return false;
        block_add(b, begin, how == EXPANDED);
        p->missing = p->missing || how != EXPANDED;
        note_length(p, b->length[i]);
    }
    return true;
}

static bool store_and_expand(Parallel *parallel, int32_t index, Worker *w)
{
    BatchBlock *p = &parallel->blocks[index];
    if (index < parallel->stores &&
        !explore_store(parallel->x, &p->block, parallel->table.number, &w->steps))
        return false;
    return index >= parallel->expands || (expand_block(parallel, &w->expander, index) &&
                                          (p->missing || look_up(parallel, index, w)));
}

bool parallel_look_up(Parallel *parallel, int32_t index, Worker *w)
{
    BatchBlock *p = &parallel->blocks[index];
    bool ok = !(p->unfinished || p->missing) || look_up(parallel, index, w);
    p->missing = false;
    return ok;
}

PepaStatus parallel_expand(Parallel *parallel)
{
    Explorer *x = parallel->x;
    int32_t blocks = parallel->expands > parallel->stores ? parallel->expands : parallel->stores;
    for (int32_t i = 0; i < parallel->threads; i++) {
        rates_view(&parallel->workers[i].rates, &x->chain->rates, parallel->workers[i].packed);
        parallel->workers[i].slots = (SlotRange){0};
    }
    for (int32_t i = 0; i < parallel->expands; i++)
        parallel->lookups[i].overtaken = 0;
    PepaStatus status = parallel_run(parallel, store_and_expand, blocks);
    parallel->stores = 0;
    return status;
}

/* Expand the states of a block that were left out, unless something is wrong with one: then *all is
 * false. */
static bool expand_rest(Parallel *parallel, BatchBlock *p, bool *all)
{
    Explorer *x = parallel->x;
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
        note_length(p, b->length[i]);
    }
    return block_sort(b, &parallel->spare, table->words);
}

PepaStatus parallel_expand_rest(Parallel *parallel, bool *all)
{
    *all = true;
    for (int32_t i = 0; i < parallel->expands && *all; i++)
        if (parallel->blocks[i].missing && !expand_rest(parallel, &parallel->blocks[i], all))
            return error_memory(parallel->x->err);
    return explore_widen(parallel->x) ? PEPA_OK : error_memory(parallel->x->err);
}
