#include "measure/shared_rows.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/processes.h"
#include "measure/spread_search.h"

/* What a chain is like in the long run. */
typedef struct {
    SpreadBottoms bottoms; /* of is NULL: all states are one component */
    bool apart;            /* maybe some component is of groups that rare jumps join */
} Shape;

/* Do all states reach the one at `at` by jumps of at least `least`? */
static PepaStatus all_reach(const SpreadFlow *flow, const SpreadOrder *order, Berth at,
                            double least, bool *all, PepaError *err)
{
    const PepaProcesses *p = flow->share.processes;
    uint8_t *marked = NULL;
    int64_t count = 0;
    PepaStatus status =
        processes_agree(p, mem_new_zeroed(marked, order->n) ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK && at.process == p->rank)
        marked[at.place] = 1;
    if (status == PEPA_OK)
        status = spread_search_back(flow, least, marked, NULL, &count, err);
    *all = count == order->chain->spread->states;
    mem_free(marked);
    return status;
}

/* Do all states of components reach one state of theirs by jumps that are not rare? */
static PepaStatus all_common(const SpreadFlow *flow, const SpreadOrder *order,
                             const SpreadBottoms *bottoms, bool *common, PepaError *err)
{
    const PepaProcesses *p = flow->share.processes;
    const int32_t n = order->n;
    SpreadEnds ends = {0};
    uint8_t *marked = NULL;
    int64_t count;
    bool all = true;
    PepaStatus status = spread_ends_new(&ends, order, bottoms, err);
    const bool ok = mem_new_zeroed(marked, n);
    status = processes_agree(p, status == PEPA_OK && !ok ? error_memory(err) : status, err);
    for (int32_t i = 0; i < n && status == PEPA_OK; i++)
        marked[i] =
            bottoms->of[i] >= 0 && ends.first[bottoms->of[i]] == spread_order_number(order, i);
    if (status == PEPA_OK)
        status = spread_search_back(flow, RARE_JUMP, marked, NULL, &count, err);
    for (int32_t i = 0; i < n && status == PEPA_OK; i++)
        all = all && (bottoms->of[i] < 0 || marked[i]);
    if (status == PEPA_OK)
        *common = processes_count(p, !all) == 0;
    mem_free(marked);
    spread_ends_free(&ends);
    return status;
}

/* Mostly all states return to the one in which the chain begins. */
static PepaStatus find_shape(const SpreadFlow *flow, const SpreadOrder *order, Shape *shape,
                             PepaError *err)
{
    const bool begins = chain_has_one_start(order->chain) && order->chain->spread->states > 1;
    const Berth at = spread_order_begin(order);
    bool all = false, common = false; /* ... by jumps that are not rare */
    PepaStatus status = PEPA_OK;
    if (begins)
        status = all_reach(flow, order, at, RARE_JUMP, &common, err);
    if (status == PEPA_OK && begins && !common)
        status = all_reach(flow, order, at, 0, &all, err);
    if (status == PEPA_OK && !common && !all) {
        status = spread_bottoms_new(&shape->bottoms, flow, err);
        if (status == PEPA_OK)
            status = all_common(flow, order, &shape->bottoms, &common, err);
    }
    shape->apart = !common;
    return status;
}

/* Flows into shares of time, of all processes. */
static void weigh(const SpreadFlow *flow, double *y)
{
    const PepaProcesses *p = flow->share.processes;
    double sum = 0;
    for (int32_t i = 0; i < flow->flow.n; i++)
        sum += y[i] /= flow->flow.exit[i];
    p->sum(p->user, &sum, 1);
    for (int32_t i = 0; i < flow->flow.n; i++)
        y[i] /= sum;
}

/* y: probabilities. */
static PepaStatus solve(const SteadyJob *job, SpreadOrder *order, SpreadFlow *flow,
                        const Shape *shape, SpreadEnds *ends, double *y)
{
    SpreadSolve s;
    PepaStatus status = spread_ends_new(ends, order, &shape->bottoms, job->err);
    if (status == PEPA_OK)
        status = spread_solve_open(&s, job, order, flow);
    if (status == PEPA_OK && shape->bottoms.of)
        return spread_ends_solve(ends, &s, &shape->bottoms, y);
    if (status == PEPA_OK)
        status = spread_solve_start(&s, y);
    if (status == PEPA_OK)
        status = spread_solve_flow(&s, job->set->solve.method, NULL, y);
    if (status == PEPA_OK)
        weigh(flow, y);
    return status;
}

