/* Explores by several threads, batch by batch.
 *
 * All threads expand states and look up the targets at the same time.  Then the new states get
 * their numbers, in the order in which one thread would have found them (concurrent_table.h).
 * Transitions are stored when the next batch is expanded.
 *
 * Plans, kinds and rates do not change while states are expanded.  A state that needs new ones is
 * left out, and expanded after that by one thread, in order.  So kinds and terms, too, get the
 * numbers that they get with one thread. */
#include <math.h>

#include "ctmc/explore/explorer.h"

/* ---- life ------------------------------------------------------------------------------------ */

static PepaStatus worker_init(Parallel *parallel, Worker *w)
{
    Explorer *x = parallel->x;
    w->packed = mem_alloc((size_t)x->chain->rates.counted_count, sizeof *w->packed);
    if (!w->packed)
        return error_memory(x->err);
    PepaStatus status =
        expander_init(&w->expander, x->chain->system, &w->rates, &x->plans, &x->kinds, x->err);
    w->expander.frozen = true;
    return status;
}

PepaStatus parallel_new(Parallel **out, Explorer *x)
{
    Parallel *parallel = mem_calloc(1, sizeof *parallel);
    PepaStatus status = PEPA_OK;
    if (!parallel)
        return error_memory(x->err);
    parallel->x = x;
    parallel->threads = x->set->threads < MOST_WORKERS ? x->set->threads : MOST_WORKERS;
    parallel->few = x->many / 4 > 1 ? x->many / 4 : 1;
    parallel->most = BATCH_BLOCKS * parallel->threads;
    parallel->least = x->many / 32 < 1               ? 1
                      : x->many / 32 < FEWEST_STATES ? x->many / 32
                                                     : FEWEST_STATES;
    parallel->table = (ConcurrentTable){.table = &x->chain->states,
                                        .at_a_time = x->many / 8 > 1 ? x->many / 8 : 1};
    parallel->team = workers_new(parallel->threads);
    if (!parallel->team || !mem_new_zeroed(parallel->workers, parallel->threads) ||
        !mem_new_zeroed(parallel->blocks, parallel->most) ||
        !mem_new_zeroed(parallel->lookups, parallel->most) ||
        !ctable_reserve(&parallel->table, parallel->table.at_a_time))
        status = error_memory(x->err);
    for (int32_t i = 0; i < parallel->threads && status == PEPA_OK; i++)
        status = worker_init(parallel, &parallel->workers[i]);
    if (status == PEPA_OK)
        *out = parallel;
    else
        parallel_free(parallel);
    return status;
}

void parallel_free(Parallel *parallel)
{
    if (!parallel)
        return;
    for (int32_t i = 0; i < parallel->threads && parallel->workers; i++) {
        vanished_pass(&parallel->x->expander.vanished, &parallel->workers[i].expander.vanished);
        expander_free(&parallel->workers[i].expander);
        mem_free_all(parallel->workers[i].packed, parallel->workers[i].steps.items);
    }
    for (int32_t i = 0; i < parallel->most && parallel->blocks && parallel->lookups; i++) {
        block_free(&parallel->blocks[i].block);
        mem_free(parallel->lookups[i].firsts);
    }
    block_free(&parallel->spare);
    ctable_free(&parallel->table);
    workers_free(parallel->team);
    mem_free_all(parallel->workers, parallel->blocks, parallel->lookups, parallel);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

/* First a thread's own tasks, whose blocks it had in the run before and may still have in its
 * cache; then those that other threads have not begun. */
static void run_tasks(void *user, int32_t index, int32_t worker)
{
    Parallel *parallel = user;
    (void)index;
    for (int32_t k = 0; k < parallel->threads; k++) {
        Worker *share = &parallel->workers[(worker + k) % parallel->threads];
        for (int32_t i; (i = atomic_fetch_add(&share->next, 1)) < share->end;)
            if (!parallel->task(parallel, i, &parallel->workers[worker]))
                atomic_store(&parallel->no_memory, true);
    }
}

/* Tasks 0 .. count - 1, by all threads. */
static PepaStatus run(Parallel *parallel, ParallelTask *task, int32_t count)
{
    for (int32_t i = 0; i < parallel->threads; i++) {
        atomic_store(&parallel->workers[i].next, (int32_t)((int64_t)count * i / parallel->threads));
        parallel->workers[i].end = (int32_t)((int64_t)count * (i + 1) / parallel->threads);
    }
    parallel->task = task;
    atomic_store(&parallel->no_memory, false);
    workers_run(parallel->team, parallel->threads, run_tasks, parallel);
    return atomic_load(&parallel->no_memory) ? error_memory(parallel->x->err) : PEPA_OK;
}

/* ---- expansion ------------------------------------------------------------------------------- */

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
    BatchBlock *p = &parallel->blocks[index];
    Block *b = &p->block;
    int32_t first = first_state(parallel, index), count = first_state(parallel, index + 1) - first;
    if (!block_begin(b, first, count))
        return false;
    p->missing = p->unfinished = false;
    p->longest = p->deadlocks = 0;
    for (int32_t i = 0; i < count; i++) {
        size_t begin = b->moves;
        Expansion how = expand_state(e, table_state(&parallel->x->chain->states, first + i), b);
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

/* Look up the targets of a block that have not been looked up. */
static bool look_up_rest(Parallel *parallel, int32_t index, Worker *w)
{
    BatchBlock *p = &parallel->blocks[index];
    bool ok = !(p->unfinished || p->missing) || look_up(parallel, index, w);
    p->missing = false;
    return ok;
}

/* Store the blocks that are numbered, expand the next ones, and look up their targets. */
static PepaStatus expand_batch(Parallel *parallel)
{
    Explorer *x = parallel->x;
    int32_t blocks = parallel->expands > parallel->stores ? parallel->expands : parallel->stores;
    for (int32_t i = 0; i < parallel->threads; i++) {
        rates_view(&parallel->workers[i].rates, &x->chain->rates, parallel->workers[i].packed);
        parallel->workers[i].slots = (SlotRange){0};
    }
    for (int32_t i = 0; i < parallel->expands; i++)
        parallel->lookups[i].overtaken = 0;
    PepaStatus status = run(parallel, store_and_expand, blocks);
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
        Expansion how = expand_state(&x->expander, table_state(table, b->first + i), b);
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

/* Expand the states that were left out; *all: nothing is wrong with them. */
static PepaStatus expand_left_out(Parallel *parallel, bool *all)
{
    *all = true;
    for (int32_t i = 0; i < parallel->expands && *all; i++)
        if (parallel->blocks[i].missing && !expand_rest(parallel, &parallel->blocks[i], all))
            return explore_no_memory(parallel->x);
    return explore_widen(parallel->x) ? PEPA_OK : error_memory(parallel->x->err);
}

/* ---- numbers --------------------------------------------------------------------------------- */

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
        (void)run(parallel, touch, parallel->slices);
        (void)run(parallel, refill, parallel->slices);
    }
    return PEPA_OK;
}

/* Free slots for the new states of the next batch: twice as many as the last one needed, but fewer
 * if only these made the table grow. */
static PepaStatus open_slots(Parallel *parallel)
{
    const Table *table = &parallel->x->chain->states;
    int32_t free = table->most - table->count,
            spare = parallel->table.at_a_time * parallel->threads;
    int64_t most = 2 * ((int64_t)parallel->added + spare);
    parallel->table.taken = 0;
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
        if (status == PEPA_OK)
            status = run(parallel, look_up_rest, parallel->expands);
        if (status != PEPA_OK)
            return status;
    }
}

