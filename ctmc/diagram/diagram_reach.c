/* Backward reachability on a diagram: can every state reach the initial state?  The search is that
 * of diagram_search.c on reversed edges.  Its sets are subsets of the lower states of an upper
 * state. */
#include "ctmc/diagram/diagram.h"
#include "ctmc/diagram/diagram_search.h"

typedef struct {
    const Diagram *d;
    const uint8_t *edge, *local; /* which edges count; NULL: all */
    Sets subsets;     /* word 0 is the set, the others have a bit for each of its members; closed
                       * under local edges */
    Memo preimage;    /* by submatrix and subset */
    int32_t *reached; /* per upper state: the subset that can reach the initial state */
    int64_t *in_row;  /* edges by target */
    EdgeIn *in;
    int32_t *stack;  /* upper states whose subset has grown since they were visited */
    uint8_t *queued; /* per upper state: it is on the stack */
    size_t stack_count;
} Reach;

static void reach_free(Reach *b)
{
    sets_free(&b->subsets);
    memo_free(&b->preimage);
    mem_free_all(b->reached, b->in_row, b->in, b->stack, b->queued);
}

/* Begin with an empty subset. */
static void clear(Reach *b, int32_t set)
{
    sets_clear(&b->subsets);
    b->subsets.bits[0] = (uint64_t)set;
}

/* The subset whose members have an entry of the submatrix that leads into subset `id`. */
static int32_t preimage(Reach *b, int32_t matrix, int32_t id)
{
    int32_t *known = memo_at(&b->preimage, hash_pair(matrix, id), 0);
    if (!known || *known >= 0)
        return known ? *known : -1;
    const Submatrix *t = &b->d->matrices[matrix];
    const uint64_t *into = sets_bits(&b->subsets, id) + 1;
    uint64_t *bits = b->subsets.bits + 1;
    clear(b, t->from);
    for (int64_t k = t->first; k < t->first + t->count; k++)
        if (bits_has(into, b->d->entry_to[k]))
            bits_add(bits, b->d->entry_from[k]);
    return *known = sets_put(&b->subsets);
}

/* Add the source of entry k if its target is in the subset; whether that changes the subset. */
static bool backward_step(Reach *b, int64_t k)
{
    const Diagram *d = b->d;
    uint64_t *bits = b->subsets.bits + 1;
    if (!bits_has(bits, d->entry_to[k]) || bits_has(bits, d->entry_from[k]))
        return false;
    bits_add(bits, d->entry_from[k]);
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
    Sets *s = &b->subsets;
    if (s->closed[id] >= 0)
        return s->closed[id];
    memcpy(s->bits, sets_bits(s, id), s->table.words * sizeof *s->bits);
    int32_t set = (int32_t)s->bits[0];
    for (bool descending = false; backward_pass(b, set, descending);)
        descending = !descending;
    int32_t closed = sets_put(s);
    if (closed >= 0)
        s->closed[id] = s->closed[closed] = closed;
    return closed;
}

/* The subset `id` of the set of `upper` can reach the initial state. */
static bool reach(Reach *b, int32_t upper, int32_t id)
{
    int32_t joined = id < 0 ? -1 : sets_join(&b->subsets, b->reached[upper], id);
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
    if (!(mem_new(b->reached, n) && mem_new(b->stack, n) && mem_new_zeroed(b->queued, n)) ||
        !diagram_edges_in(d, b->edge, &b->in_row, &b->in) ||
        !sets_init(&b->subsets, 1 + bits_words(d->split->lower.count)))
        return false;
    for (int32_t i = 0; i < d->upper_count; i++) {
        clear(b, d->set[i]);
        b->reached[i] = sets_put(&b->subsets);
        if (b->reached[i] < 0)
            return false;
    }
    clear(b, d->set[d->initial_upper]);
    bits_add(b->subsets.bits + 1, d->initial_lower);
    return reach(b, d->initial_upper, sets_put(&b->subsets));
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
        int32_t id = b->reached[i], word0 = __builtin_popcount((uint32_t)d->set[i]);
        if (b->subsets.size[id] - word0 < d->set_size[d->set[i]])
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
