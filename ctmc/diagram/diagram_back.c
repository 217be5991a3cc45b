/* Can the initial state be reached from everywhere?  The same search as forwards, on edges turned
 * round; its sets hold places in the sets of upper states. */
#include <string.h>

#include "ctmc/diagram/diagram.h"

/* A subset of a set's places: word 0 is the set, then bits. */
typedef struct {
    const Diagram *d;
    const uint8_t *edge, *local; /* which edges there are; NULL: all */
    size_t words;                /* of a subset, word 0 included */
    Table subsets;
    int32_t *closed; /* per subset: with all that leads there within its set; -1: not known */
    size_t closed_cap;
    Memo unions, before; /* before: by tile and subset */
    int32_t *now;        /* per upper state: its subset */
    int64_t *in_row; /* edges by target */
    EdgeIn *in;
    int32_t *stack; /* upper states whose subset has grown since they were visited */
    uint8_t *waits; /* per upper state: it is on the stack */
    size_t stack_count;
    uint64_t *bits;
} Back;

static void back_free(Back *b)
{
    table_free(&b->subsets);
    mem_free(b->closed);
    memo_free(&b->unions);
    memo_free(&b->before);
    mem_free(b->now);
    mem_free(b->in_row);
    mem_free(b->in);
    mem_free(b->stack);
    mem_free(b->waits);
    mem_free(b->bits);
}

static const uint64_t *subset(const Back *b, int32_t id)
{
    return b->subsets.state + (size_t)id * b->words;
}

/* The subset in b->bits; -1: memory is out. */
static int32_t put(Back *b)
{
    int32_t before = b->subsets.count;
    int32_t id = table_put(&b->subsets, b->bits, table_hash(&b->subsets, b->bits));
    if (id < before)
        return id;
    if (!mem_reserve(&b->closed, &b->closed_cap, (size_t)id + 1, sizeof *b->closed))
        return -1;
    b->closed[id] = -1;
    return id;
}

static void clear(Back *b, int32_t set)
{
    memset(b->bits, 0, b->words * sizeof *b->bits);
    b->bits[0] = (uint64_t)set;
}

static bool has(const uint64_t *bits, uint32_t place)
{
    return bits[1 + (place >> 6)] >> (place & 63) & 1;
}

static void mark(uint64_t *bits, uint32_t place)
{
    bits[1 + (place >> 6)] |= UINT64_C(1) << (place & 63);
}

/* What leads to a subset by a tile. */
static int32_t before(Back *b, int32_t tile, int32_t id)
{
    int32_t *known = memo_at(&b->before, hash_pair(tile, id), 0);
    if (!known || *known >= 0)
        return known ? *known : -1;
    const Tile *t = &b->d->tiles[tile];
    clear(b, t->from);
    for (int64_t k = t->first; k < t->first + t->count; k++)
        if (has(subset(b, id), b->d->tile_to[k]))
            mark(b->bits, b->d->tile_from[k]);
    return *known = put(b);
}

static int32_t join(Back *b, int32_t a, int32_t c)
{
    if (a == c)
        return a;
    int32_t *known = memo_at(&b->unions, hash_pair(a, c), 0);
    if (!known || *known >= 0)
        return known ? *known : -1;
    for (size_t w = 0; w < b->words; w++)
        b->bits[w] = subset(b, a)[w] | subset(b, c)[w]; /* of the same set */
    return *known = put(b);
}

/* Mark what an entry leads from, if it leads there from elsewhere. */
static bool step_back(Back *b, int64_t k)
{
    const Diagram *d = b->d;
    if (!has(b->bits, d->tile_to[k]) || has(b->bits, d->tile_from[k]))
        return false;
    mark(b->bits, d->tile_from[k]);
    return true;
}

