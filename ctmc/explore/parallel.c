/* Exploration by several threads, batch by batch.  They expand states and look up the targets, all
 * at the same time; then what is new gets its numbers, in the order in which one thread would have
 * found it (guests.h).  Transitions are stored when the next batch is expanded.
 *
 * Plans, kinds and rates stand still while states are expanded: a state that takes more than what
 * is there is left out, and expanded after that, in its turn.  So kinds and terms get the numbers
 * that they would get with one thread as well. */
#include "ctmc/explore/parallel.h"

/* A batch has at most so many blocks per thread, of so many states: enough for all threads to be
 * done at about the same time, and to get to work again seldom. */
enum { BLOCKS = 16, STATES = 256, FEWEST = 16 };

/* ---- life ---------------------------------------------------------------------------------- */

static PepaStatus hire(Crowd *crowd, Worker *w)
{
    Explorer *x = crowd->x;
    w->packed = mem_alloc((size_t)x->chain->rates.counted_count, sizeof *w->packed);
    if (!w->packed)
        return error_memory(x->err);
    PepaStatus status =
        expander_init(&w->expander, x->chain->system, &w->rates, &x->plans, &x->kinds, x->err);
    w->expander.frozen = true;
    return status;
}

PepaStatus crowd_new(Crowd **out, Explorer *x)
{
    Crowd *crowd = mem_calloc(1, sizeof *crowd);
    PepaStatus status = PEPA_OK;
    if (!crowd)
        return error_memory(x->err);
    crowd->x = x;
    crowd->threads = x->set->threads < MOST_WORKERS ? x->set->threads : MOST_WORKERS;
    crowd->few = x->many / 4 > 1 ? x->many / 4 : 1;
    crowd->most = BLOCKS * crowd->threads;
    crowd->least = x->many / 32 < 1 ? 1 : x->many / 32 < FEWEST ? x->many / 32 : FEWEST;
    guests_init(&crowd->guests, &x->chain->states, x->many / 8 > 1 ? x->many / 8 : 1);
    crowd->workers = mem_calloc((size_t)crowd->threads, sizeof *crowd->workers);
    crowd->portions = mem_calloc((size_t)crowd->most, sizeof *crowd->portions);
    crowd->visits = mem_calloc((size_t)crowd->most, sizeof *crowd->visits);
    crowd->team = workers_new(crowd->threads);
    if (!crowd->workers || !crowd->portions || !crowd->visits || !crowd->team ||
        !guests_reserve(&crowd->guests, crowd->guests.some))
        status = error_memory(x->err);
    for (int32_t i = 0; i < crowd->threads && status == PEPA_OK; i++)
        status = hire(crowd, &crowd->workers[i]);
    if (status == PEPA_OK)
        *out = crowd;
    else
        crowd_free(crowd);
    return status;
}

void crowd_free(Crowd *crowd)
{
    if (!crowd)
        return;
    for (int32_t i = 0; i < crowd->threads && crowd->workers; i++) {
        expander_free(&crowd->workers[i].expander);
        mem_free(crowd->workers[i].packed);
        mem_free(crowd->workers[i].steps.items);
    }
    for (int32_t i = 0; i < crowd->most && crowd->portions && crowd->visits; i++) {
        block_free(&crowd->portions[i].block);
        mem_free(crowd->visits[i].met);
    }
    block_free(&crowd->spare);
    guests_free(&crowd->guests);
    workers_free(crowd->team);
    mem_free(crowd->workers);
    mem_free(crowd->portions);
    mem_free(crowd->visits);
    mem_free(crowd);
}

/* ---- rounds -------------------------------------------------------------------------------- */

/* First what is one's own share, which was so in the rounds before and may still be in the cache;
 * then what others have not come to. */
static void work(void *user, int32_t index, int32_t worker)
{
    Crowd *crowd = user;
    (void)index;
    for (int32_t k = 0; k < crowd->threads; k++) {
        Worker *share = &crowd->workers[(worker + k) % crowd->threads];
        for (int32_t i; (i = atomic_fetch_add(&share->next, 1)) < share->end;)
            crowd->task(crowd, i, &crowd->workers[worker]);
    }
}

void crowd_do(Crowd *crowd, CrowdTask *task, int32_t count)
{
    for (int32_t i = 0; i < crowd->threads; i++) {
        atomic_store(&crowd->workers[i].next, (int32_t)((int64_t)count * i / crowd->threads));
        crowd->workers[i].end = (int32_t)((int64_t)count * (i + 1) / crowd->threads);
    }
    crowd->task = task;
    workers_run(crowd->team, crowd->threads, work, crowd);
}

PepaStatus crowd_memory(const Crowd *crowd, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (crowd->portions[i].no_memory)
            return error_memory(crowd->x->err);
    return PEPA_OK;
}

/* ---- step by step -------------------------------------------------------------------------- */

static void weigh(const Crowd *crowd)
{
    const size_t words = crowd->x->chain->states.words;
    crowd->x->aside = guests_bytes(&crowd->guests);
    for (int32_t i = 0; i < crowd->most; i++)
        crowd->x->aside += block_bytes(&crowd->portions[i].block, words) +
                           (double)crowd->portions[i].met_cap * sizeof(int32_t);
}

/* Store what has been numbered; expand `states` further ones, and number their targets. */
static PepaStatus step(Crowd *crowd, int32_t states)
{
    Explorer *x = crowd->x;
    int32_t before = x->chain->states.count, share = (states + crowd->most - 1) / crowd->most;
    bool all = true;
    crowd->each = share > crowd->least ? share : crowd->least;
    crowd->states = states;
    crowd->fills = (states + crowd->each - 1) / crowd->each;
    PepaStatus status = states > 0 ? crowd_open(crowd) : PEPA_OK;
    if (status == PEPA_OK)
        status = crowd_fill(crowd);
    if (status == PEPA_OK)
        status = crowd_learn(crowd, &all);
    if (status == PEPA_OK)
        status = all ? crowd_number(crowd) : crowd_number_singly(crowd);
    x->next += states;
    crowd->count = crowd->fills;
    crowd->came = x->chain->states.count - before;
    weigh(crowd);
    return status == PEPA_OK ? explore_tick(x) : status;
}

PepaStatus crowd_explore(Crowd *crowd)
{
    Explorer *x = crowd->x;
    PepaStatus status = PEPA_OK;
    for (bool done = false; status == PEPA_OK && !done;) {
        int32_t states = explore_end(x, crowd->most * STATES) - x->next;
        states = states < crowd->few ? 0 : states;
        done = states == 0 && crowd->count == 0;
        if (!done)
            status = step(crowd, states);
    }
    return status;
}
