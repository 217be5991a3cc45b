/* Potentials by cycles from one state to itself, whose solutions are of the form that processes share.
 *
 * With the jumps into a reference state taken out of the jump chain P, and d the exit rates,
 *
 *     u = P u + r / d,     v = P v + 1 / d
 *
 * are what is earned until the chain is in that state (again), and how long that takes.  Neither has a
 * negative term.  So X = u / v there, and h = u - X v elsewhere, 0 there, is a potential.  The reference
 * state is one in which the chain is for the most of the time, so that cycles are short.  Since h is small beside
 * u, X v is where the solution for u begins.
 *
 * Each bottom component has a reference state.  No other component can be reached from one, so that one solution is
 * that of all: each has rewards of the sum 1, whatever its size, and none of them weighs more than others.
 * Source: Asmussen, Applied Probability and Queues, 2003, ch. VI (regenerative processes). */
#include "measure/spread_potential.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/mem.h"
#include "base/processes.h"
#include "measure/spread_bottoms.h"
#include "measure/spread_solve.h"

struct SpreadPotential {
    const Chain *chain;
    SpreadOrder order;
    SpreadFlow flow;      /* rows of P within components, without the jumps to reference states */
    FlowFactors *factors; /* of it */
    int32_t count;        /* components */
    int32_t *of;          /* per place: its component, or -1 */
    int32_t *reference;   /* per component: its place, or -1: another process has it */
    double *u, *v, *b;    /* per place; v: with has_v */
    double *sum, *cycle;  /* scratch, per component; two each */
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
    flow_factors_free(s->factors);
    spread_flow_free(&s->flow);
    spread_order_free(&s->order);
    mem_free_all(s->of, s->reference, s->u, s->v, s->b, s->sum, s->cycle, s);
}

/* ---- components and their reference states ----------------------------------------------------- */

/* Of each component the state with the largest share of time, pi; of equal ones, the first of the first process. */
static void choose_references(SpreadPotential *s, const double *pi)
{
    const PepaProcesses *p = processes_of(s);
    const int32_t count = s->count;
    double *most = s->sum, *first = s->cycle;
    for (int32_t k = 0; k < count; k++) {
        most[k] = -HUGE_VAL;
        s->reference[k] = -1;
    }
    for (int32_t i = 0; i < s->order.n; i++) {
        const int32_t k = s->of[i];
        if (k < 0 || !(pi[i] > most[k]))
            continue;
        most[k] = pi[i];
        s->reference[k] = i;
    }
    spread_reduce(p, p->largest, most, count);
    for (int32_t k = 0; k < count; k++)
        first[k] = s->reference[k] >= 0 && pi[s->reference[k]] == most[k] ? -p->rank : -HUGE_VAL;
    spread_reduce(p, p->largest, first, count);
    for (int32_t k = 0; k < count; k++)
        if (first[k] != -p->rank)
            s->reference[k] = -1;
}

/* pi: per own state; u and b are scratch. */
static PepaStatus cut(SpreadPotential *s, const double *pi, PepaError *err)
{
    const PepaProcesses *p = processes_of(s);
    const int32_t n = s->order.n;
    uint8_t *left = NULL;
    PepaStatus status = mem_new(left, n) ? PEPA_OK : error_memory(err);
    status = processes_agree(p, status, err);
    if (status == PEPA_OK)
        status = spread_order_bring(&s->order, pi, 1, s->u, err);
    if (status == PEPA_OK)
        status = spread_bottoms_bring(&s->order, s->of, s->b, err);
    if (status == PEPA_OK) {
        choose_references(s, s->u);
        for (int32_t i = 0; i < n; i++) {
            left[i] = s->of[i] < 0;
            s->b[i] = s->of[i] >= 0 && s->reference[s->of[i]] == i;
        }
        spread_flow_clear(&s->flow, left);
        spread_flow_drop(&s->flow, s->b);
        s->flow.flow.exit = NULL; /* some may be 0; what is solved for does not need them */
    }
    mem_free(left);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static PepaStatus reserve(SpreadPotential *s, PepaError *err)
{
    const int32_t n = s->order.n, count = s->count;
    const bool ok = mem_new(s->of, n) && mem_new(s->u, n) && mem_new(s->v, n) && mem_new(s->b, n) &&
                    mem_new(s->reference, count) && mem_new(s->sum, count) &&
                    mem_new(s->cycle, 2 * (size_t)count);
    return processes_agree(processes_of(s), ok ? PEPA_OK : error_memory(err), err);
}

static double taken(const SpreadPotential *s)
{
    const double each = sizeof *s->of + 3 * sizeof(double) + 2 * sizeof(Berth); /* of a state */
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
        s->count = chain->bottom_count;
        status = spread_order_new(&s->order, chain, value, false, NULL, NULL, err);
    }
    if (status == PEPA_OK)
        status = spread_flow_onward(&s->flow, &s->order, value, PEPA_MATRIX_AUTO,
                                    budget_left(set->memory, taken(s)), err);
    if (status == PEPA_OK)
        status = reserve(s, err);
    if (status == PEPA_OK)
        status = cut(s, pi, err);
    if (status == PEPA_OK)
        *out = s;
    else
        spread_potential_free(s);
    return status;
}

