/* Explores by several threads, batch by batch.
 *
 * All threads expand states and look up the targets at the same time.  Then the new states get
 * their numbers, in the order in which one thread would have found them (concurrent_table.h).
 * Transitions are stored when the next batch is expanded.
 *
 * Plans, kinds and rates do not change while states are expanded.  A state that needs new ones is
 * left out, and expanded after that by one thread, in order.  So kinds and terms, too, get the
 * numbers that they get with one thread. */
#include "ctmc/explore/explorer.h"

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
    ctable_init(&parallel->table, &x->chain->states, x->many / 8 > 1 ? x->many / 8 : 1);
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

PepaStatus parallel_run(Parallel *parallel, ParallelTask *task, int32_t count)
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
    PepaStatus status = states > 0 ? parallel_open(parallel) : PEPA_OK;
    if (status == PEPA_OK)
        status = parallel_expand(parallel);
    if (status == PEPA_OK)
        status = parallel_expand_rest(parallel, &all);
    if (status == PEPA_OK)
        status = all ? parallel_number(parallel) : parallel_number_singly(parallel);
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
