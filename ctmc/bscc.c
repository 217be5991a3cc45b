/* Finds the bottom strongly connected components (BSCCs) of a chain.  Nearly always all states are
 * one component.  A test for that is much cheaper than a search for components: if every state but
 * 0 can reach a state with a smaller number, all states reach state 0, and it reaches all.  Most
 * states have a transition to a smaller state; a short walk from the others usually meets one.  The
 * test of one state needs no result of another, so threads test states in parallel. */
#include <stdatomic.h>
#include <string.h>

#include "base/bits.h"
#include "base/budget.h"
#include "base/number.h"
#include "base/scc.h"
#include "base/workers.h"
#include "ctmc/chain.h"
#include "ctmc/tuning.h"

/* ---- walks --------------------------------------------------------------------------------- */

/* A growing list of states. */
typedef struct {
    int32_t *state;
    size_t count, cap;
} List;

/* Of one thread, which tests states in ascending order. */
typedef struct {
    uint64_t *low;   /* states known to reach a state smaller than any still to be tested */
    uint64_t *seen;  /* those, and the states of the walk */
    List path, left; /* of the walk: the path from its first state; states that it has left again */
    int32_t near[NEAR];
    int64_t steps;
} Walker;

typedef struct {
    const Chain *chain;
    Walker *walkers;
    atomic_bool fails, no_memory; /* fails: for some state no smaller one was found */
} Descent;

static bool add(List *list, int32_t state)
{
    if (!mem_grow(list->state, list->cap, list->count + 1))
        return false;
    list->state[list->count++] = state;
    return true;
}

/* Does a transition lead below `from`?  If not, *next is a successor that the walk has not visited,
 * or -1: the last such successor, since late actions often lead back. */
static bool leads_below(const Chain *c, const Walker *w, int32_t from, int32_t state, int32_t *next)
{
    *next = -1;
    for (int64_t k = c->row[state]; k < c->row[state + 1]; k++) {
        int32_t target = c->target[k];
        if (target < from || bits_has(w->low, target))
            return true;
        if (!bits_has(w->seen, target))
            *next = target;
    }
    return false;
}

/* Later walks may visit these states again. */
static void forget(Walker *w, const List *list)
{
    for (size_t i = 0; i < list->count; i++)
        bits_remove(w->seen, list->state[i]);
}

typedef enum { BELOW, NONE_BELOW, TOO_FAR, NO_MEMORY } Result;

/* A depth-first walk until a state below `from` is met: every state of the path reaches it.  States
 * left before may reach it too, and may be visited again.  TOO_FAR: more than `most` steps. */
static Result walk(const Chain *c, Walker *w, int32_t from, int64_t most)
{
    int32_t next = from;
    w->path.count = w->left.count = 0;
    for (; most > 0; most--, w->steps++) {
        if (next >= 0) {
            bits_add(w->seen, next);
            if (!add(&w->path, next))
                return NO_MEMORY;
        } else if (!add(&w->left, w->path.state[--w->path.count]))
            return NO_MEMORY;
        if (w->path.count == 0)
            return NONE_BELOW;
        if (leads_below(c, w, from, w->path.state[w->path.count - 1], &next))
            break;
    }
    forget(w, &w->left);
    if (most == 0)
        forget(w, &w->path);
    for (size_t i = 0; i < w->path.count && most > 0; i++)
        bits_add(w->low, w->path.state[i]);
    return most > 0 ? BELOW : TOO_FAR;
}

/* Is a state below `from` a successor of its NEAR nearest states, breadth first? */
static bool is_near(const Chain *c, Walker *w, int32_t from)
{
    int32_t count = 1;
    w->near[0] = from;
    for (int32_t i = 0; i < count; i++)
        for (int64_t k = c->row[w->near[i]]; k < c->row[w->near[i] + 1]; k++) {
            int32_t target = c->target[k], j = 0;
            if (target < from || bits_has(w->low, target))
                return true;
            while (j < count && w->near[j] != target)
                j++;
            if (j == count && count < NEAR)
                w->near[count++] = target;
        }
    return false;
}

/* First a short walk, then the neighbourhood, then a long walk. */
static Result find_descent(const Chain *c, Walker *w, int32_t from)
{
    int64_t most = WALK_STEPS * c->state_count - w->steps;
    Result result = walk(c, w, from, NEAR);
    if (result == TOO_FAR && is_near(c, w, from))
        return BELOW;
    return result == TOO_FAR ? walk(c, w, from, most) : result;
}

static bool steps_below(const Chain *c, int32_t state)
{
    for (int64_t k = c->row[state]; k < c->row[state + 1]; k++)
        if (c->target[k] < state)
            return true;
    return false;
}

