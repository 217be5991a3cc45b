#include "measure/shared_rows.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/processes.h"
#include "measure/spread_flow.h"

/* Whether all states are one component; *apart: maybe of groups that rare jumps join. */
static PepaStatus check_shape(const SpreadFlow *flow, const SpreadOrder *order, bool *apart,
                              PepaError *err)
{
    bool all = false;
    PepaStatus status = spread_flow_returns(flow, order, RARE_JUMP, &all, err);
    *apart = !all;
    if (status == PEPA_OK && !all)
        status = spread_flow_returns(flow, order, 0, &all, err);
    if (status == PEPA_OK && (!all || !chain_has_one_start(order->chain)))
        status = error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_MATRIX,
                             "some states are left for ever, or the chain begins in several: "
                             "processes do not share such chains by rows; use one process");
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

static PepaStatus solve(const SteadyJob *job, const SpreadOrder *order, const SpreadFlow *flow,
                        double *y)
{
    const double taken = chain_bytes(job->chain) + spread_flow_bytes(flow) +
                         (double)(job->chain->state_count + order->n) * 2 * sizeof(double);
    Control control = stricter_control(job->set, budget_left(job->set->memory, taken));
    Outcome out = {0};
    Flow team = flow->flow;
    PepaStatus status =
        flow_team_new(&team.team, &team, job->set->threads) ? PEPA_OK : error_memory(job->err);
    status = processes_agree(flow->share.processes, status, job->err);
    if (status == PEPA_OK) {
        flow_equal_shares(order->n, y);
        status = solve_flow(job->set->solve.method, &team, &control, y, &out, job->err);
    }
    flow_team_free(team.team);
    job->info->method = out.method ? out.method : "none";
    job->info->precondition = out.precondition;
    job->info->iterations = out.iterations;
    job->info->residual = out.residual;
    job->info->matrix = "explicit";
    if (outcome_caution(&out)[0])
        job->info->caution = outcome_caution(&out);
    return status;
}

PepaStatus shared_rows_solve(const SteadyJob *job, int64_t *copies)
{
    const PepaProcesses *p = job->chain->spread->processes;
    SpreadOrder order = {0};
    SpreadFlow flow = {0};
    double *y = NULL;
    bool apart = false;
    const double start = clock_seconds();
    PepaStatus status = spread_order_new(&order, job->chain, job->value, job->err);
    const double taken = chain_bytes(job->chain) + 2.0 * (double)order.n * sizeof(Berth);
    if (status == PEPA_OK)
        status = spread_flow_new(&flow, &order, job->value, budget_left(job->set->memory, taken),
                                 job->err);
    if (status == PEPA_OK)
        status = check_shape(&flow, &order, &apart, job->err);
    if (status == PEPA_OK && apart)
        job->info->caution = decomposable_suspicion;
    job->info->matrix_seconds = clock_seconds() - start;
    if (status == PEPA_OK)
        status =
            processes_agree(p, mem_new(y, order.n) ? PEPA_OK : error_memory(job->err), job->err);
    if (status == PEPA_OK)
        status = processes_agree(p, solve(job, &order, &flow, y), job->err);
    if (status == PEPA_OK) {
        weigh(&flow, y);
        status = spread_order_return(&order, y, job->pi, job->err);
    }
    *copies = flow.copies;
    spread_flow_free(&flow);
    spread_order_free(&order);
    mem_free(y);
    return status;
}
