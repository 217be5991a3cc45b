#include "measure/spread_solve.h"

#include <stdio.h>

#include "base/budget.h"
#include "base/processes.h"
#include "base/trail.h"

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

PepaStatus spread_solve_open(SpreadSolve *s, const SteadyJob *job, SpreadOrder *order,
                             SpreadFlow *flow)
{
    const double taken = chain_bytes(job->chain) + spread_flow_bytes(flow) +
                         (double)(job->chain->state_count + order->n) * 2 * sizeof(double);
    *s = (SpreadSolve){.job = job, .order = order, .flow = flow};
    s->control = stricter_control(job->set, budget_left(job->set->memory, taken));
    const PepaStatus status = find_keep_order(&s->kept, order, job->err);
    s->control.keeper = keep_init_ordered(&s->keep, job->set->solve.keeping, order->n, &s->kept,
                                          flow->share.processes);
    return status;
}

PepaStatus spread_solve_start(const SpreadSolve *s, double *y)
{
    bool loaded;
    PepaStatus status = keep_load(&s->keep, y, &loaded, s->job->err);
    status = processes_agree(s->flow->share.processes, status, s->job->err);
    if (status == PEPA_OK && !loaded)
        flow_equal_shares(s->order->n, y);
    return status;
}

/* What the report says of the answer; without memory for a look at it, what is known of the way. */
static const char *caution_of(const SpreadSolve *s, const Flow *flow, const double *y,
                              const Outcome *out)
{
    double *scratch = NULL;
    const double bytes = ((double)flow->n + 1) * sizeof *scratch;
    const bool looks = flow_agree(flow, budget_allows(s->control.memory, bytes) &&
                                            mem_new(scratch, (size_t)flow->n + 1));
    const char *caution =
        flow_caution(flow, looks ? y : NULL, out, s->job->set->solve.tolerance, scratch);
    mem_free(scratch);
    return caution;
}

PepaStatus spread_solve_flow(const SpreadSolve *s, PepaMethod method, const double *b, double *y)
{
    PepaInfo *info = s->job->info;
    PepaError *err = s->job->err;
    const PepaProcesses *p = s->flow->share.processes;
    Outcome out = {0};
    const char *caution;
    Flow team = s->flow->flow;
    team.b = b;
    PepaStatus status =
        flow_team_new(&team.team, &team, s->job->set->threads) ? PEPA_OK : error_memory(err);
    status = processes_agree(p, status, err);
    if (status == PEPA_OK)
        status = solve_flow(method, &team, &s->control, y, &out, err);
    if (status == PEPA_OK && !b && (caution = caution_of(s, &team, y, &out))[0])
        info->caution = caution;
    flow_team_free(team.team);
    status = processes_agree(p, status, err);
    if (b) /* the report is that of the steady states */
        return status;
    info->method = out.method ? out.method : "none";
    info->precondition = out.precondition ? out.precondition : "none";
    info->iterations += out.iterations;
    info->residual = out.residual;
    (void)snprintf(info->trail, sizeof info->trail, "%s", out.trail);
    if (out.gathered)
        trail_add(info->trail, sizeof info->trail,
                  "then one process went on, with the rows of all");
    info->matrix = s->flow->code ? "compact" : "explicit";
    return status;
}

PepaStatus spread_solve_with(SpreadOrder *order, SpreadFlow *flow, FlowFactors **factors,
                             const PepaSettings *set, double tolerance, const double *b, double *y,
                             PepaError *err)
{
    PepaSettings within = *set;
    PepaInfo unseen = {0};
    SpreadSolve solve;
    const SteadyJob job = {.chain = order->chain,
                           .value = order->chain->now.term,
                           .set = &within,
                           .info = &unseen,
                           .err = err};
    within.solve.keeping = NULL;
    within.solve.tolerance = tolerance;
    PepaStatus status = spread_solve_open(&solve, &job, order, flow);
    solve.control.factors = factors;
    if (status == PEPA_OK)
        status = spread_solve_flow(&solve, PEPA_AUTO, b, y);
    return status;
}
