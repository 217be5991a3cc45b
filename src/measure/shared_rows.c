#include "measure/shared_rows.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/processes.h"
#include "measure/keep.h"
#include "measure/spread_search.h"

/* What a chain is like in the long run. */
typedef struct {
    double *
        inside; /* per place: 1 in the bottom component, 0 where it is left for ever; NULL: all 1 */
    bool apart; /* maybe it is of groups that rare jumps join */
} Shape;

/* Its component has no jumps: it is a state that nothing leaves. */
static bool is_stuck(const SpreadOrder *order, Berth at)
{
    const PepaProcesses *p = order->chain->spread->processes;
    return processes_count(p, at.process == p->rank && order->exit[at.place] == 0) > 0;
}

static PepaStatus find_bottom(const SpreadFlow *flow, const SpreadOrder *order, Shape *shape,
                              Berth *at, PepaError *err)
{
    bool one = false;
    PepaStatus status = mem_new(shape->inside, order->n) ? PEPA_OK : error_memory(err);
    status = processes_agree(order->chain->spread->processes, status, err);
    if (status == PEPA_OK)
        status = spread_search_bottom(flow, order, at, shape->inside, &one, err);
    if (status == PEPA_OK && (!one || is_stuck(order, *at)))
        status = error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_MATRIX,
                             "the chain ends in one of several parts, or for good: processes do "
                             "not share such chains by rows; use one process");
    return status;
}

/* Mostly all states return to the one in which the chain begins. */
static PepaStatus find_shape(const SpreadFlow *flow, const SpreadOrder *order, Shape *shape,
                             PepaError *err)
{
    const bool begins = chain_has_one_start(order->chain);
    bool all = false, common = false; /* ... by jumps that are not rare */
    uint8_t *marked = NULL;
    Berth at = spread_order_begin(order);
    PepaStatus status = mem_new(marked, order->n) ? PEPA_OK : error_memory(err);
    status = processes_agree(order->chain->spread->processes, status, err);
    if (status == PEPA_OK && begins)
        status = spread_search_back(flow, order, at, RARE_JUMP, marked, &common, err);
    if (status == PEPA_OK && begins && !common)
        status = spread_search_back(flow, order, at, 0, marked, &all, err);
    if (status == PEPA_OK && ((!common && !all) || is_stuck(order, at))) {
        status = find_bottom(flow, order, shape, &at, err);
        if (status == PEPA_OK)
            status = spread_search_back(flow, order, at, RARE_JUMP, marked, &common, err);
    }
    shape->apart = !common;
    mem_free(marked);
    return status;
}

