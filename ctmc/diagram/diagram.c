/* A diagram from beginning to end: the better of both orders of the slots. */
#include "base/bucket.h"
#include "base/budget.h"
#include "ctmc/diagram/diagram_search.h"

#include <math.h>

void diagram_free(Diagram *d)
{
    if (!d)
        return;
    for (int32_t i = 0; d->members && i < d->set_count; i++)
        mem_free(d->members[i]);
    split_free(d->split);
    mem_free(d->upper);
    mem_free(d->set);
    mem_free(d->offset);
    mem_free(d->members);
    mem_free(d->set_size);
    mem_free(d->edge_row);
    mem_free(d->edges);
    mem_free(d->local_row);
    mem_free(d->local);
    mem_free(d->tiles);
    mem_free(d->tile_from);
    mem_free(d->tile_to);
    mem_free(d->tile_term);
    mem_free(d);
}

typedef struct {
    double patience, worth; /* see Search */
    double work;            /* out: what was done, if a diagram has come of it */
} Effort;

/* *cramped is set if memory is why *out is not. */
static PepaStatus explore(Diagram **out, const System *system, RateTable *rates, int32_t most_lower,
                          bool mirrored, Effort *effort, bool *cramped, const PepaSettings *set,
                          PepaError *err)
{
    Split *split = NULL;
    PepaStatus status = split_new(&split, system, most_lower, mirrored, err);
    if (status != PEPA_OK || !split)
        return status;
    Search search;
    Diagram *diagram = NULL;
    status = search_init(&search, split, rates, set, err);
    search.patience = effort->patience;
    search.worth = effort->worth;
    if (status == PEPA_OK)
        status = search_run(&search);
    if (status == PEPA_OK && !search_unfit(&search)) {
        diagram = mem_calloc(1, sizeof *diagram);
        status = diagram ? diagram_build(diagram, &search) : error_memory(err);
    }
    if (diagram && status == PEPA_OK && !search_unfit(&search) && !diagram->too_large) {
        diagram->split = split;
        split = NULL;
        status = diagram_backward(diagram, rates->value, &diagram->backward, err);
    }
    if (diagram && diagram->split && status == PEPA_OK) {
        *out = diagram;
        effort->work = (double)search.work;
    } else {
        diagram_free(diagram);
    }
    *cramped = *cramped || search.cramped;
    search_free(&search);
    split_free(split);
    return status;
}

static PepaStatus report_cramped(const PepaSettings *set, PepaError *err)
{
    char most[BUDGET_TEXT];
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_MEMORY,
                       "the sets of states need more than the %s of memory that may be used; raise "
                       "the limit, or explore one by one",
                       budget_bytes((double)set->memory, most));
}

/* What the other order may take: twice as much work, and about as much as a sweep, for it can save
 * many. */
static Effort second_try(const Diagram *first, const Effort *effort)
{
    const double longer = 2, slack = 5e5, sweep = 2;
    double states = (double)first->offset[first->upper_count];
    return (Effort){.patience = longer * effort->work + slack + sweep * states};
}

/* Both orders of the slots, the second one only if it does not take much longer. */
PepaStatus diagram_new(Diagram **out, const System *system, RateTable *rates, int32_t most_lower,
                       const PepaSettings *set, PepaError *err)
{
    *out = NULL;
    if (system->functional)
        return PEPA_OK;
    Diagram *plain = NULL, *mirrored = NULL;
    Effort effort = {.patience = 5e7, .worth = 30};
    bool cramped = false;
    PepaSettings rest = *set;
    PepaStatus status =
        explore(&plain, system, rates, most_lower, false, &effort, &cramped, set, err);
    if (plain)
        effort = second_try(plain, &effort);
    rest.memory = budget_left(set->memory, plain ? diagram_bytes(plain) : 0);
    if (status == PEPA_OK)
        status = explore(&mirrored, system, rates, most_lower, true, &effort, &cramped, &rest, err);
    if (status == PEPA_OK && !plain && !mirrored && cramped && set->derive.explore == PEPA_SYMBOLIC)
        status = report_cramped(set, err);
    if (status != PEPA_OK) {
        diagram_free(plain);
        return status;
    }
    if (!plain || !mirrored) {
        *out = plain ? plain : mirrored;
        return PEPA_OK;
    }
    /* where the order makes no difference, longer rows do */
    const double alike = 0.01;
    double back = fmin(plain->backward, 1 - plain->backward);
    double other = fmin(mirrored->backward, 1 - mirrored->backward);
    bool better = fabs(back - other) > alike * back ? other < back
                                                    : mirrored->upper_count < plain->upper_count;
    *out = better ? mirrored : plain;
    diagram_free(better ? plain : mirrored);
    return PEPA_OK;
}

double diagram_bytes(const Diagram *d)
{
    double upper = (double)d->upper_count, bytes = 0, entries = 0;
    for (int32_t i = 0; i < d->set_count; i++)
        bytes += (double)d->set_size[i] * sizeof **d->members;
    for (int32_t i = 0; i < d->tile_count; i++) {
        entries += (double)d->tiles[i].count;
        bytes += d->tiles[i].term < 0 ? 0 : (double)d->tiles[i].count * sizeof *d->tile_term;
    }
    bytes += upper * ((double)d->system->words * sizeof *d->upper + sizeof *d->set +
                      sizeof *d->offset + sizeof *d->edge_row);
    bytes += (double)d->edge_row[d->upper_count] * sizeof *d->edges;
    bytes += (double)d->local_row[d->set_count] * sizeof *d->local;
    bytes += (double)d->tile_count * sizeof *d->tiles;
    bytes += entries * (sizeof *d->tile_from + sizeof *d->tile_to);
    return bytes + (d->split ? table_bytes(&d->split->lower) : 0);
}

bool diagram_edges_in(const Diagram *d, const uint8_t *there, int64_t **row, EdgeIn **in)
{
    const size_t n = (size_t)d->upper_count, edges = (size_t)d->edge_row[n];
    int64_t *end = *row = mem_calloc(n + 2, sizeof **row);
    *in = mem_alloc(edges, sizeof **in);
    if (!*row || !*in)
        return false;
    for (size_t e = 0; e < edges; e++)
        if (!there || there[e])
            bucket_count(end, d->edges[e].to);
    bucket_starts(end, d->upper_count);
    for (int32_t from = 0; from < d->upper_count; from++)
        for (int64_t e = d->edge_row[from]; e < d->edge_row[from + 1]; e++) {
            const Edge *edge = &d->edges[e];
            if (!there || there[e])
                (*in)[bucket_place(end, edge->to)] = (EdgeIn){from, edge->tile, edge->term};
        }
    return true;
}
