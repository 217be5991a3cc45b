/* Exploration by several threads, as a pipeline.  While one of them numbers the targets of a batch
 * of states, in order, the others expand the next batch and store the one before.  Plans, kinds and
 * rates stand still meanwhile: a state that takes more than what is there is left out, and expanded
 * between these steps, in its turn.  So states, kinds and terms get the numbers that they would
 * get with one thread. */
#include <string.h>

#include "ctmc/explorer.h"
#include "base/workers.h"

/* A batch has at most so many blocks of so many states: enough for all threads to be done at about
 * the same time, few enough for two batches to stay in the cache. */
enum { BLOCKS = 32, STATES = 128 };

typedef struct {
    Expander expander;
    RateTable rates;  /* a view */
    uint64_t *packed; /* of that */
    Steps steps;
} Worker;

typedef struct {
    Block blocks[BLOCKS];
    int32_t count; /* blocks in use */
} Batch;

struct Crowd {
    Explorer *x;
    int32_t threads, few,
        each; /* few: states that wait, too few to go on; each: states of a block */
    Worker *workers;
    Workers *team;
    Batch batch[2];
    Batch *numbering;             /* expanded: targets are being numbered */
    Batch *filling;               /* numbered: being stored and then filled with other states */
    int32_t fills, first, states; /* with how many blocks, of which states */
    PepaStatus numbered;
    bool no_memory[BLOCKS];
};

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
    crowd->numbering = &crowd->batch[0];
    crowd->filling = &crowd->batch[1];
    crowd->threads = x->set->threads < MOST_WORKERS ? x->set->threads : MOST_WORKERS;
    crowd->few = x->many / 4 > 1 ? x->many / 4 : 1;
    crowd->each = x->many / 16 > STATES ? STATES : x->many / 16 + (x->many < 16);
    crowd->workers = mem_calloc((size_t)crowd->threads, sizeof *crowd->workers);
    crowd->team = workers_new(crowd->threads);
    if (!crowd->workers || !crowd->team)
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
    for (int32_t i = 0; i < BLOCKS; i++) {
        block_free(&crowd->batch[0].blocks[i]);
        block_free(&crowd->batch[1].blocks[i]);
    }
    workers_free(crowd->team);
    mem_free(crowd->workers);
    mem_free(crowd);
}

/* ---- work in parallel ---------------------------------------------------------------------- */

/* Where block `index` of those to be filled begins. */
static int32_t first_of(const Crowd *crowd, int32_t index)
{
    return index < crowd->fills ? crowd->first + index * crowd->each : crowd->first + crowd->states;
}

/* Expand the states that stand in b->packed; those that take more than there is are left out. */
static bool fill(const Crowd *crowd, Expander *e, int32_t index)
{
    const Table *table = &crowd->x->chain->states;
    Block *b = &crowd->filling->blocks[index];
    int32_t first = first_of(crowd, index), count = first_of(crowd, index + 1) - first;
    if (!block_begin(b, first, count))
        return false;
    for (int32_t i = 0; i < count; i++) {
        size_t begin = b->moves;
        Expansion how = expand_state(e, b->packed + (size_t)i * table->words, b);
        if (how == EXPAND_MEMORY)
            return false;
        block_add(b, begin, how == EXPANDED);
    }
    block_hash(b, table, 0);
    return true;
}

/* As far as is possible while others read plans, kinds and rates. */
static void number(Crowd *crowd)
{
    Batch *batch = crowd->numbering;
    crowd->numbered = PEPA_OK;
    for (int32_t i = 0; i < batch->count && crowd->numbered == PEPA_OK; i++) {
        Block *b = &batch->blocks[i];
        crowd->numbered = explore_number(crowd->x, b, false);
        if (b->numbered < b->count)
            return;
    }
}

/* Task 0 is to number; task i > 0 to store what block i - 1 holds, and to fill it again. */
static void work(void *user, int32_t index, int32_t worker)
{
    Crowd *crowd = user;
    Worker *w = &crowd->workers[worker];
    if (index == 0) {
        number(crowd);
        return;
    }
    int32_t i = index - 1;
    bool ok = i >= crowd->filling->count ||
              explore_store(crowd->x, &crowd->filling->blocks[i], &w->steps);
    crowd->no_memory[i] = !ok || (i < crowd->fills && !fill(crowd, &w->expander, i));
}

/* ---- step by step -------------------------------------------------------------------------- */

