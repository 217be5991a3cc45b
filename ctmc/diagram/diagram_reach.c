/* Backward reachability on a diagram: can every state reach the initial state?  The search is that
 * of diagram_search.c on reversed edges.  Its sets are subsets of the lower states of an upper
 * state. */
#include <string.h>

#include "base/bits.h"
#include "ctmc/diagram/diagram.h"

/* A subset of a set: word 0 is the set, the others have a bit for each of its members. */
typedef struct {
    const Diagram *d;
    const uint8_t *edge, *local; /* which edges count; NULL: all */
    size_t words;                /* of a subset, word 0 included */
    Table subsets;
    int32_t *closed; /* per subset: its closure under local edges; -1: not computed */
    size_t closed_cap;
    Memo unions, preimage; /* preimage: by submatrix and subset */
    int32_t *reached;      /* per upper state: the subset that can reach the initial state */
    int64_t *in_row;       /* edges by target */
    EdgeIn *in;
    int32_t *stack;  /* upper states whose subset has grown since they were visited */
    uint8_t *queued; /* per upper state: it is on the stack */
    size_t stack_count;
    uint64_t *bits;
} Reach;

static void reach_free(Reach *b)
{
    table_free(&b->subsets);
    memo_free(&b->unions);
    memo_free(&b->preimage);
    mem_free_all(b->closed, b->reached, b->in_row, b->in, b->stack, b->queued, b->bits);
}

static const uint64_t *subset(const Reach *b, int32_t id)
{
    return b->subsets.state + (size_t)id * b->words;
}

/* The subset in b->bits; -1: memory is out. */
static int32_t put(Reach *b)
{
    int32_t count = b->subsets.count;
    int32_t id = table_put(&b->subsets, b->bits, table_hash(&b->subsets, b->bits));
    if (id < count)
        return id;
    if (!mem_grow(b->closed, b->closed_cap, (size_t)id + 1))
        return -1;
    b->closed[id] = -1;
    return id;
}

static void clear(Reach *b, int32_t set)
{
    memset(b->bits, 0, b->words * sizeof *b->bits);
    b->bits[0] = (uint64_t)set;
}

/* The subset whose members have an entry of the submatrix that leads into subset `id`. */
static int32_t preimage(Reach *b, int32_t matrix, int32_t id)
{
    int32_t *known = memo_at(&b->preimage, hash_pair(matrix, id), 0);
    if (!known || *known >= 0)
        return known ? *known : -1;
    const Submatrix *t = &b->d->matrices[matrix];
    clear(b, t->from);
    for (int64_t k = t->first; k < t->first + t->count; k++)
        if (bits_has(subset(b, id) + 1, b->d->entry_to[k]))
            bits_add(b->bits + 1, b->d->entry_from[k]);
    return *known = put(b);
}

static int32_t unite(Reach *b, int32_t a, int32_t c)
{
    if (a == c)
        return a;
    int32_t *known = memo_at(&b->unions, hash_pair(a, c), 0);
    if (!known || *known >= 0)
        return known ? *known : -1;
    for (size_t w = 0; w < b->words; w++)
        b->bits[w] = subset(b, a)[w] | subset(b, c)[w]; /* subsets of the same set */
    return *known = put(b);
}

/* Add the source of entry k if its target is in the subset and it is not; whether that changes it.
 * */
static bool backward_step(Reach *b, int64_t k)
{
    const Diagram *d = b->d;
    if (!bits_has(b->bits + 1, d->entry_to[k]) || bits_has(b->bits + 1, d->entry_from[k]))
        return false;
    bits_add(b->bits + 1, d->entry_from[k]);
    return true;
}

