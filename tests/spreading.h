/* A model explored and solved by processes, each of which has rows of some states. */
#ifndef PEPA_TESTS_SPREADING_H
#define PEPA_TESTS_SPREADING_H

#include "ctmc/inflow.h"
#include "deriving.h"
#include "measure/longrun.h"
#include "measure/measures.h"
#include "measure/shared.h"
#include "measure/steady.h"
#include "run_together.h"
#include "settings.h"

enum { SPREAD_ROOM = 512 };

typedef struct {
    PepaStatus status;
    PepaError err;
    PepaInfo info;
    int64_t states, own;
    double flow[SPREAD_ROOM], mean[SPREAD_ROOM]; /* by action; by position and local state */
    double
        inflow[SPREAD_ROOM]; /* of components, by slot and local state; -1: numbers do not tell */
    int32_t bottoms;
    /* Each sorted, the largest first; sums over components of probability times size, and of its square. */
    double probability[SPREAD_ROOM], size[SPREAD_ROOM], weighed, squares;
} SpreadAnswer;

typedef struct {
    const Model *model;
    PepaSettings set;
    bool in_runs;         /* derive_parts */
    int32_t poor;         /* this process may take few bytes; -1: none */
    int64_t little;       /* bytes that each may take to solve; 0: no limit */
    const double *wanted; /* per process: of the states; or NULL */
    SpreadAnswer alone, part[MOST_TOGETHER];
} SpreadQuestion;

/* Where the counts of each position begin; the end. */
static inline int32_t spread_offsets(const System *s, int32_t *offset)
{
    int32_t at = 0;
    for (int32_t p = 0; p < s->position_count; p++) {
        offset[p] = at;
        at += s->components[s->position_component[p]].local_count;
    }
    offset[s->position_count] = at;
    return at;
}

typedef struct {
    const Chain *chain;
    const double *pi;
    double sum;
} SpreadInflow;

static inline void spread_add_inflow(void *user, const Transition *t, int32_t count)
{
    SpreadInflow *in = user;
    in->sum += in->chain->now.term[t->term] * in->pi[t->from] * count;
}

/* What comes into each local state of each slot, from own states. */
static inline PepaStatus spread_inflows(const Chain *chain, const double *pi, double *inflow,
                                        PepaError *err)
{
    const System *s = chain->system;
    PepaStatus status = PEPA_OK;
    int32_t at = 0;
    for (int32_t slot = 0; slot < s->slot_count; slot++)
        for (int32_t l = 0; l < s->components[s->slots[slot].component].local_count; l++) {
            SpreadInflow in = {chain, pi, 0};
            cr_assert_lt(at, SPREAD_ROOM);
            status =
                chain_each_inflow(chain, &(StatePlace){slot, l}, 1, spread_add_inflow, &in, err);
            if (status != PEPA_OK && status != PEPA_ELIMIT)
                return status;
            inflow[at++] = status == PEPA_OK ? in.sum : -1;
        }
    return PEPA_OK;
}

static inline int spread_descending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* What does not depend on the order of the components. */
static inline void spread_sort_ends(SpreadAnswer *a)
{
    cr_assert_leq(a->bottoms, SPREAD_ROOM);
    for (int32_t k = 0; k < a->bottoms; k++) {
        a->weighed += a->probability[k] * a->size[k];
        a->squares += a->probability[k] * a->probability[k] * a->size[k];
    }
    qsort(a->probability, (size_t)a->bottoms, sizeof *a->probability, spread_descending);
    qsort(a->size, (size_t)a->bottoms, sizeof *a->size, spread_descending);
}

static inline void spread_ends_alone(SpreadAnswer *a, const Chain *c, const double *pi)
{
    a->bottoms = c->bottom_count;
    for (int64_t s = 0; s < c->state_count; s++) {
        const int32_t k = c->bottom ? c->bottom[s] : 0;
        if (k < 0 || k >= SPREAD_ROOM)
            continue;
        a->probability[k] += pi[s];
        a->size[k]++;
    }
    spread_sort_ends(a);
}

static inline void spread_ends_of(SpreadAnswer *a, const SpreadEnds *ends)
{
    a->bottoms = ends->count;
    for (int32_t k = 0; k < ends->count && k < SPREAD_ROOM; k++) {
        a->probability[k] = ends->probability[k];
        a->size[k] = ends->states[k];
    }
    spread_sort_ends(a);
}

static inline void spread_alone(SpreadQuestion *q)
{
    SpreadAnswer *a = &q->alone;
    Chain *chain = NULL;
    DiagList diags = {0};
    LongRun *run = NULL;
    int32_t offset[SPREAD_ROOM];
    PepaSettings set = q->set;
    *a = (SpreadAnswer){0};
    set.derive.explore = PEPA_EXPLICIT;
    set.solve.method = PEPA_AUTO;
    a->status = chain_derive(&chain, q->model, &set, &diags, &a->err);
    if (a->status == PEPA_OK) {
        double *pi = malloc((size_t)chain->state_count * sizeof *pi);
        cr_assert(pi && chain->action_count <= SPREAD_ROOM &&
                  chain->system->position_count < SPREAD_ROOM &&
                  spread_offsets(chain->system, offset) <= SPREAD_ROOM);
        a->states = chain->state_count;
        a->status = longrun_new(&run, chain, steady_form(chain), &a->err);
        if (a->status == PEPA_OK)
            a->status = longrun_solve(run, &chain->now, &set, pi, &a->info, &a->err);
        if (a->status == PEPA_OK) {
            chain_action_flow(chain, chain->now.term, pi, a->flow);
            cr_assert_eq(measure_mean_counts(chain, offset, pi, a->mean, NULL), PEPA_OK);
            cr_assert_eq(spread_inflows(chain, pi, a->inflow, NULL), PEPA_OK);
            spread_ends_alone(a, chain, pi);
        }
        free(pi);
    }
    longrun_free(run);
    chain_free(chain);
    diag_free(&diags);
}

static inline void spread_part(const PepaProcesses *p, void *user)
{
    SpreadQuestion *q = user;
    SpreadAnswer *a = &q->part[p->rank];
    Chain *chain = NULL;
    Shared shared = {0};
    DiagList diags = {0};
    int32_t offset[SPREAD_ROOM];
    PepaSettings set = q->set;
    *a = (SpreadAnswer){0};
    set.memory = p->rank == q->poor ? 1000 : 0;
    a->status = derive_parts(&chain, q->model, p, q->in_runs, &set, &diags, &a->err);
    if (p->rank != q->poor)
        set.memory = q->little;
    if (a->status == PEPA_OK) {
        spread_offsets(chain->system, offset);
        a->states = chain->spread->states;
        a->own = chain->state_count;
        a->status = shared_solve(&shared, chain, p, &set, &a->info, &a->err);
    }
    if (a->status == PEPA_OK) {
        shared_action_flow(&shared, a->flow);
        a->status = shared_mean_counts(&shared, offset, a->mean, &a->err);
    }
    if (a->status == PEPA_OK)
        a->status = spread_inflows(chain, shared.pi, a->inflow, &a->err);
    if (a->status == PEPA_OK) {
        spread_ends_of(a, &shared.ends);
        for (int32_t i = 0; i < SPREAD_ROOM; i++)
            a->inflow[i] = a->inflow[i] < 0 ? -1.0 / p->count : a->inflow[i];
        shared_sum(&shared, a->inflow, SPREAD_ROOM);
    }
    shared_free(&shared);
    chain_free(chain);
    diag_free(&diags);
}

#endif
