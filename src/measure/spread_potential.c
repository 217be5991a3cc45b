/* Potentials by cycles from one state to itself, whose solutions are of the form that processes share.
 *
 * With the jumps into a reference state taken out of the jump chain P, and d the exit rates,
 *
 *     u = P u + r / d,     v = P v + 1 / d
 *
 * are what is earned until the chain is in that state (again), and how long that takes.  Neither has a
 * negative term.  So X = u / v there, and h = u - X v elsewhere, 0 there, is a potential.  The reference
 * state is one in which the chain is for the most of the time, so that cycles are short.
 * Source: Asmussen, Applied Probability and Queues, 2003, ch. VI (regenerative processes). */
#include "measure/spread_potential.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/processes.h"
#include "measure/spread_solve.h"

struct SpreadPotential {
    const Chain *chain;
    SpreadOrder order;
    SpreadFlow flow;   /* rows of P, without the jumps to the reference state */
    int32_t reference; /* its place, or -1: another process has it */
    double *u, *v, *b; /* per place; v: with has_v */
    bool has_v;
};

static const PepaProcesses *processes_of(const SpreadPotential *s)
{
    return s->chain->spread->processes;
}

void spread_potential_free(SpreadPotential *s)
{
    if (!s)
        return;
    spread_flow_free(&s->flow);
    spread_order_free(&s->order);
    mem_free_all(s->u, s->v, s->b, s);
}

/* ---- the reference state --------------------------------------------------------------------- */

/* The place of the largest share of time; of equal ones, the first. */
static int32_t largest(const double *pi, int32_t n)
{
    int32_t at = 0;
    for (int32_t i = 1; i < n; i++)
        at = pi[i] > pi[at] ? i : at;
    return at;
}

/* pi: per own state; u and b are scratch. */
static PepaStatus choose_reference(SpreadPotential *s, const double *pi, PepaError *err)
{
    const PepaProcesses *p = processes_of(s);
    const int32_t n = s->order.n;
    const PepaStatus status = spread_order_bring(&s->order, pi, 1, s->u, err);
    if (status != PEPA_OK)
        return status;
    const int32_t at = largest(s->u, n);
    double most = n > 0 ? s->u[at] : -HUGE_VAL, first = -HUGE_VAL;
    const double here = most;
    p->largest(p->user, &most, 1);
    if (n > 0 && here == most)
        first = -p->rank;
    p->largest(p->user, &first, 1);
    s->reference = first == -p->rank ? at : -1;
    memset(s->b, 0, (size_t)n * sizeof *s->b);
    if (s->reference >= 0)
        s->b[s->reference] = 1;
    spread_flow_drop(&s->flow, s->b);
    s->flow.flow.exit = NULL; /* some may be 0; what is solved for does not need them */
    return PEPA_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static PepaStatus reserve(SpreadPotential *s, PepaError *err)
{
    const int32_t n = s->order.n;
    const bool ok = mem_new(s->u, n) && mem_new(s->v, n) && mem_new(s->b, n);
    return processes_agree(processes_of(s), ok ? PEPA_OK : error_memory(err), err);
}

static double taken(const SpreadPotential *s)
{
    const double each = 3 * sizeof(double) + 2 * sizeof(Berth); /* of a state */
    return chain_bytes(s->chain) + each * (double)s->order.n;
}

PepaStatus spread_potential_new(SpreadPotential **out, const Chain *chain, const double *pi,
                                const PepaSettings *set, PepaError *err)
{
    const double *value = chain->now.term;
    SpreadPotential *s = mem_calloc(1, sizeof *s);
    PepaStatus status =
        processes_agree(chain->spread->processes, s ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK) {
        s->chain = chain;
        status = spread_order_new(&s->order, chain, value, NULL, NULL, err);
    }
    if (status == PEPA_OK)
        status = spread_flow_onward(&s->flow, &s->order, value, PEPA_MATRIX_AUTO,
                                    budget_left(set->memory, taken(s)), err);
    if (status == PEPA_OK)
        status = reserve(s, err);
    if (status == PEPA_OK)
        status = choose_reference(s, pi, err);
    if (status == PEPA_OK)
        *out = s;
    else
        spread_potential_free(s);
    return status;
}

/* y = P y + x / d.  b: in: x, of the sum > 0 over the exit rates; it is overwritten. */
static PepaStatus solve(SpreadPotential *s, const PepaSettings *set, double tolerance, double *y,
                        double *sum, PepaError *err)
{
    const PepaProcesses *p = processes_of(s);
    const int32_t n = s->order.n;
    PepaSettings within = *set;
    PepaInfo unseen = {0};
    SpreadSolve solve;
    SteadyJob job = {.chain = s->chain,
                     .value = s->chain->now.term,
                     .set = &within,
                     .info = &unseen,
                     .err = err};
    within.solve.keeping = NULL;
    within.solve.tolerance = tolerance;
    *sum = 0;
    for (int32_t i = 0; i < n; i++) {
        s->b[i] = s->order.exit[i] > 0 ? s->b[i] / s->order.exit[i] : 0;
        *sum += s->b[i];
    }
    p->sum(p->user, sum, 1);
    memset(y, 0, (size_t)n * sizeof *y);
    if (!(*sum > 0) || !isfinite(*sum))
        return PEPA_OK;
    for (int32_t i = 0; i < n; i++)
        y[i] = s->b[i] /= *sum;
    PepaStatus status = spread_solve_open(&solve, &job, &s->order, &s->flow);
    if (status == PEPA_OK)
        status = spread_solve_flow(&solve, PEPA_AUTO, s->b, y);
    for (int32_t i = 0; i < n; i++)
        y[i] *= *sum;
    return status;
}

static bool is_found(PepaStatus status)
{
    return status == PEPA_OK || status == PEPA_ENOCONV;
}

/* v, the first time. */
static PepaStatus find_times(SpreadPotential *s, const PepaSettings *set, PepaError *err)
{
    double sum;
    for (int32_t i = 0; i < s->order.n; i++)
        s->b[i] = 1;
    const PepaStatus status = solve(s, set, set->solve.tolerance, s->v, &sum, err);
    s->has_v = is_found(status);
    return status;
}

PepaStatus spread_potential_solve(SpreadPotential *s, const PepaSettings *set, double tolerance,
                                  const double *reward, double *h, PepaError *err)
{
    const PepaProcesses *p = processes_of(s);
    const int32_t n = s->order.n, at = s->reference;
    double sum = 0, cycle[2];
    PepaStatus worst = s->has_v ? PEPA_OK : find_times(s, set, err), status = worst;
    if (is_found(status))
        status = spread_order_bring(&s->order, reward, 1, s->b, err);
    if (status == PEPA_OK)
        status = solve(s, set, tolerance, s->u, &sum, err);
    if (!is_found(status))
        return status;
    worst = status == PEPA_OK ? worst : status;
    cycle[0] = at >= 0 ? s->u[at] : 0;
    cycle[1] = at >= 0 ? s->v[at] : 0;
    p->sum(p->user, cycle, 2);
    const double mean = cycle[1] > 0 ? cycle[0] / cycle[1] : 0;
    for (int32_t i = 0; i < n; i++)
        s->u[i] = i == at ? 0 : s->u[i] - mean * s->v[i];
    status = spread_order_return(&s->order, s->u, h, err);
    return status == PEPA_OK ? worst : status;
}