/* States that are left for ever have nothing; rows of others do not depend on theirs. */
static void clear_left(const Shape *shape, int32_t n, double *y)
{
    for (int32_t i = 0; i < n && shape->inside; i++)
        y[i] *= shape->inside[i];
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

/* Where the run of this process begins among all. */
static PepaStatus find_first(const SpreadOrder *order, int64_t *first, PepaError *err)
{
    const PepaProcesses *p = order->chain->spread->processes;
    double *count = NULL;
    PepaStatus status = mem_new_zeroed(count, p->count) ? PEPA_OK : error_memory(err);
    status = processes_agree(p, status, err);
    *first = 0;
    if (status == PEPA_OK) {
        count[p->rank] = order->n;
        p->sum(p->user, count, p->count);
    }
    for (int32_t q = 0; q < p->rank && status == PEPA_OK; q++)
        *first += (int64_t)count[q];
    mem_free(count);
    return status;
}

/* Flows are kept as probabilities. */
static PepaStatus find_keep_order(KeepOrder *out, const SpreadOrder *order, PepaError *err)
{
    *out = (KeepOrder){.all = order->chain->spread->states,
                       .by_first = order->chosen.by == PEPA_ORDER_FIRST,
                       .reversed = order->chosen.reversed,
                       .exit = order->exit};
    return find_first(order, &out->first, err);
}

/* What was kept, or equal shares. */
static PepaStatus start(const Keep *keep, const PepaProcesses *p, const Shape *shape, int32_t n,
                        double *y, PepaError *err)
{
    bool loaded;
    const PepaStatus status = processes_agree(p, keep_load(keep, y, &loaded, err), err);
    if (status == PEPA_OK && !loaded)
        flow_equal_shares(n, y);
    if (status == PEPA_OK)
        clear_left(shape, n, y);
    return status;
}

static PepaStatus solve(const SteadyJob *job, const SpreadOrder *order, const SpreadFlow *flow,
                        const Shape *shape, double *y)
{
    const PepaProcesses *p = flow->share.processes;
    KeepOrder kept;
    Keep keep;
    const double taken = chain_bytes(job->chain) + spread_flow_bytes(flow) +
                         (double)(job->chain->state_count + order->n) * 2 * sizeof(double);
    Control control = stricter_control(job->set, budget_left(job->set->memory, taken));
    Outcome out = {0};
    Flow team = flow->flow;
    PepaStatus status =
        flow_team_new(&team.team, &team, job->set->threads) ? PEPA_OK : error_memory(job->err);
    status = processes_agree(p, status, job->err);
    if (status == PEPA_OK)
        status = find_keep_order(&kept, order, job->err);
    control.keeper = keep_init_ordered(&keep, job->set->solve.keeping, order->n, &kept, p);
    if (status == PEPA_OK)
        status = start(&keep, p, shape, order->n, y, job->err);
    if (status == PEPA_OK)
        status = solve_flow(job->set->solve.method, &team, &control, y, &out, job->err);
    flow_team_free(team.team);
    job->info->method = out.method ? out.method : "none";
    job->info->precondition = out.precondition ? out.precondition : "none";
    job->info->iterations = out.iterations;
    job->info->residual = out.residual;
    job->info->matrix = flow->code ? "compact" : "explicit";
    if (outcome_caution(&out)[0])
        job->info->caution = outcome_caution(&out);
    return status;
}

/* Parts by what solving takes beside the chain, as far as memory allows. */
static PepaStatus find_parts(const SteadyJob *job, double **part)
{
    const Chain *c = job->chain;
    const double each =
        6 * sizeof(double); /* bytes of a state: orders, exit rates, probabilities */
    const double need = spread_flow_building_bytes(c) + each * (double)c->spread->states;
    return processes_parts(c->spread->processes, need,
                           budget_left(job->set->memory, chain_bytes(c)), part, job->err);
}

PepaStatus shared_rows_solve(const SteadyJob *job, int64_t *copies)
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
        status = spread_order_new(&order, job->chain, job->value,
                                  keeping && keeping->load ? &by_first : NULL, part, job->err);
    const double taken = chain_bytes(job->chain) + 2.0 * (double)order.n * sizeof(Berth);
    if (status == PEPA_OK)
        status = spread_flow_new(&flow, &order, job->value, budget_left(job->set->memory, taken),
                                 job->err);
    if (status == PEPA_OK)
        status = spread_flow_compact(&flow, job->chain, job->set->solve.matrix, job->err);
    if (status == PEPA_OK)
        status = find_shape(&flow, &order, &shape, job->err);
    if (status == PEPA_OK && shape.apart)
        job->info->caution = decomposable_suspicion;
    job->info->matrix_seconds = clock_seconds() - start;
    if (status == PEPA_OK)
        status =
            processes_agree(p, mem_new(y, order.n) ? PEPA_OK : error_memory(job->err), job->err);
    if (status == PEPA_OK)
        status = processes_agree(p, solve(job, &order, &flow, &shape, y), job->err);
    if (status == PEPA_OK) {
        clear_left(&shape, order.n, y);
        weigh(&flow, y);
        status = spread_order_return(&order, y, job->pi, job->err);
    }
    *copies = flow.copies;
    spread_flow_free(&flow);
    spread_order_free(&order);
    mem_free_all(y, part, shape.inside);
    return status;
}
