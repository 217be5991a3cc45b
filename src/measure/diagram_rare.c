#include "measure/diagram_rare.h"

#include <math.h>

typedef struct {
    const Diagram *d;
    const double *value;
    double *most;          /* per upper state: its largest exit rate */
    double *most_of;       /* per set: the largest of those */
    double *least;         /* per tile with rates of its own: the least of them; else unused */
    uint8_t *edge, *local; /* whether each is common, all its jumps */
} Looking;

static double least_rate(const Looking *l, const Edge *edge)
{
    return l->d->tiles[edge->tile].term < 0 ? l->value[edge->term] : l->least[edge->tile];
}

/* So far from the border that rounding does not matter. */
static bool is_common(double rate, double exit)
{
    const double margin = 1 + 1e-6;
    return rate >= margin * RARE_JUMP * exit;
}

static void find_least(Looking *l)
{
    const Diagram *d = l->d;
    for (int32_t i = 0; i < d->tile_count; i++) {
        const Tile *t = &d->tiles[i];
        l->least[i] = HUGE_VAL;
        for (int32_t k = 0; t->term >= 0 && k < t->count; k++)
            l->least[i] = fmin(l->least[i], l->value[d->tile_term[t->term + k]]);
    }
}

static void find_common(Looking *l)
{
    const Diagram *d = l->d;
    for (int32_t set = 0; set < d->set_count; set++)
        l->most_of[set] = 0;
    for (int32_t i = 0; i < d->upper_count; i++) {
        l->most_of[d->set[i]] = fmax(l->most_of[d->set[i]], l->most[i]);
        for (int64_t e = d->edge_row[i]; e < d->edge_row[i + 1]; e++)
            l->edge[e] = is_common(least_rate(l, &d->edges[e]), l->most[i]);
    }
    for (int32_t set = 0; set < d->set_count; set++)
        for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
            l->local[e] = is_common(least_rate(l, &d->local[e]), l->most_of[set]);
}

PepaStatus diagram_holds_together(const Diagram *d, const double *value, const Blocks *blocks,
                                  bool *out, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    size_t n = (size_t)d->upper_count, sets = (size_t)d->set_count;
    Looking l = {.d = d, .value = value};
    bool rare = false;
    l.most = mem_alloc(n, sizeof *l.most);
    bool ok = l.most && blocks_rare(blocks, l.most, &rare);
    *out = ok && !rare;
    if (!rare) {
        mem_free(l.most);
        return ok ? PEPA_OK : error_memory(err);
    }
    l.most_of = mem_alloc(sets, sizeof *l.most_of);
    l.least = mem_alloc((size_t)d->tile_count, sizeof *l.least);
    l.edge = mem_alloc((size_t)d->edge_row[n], 1);
    l.local = mem_alloc((size_t)d->local_row[sets], 1);
    if (l.most && l.most_of && l.least && l.edge && l.local) {
        find_least(&l);
        find_common(&l);
        status = diagram_leads_back(d, l.edge, l.local, out, err);
    } else {
        status = error_memory(err);
    }
    mem_free(l.most);
    mem_free(l.most_of);
    mem_free(l.least);
    mem_free(l.edge);
    mem_free(l.local);
    return status;
}
