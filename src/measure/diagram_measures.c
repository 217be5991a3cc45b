#include "measure/diagram_measures.h"

/* sum over an edge's entries of pi at the source times the rate. */
static double edge_flow(const Diagram *d, const RateTable *rates, const Edge *edge,
                        const double *pi)
{
    const Tile *t = &d->tiles[edge->tile];
    const uint16_t *from = d->tile_from + t->first;
    double sum = 0;
    if (t->term < 0) {
        for (int32_t k = 0; k < t->count; k++)
            sum += pi[from[k]];
        return sum * rates->value[edge->term];
    }
    for (int32_t k = 0; k < t->count; k++)
        sum += pi[from[k]] * rates->value[d->tile_term[t->term + k]];
    return sum;
}

/* Where an action is among those that occur. */
static int32_t place_of(const int32_t *actions, int32_t count, int32_t action)
{
    int32_t low = 0, high = count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (actions[middle] <= action)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void diagram_throughputs(const Diagram *d, const RateTable *rates, const double *pi,
                         const int32_t *actions, int32_t count, double *per_time)
{
    for (int32_t i = 0; i < d->upper_count; i++) {
        const double *here = pi + d->offset[i];
        int32_t set = d->set[i];
        for (int64_t e = d->edge_row[i]; e < d->edge_row[i + 1]; e++)
            per_time[place_of(actions, count, d->edges[e].label)] +=
                edge_flow(d, rates, &d->edges[e], here);
        for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
            per_time[place_of(actions, count, d->local[e].label)] +=
                edge_flow(d, rates, &d->local[e], here);
    }
}

double diagram_throughput(const Diagram *d, const RateTable *rates, const double *pi,
                          int32_t action)
{
    double sum = 0;
    for (int32_t i = 0; i < d->upper_count; i++) {
        int32_t set = d->set[i];
        for (int64_t e = d->edge_row[i]; e < d->edge_row[i + 1]; e++)
            if (d->edges[e].label == action)
                sum += edge_flow(d, rates, &d->edges[e], pi + d->offset[i]);
        for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
            if (d->local[e].label == action)
                sum += edge_flow(d, rates, &d->local[e], pi + d->offset[i]);
    }
    return sum;
}

/* Add the slots of one part with probability p. */
static void add_part(const Diagram *d, const int32_t *offset, const int32_t *cells, bool upper,
                     double p, double *mean)
{
    const System *s = d->system;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        double *here = mean + offset[slot->position];
        if ((d->split->upper[i] != 0) != upper)
            continue;
        if (!slot->copies)
            here[cells[slot->cell]] += p;
        for (int32_t l = 0; slot->copies && l < s->components[slot->component].local_count; l++)
            here[l] += p * cells[slot->cell + l];
    }
}

/* The lower states of a set, with the probabilities that all upper states together give them. */
static void add_lower(const Diagram *d, const int32_t *offset, int32_t set, const double *sum,
                      int32_t *cells, double *mean)
{
    const Table *lower = &d->split->lower;
    for (int32_t k = 0; k < d->set_size[set]; k++) {
        system_unpack(d->system, lower->state + (size_t)d->members[set][k] * lower->words, cells);
        add_part(d, offset, cells, false, sum[k], mean);
    }
}

PepaStatus diagram_mean_counts(const Diagram *d, const int32_t *offset, const double *pi,
                               double *mean, PepaError *err)
{
    size_t all = 0;
    for (int32_t set = 0; set < d->set_count; set++)
        all += (size_t)d->set_size[set];
    int32_t *cells = mem_alloc((size_t)d->system->cell_count, sizeof *cells);
    double *sums = mem_calloc(all, sizeof *sums);
    double **sum = mem_alloc((size_t)d->set_count, sizeof *sum);
    bool ok = cells && sums && sum;
    for (int32_t set = 0, at = 0; ok && set < d->set_count; at += d->set_size[set++])
        sum[set] = sums + at;
    for (int32_t i = 0; ok && i < d->upper_count; i++) {
        const double *here = pi + d->offset[i];
        double p = 0, *to = sum[d->set[i]];
        for (int32_t k = 0; k < d->set_size[d->set[i]]; k++) {
            p += here[k];
            to[k] += here[k];
        }
        system_unpack(d->system, d->upper + (size_t)i * d->system->words, cells);
        add_part(d, offset, cells, true, p, mean);
    }
    for (int32_t set = 0; ok && set < d->set_count; set++)
        add_lower(d, offset, set, sum[set], cells, mean);
    mem_free(cells);
    mem_free(sums);
    mem_free(sum);
    return ok ? PEPA_OK : error_memory(err);
}
