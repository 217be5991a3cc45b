/* What rare jumps do, from the sets of a diagram. */
#include "measure/blocks_build.h"

#include <math.h>

typedef struct {
    const Diagram *d;
    const double *value;
    double *exit;          /* per upper state: its largest exit rate */
    double *set_exit;      /* per set: the largest of those */
    double *least;         /* per matrix with rates of its own: the least of them; else unused */
    uint8_t *edge, *local; /* whether no jump of it is rare */
} Frequent;

static double least_rate(const Frequent *l, const Edge *edge)
{
    return l->d->matrices[edge->matrix].term < 0 ? l->value[edge->term] : l->least[edge->matrix];
}

/* With a margin, so that rounding does not matter. */
static bool is_frequent(double rate, double exit)
{
    const double margin = 1 + 1e-6;
    return rate >= margin * RARE_JUMP * exit;
}

static void find_least(Frequent *l)
{
    const Diagram *d = l->d;
    for (int32_t i = 0; i < d->matrix_count; i++) {
        const Submatrix *t = &d->matrices[i];
        l->least[i] = HUGE_VAL;
        for (int32_t k = 0; t->term >= 0 && k < t->count; k++)
            l->least[i] = fmin(l->least[i], l->value[d->entry_term[t->term + k]]);
    }
}

/* Whether every jump is. */
static bool find_frequent(Frequent *l)
{
    const Diagram *d = l->d;
    bool all = true;
    for (int32_t i = 0; i < d->upper_count; i++) {
        l->set_exit[d->set[i]] = fmax(l->set_exit[d->set[i]], l->exit[i]);
        for (int64_t e = d->edge_row[i]; e < d->edge_row[i + 1]; e++)
            all = (l->edge[e] = is_frequent(least_rate(l, &d->edges[e]), l->exit[i])) && all;
    }
    for (int32_t set = 0; set < d->set_count; set++)
        for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
            all = (l->local[e] = is_frequent(least_rate(l, &d->local[e]), l->set_exit[set])) && all;
    return all;
}

/* The largest exit rates.  *rare: some jumps may be rare; not known where processes share blocks. */
static bool find_exits(Frequent *l, const Blocks *blocks, bool *rare)
{
    *rare = true;
    if (!blocks->share)
        return blocks_rare(blocks, l->exit, rare);
    double *own = mem_alloc((size_t)blocks->blocks, sizeof *own);
    const bool ok = blocks_agree(blocks, own && blocks_exits(blocks, own));
    for (int32_t k = 0; ok && k < blocks->blocks; k++)
        l->exit[diagram_own(l->d, k)] = own[k];
    if (ok)
        blocks_sum(blocks, l->exit, l->d->upper_count);
    mem_free(own);
    return ok;
}

PepaStatus diagram_rare_jumps(const Diagram *d, const double *value, const Blocks *blocks,
                              RareJumps *out, PepaError *err)
{
    Frequent l = {.d = d, .value = value};
    bool rare = false, together = true;
    bool ok = mem_new_zeroed(l.exit, d->upper_count) && mem_new_zeroed(l.set_exit, d->set_count) &&
              mem_new(l.least, d->matrix_count) && mem_new(l.edge, d->edge_row[d->upper_count]) &&
              mem_new(l.local, d->local_row[d->set_count]);
    ok = blocks_agree(blocks, ok) && find_exits(&l, blocks, &rare);
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    if (ok && rare)
        find_least(&l);
    rare = ok && rare && !find_frequent(&l);
    if (rare)
        status = diagram_all_reach_initial(d, l.edge, l.local, &together, err);
    *out = !rare ? NO_RARE_JUMPS : together ? RARE_WITHIN : RARE_BETWEEN;
    mem_free_all(l.exit, l.set_exit, l.least, l.edge, l.local);
    return status;
}