static void check_slice(void *user, int32_t slice, int32_t worker)
{
    Descent *d = user;
    const Chain *c = d->chain;
    Walker *w = &d->walkers[worker];
    const int32_t n = (int32_t)c->state_count, begin = slice * SLICE;
    const int32_t end = n - begin < SLICE ? n : begin + SLICE;
    if (atomic_load(&d->fails))
        return;
    for (int32_t s = begin > 1 ? begin : 1; s < end; s++) {
        if (steps_below(c, s) || bits_has(w->low, s))
            continue;
        Result result = find_descent(c, w, s);
        if (result == BELOW)
            continue;
        atomic_store(&d->fails, true);
        if (result == NO_MEMORY)
            atomic_store(&d->no_memory, true);
        return;
    }
}

static bool walkers_init(Walker *walkers, int32_t count, size_t states)
{
    bool ok = walkers != NULL;
    for (int32_t i = 0; i < count && ok; i++)
        ok = mem_new_zeroed(walkers[i].low, bits_words((int32_t)states)) &&
             mem_new_zeroed(walkers[i].seen, bits_words((int32_t)states));
    return ok;
}

static void walkers_free(Walker *walkers, int32_t count)
{
    for (int32_t i = 0; i < count && walkers; i++)
        mem_free_all(walkers[i].low, walkers[i].seen, walkers[i].path.state, walkers[i].left.state);
    mem_free(walkers);
}

/* *yes: all states reach state 0.  False although they do: the test was too short. */
static PepaStatus all_reach_first(const Chain *c, int32_t threads, bool *yes, PepaError *err)
{
    const int32_t slices = (int32_t)((c->state_count - 1) / SLICE) + 1;
    int32_t most = threads < MOST_WORKERS ? threads : MOST_WORKERS;
    most = most < slices ? most : slices;
    Descent d = {.chain = c, .walkers = mem_calloc((size_t)most, sizeof *d.walkers)};
    Workers *workers = most > 1 ? workers_new(most) : NULL;
    bool ok = walkers_init(d.walkers, most, (size_t)c->state_count) && (workers || most == 1);
    if (ok)
        workers_run(workers, slices, check_slice, &d);
    ok = ok && !atomic_load(&d.no_memory);
    *yes = ok && !atomic_load(&d.fails);
    workers_free(workers);
    walkers_free(d.walkers, most);
    return ok ? PEPA_OK : error_memory(err);
}

/* ---- search -------------------------------------------------------------------------------- */

/* Marks the components that some transition leaves. */
static void mark_left(const Chain *c, const int32_t *component, uint8_t *left)
{
    for (int32_t s = 0; s < c->state_count; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
            if (component[c->target[k]] != component[s])
                left[component[s]] = 1;
}

/* The memory budget has space for the search and its result. */
static PepaStatus check_memory(const Chain *c, PepaError *err)
{
    const double each = 5 * sizeof(int32_t) + sizeof(int64_t); /* see scc_find */
    double bytes = chain_bytes(c) + (double)c->state_count * each;
    char states[NUMBER_SIZE];
    if (budget_allows(c->memory, bytes))
        return PEPA_OK;
    return budget_exceeded(err, bytes, c->memory, "finding the bottom components of %s states",
                           number_grouped(c->state_count, states));
}

/* component: per state; becomes c->bottom. */
static PepaStatus number_bsccs(Chain *c, int32_t *component, int32_t count, PepaError *err)
{
    uint8_t *left = NULL;
    int32_t *number = NULL;
    bool ok = mem_new_zeroed(left, count) && mem_new(number, count);
    if (ok) {
        mark_left(c, component, left);
        memset(number, -1, (size_t)count * sizeof *number);
    }
    for (int32_t s = 0; ok && s < c->state_count; s++) {
        int32_t k = component[s];
        if (!left[k] && number[k] < 0)
            number[k] = c->bottom_count++;
        component[s] = number[k];
    }
    mem_free_all(left, number);
    return ok ? PEPA_OK : error_memory(err);
}

PepaStatus chain_search_bsccs(Chain *c, PepaError *err)
{
    const Graph graph = {(int32_t)c->state_count, c->row, c->target};
    int32_t *component = NULL, count = 0;
    PepaStatus status = check_memory(c, err);
    if (status == PEPA_OK && !mem_new(component, c->state_count))
        status = error_memory(err);
    if (status == PEPA_OK)
        status = scc_find(&graph, component, &count, err);
    if (status == PEPA_OK && count > 1)
        status = number_bsccs(c, component, count, err);
    if (status == PEPA_OK && count > 1) {
        c->bottom = component;
        return PEPA_OK;
    }
    c->bottom_count = 1;
    mem_free(component);
    return status;
}

PepaStatus chain_find_bsccs(Chain *c, int32_t threads, PepaError *err)
{
    bool one = false;
    PepaStatus status = PEPA_OK;
    if (chain_has_one_start(c) && (c->deadlocks == 0 || c->state_count == 1))
        status = all_reach_first(c, threads, &one, err);
    if (one)
        c->bottom_count = 1;
    return one || status != PEPA_OK ? status : chain_search_bsccs(c, err);
}