/* One pass over the submatrices of the local edges of a set; whether the subset has grown. */
static bool backward_pass(Reach *b, int32_t set, bool descending)
{
    const Diagram *d = b->d;
    bool more = false;
    for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++) {
        if (b->local && !b->local[e])
            continue;
        const Submatrix *t = &d->matrices[d->local[e].matrix];
        int64_t end = t->first + t->count;
        for (int64_t k = t->first; k < end && !descending; k++)
            more |= backward_step(b, k);
        for (int64_t k = end; k-- > t->first && descending;)
            more |= backward_step(b, k);
    }
    return more;
}

/* Passes until one changes nothing, in ascending and descending order by turns: one pass follows a
 * path through ascending states, or one through descending states, to its end. */
static int32_t closure(Reach *b, int32_t id)
{
    if (b->closed[id] >= 0)
        return b->closed[id];
    memcpy(b->bits, subset(b, id), b->words * sizeof *b->bits);
    int32_t set = (int32_t)b->bits[0];
    for (bool descending = false; backward_pass(b, set, descending);)
        descending = !descending;
    int32_t closed = put(b);
    if (closed >= 0)
        b->closed[id] = b->closed[closed] = closed;
    return closed;
}

/* The subset `id` of the set of `upper` can reach the initial state. */
static bool reach(Reach *b, int32_t upper, int32_t id)
{
    int32_t joined = id < 0 ? -1 : unite(b, b->reached[upper], id);
    if (joined < 0)
        return false;
    if (joined == b->reached[upper])
        return true;
    b->reached[upper] = joined;
    if (!b->queued[upper]) {
        b->queued[upper] = 1;
        b->stack[b->stack_count++] = upper;
    }
    return true;
}

static bool start(Reach *b)
{
    const Diagram *d = b->d;
    size_t n = (size_t)d->upper_count;
    b->words = 1 + bits_words(d->split->lower.count);
    if (!(mem_new(b->bits, b->words) && mem_new(b->reached, n) && mem_new(b->stack, n) &&
          mem_new_zeroed(b->queued, n)) ||
        !diagram_edges_in(d, b->edge, &b->in_row, &b->in) || !table_init(&b->subsets, b->words))
        return false;
    for (int32_t i = 0; i < d->upper_count; i++) {
        clear(b, d->set[i]);
        b->reached[i] = put(b);
        if (b->reached[i] < 0)
            return false;
    }
    clear(b, d->set[d->initial_upper]);
    bits_add(b->bits + 1, d->initial_lower);
    return reach(b, d->initial_upper, put(b));
}

static bool visit(Reach *b, int32_t upper)
{
    int32_t id = closure(b, b->reached[upper]);
    if (id < 0)
        return false;
    b->reached[upper] = id;
    for (int64_t e = b->in_row[upper]; e < b->in_row[upper + 1]; e++)
        if (!reach(b, b->in[e].from, preimage(b, b->in[e].matrix, id)))
            return false;
    return true;
}

static bool all_reached(const Reach *b)
{
    const Diagram *d = b->d;
    for (int32_t i = 0; i < d->upper_count; i++) {
        int32_t places = 0;
        for (size_t w = 1; w < b->words; w++)
            places += __builtin_popcountll(subset(b, b->reached[i])[w]);
        if (places < d->set_size[d->set[i]])
            return false;
    }
    return true;
}

PepaStatus diagram_all_reach_initial(const Diagram *diagram, const uint8_t *edge,
                                     const uint8_t *local, bool *out, PepaError *err)
{
    Reach b = {.d = diagram, .edge = edge, .local = local};
    bool ok = start(&b);
    while (ok && b.stack_count) { /* last in, first out, as forwards */
        int32_t upper = b.stack[--b.stack_count];
        b.queued[upper] = 0;
        ok = visit(&b, upper);
    }
    if (ok)
        *out = all_reached(&b);
    reach_free(&b);
    return ok ? PEPA_OK : error_memory(err);
}

PepaStatus diagram_irreducible(const Diagram *diagram, bool *out, PepaError *err)
{
    return diagram_all_reach_initial(diagram, NULL, NULL, out, err);
}
