/* Bottom components of a chain.  Nearly always there is one, of all states, and that takes much
 * less than a search for strongly connected components to see: if every state but 0 leads to one
 * with a smaller number, all lead back to state 0, and so to each other.  Most have a transition to
 * such a state; walks from the others soon meet one.  What a state leads to has nothing to do with
 * what is found out about others, so that any number of threads can look, each at states of its
 * own. */
#include <stdatomic.h>
#include <string.h>

#include "base/scc.h"
#include "base/workers.h"
#include "base/budget.h"
#include "ctmc/chain.h"

enum {
    SLICE = 4096, /* states of a task */
    NEAR = 64,    /* states that are near another one */
    PATIENCE = 4  /* steps of walks per state of the chain, before a search is the better way */
};

/* ---- walks --------------------------------------------------------------------------------- */

/* A growing list of states. */
typedef struct {
    int32_t *state;
    size_t count, cap;
} List;

/* One for each thread, who looks at states in ascending order. */
typedef struct {
    uint64_t *low;   /* states known to lead to one before any that is still to be looked at */
    uint64_t *seen;  /* those, and what a walk has met */
    List path, left; /* of the walk: from its beginning; states that lead only to what it has met */
    int32_t near[NEAR];
    int64_t steps;
} Walker;

typedef struct {
    const Chain *chain;
    Walker *walkers;
    atomic_bool fails, no_memory; /* fails: some state leads to none before it, or only far away */
} Descent;

static bool has(const uint64_t *set, int32_t state)
{
    return set[state >> 6] >> (state & 63) & 1;
}

static void put(uint64_t *set, int32_t state)
{
    set[state >> 6] |= UINT64_C(1) << (state & 63);
}

static void take(uint64_t *set, int32_t state)
{
    set[state >> 6] &= ~(UINT64_C(1) << (state & 63));
}

static bool add(List *list, int32_t state)
{
    if (list->count == list->cap &&
        !mem_reserve(&list->state, &list->cap, list->count + 1, sizeof *list->state))
        return false;
    list->state[list->count++] = state;
    return true;
}

/* Does a transition lead below `from`?  If not, *next is a state that the walk has not met, or -1:
 * by the last of them, since late actions often lead back. */
static bool look_round(const Chain *c, const Walker *w, int32_t from, int32_t state, int32_t *next)
{
    *next = -1;
    for (int64_t k = c->row[state]; k < c->row[state + 1]; k++) {
        int32_t target = c->target[k];
        if (target < from || has(w->low, target))
            return true;
        if (!has(w->seen, target))
            *next = target;
    }
    return false;
}

/* It need not be known later that the walk has met them. */
static void forget(Walker *w, const List *list)
{
    for (size_t i = 0; i < list->count; i++)
        take(w->seen, list->state[i]);
}

typedef enum { FOUND, NOTHING, FAR, NO_MEMORY } Way;

/* Walk on, depth first, until something below `from` is met: then the whole path leads there.  What
 * was left may as well, and may be met again.  FAR: that takes more than `most` steps. */
static Way walk(const Chain *c, Walker *w, int32_t from, int64_t most)
{
    int32_t next = from;
    w->path.count = w->left.count = 0;
    for (; most > 0; most--, w->steps++) {
        if (next >= 0) {
            put(w->seen, next);
            if (!add(&w->path, next))
                return NO_MEMORY;
        } else if (!add(&w->left, w->path.state[--w->path.count]))
            return NO_MEMORY;
        if (w->path.count == 0)
            return NOTHING;
        if (look_round(c, w, from, w->path.state[w->path.count - 1], &next))
            break;
    }
    forget(w, &w->left);
    if (most == 0)
        forget(w, &w->path);
    for (size_t i = 0; i < w->path.count && most > 0; i++)
        put(w->low, w->path.state[i]);
    return most > 0 ? FOUND : FAR;
}

/* Is something below among the states that are nearest, breadth first? */
static bool is_near(const Chain *c, Walker *w, int32_t from)
{
    int32_t count = 1;
    w->near[0] = from;
    for (int32_t i = 0; i < count; i++)
        for (int64_t k = c->row[w->near[i]]; k < c->row[w->near[i] + 1]; k++) {
            int32_t target = c->target[k], j = 0;
            if (target < from || has(w->low, target))
                return true;
            while (j < count && w->near[j] != target)
                j++;
            if (j == count && count < NEAR)
                w->near[count++] = target;
        }
    return false;
}

/* A short walk mostly does; where it leads astray, looking round often does. */
static Way find_way(const Chain *c, Walker *w, int32_t from)
{
    int64_t most = (int64_t)PATIENCE * c->states.count - w->steps;
    Way way = walk(c, w, from, NEAR);
    if (way == FAR && is_near(c, w, from))
        return FOUND;
    return way == FAR ? walk(c, w, from, most) : way;
}

static bool steps_down(const Chain *c, int32_t state)
{
    for (int64_t k = c->row[state]; k < c->row[state + 1]; k++)
        if (c->target[k] < state)
            return true;
    return false;
}