/* Of own states in place of places.  scratch: per place, per state */
static PepaStatus return_bottoms(const SpreadOrder *order, const SpreadBottoms *bottoms,
                                 double *by_place, int32_t **out, PepaError *err)
{
    const int64_t own = order->chain->state_count;
    double *by_state = NULL;
    const bool ok = mem_new(*out, own) && mem_new(by_state, own);
    PepaStatus status =
        processes_agree(order->chain->spread->processes, ok ? PEPA_OK : error_memory(err), err);
    for (int32_t i = 0; i < order->n; i++)
        by_place[i] = bottoms->of[i];
    if (status == PEPA_OK)
        status = spread_order_return(order, by_place, by_state, err);
    for (int64_t s = 0; s < own && status == PEPA_OK; s++)
        (*out)[s] = (int32_t)by_state[s];
    mem_free(by_state);
    return status;
}

/* Where others solve for states is needed no more: the chain has no states that it leaves for ever. */
static void forget_places(SpreadOrder *order, SpreadFlow *flow)
{
    mem_free_all(order->berth, flow->copy);
    order->berth = NULL;
    flow->copy = NULL;
}

/* Parts by what solving takes beside the chain, as far as memory allows. */
static PepaStatus find_parts(const SteadyJob *job, double **part)
{
    const Chain *c = job->chain;
    const double need =
        chain_solution_bytes((double)c->spread->states, (double)c->spread->transitions);
    return processes_parts(c->spread->processes, need,
                           budget_left(job->set->memory, chain_bytes(c)), part, job->err);
}

PepaStatus shared_rows_solve(const SteadyJob *job, SpreadEnds *ends, int32_t **bottom,
                             int64_t *copies)
{
    const PepaProcesses *p = job->chain->spread->processes;
    SpreadOrder order = {0};
    SpreadFlow flow = {0};
    double *y = NULL, *part = NULL;
    Shape shape = {0};
    bool by_first = false;
    const double start = clock_seconds();
    const PepaKeeping *keeping = job->set->solve.keeping;
    PepaStatus status = keep_find_order(keeping, job->chain->spread->states, &by_first, job->err);
    status = processes_agree(p, status, job->err);
    if (status == PEPA_OK)
        status = find_parts(job, &part);
    if (status == PEPA_OK)
        status = spread_order_new(&order, job->chain, job->value, keeping != NULL,
                                  keeping && keeping->load ? &by_first : NULL, part, job->err);
    const double taken = chain_bytes(job->chain) + 2.0 * (double)order.n * sizeof(Berth);
    if (status == PEPA_OK)
        status = spread_flow_new(&flow, &order, job->value, job->set->solve.matrix,
                                 budget_left(job->set->memory, taken), job->err);
    if (status == PEPA_OK)
        status = find_shape(&flow, &order, &shape, job->err);
    if (status == PEPA_OK && shape.apart)
        job->info->caution = decomposable_suspicion;
    if (status == PEPA_OK && !shape.bottoms.of)
        forget_places(&order, &flow);
    job->info->matrix_seconds = clock_seconds() - start;
    if (status == PEPA_OK)
        status =
            processes_agree(p, mem_new(y, order.n) ? PEPA_OK : error_memory(job->err), job->err);
    if (status == PEPA_OK)
        status = solve(job, &order, &flow, &shape, ends, y);
    if (status == PEPA_OK)
        status = spread_order_return(&order, y, job->pi, job->err);
    if (status == PEPA_OK && shape.bottoms.of)
        status = return_bottoms(&order, &shape.bottoms, y, bottom, job->err);
    *copies = flow.copies;
    spread_flow_free(&flow);
    spread_order_free(&order);
    spread_bottoms_free(&shape.bottoms);
    mem_free_all(y, part);
    return status;
}
