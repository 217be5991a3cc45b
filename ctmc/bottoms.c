/* Bottom components of a chain.  Nearly always there is one, of all states, and that takes much
 * less than a search for strongly connected components to see. */
#include <string.h>

#include "ctmc/footprint.h"
#include "base/scc.h"

static bool has(const uint64_t *set, int32_t state)
{
    return set[state >> 6] >> (state & 63) & 1;
}

static void put(uint64_t *set, int32_t state)
{
    set[state >> 6] |= UINT64_C(1) << (state & 63);
}

typedef struct {
    const Chain *chain;
    bool last_first; /* which transitions to follow first */
    uint64_t *home;  /* states known to lead to state 0 */
    uint64_t *seen;  /* those that a walk has met */
    int32_t *path;   /* room for all states */
} Walk;

/* Does a transition lead home?  If not, *next is a state that no walk has met, or -1. */
static bool look_round(const Walk *w, int32_t state, int32_t *next)
{
    const Chain *c = w->chain;
    *next = -1;
    for (int64_t k = c->row[state]; k < c->row[state + 1]; k++) {
        int32_t target = c->target[k];
        if (has(w->home, target))
            return true;
        if ((*next < 0 || w->last_first) && !has(w->seen, target))
            *next = target;
    }
    return false;
}

/* Walk on, depth first, until home is met: then the whole path leads there.  Returns how many
 * states were given up, because all that they lead to had been met: these may still lead home. */
static int32_t walk(const Walk *w, int32_t from)
{
    int32_t length = 1, given_up = 0, next;
    w->path[0] = from;
    put(w->seen, from);
    while (length > 0 && !look_round(w, w->path[length - 1], &next)) {
        if (next < 0) {
            length--;
            given_up++;
            continue;
        }
        put(w->seen, next);
        w->path[length++] = next;
    }
    for (int32_t i = 0; i < length; i++)
        put(w->home, w->path[i]);
    return given_up;
}

/* Walk from every state, unless more than `most` are given up; returns how many are. */
static int32_t walk_all(const Walk *w, int32_t most)
{
    const int32_t n = w->chain->states.count;
    const size_t bytes = ((size_t)n / 64 + 1) * sizeof *w->home;
    int32_t given_up = 0;
    memset(w->home, 0, bytes);
    memset(w->seen, 0, bytes);
    put(w->home, 0);
    for (int32_t s = 1; s < n && given_up <= most; s++)
        if (!has(w->home, s) && !has(w->seen, s))
            given_up += walk(w, s);
    return given_up;
}

/* Look at those that are not home once more, in order and in reverse; returns how many are left. */
static int32_t sweep(const Walk *w)
{
    const int32_t n = w->chain->states.count;
    int32_t left = 0, next;
    for (int32_t i = 0; i < n; i++)
        if (!has(w->home, i) && look_round(w, i, &next))
            put(w->home, i);
    for (int32_t i = n; i-- > 0;) {
        if (has(w->home, i))
            continue;
        if (look_round(w, i, &next))
            put(w->home, i);
        else
            left++;
    }
    return left;
}

/* Do all states lead back to state 0, and so to each other?  False also if it is not that easy to
 * see.  Walks that prefer late actions often come home soon, and where they do not, those that
 * prefer early ones do.   path: scratch, an entry per state */
static bool all_return(const Chain *c, uint64_t *home, uint64_t *seen, int32_t *path)
{
    enum { SWEEPS = 4 };
    Walk w = {.chain = c, .last_first = true, .home = home, .seen = seen, .path = path};
    int32_t left = walk_all(&w, c->states.count / 64 + 64);
    if (left > c->states.count / 64 + 64) {
        w.last_first = false;
        left = walk_all(&w, c->states.count);
    }
    for (int i = 0; i < SWEEPS && left > 0; i++)
        left = sweep(&w);
    return left == 0;
}

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
    char states[ROOM_TEXT], needed[ROOM_TEXT], most[ROOM_TEXT];
    if (room_for(c->memory, bytes))
        return PEPA_OK;
    return error_set(err, PEPA_ELIMIT,
                     "finding the bottom components of %s states takes %s, and %s may be used "
                     "(--memory); raise it, or make the model smaller",
                     room_count(c->states.count, states), room_bytes(bytes, needed),
                     room_bytes((double)c->memory, most));
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

PepaStatus chain_find_bottoms(Chain *c, PepaError *err)
{
    size_t n = (size_t)c->states.count;
    int32_t *component = mem_alloc(n, sizeof *component);
    uint64_t *home = mem_alloc(n / 64 + 1, sizeof *home);
    uint64_t *seen = mem_alloc(n / 64 + 1, sizeof *seen);
    bool ok = component && home && seen;
    bool one = ok && (n == 1 || (c->deadlocks == 0 && all_return(c, home, seen, component)));
    mem_free(home);
    mem_free(seen);
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    if (one)
        c->bottom_count = 1;
    else if (ok)
        status = search(c, component, err);
    if (!c->bottom)
        mem_free(component);
    return status;
}
