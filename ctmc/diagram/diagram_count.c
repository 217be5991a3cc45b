/* Queries on a diagram: a state by its number, its backward flow, the number of transitions, the
 * local states that occur. */
#include <stdlib.h>
#include <string.h>

#include "ctmc/diagram/diagram.h"

int32_t diagram_upper(const Diagram *d, int64_t state)
{
    int32_t low = 0, high = d->upper_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (d->offset[middle] <= state)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void pack(const Diagram *d, int32_t upper, int64_t state, uint64_t *packed)
{
    const size_t words = d->system->words;
    const int32_t lower = d->members[d->set[upper]][state - d->offset[upper]];
    for (size_t w = 0; w < words; w++)
        packed[w] =
            d->upper[(size_t)upper * words + w] | d->split->lower.state[(size_t)lower * words + w];
}

void diagram_packed(const Diagram *d, int64_t state, uint64_t *packed)
{
    pack(d, diagram_upper(d, state), state, packed);
}

void diagram_list(const Diagram *d, int64_t first, int64_t end, uint64_t *packed)
{
    int32_t upper = first < end ? diagram_upper(d, first) : 0;
    for (int64_t state = first; state < end; state++, packed += d->system->words) {
        while (state >= d->offset[upper + 1])
            upper++;
        pack(d, upper, state, packed);
    }
}

/* ---- backward flow ------------------------------------------------------------------------- */

/* Sums of the rates of a submatrix, or numbers of its entries if these have no rates of their own.
 * moves, back: if it is on the diagonal, entries to another state, and those of them to a smaller
 * one. */
typedef struct {
    double moves, back, all;
} Flows;

static Flows matrix_flows(const Diagram *d, const double *value, const Submatrix *t)
{
    Flows f = {0, 0, 0};
    for (int32_t k = 0; k < t->count; k++) {
        int32_t to = d->entry_to[t->first + k], from = d->entry_from[t->first + k];
        double rate = t->term < 0 ? 1 : value[d->entry_term[t->term + k]];
        f.moves += to == from ? 0 : rate;
        f.back += to < from ? rate : 0;
        f.all += rate;
    }
    return f;
}

PepaStatus diagram_backward(const Diagram *d, const double *value, double *out, PepaError *err)
{
    double all = 0, back = 0;
    Flows *flows = NULL;
    double *uses = NULL; /* per set: upper states */
    bool ok = mem_new(flows, d->matrix_count) && mem_new_zeroed(uses, d->set_count);
    for (int32_t i = 0; ok && i < d->matrix_count; i++)
        flows[i] = matrix_flows(d, value, &d->matrices[i]);
    for (int32_t i = 0; ok && i < d->upper_count; i++) {
        uses[d->set[i]]++;
        for (int64_t e = d->edge_row[i]; e < d->edge_row[i + 1]; e++) {
            const Edge *edge = &d->edges[e];
            const Flows *f = &flows[edge->matrix];
            double rate = edge->term < 0 ? 1 : value[edge->term];
            all += rate * (edge->to == i ? f->moves : f->all);
            back += rate * (edge->to == i ? f->back : edge->to < i ? f->all : 0);
        }
    }
    for (int32_t set = 0; ok && set < d->set_count; set++)
        for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++) {
            const Flows *f = &flows[d->local[e].matrix];
            double rate = d->local[e].term < 0 ? 1 : value[d->local[e].term];
            all += uses[set] * rate * f->moves;
            back += uses[set] * rate * f->back;
        }
    if (ok)
        *out = all > 0 ? back / all : 0;
    mem_free_all(flows, uses);
    return ok ? PEPA_OK : error_memory(err);
}

/* ---- transitions --------------------------------------------------------------------------- */

/* Distinct entries of some submatrices between the same sets, and those on the diagonal. */
typedef struct {
    int64_t all, loops;
} Count;

typedef struct {
    const Diagram *d;
    Lists known;   /* lists of submatrices */
    Count *counts; /* per list */
    int32_t *list; /* scratch */
    size_t count_cap, list_cap;
    uint32_t *pairs; /* scratch: to << 16 | from */
    size_t pair_cap;
    Edge *edges; /* scratch: those of one upper state, local ones too */
    size_t edge_cap;
} Counter;

