/* Makes a diagram: explores with the slots in their order and in the reverse one, keeps the better
 * diagram; its bytes and its edges by target. */
#include "base/bucket.h"
#include "base/budget.h"
#include "ctmc/diagram/diagram.h"
#include "ctmc/diagram/diagram_search.h"
#include "pepa_evidence.h"

#include <math.h>

void diagram_free(Diagram *d)
{
    if (!d)
        return;
    for (int32_t i = 0; d->members && i < d->set_count; i++)
        mem_free(d->members[i]);
    split_free(d->split);
    mem_free_all(d->upper, d->set, d->offset, d->members, d->set_size, d->edge_row, d->edges,
                 d->local_row, d->local, d->matrices, d->entry_from, d->entry_to, d->entry_term, d);
}

typedef struct {
    double patience, worth, sharing; /* see Search */
    double work, states;             /* out: done, and found */
    int64_t visits;                  /* out: of upper states */
    PepaSearchEnd end;               /* out: why there is no diagram */
} Effort;

static PepaSearchEnd why_abandoned(const Search *s, const RateTable *rates, const Diagram *diagram)
{
    return diagram                    ? PEPA_SEARCH_NOT_ABANDONED
           : search_alone(s)          ? PEPA_SEARCH_ALONE
           : rates->status != PEPA_OK ? PEPA_SEARCH_UNFIT
           : s->out_of_budget         ? PEPA_SEARCH_MEMORY
                                      : PEPA_SEARCH_COSTLY;
}

/* *out_of_budget is set if the memory budget is the reason that *out is not. */
static PepaStatus explore(Diagram **out, const System *system, RateTable *rates, int32_t most_lower,
                          bool mirrored, Effort *effort, bool *out_of_budget,
                          const PepaSettings *set, PepaError *err)
{
    Split *split = NULL;
    effort->end = PEPA_SEARCH_UNFIT;
    PepaStatus status = split_new(&split, system, most_lower, mirrored, err);
    if (status != PEPA_OK || !split)
        return status;
    Search search;
    Diagram *diagram = NULL;
    status = search_init(&search, split, rates, set, err);
    search.patience = effort->patience;
    search.worth = effort->worth;
    search.sharing = effort->sharing;
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
    } else {
        diagram_free(diagram);
    }
    effort->work = (double)search.sets.work;
    effort->states = (double)search.states;
    effort->visits = search.visits;
    effort->end = why_abandoned(&search, rates, *out);
    *out_of_budget = *out_of_budget || search.out_of_budget;
    search_free(&search);
    split_free(split);
    return status;
}

static PepaStatus report_budget(const PepaSettings *set, PepaError *err)
{
    char most[BUDGET_TEXT];
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_MEMORY,
                       "the sets of states need more than the %s of memory that may be used; raise "
                       "the limit, or explore one by one",
                       budget_bytes((double)set->memory, most));
}

/* The work that the reverse order may take: twice that of the first, and that of about a sweep, for
 * a better order can save many sweeps. */
static Effort second_try(const Effort *first)
{
    return (Effort){.patience =
                        SECOND_TIMES * first->work + SECOND_SLACK + SECOND_SWEEPS * first->states,
                    .sharing = first->sharing};
}

/* What became of the searches: `used` made the diagram; or NULL, and none did. */
static void note_searches(const PepaSettings *set, const Effort *used, const Effort *left)
{
    PepaDeriveEvidence *e = set->evidence ? &set->evidence->derive : NULL;
    if (e && used) {
        e->visits = used->visits;
        e->found = (int64_t)used->states;
    } else if (e) {
        e->abandoned = left->end;
        e->left_visits = left->visits;
        e->left_found = (int64_t)left->states;
    }
}

PepaStatus diagram_new(Diagram **out, const System *system, RateTable *rates, int32_t most_lower,
                       const PepaSettings *set, PepaError *err)
{
    *out = NULL;
    if (system->functional)
        return PEPA_OK;
    Diagram *plain = NULL, *mirrored = NULL;
    const bool forced = set->derive.explore == PEPA_SYMBOLIC;
    Effort first = {.patience = SEARCH_PATIENCE,
                    .worth = SEARCH_WORTH,
                    .sharing = forced ? 0 : SEARCH_SHARING};
    bool out_of_budget = false;
    PepaSettings rest = *set;
    PepaStatus status =
        explore(&plain, system, rates, most_lower, false, &first, &out_of_budget, set, err);
    Effort second = plain || first.end == PEPA_SEARCH_ALONE ? second_try(&first) : first;
    rest.memory = budget_left(set->memory, plain ? diagram_bytes(plain) : 0);
    if (status == PEPA_OK)
        status = explore(&mirrored, system, rates, most_lower, true, &second, &out_of_budget, &rest,
                         err);
    if (status == PEPA_OK && !plain && !mirrored && out_of_budget && forced)
        status = report_budget(set, err);
    if (status != PEPA_OK) {
        diagram_free(plain);
        return status;
    }
    if (!plain || !mirrored) {
        *out = plain ? plain : mirrored;
        note_searches(set, plain ? &first : mirrored ? &second : NULL, &first);
        return PEPA_OK;
    }
    /* the same backward flow: fewer upper states have longer rows */
    double back = fmin(plain->backward, 1 - plain->backward);
    double other = fmin(mirrored->backward, 1 - mirrored->backward);
    bool better = fabs(back - other) > ORDERS_ALIKE * back
                      ? other < back
                      : mirrored->upper_count < plain->upper_count;
    *out = better ? mirrored : plain;
    note_searches(set, better ? &second : &first, NULL);
    diagram_free(better ? plain : mirrored);
    return PEPA_OK;
}

double diagram_bytes(const Diagram *d)
{
    double upper = (double)d->upper_count, bytes = 0, entries = 0;
    for (int32_t i = 0; i < d->set_count; i++)
        bytes += (double)d->set_size[i] * sizeof **d->members;
    for (int32_t i = 0; i < d->matrix_count; i++) {
        entries += (double)d->matrices[i].count;
        bytes += d->matrices[i].term < 0 ? 0 : (double)d->matrices[i].count * sizeof *d->entry_term;
    }
    bytes += upper * ((double)d->system->words * sizeof *d->upper + sizeof *d->set +
                      sizeof *d->offset + sizeof *d->edge_row);
    bytes += (double)d->edge_row[d->upper_count] * sizeof *d->edges;
    bytes += (double)d->local_row[d->set_count] * sizeof *d->local;
    bytes += (double)d->matrix_count * sizeof *d->matrices;
    bytes += entries * (sizeof *d->entry_from + sizeof *d->entry_to);
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
                (*in)[bucket_place(end, edge->to)] = (EdgeIn){from, edge->matrix, edge->term};
        }
    return true;
}