/* The table will grow while the states are being expanded: they are copied. */
static bool copy_states(Crowd *crowd)
{
    const Table *table = &crowd->x->chain->states;
    const size_t words = table->words;
    for (int32_t i = 0; i < crowd->fills; i++) {
        Block *b = &crowd->filling->blocks[i];
        int32_t first = first_of(crowd, i), count = first_of(crowd, i + 1) - first;
        if (!mem_reserve(&b->packed, &b->packed_cap, (size_t)count * words, sizeof *b->packed))
            return false;
        if (words)
            memcpy(b->packed, table->state + (size_t)first * words,
                   (size_t)count * words * sizeof *b->packed);
    }
    return true;
}

/* Expand, in order, the states of the expanded batch that were left out, so that its numbering need
 * not stop there; but for the first at which something is wrong, and those after it. */
static bool learn(Crowd *crowd)
{
    Explorer *x = crowd->x;
    const Table *table = &x->chain->states;
    for (int32_t k = 0; k < crowd->numbering->count; k++) {
        Block *b = &crowd->numbering->blocks[k];
        for (int32_t i = 0; i < b->count; i++) {
            size_t begin = b->moves;
            if (b->length[i] >= 0)
                continue;
            Expansion how = expand_state(&x->expander, b->packed + (size_t)i * table->words, b);
            if (how == EXPAND_MEMORY)
                return false;
            if (how != EXPANDED || x->chain->rates.status != PEPA_OK) {
                b->moves = begin;
                return true;
            }
            b->begin[i] = begin;
            b->length[i] = (int32_t)(b->moves - begin);
            block_hash(b, table, begin);
        }
    }
    return true;
}

/* Room for the rows and transitions of the batch that is being numbered, which must not move while
 * others are stored. */
static bool make_room(const Crowd *crowd)
{
    const Batch *batch = crowd->numbering;
    int64_t transitions = crowd->x->chain->transitions;
    int32_t states = 0;
    for (int32_t i = 0; i < batch->count; i++) {
        transitions += (int64_t)batch->blocks[i].moves;
        states = batch->blocks[i].first + batch->blocks[i].count;
    }
    return explore_reserve(crowd->x, states, transitions);
}

static void weigh(const Crowd *crowd)
{
    const size_t words = crowd->x->chain->states.words;
    crowd->x->aside = 0;
    for (int32_t i = 0; i < 2 * BLOCKS; i++)
        crowd->x->aside += block_bytes(&crowd->batch[i / BLOCKS].blocks[i % BLOCKS], words);
}

/* Number what has been expanded, store what has been numbered, and expand `states` further ones. */
static PepaStatus step(Crowd *crowd, int32_t states)
{
    Explorer *x = crowd->x;
    Batch *numbering = crowd->numbering, *filling = crowd->filling;
    crowd->first = x->next;
    crowd->states = states;
    crowd->fills = (states + crowd->each - 1) / crowd->each;
    int32_t tasks = crowd->fills > filling->count ? crowd->fills : filling->count;
    if (!learn(crowd) || !make_room(crowd) || !explore_widen(x) || !copy_states(crowd))
        return error_memory(x->err);
    for (int32_t i = 0; i < crowd->threads; i++)
        rates_view(&crowd->workers[i].rates, &x->chain->rates, crowd->workers[i].packed);
    workers_run(crowd->team, 1 + tasks, work, crowd);
    for (int32_t i = 0; i < tasks; i++)
        if (crowd->no_memory[i])
            return error_memory(x->err);
    PepaStatus status = crowd->numbered;
    for (int32_t i = 0; i < numbering->count && status == PEPA_OK; i++)
        status = explore_number(x, &numbering->blocks[i], true);
    x->next += states;
    filling->count = crowd->fills;
    crowd->numbering = filling;
    crowd->filling = numbering;
    weigh(crowd);
    if (status == PEPA_OK)
        status = explore_room(x);
    return status == PEPA_OK ? explore_tick(x) : status;
}

PepaStatus crowd_explore(Crowd *crowd)
{
    Explorer *x = crowd->x;
    PepaStatus status = PEPA_OK;
    for (bool done = false; status == PEPA_OK && !done;) {
        int32_t most = BLOCKS * crowd->each, waiting = explore_end(x, 2 * most) - x->next;
        int32_t few = crowd->few;
        int32_t states = waiting / 2 > few ? waiting / 2 : waiting < few ? 0 : few;
        done = states == 0 && crowd->numbering->count == 0 && crowd->filling->count == 0;
        if (!done)
            status = step(crowd, states);
    }
    return status;
}
