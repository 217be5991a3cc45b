/* Traversals of a diagram: flows by action, transitions, states, mean counts. */
#include "ctmc/diagram/diagram.h"

#include <string.h>

#include "base/bucket.h"
#include "base/sorted.h"

/* sum over an edge's entries of x at the source times the rate. */
static double edge_flow(const Diagram *d, const double *value, const Edge *edge, const double *x)
{
    const Submatrix *t = &d->matrices[edge->matrix];
    const uint16_t *from = d->entry_from + t->first;
    double sum = 0;
    if (t->term < 0) {
        for (int32_t k = 0; k < t->count; k++)
            sum += x[from[k]];
        return sum * value[edge->term];
    }
    for (int32_t k = 0; k < t->count; k++)
        sum += x[from[k]] * value[d->entry_term[t->term + k]];
    return sum;
}

void diagram_action_flow(const Diagram *d, const double *value, const double *x,
                         const int32_t *actions, int32_t count, double *flow)
{
    for (int32_t k = 0; k < d->own_count; k++) {
        const int32_t i = diagram_own(d, k);
        const double *here = x + diagram_place(d, i);
        int32_t set = d->set[i], at;
        for (int64_t e = d->edge_row[i]; e < d->edge_row[i + 1]; e++)
            if ((at = sorted_find(actions, count, d->edges[e].label)) >= 0)
                flow[at] += edge_flow(d, value, &d->edges[e], here);
        for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
            if ((at = sorted_find(actions, count, d->local[e].label)) >= 0)
                flow[at] += edge_flow(d, value, &d->local[e], here);
    }
}

/* The entries of the edges out of one upper state, sorted by counting. */
typedef struct {
    const Diagram *d;
    Transition *item;
    int64_t *end; /* per member of the set, and two more: see bucket.h */
    size_t item_cap, end_cap;
} Leaving;

/* Pass 0 counts the entries of an edge by source; pass 1 puts them in their places. */
static void add_edge(Leaving *l, int32_t upper, int32_t to, const Edge *edge, int pass)
{
    const Diagram *d = l->d;
    const Submatrix *t = &d->matrices[edge->matrix];
    for (int32_t k = 0; k < t->count; k++) {
        int32_t from = d->entry_from[t->first + k];
        if (pass == 0)
            bucket_count(l->end, from);
        else
            l->item[bucket_place(l->end, from)] =
                (Transition){d->offset[upper] + from, d->offset[to] + d->entry_to[t->first + k],
                             edge->label, t->term < 0 ? edge->term : d->entry_term[t->term + k]};
    }
}

/* Returns how many there are; -1: memory is out. */
static int64_t collect(Leaving *l, int32_t upper)
{
    const Diagram *d = l->d;
    int32_t set = d->set[upper], size = d->set_size[set];
    if (!mem_grow(l->end, l->end_cap, (size_t)size + 2))
        return -1;
    memset(l->end, 0, ((size_t)size + 2) * sizeof *l->end);
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t e = d->edge_row[upper]; e < d->edge_row[upper + 1]; e++)
            add_edge(l, upper, d->edges[e].to, &d->edges[e], pass);
        for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
            add_edge(l, upper, upper, &d->local[e], pass);
        if (pass == 0)
            bucket_starts(l->end, size);
        if (pass == 0 && !mem_grow(l->item, l->item_cap, (size_t)l->end[size + 1] + 1))
            return -1;
    }
    return l->end[size];
}

PepaStatus diagram_each_transition(const Diagram *d, int64_t first, int64_t end,
                                   TransitionTask *task, void *user, PepaError *err)
{
    Leaving l = {.d = d};
    int64_t count = 0;
    for (int32_t i = 0; i < d->own_count && count >= 0; i++) {
        const int32_t upper = diagram_own(d, i);
        if (d->offset[upper + 1] <= first || d->offset[upper] >= end)
            continue;
        count = collect(&l, upper);
        for (int64_t k = 0; k < count; k++)
            if (l.item[k].from >= first && l.item[k].from < end)
                task(user, &l.item[k]);
    }
    mem_free_all(l.item, l.end);
    return count >= 0 ? PEPA_OK : error_memory(err);
}

void cells_add(const System *s, const uint8_t *upper, bool part, const int32_t *offset,
               const int32_t *cells, double p, double *mean)
{
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        double *here = mean + offset[slot->position];
        if (upper && upper[i] != part)
            continue;
        if (!slot->copies)
            here[cells[slot->cell]] += p;
        for (int32_t l = 0; slot->copies && l < s->components[slot->component].local_count; l++)
            here[l] += p * cells[slot->cell + l];
    }
}

PepaStatus diagram_mean_counts(const Diagram *d, const int32_t *offset, const double *pi,
                               double *mean, PepaError *err)
{
    const Table *lower = &d->split->lower;
    int32_t *cells = NULL;
    double *sum = NULL; /* per lower state */
    bool ok = mem_new(cells, d->system->cell_count) && mem_new_zeroed(sum, lower->count);
    for (int32_t u = 0; ok && u < d->own_count; u++) {
        const int32_t i = diagram_own(d, u);
        const double *here = pi + diagram_place(d, i);
        const int32_t *member = d->members[d->set[i]];
        double p = 0;
        for (int32_t k = 0; k < d->set_size[d->set[i]]; k++) {
            p += here[k];
            sum[member[k]] += here[k];
        }
        system_unpack(d->system, d->upper + (size_t)i * d->system->words, cells);
        cells_add(d->system, d->split->upper, true, offset, cells, p, mean);
    }
    for (int32_t k = 0; ok && k < lower->count; k++) {
        if (sum[k] == 0)
            continue;
        system_unpack(d->system, lower->state + (size_t)k * lower->words, cells);
        cells_add(d->system, d->split->upper, false, offset, cells, sum[k], mean);
    }
    mem_free_all(cells, sum);
    return ok ? PEPA_OK : error_memory(err);
}
