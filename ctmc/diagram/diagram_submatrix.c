/* Makes submatrices: one per context, tag and pair of sets; equal ones are shared. */
#include "ctmc/diagram/diagram.h"
#include "ctmc/diagram/diagram_search.h"

#include <stdlib.h>

/* An entry: to, from (in .matrix), term. */
static int by_entry(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->matrix != y->matrix)
        return x->matrix < y->matrix ? -1 : 1;
    return (x->term > y->term) - (x->term < y->term);
}

static bool add_entry(DiagramBuild *b, size_t count, int32_t to, int32_t from, int32_t term)
{
    if (!mem_grow(b->entries, b->entries_cap, count + 1))
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
            if (a->tag == tag && !add_entry(b, count++, b->rank[to][lower + a->jump], i, a->term))
                return -1;
        }
    }
    size_t sorted = 1; /* usually all are: events preserve the order of states */
    while (sorted < count && by_entry(&b->entries[sorted - 1], &b->entries[sorted]) <= 0)
        sorted++;
    if (sorted < count)
        qsort(b->entries, count, sizeof *b->entries, by_entry);
    for (size_t i = 0; i < count; i++) {
        Edge *last = b->entries + kept - 1;
        if (kept && last->to == b->entries[i].to && last->matrix == b->entries[i].matrix)
            last->term = rates_sum(c->moves.rates, last->term, b->entries[i].term);
        else
            b->entries[kept++] = b->entries[i];
    }
    return (int64_t)kept;
}

static bool same_submatrix(const DiagramBuild *b, const Submatrix *t, int32_t from, int32_t to,
                           int64_t count, bool own)
{
    const Diagram *d = b->d;
    bool same = t->from == from && t->to == to && t->count == count && (t->term >= 0) == own;
    for (int64_t i = 0; i < count && same; i++)
        same = d->entry_to[t->first + i] == b->entries[i].to &&
               d->entry_from[t->first + i] == b->entries[i].matrix &&
               (!own || d->entry_term[t->term + i] == b->entries[i].term);
    return same;
}

/* The entries as a new submatrix. */
static bool add_submatrix(DiagramBuild *b, int32_t from, int32_t to, int64_t count, bool own)
{
    Diagram *d = b->d;
    size_t first = (size_t)b->entry_count, n = (size_t)count, term = (size_t)b->term_count;
    if (!mem_grow(d->matrices, b->matrix_cap, (size_t)d->matrix_count + 1) ||
        !mem_grow(d->entry_from, b->from_cap, first + n) ||
        !mem_grow(d->entry_to, b->to_cap, first + n) ||
        (own && !mem_grow(d->entry_term, b->term_cap, term + n)))
        return false;
    for (size_t i = 0; i < n; i++) {
        d->entry_to[first + i] = (uint16_t)b->entries[i].to;
        d->entry_from[first + i] = (uint16_t)b->entries[i].matrix;
        if (own)
            d->entry_term[term + i] = b->entries[i].term;
    }
    d->matrices[d->matrix_count++] =
        (Submatrix){from, to, (int32_t)n, (int64_t)first, own ? (int64_t)term : -1};
    b->entry_count += count;
    b->term_count += own ? count : 0;
    return true;
}

/* The submatrix with the entries just listed; -1: no memory. */
static int32_t intern_submatrix(DiagramBuild *b, int32_t from, int32_t to, int64_t count, bool own)
{
    uint64_t hash = hash_pair(from, to);
    for (int64_t i = 0; i < count; i++) {
        const Edge *e = &b->entries[i];
        hash = hash_mix(hash, hash_pair(e->to, e->matrix));
        hash = own ? hash_mix(hash, (uint64_t)e->term) : hash;
    }
    for (uint64_t again = 0;; again++) {
        int32_t *found = memo_at(&b->content, hash, again);
        if (!found)
            return -1;
        if (*found >= 0 && !same_submatrix(b, &b->d->matrices[*found], from, to, count, own))
            continue;
        if (*found < 0 && !add_submatrix(b, from, to, count, own))
            return -1;
        return *found < 0 ? *found = b->d->matrix_count - 1 : *found;
    }
}

const Edge *diagram_submatrix(DiagramBuild *b, int32_t context, int32_t tag, int32_t from,
                              int32_t to)
{
    int32_t *made = memo_at(&b->matrices, hash_pair(context, tag), hash_pair(from, to));
    if (!made)
        return NULL;
    if (*made >= 0)
        return &b->made[*made];
    int64_t count = list_entries(b, context, tag, from, to);
    if (count < 0 || !mem_grow(b->made, b->made_cap, b->made_count + 1))
        return NULL;
    bool own = false;
    for (int64_t i = 1; i < count && !own; i++)
        own = b->entries[i].term != b->entries[0].term;
    Edge edge = {0, -1, own || count == 0 ? -1 : b->entries[0].term, 0};
    if (count > 0 && (edge.matrix = intern_submatrix(b, from, to, count, own)) < 0)
        return NULL;
    *made = (int32_t)b->made_count;
    b->made[b->made_count++] = edge;
    return &b->made[*made];
}