/* y = P y + x / d, in components whose tolerance is > 0.
 *   b     in: x; it is overwritten
 *   mean  per component: y is about mean v; NULL: v is not known */
static PepaStatus solve(SpreadPotential *s, const PepaSettings *set, const double *tolerance,
                        const double *mean, double *y, PepaError *err)
{
    const PepaProcesses *p = processes_of(s);
    const int32_t n = s->order.n, count = s->count;
    double least = HUGE_VAL;
    int32_t some = 0;
    memset(s->sum, 0, (size_t)count * sizeof *s->sum);
    for (int32_t i = 0; i < n; i++) {
        const int32_t k = s->of[i];
        s->b[i] =
            k >= 0 && tolerance[k] > 0 && s->order.exit[i] > 0 ? s->b[i] / s->order.exit[i] : 0;
        if (k >= 0)
            s->sum[k] += s->b[i];
    }
    spread_reduce(p, p->sum, s->sum, count);
    for (int32_t k = 0; k < count; k++) {
        s->sum[k] = isfinite(s->sum[k]) ? s->sum[k] : 0;
        some += s->sum[k] > 0;
        if (s->sum[k] > 0)
            least = fmin(least, tolerance[k]);
    }
    memset(y, 0, (size_t)n * sizeof *y);
    if (some == 0)
        return PEPA_OK;
    for (int32_t i = 0; i < n; i++) {
        const int32_t k = s->of[i];
        const double unit = k >= 0 && s->sum[k] > 0 ? 1 / s->sum[k] / some : 0;
        s->b[i] = unit > 0 ? s->b[i] * unit : 0;
        y[i] = unit > 0 && mean ? mean[k] * s->v[i] * unit : s->b[i];
    }
    const PepaStatus status =
        spread_solve_with(&s->order, &s->flow, &s->factors, set, least, s->b, y, err);
    for (int32_t i = 0; i < n; i++)
        y[i] *= s->of[i] >= 0 ? s->sum[s->of[i]] * some : 0;
    return status;
}

static bool is_found(PepaStatus status)
{
    return status == PEPA_OK || status == PEPA_ENOCONV;
}

/* v, the first time. */
static PepaStatus find_times(SpreadPotential *s, const PepaSettings *set, PepaError *err)
{
    double *tolerance = NULL;
    PepaStatus status = mem_new(tolerance, s->count) ? PEPA_OK : error_memory(err);
    status = processes_agree(processes_of(s), status, err);
    for (int32_t k = 0; k < s->count && status == PEPA_OK; k++)
        tolerance[k] = set->solve.tolerance;
    for (int32_t i = 0; i < s->order.n; i++)
        s->b[i] = 1;
    if (status == PEPA_OK)
        status = solve(s, set, tolerance, NULL, s->v, err);
    s->has_v = is_found(status);
    mem_free(tolerance);
    return status;
}

/* What a cycle earns and how long it takes, of each component; u becomes h. */
static void subtract_means(SpreadPotential *s)
{
    const PepaProcesses *p = processes_of(s);
    for (int32_t k = 0; k < s->count; k++) {
        const int32_t at = s->reference[k];
        s->cycle[2 * k] = at >= 0 ? s->u[at] : 0;
        s->cycle[2 * k + 1] = at >= 0 ? s->v[at] : 0;
    }
    spread_reduce(p, p->sum, s->cycle, 2 * (int64_t)s->count);
    for (int32_t i = 0; i < s->order.n; i++) {
        const int32_t k = s->of[i];
        const double *cycle = &s->cycle[2 * (k < 0 ? 0 : k)];
        s->u[i] = k < 0 || s->reference[k] == i || !(cycle[1] > 0)
                      ? 0
                      : s->u[i] - cycle[0] / cycle[1] * s->v[i];
    }
}

PepaStatus spread_potential_solve(SpreadPotential *s, const PepaSettings *set,
                                  const double *tolerance, const double *mean, const double *reward,
                                  double *h, PepaError *err)
{
    PepaStatus worst = s->has_v ? PEPA_OK : find_times(s, set, err), status = worst;
    if (is_found(status))
        status = spread_order_bring(&s->order, reward, 1, s->b, err);
    if (status == PEPA_OK)
        status = solve(s, set, tolerance, mean, s->u, err);
    if (!is_found(status))
        return status;
    worst = status == PEPA_OK ? worst : status;
    subtract_means(s);
    status = spread_order_return(&s->order, s->u, h, err);
    return status == PEPA_OK ? worst : status;
}
