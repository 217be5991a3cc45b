/* Tiles: made once per context, tag and pair of sets, and shared by content. */
#include "ctmc/diagram/diagram_parts.h"

#include <stdlib.h>

/* An entry: to, from (in .tile), term. */
static int by_entry(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->tile != y->tile)
        return x->tile < y->tile ? -1 : 1;
    return (x->term > y->term) - (x->term < y->term);
}

static bool add_entry(DiagramBuild *b, size_t count, int32_t to, int32_t from, int32_t term)
{
    if (!mem_reserve(&b->entries, &b->entries_cap, count + 1, sizeof *b->entries))
        return false;
    b->entries[count] = (Edge){to, from, term, 0};
    return true;
}

/* The entries of a context's tag between two sets, sorted, equal ones added up; -1: no memory. */
static int64_t list_entries(DiagramBuild *b, int32_t context, int32_t tag, int32_t from, int32_t to)
{
    Contexts *c = &b->s->contexts;
    size_t count = 0, kept = 0;
    for (int32_t i = 0; i < b->d->set_size[from]; i++) {
        int32_t lower = b->d->members[from][i];
        if (context == CONTEXT_SAME) {
            if (!add_entry(b, count++, b->rank[to][lower], i, -1))
                return -1;
            continue;
        }
        AnswerRange r = contexts_answer(c, context, lower);
        for (int32_t k = r.first; k < r.first + r.count; k++) {
            const Answer *a = &c->answers[k];
            if (a->tag == tag && !add_entry(b, count++, b->rank[to][a->target], i, a->term))
                return -1;
        }
    }
    size_t sorted = 1; /* often all are, for events keep the order of states */
    while (sorted < count && by_entry(&b->entries[sorted - 1], &b->entries[sorted]) <= 0)
        sorted++;
    if (sorted < count)
        qsort(b->entries, count, sizeof *b->entries, by_entry);
    for (size_t i = 0; i < count; i++) {
        Edge *last = b->entries + kept - 1;
        if (kept && last->to == b->entries[i].to && last->tile == b->entries[i].tile)
            last->term = rates_sum(c->moves.rates, last->term, b->entries[i].term);
        else
            b->entries[kept++] = b->entries[i];
    }
    return (int64_t)kept;
}

static bool same_tile(const DiagramBuild *b, const Tile *t, int32_t from, int32_t to, int64_t count,
                      bool own)
{
    const Diagram *d = b->d;
    bool same = t->from == from && t->to == to && t->count == count && (t->term >= 0) == own;
    for (int64_t i = 0; i < count && same; i++)
        same = d->tile_to[t->first + i] == b->entries[i].to &&
               d->tile_from[t->first + i] == b->entries[i].tile &&
               (!own || d->tile_term[t->term + i] == b->entries[i].term);
    return same;
}

/* The entries as a new tile. */
static bool add_tile(DiagramBuild *b, int32_t from, int32_t to, int64_t count, bool own)
{
    Diagram *d = b->d;
    size_t first = (size_t)b->entry_count, n = (size_t)count, term = (size_t)b->term_count;
    if (!mem_reserve(&d->tiles, &b->tile_cap, (size_t)d->tile_count + 1, sizeof *d->tiles) ||
        !mem_reserve(&d->tile_from, &b->from_cap, first + n, sizeof *d->tile_from) ||
        !mem_reserve(&d->tile_to, &b->to_cap, first + n, sizeof *d->tile_to) ||
        (own && !mem_reserve(&d->tile_term, &b->term_cap, term + n, sizeof *d->tile_term)))
        return false;
    for (size_t i = 0; i < n; i++) {
        d->tile_to[first + i] = (uint16_t)b->entries[i].to;
        d->tile_from[first + i] = (uint16_t)b->entries[i].tile;
        if (own)
            d->tile_term[term + i] = b->entries[i].term;
    }
    d->tiles[d->tile_count++] =
        (Tile){from, to, (int32_t)n, (int64_t)first, own ? (int64_t)term : -1};
    b->entry_count += count;
    b->term_count += own ? count : 0;
    return true;
}

/* The tile with the entries just listed; -1: no memory. */
static int32_t intern_tile(DiagramBuild *b, int32_t from, int32_t to, int64_t count, bool own)
{
    uint64_t hash = hash_pair(from, to);
    for (int64_t i = 0; i < count; i++) {
        const Edge *e = &b->entries[i];
        hash = hash_mix(hash, hash_pair(e->to, e->tile));
        hash = own ? hash_mix(hash, (uint64_t)e->term) : hash;
    }
    for (uint64_t again = 0;; again++) {
        int32_t *found = memo_at(&b->content, hash, again);
        if (!found)
            return -1;
        if (*found >= 0 && !same_tile(b, &b->d->tiles[*found], from, to, count, own))
            continue;
        if (*found < 0 && !add_tile(b, from, to, count, own))
            return -1;
        return *found < 0 ? *found = b->d->tile_count - 1 : *found;
    }
}

const Edge *diagram_tile(DiagramBuild *b, int32_t context, int32_t tag, int32_t from, int32_t to)
{
    int32_t *made = memo_at(&b->tiles, hash_pair(context, tag), hash_pair(from, to));
    if (!made)
        return NULL;
    if (*made >= 0)
        return &b->made[*made];
    int64_t count = list_entries(b, context, tag, from, to);
    if (count < 0 || !mem_reserve(&b->made, &b->made_cap, b->made_count + 1, sizeof *b->made))
        return NULL;
    bool own = false;
    for (int64_t i = 1; i < count && !own; i++)
        own = b->entries[i].term != b->entries[0].term;
    Edge edge = {0, -1, own || count == 0 ? -1 : b->entries[0].term, 0};
    if (count > 0 && (edge.tile = intern_tile(b, from, to, count, own)) < 0)
        return NULL;
    *made = (int32_t)b->made_count;
    b->made[b->made_count++] = edge;
    return &b->made[*made];
}