static int by_pair(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool count_pairs(Counter *c, const Edge *edges, size_t n, Count *out)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const Submatrix *t = &c->d->matrices[edges[i].matrix];
        if (!mem_grow(c->pairs, c->pair_cap, count + (size_t)t->count))
            return false;
        for (int64_t k = t->first; k < t->first + t->count; k++)
            c->pairs[count++] = (uint32_t)c->d->entry_to[k] << 16 | c->d->entry_from[k];
    }
    if (count > 1 && n > 1) /* entries of one submatrix are distinct */
        qsort(c->pairs, count, sizeof *c->pairs, by_pair);
    *out = (Count){0};
    for (size_t i = 0; i < count; i++) {
        if (i && n > 1 && c->pairs[i] == c->pairs[i - 1])
            continue;
        out->all++;
        out->loops += c->pairs[i] >> 16 == (c->pairs[i] & 0xffff);
    }
    return true;
}

/* The same, computed once; NULL: memory is out. */
static const Count *count_union(Counter *c, const Edge *edges, size_t n)
{
    const int32_t known = c->known.count;
    if (!mem_grow(c->list, c->list_cap, n))
        return NULL;
    for (size_t i = 0; i < n; i++)
        c->list[i] = edges[i].matrix;
    int32_t number = lists_put(&c->known, c->list, n);
    if (number < 0 || !mem_grow(c->counts, c->count_cap, number + 1) ||
        (number == known && !count_pairs(c, edges, n, &c->counts[number])))
        return NULL;
    return &c->counts[number];
}

static int by_target(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    return (x->matrix > y->matrix) - (x->matrix < y->matrix);
}

/* Transitions out of one upper state: several edges may make the same one. */
static bool count_from(Counter *c, int32_t from, DiagramTally *tally)
{
    const Diagram *d = c->d;
    int32_t set = d->set[from];
    size_t n = 0;
    size_t most = (size_t)(d->edge_row[from + 1] - d->edge_row[from]) +
                  (size_t)(d->local_row[set + 1] - d->local_row[set]);
    if (!mem_grow(c->edges, c->edge_cap, most))
        return false;
    for (int64_t e = d->edge_row[from]; e < d->edge_row[from + 1]; e++)
        c->edges[n++] = d->edges[e];
    for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++) {
        c->edges[n] = d->local[e];
        c->edges[n++].to = from;
    }
    if (n > 1)
        qsort(c->edges, n, sizeof *c->edges, by_target);
    for (size_t i = 0, end; i < n; i = end) {
        end = i + 1;
        while (end < n && c->edges[end].to == c->edges[i].to &&
               c->edges[end].label == c->edges[i].label)
            end++;
        const Count *count = count_union(c, c->edges + i, end - i);
        if (!count)
            return false;
        tally->transitions += count->all;
        tally->occurs[c->edges[i].label] = 1;
        tally->loops[c->edges[i].label] += c->edges[i].to == from ? count->loops : 0;
    }
    return true;
}

PepaStatus diagram_tally(const Diagram *diagram, DiagramTally *tally, PepaError *err)
{
    Counter c = {.d = diagram};
    bool ok = true;
    for (int32_t i = 0; i < diagram->upper_count && ok; i++)
        ok = count_from(&c, i, tally);
    lists_free(&c.known);
    mem_free_all(c.counts, c.list, c.pairs, c.edges);
    return ok ? PEPA_OK : error_memory(err);
}

/* ---- local states -------------------------------------------------------------------------- */

void cells_mark(const System *s, const uint8_t *upper, bool part, const int32_t *cells,
                uint8_t bits, uint8_t *mark)
{
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        const Component *component = &s->components[slot->component];
        if (upper && upper[i] != part)
            continue;
        if (!slot->copies)
            mark[component->local[cells[slot->cell]]] |= bits;
        for (int32_t l = 0; slot->copies && l < component->local_count; l++)
            if (cells[slot->cell + l])
                mark[component->local[l]] |= bits;
    }
}

void diagram_mark_locals(const Diagram *d, int32_t *cells, uint8_t bits, uint8_t *mark)
{
    const Table *lower = &d->split->lower;
    const System *s = d->system;
    for (int32_t i = 0; i < d->upper_count; i++) {
        system_unpack(s, d->upper + (size_t)i * s->words, cells);
        cells_mark(s, d->split->upper, true, cells, bits, mark);
    }
    for (int32_t set = 0; set < d->set_count; set++)
        for (int32_t k = 0; k < d->set_size[set]; k++) {
            system_unpack(s, lower->state + (size_t)d->members[set][k] * s->words, cells);
            cells_mark(s, d->split->upper, false, cells, bits, mark);
        }
}