/* One pass over the tiles of a set; whether anything has changed. */
static bool pass_back(Back *b, int32_t set, bool fro)
{
    const Diagram *d = b->d;
    bool more = false;
    for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++) {
        if (b->local && !b->local[e])
            continue;
        const Tile *t = &d->tiles[d->local[e].tile];
        int64_t end = t->first + t->count;
        for (int64_t k = t->first; k < end && !fro; k++)
            more |= step_back(b, k);
        for (int64_t k = end; k-- > t->first && fro;)
            more |= step_back(b, k);
    }
    return more;
}

/* Passes over the tiles until one changes nothing, to and fro, since a way that leads through the
 * states in their order, or against it, is then followed in one pass. */
static int32_t close_back(Back *b, int32_t id)
{
    if (b->closed[id] >= 0)
        return b->closed[id];
    memcpy(b->bits, subset(b, id), b->words * sizeof *b->bits);
    int32_t set = (int32_t)b->bits[0];
    for (bool fro = false; pass_back(b, set, fro);)
        fro = !fro;
    int32_t closed = put(b);
    if (closed >= 0)
        b->closed[id] = b->closed[closed] = closed;
    return closed;
}

/* The subset `id` of the set of `upper` leads to the initial state. */
static bool arrive(Back *b, int32_t upper, int32_t id)
{
    int32_t joined = id < 0 ? -1 : join(b, b->now[upper], id);
    if (joined < 0)
        return false;
    if (joined == b->now[upper])
        return true;
    b->now[upper] = joined;
    if (!b->waits[upper]) {
        b->waits[upper] = 1;
        b->stack[b->stack_count++] = upper;
    }
    return true;
}

static bool start(Back *b)
{
    const Diagram *d = b->d;
    size_t n = (size_t)d->upper_count;
    b->words = 1 + ((size_t)d->split->lower.count + 63) / 64;
    b->bits = mem_alloc(b->words, sizeof *b->bits);
    b->now = mem_alloc(n, sizeof *b->now);
    b->stack = mem_alloc(n, sizeof *b->stack);
    b->waits = mem_calloc(n, 1);
    if (!b->bits || !b->now || !b->stack || !b->waits ||
        !diagram_edges_in(d, b->edge, &b->in_row, &b->in) ||
        !table_init(&b->subsets, b->words))
        return false;
    for (int32_t i = 0; i < d->upper_count; i++) {
        clear(b, d->set[i]);
        b->now[i] = put(b);
        if (b->now[i] < 0)
            return false;
    }
    clear(b, d->set[d->initial_upper]);
    mark(b->bits, (uint32_t)d->initial_lower);
    return arrive(b, d->initial_upper, put(b));
}

static bool visit(Back *b, int32_t upper)
{
    int32_t id = close_back(b, b->now[upper]);
    if (id < 0)
        return false;
    b->now[upper] = id;
    for (int64_t e = b->in_row[upper]; e < b->in_row[upper + 1]; e++)
        if (!arrive(b, b->in[e].from, before(b, b->in[e].tile, id)))
            return false;
    return true;
}

static bool all_reached(const Back *b)
{
    const Diagram *d = b->d;
    for (int32_t i = 0; i < d->upper_count; i++) {
        int32_t places = 0;
        for (size_t w = 1; w < b->words; w++)
            places += __builtin_popcountll(subset(b, b->now[i])[w]);
        if (places < d->set_size[d->set[i]])
            return false;
    }
    return true;
}

PepaStatus diagram_leads_back(const Diagram *diagram, const uint8_t *edge, const uint8_t *local,
                              bool *out, PepaError *err)
{
    Back b = {.d = diagram, .edge = edge, .local = local};
    bool ok = start(&b);
    while (ok && b.stack_count) { /* what was reached last goes on first, as forwards */
        int32_t upper = b.stack[--b.stack_count];
        b.waits[upper] = 0;
        ok = visit(&b, upper);
    }
    if (ok)
        *out = all_reached(&b);
    back_free(&b);
    return ok ? PEPA_OK : error_memory(err);
}

PepaStatus diagram_irreducible(const Diagram *diagram, bool *out, PepaError *err)
{
    return diagram_leads_back(diagram, NULL, NULL, out, err);
}