static bool number_block(Parallel *parallel, int32_t index, Worker *w)
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

/* Number the states that the batch has found. */
static PepaStatus number_batch(Parallel *parallel)
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
        c->deadlocks += p->deadlocks;
    }
    if (!explore_reserve(x, x->next + parallel->states, transitions) ||
        !table_reserve(&c->states, (size_t)states))
        return error_memory(x->err);
    (void)run(parallel, number_block, parallel->expands);
    c->transitions = transitions;
    c->states.count = states;
    return check(parallel, longest);
}

/* The same state by state; reports what is wrong. */
static PepaStatus number_singly(Parallel *parallel)
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

/* ---- batches --------------------------------------------------------------------------------- */

static void count_bytes(const Parallel *parallel)
{
    const size_t words = parallel->x->chain->states.words;
    parallel->x->aside = ctable_bytes(&parallel->table);
    for (int32_t i = 0; i < parallel->most; i++)
        parallel->x->aside += block_bytes(&parallel->blocks[i].block, words) +
                              (double)parallel->blocks[i].firsts_cap * sizeof(int32_t);
}

/* Store the blocks of the batch before; expand `states` further states, and number their
 * targets. */
static PepaStatus explore_batch(Parallel *parallel, int32_t states)
{
    Explorer *x = parallel->x;
    int32_t before = x->chain->states.count, share = (states + parallel->most - 1) / parallel->most;
    bool all = true;
    parallel->each = share > parallel->least ? share : parallel->least;
    parallel->states = states;
    parallel->expands = (states + parallel->each - 1) / parallel->each;
    PepaStatus status = states > 0 ? open_slots(parallel) : PEPA_OK;
    if (status == PEPA_OK)
        status = expand_batch(parallel);
    if (status == PEPA_OK)
        status = expand_left_out(parallel, &all);
    if (status == PEPA_OK)
        status = all ? number_batch(parallel) : number_singly(parallel);
    x->next += states;
    parallel->stores = parallel->expands;
    parallel->added = x->chain->states.count - before;
    count_bytes(parallel);
    return status == PEPA_OK ? explore_tick(x) : status;
}

PepaStatus parallel_explore(Parallel *parallel)
{
    Explorer *x = parallel->x;
    PepaStatus status = PEPA_OK;
    for (bool done = false; status == PEPA_OK && !done;) {
        int32_t states = explore_end(x, parallel->most * BATCH_STATES) - x->next;
        states = states < parallel->few ? 0 : states;
        done = states == 0 && parallel->stores == 0;
        if (!done)
            status = explore_batch(parallel, states);
    }
    return status;
}