static void look_down(void *user, int32_t slice, int32_t worker)
{
    Descent *d = user;
    const Chain *c = d->chain;
    Walker *w = &d->walkers[worker];
    const int32_t n = c->states.count, begin = slice * SLICE;
    const int32_t end = n - begin < SLICE ? n : begin + SLICE;
    if (atomic_load(&d->fails))
        return;
    for (int32_t s = begin > 1 ? begin : 1; s < end; s++) {
        if (steps_down(c, s) || has(w->low, s))
            continue;
        Way way = find_way(c, w, s);
        if (way == FOUND)
            continue;
        atomic_store(&d->fails, true);
        if (way == NO_MEMORY)
            atomic_store(&d->no_memory, true);
        return;
    }
}

static bool equip(Walker *walkers, int32_t count, size_t states)
{
    bool ok = walkers != NULL;
    for (int32_t i = 0; i < count && ok; i++) {
        walkers[i].low = mem_calloc(states / 64 + 1, sizeof *walkers[i].low);
        walkers[i].seen = mem_calloc(states / 64 + 1, sizeof *walkers[i].seen);
        ok = walkers[i].low && walkers[i].seen;
    }
    return ok;
}

static void dismiss(Walker *walkers, int32_t count)
{
    for (int32_t i = 0; i < count && walkers; i++) {
        mem_free(walkers[i].low);
        mem_free(walkers[i].seen);
        mem_free(walkers[i].path.state);
        mem_free(walkers[i].left.state);
    }
    mem_free(walkers);
}

/* Do all states lead back to state 0?  *yes is false also if that is not easy to see. */
static PepaStatus all_return(const Chain *c, int32_t threads, bool *yes, PepaError *err)
{
    const int32_t slices = (c->states.count - 1) / SLICE + 1;
    int32_t most = threads < MOST_WORKERS ? threads : MOST_WORKERS;
    most = most < slices ? most : slices;
    Descent d = {.chain = c, .walkers = mem_calloc((size_t)most, sizeof *d.walkers)};
    Workers *team = most > 1 ? workers_new(most) : NULL;
    bool ok = equip(d.walkers, most, (size_t)c->states.count) && (team || most == 1);
    if (ok)
        workers_run(team, slices, look_down, &d);
    ok = ok && !atomic_load(&d.no_memory);
    *yes = ok && !atomic_load(&d.fails);
    workers_free(team);
    dismiss(d.walkers, most);
    return ok ? PEPA_OK : error_memory(err);
}

/* ---- search -------------------------------------------------------------------------------- */

/* Marks the components that some transition leaves. */
static void mark_left(const Chain *c, const int32_t *component, uint8_t *left)
{
    for (int32_t s = 0; s < c->states.count; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
            if (component[c->target[k]] != component[s])
                left[component[s]] = 1;
}

/* Room for the search, and for what it finds. */
static PepaStatus check_room(const Chain *c, PepaError *err)
{
    const double each = 5 * sizeof(int32_t) + sizeof(int64_t); /* see scc_find */
    double bytes = chain_bytes(c) + (double)c->states.count * each;
    char states[BUDGET_TEXT];
    if (budget_allows(c->memory, bytes))
        return PEPA_OK;
    return budget_exceeded(err, bytes, c->memory, "finding the bottom components of %s states",
                           budget_count(c->states.count, states));
}

static PepaStatus search(Chain *c, int32_t *component, PepaError *err)
{
    int32_t n = c->states.count, count = 0;
    if (check_room(c, err) != PEPA_OK)
        return PEPA_ELIMIT;
    const Graph graph = {n, c->row, c->target, NULL, NULL};
    PepaStatus status = scc_find(&graph, component, &count, err);
    uint8_t *left = mem_calloc((size_t)count, sizeof *left);
    int32_t *number = mem_alloc((size_t)count, sizeof *number);
    if (status == PEPA_OK && (!left || !number))
        status = error_memory(err);
    if (status == PEPA_OK && count == 1) {
        c->bottom_count = 1;
    } else if (status == PEPA_OK) {
        mark_left(c, component, left);
        memset(number, -1, (size_t)count * sizeof *number);
        for (int32_t s = 0; s < n; s++) {
            int32_t k = component[s];
            if (!left[k] && number[k] < 0)
                number[k] = c->bottom_count++;
            component[s] = number[k];
        }
        c->bottom = component;
    }
    mem_free(left);
    mem_free(number);
    return status;
}

PepaStatus chain_find_bottoms(Chain *c, int32_t threads, PepaError *err)
{
    bool one = false;
    PepaStatus status = PEPA_OK;
    if (c->deadlocks == 0 || c->states.count == 1)
        status = all_return(c, threads, &one, err);
    if (one)
        c->bottom_count = 1;
    if (one || status != PEPA_OK)
        return status;
    int32_t *component = mem_alloc((size_t)c->states.count, sizeof *component);
    status = component ? search(c, component, err) : error_memory(err);
    if (!c->bottom)
        mem_free(component);
    return status;
}
