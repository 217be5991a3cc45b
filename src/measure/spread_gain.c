/* Where a chain by rows that processes have explored together leads to, with a proved error.
 *
 * Let T be the states that are left for ever, x about g there, and the number of the component elsewhere.  With the
 * exact rates, and W_s >= |(Q x)_s| in T, let t be 0 outside T and (-Q t)_s >= least W_s in T, least > 0.  Since from
 * each state of T there is a way out, -Q within T is a nonsingular M-matrix, whose inverse has no negative entry: so
 * |g - x| <= t / least.  W has the rounding errors of Q x, and t is what they come to, each as often as its state is
 * visited.  What is written in leave.c for one process, with numbers of its own, holds here for any x and t.
 * Source: Berman, Plemmons, Nonnegative Matrices in the Mathematical Sciences, 1994, ch. 6. */
#include "measure/spread_gain.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/mem.h"
#include "base/processes.h"
#include "ctmc/targets.h"
#include "measure/spread_bottoms.h"
#include "measure/spread_solve.h"

typedef struct {
    const Chain *chain;
    const double *value;
    double roundings;
    const PepaSettings *set;
    PepaError *err;
    SpreadOrder order;
    SpreadFlow flow; /* the jump chain within T, by rows */
    FlowFactors *factors;
    double *x, *t, *exit, *weight, *part; /* per own state; weight: W */
    const double *of;                     /* x or t, whose changes are added up: */
    long double *sum;                     /* per own state: (Q of)_s */
    double *all;                          /* of what sizes */
    int32_t *count;                       /* of how many transitions */
    double *b, *y;                        /* per place */
} Gain;

static const PepaProcesses *processes_of(const Gain *g)
{
    return g->chain->spread->processes;
}

static bool is_left(const Gain *g, int64_t state)
{
    return chain_component(g->chain, state) < 0;
}

/* ---- changes --------------------------------------------------------------------------------- */

static void add_change(void *user, const Transition *t, double number)
{
    Gain *g = user;
    if (t->to == chain_number(g->chain, t->from))
        return;
    const long double part = g->value[t->term] * ((long double)number - g->of[t->from]);
    g->sum[t->from] += part;
    g->all[t->from] += (double)fabsl(part);
    g->count[t->from]++;
}

/* Q x or Q t. */
static PepaStatus find_changes(Gain *g, const double *of)
{
    const size_t own = (size_t)g->chain->state_count;
    memset(g->sum, 0, own * sizeof *g->sum);
    memset(g->all, 0, own * sizeof *g->all);
    memset(g->count, 0, own * sizeof *g->count);
    g->of = of;
    return spread_each_target(g->chain, of, add_change, g, g->err);
}

/* How far the change of a state may be off: by the rates' roundings, and by those of its sum. */
static double off(const Gain *g, int64_t s)
{
    const double unit = LDBL_EPSILON, more = 6;
    return g->all[s] * (g->roundings * DBL_EPSILON + (g->count[s] + more) * unit) * 1.01 + DBL_MIN;
}

static void add_exit(void *user, const Transition *t)
{
    Gain *g = user;
    if (t->to != chain_number(g->chain, t->from))
        g->exit[t->from] += g->value[t->term];
}

/* ---- solutions ------------------------------------------------------------------------------- */

/* out = A out + part, part >= 0, as near as a method comes; per own state. */
static PepaStatus solve(Gain *g, double tolerance, double *out)
{
    const PepaProcesses *p = processes_of(g);
    const int32_t n = g->order.n;
    double sum = 0;
    PepaStatus status = spread_order_bring(&g->order, g->part, 1, g->b, g->err);
    for (int32_t i = 0; i < n && status == PEPA_OK; i++)
        sum += g->b[i];
    if (status == PEPA_OK)
        p->sum(p->user, &sum, 1);
    memset(g->y, 0, (size_t)n * sizeof *g->y);
    if (status == PEPA_OK && sum > 0 && isfinite(sum)) {
        for (int32_t i = 0; i < n; i++)
            g->y[i] = g->b[i] /= sum;
        status = spread_solve_with(&g->order, &g->flow, &g->factors, g->set, tolerance, g->b, g->y,
                                   g->err);
        status = status == PEPA_ENOCONV ? PEPA_OK : status;
        for (int32_t i = 0; i < n; i++)
            g->y[i] *= sum;
    }
    return status == PEPA_OK ? spread_order_return(&g->order, g->y, out, g->err) : status;
}

/* Add to x what it lacks: solvers take no negative numbers, so that there are two sides.  t is scratch. */
static PepaStatus improve(Gain *g)
{
    const double tolerance = 1e-12;
    const int64_t own = g->chain->state_count;
    PepaStatus status = find_changes(g, g->x);
    for (int side = 1; side >= -1 && status == PEPA_OK; side -= 2) {
        for (int64_t s = 0; s < own; s++)
            g->part[s] = is_left(g, s) ? fmax(side * (double)g->sum[s] / g->exit[s], 0) : 0;
        status = solve(g, tolerance, g->t);
        for (int64_t s = 0; s < own && status == PEPA_OK; s++)
            g->x[s] += is_left(g, s) ? side * g->t[s] : 0;
    }
    return status;
}

/* W, and about t.  A little in each state: the solution is as good there. */
static PepaStatus weigh(Gain *g)
{
    const PepaProcesses *p = processes_of(g);
    const int64_t own = g->chain->state_count;
    const double little = 0.1, near = 0.01;
    double mean[2] = {0};
    PepaStatus status = find_changes(g, g->x);
    if (status != PEPA_OK)
        return status;
    for (int64_t s = 0; s < own; s++) {
        g->weight[s] = is_left(g, s) ? (double)fabsl(g->sum[s]) * (1 + DBL_EPSILON) + off(g, s) : 0;
        mean[0] += is_left(g, s) ? g->weight[s] / g->exit[s] : 0;
        mean[1] += is_left(g, s);
    }
    p->sum(p->user, mean, 2);
    for (int64_t s = 0; s < own; s++) {
        g->weight[s] += is_left(g, s) ? little * mean[0] / mean[1] * g->exit[s] : 0;
        g->part[s] = is_left(g, s) ? g->weight[s] / g->exit[s] : 0;
    }
    return solve(g, near * little / mean[1], g->t);
}

/* The least (-Q t)_s / W_s in any process; -inf if it is no number. */
static PepaStatus find_least(Gain *g, double *least)
{
    const PepaProcesses *p = processes_of(g);
    double most = -HUGE_VAL;
    PepaStatus status = find_changes(g, g->t);
    for (int64_t s = 0; s < g->chain->state_count && status == PEPA_OK; s++) {
        if (!is_left(g, s))
            continue;
        const double here = ((double)-g->sum[s] - off(g, s)) / g->weight[s] * (1 - 4 * DBL_EPSILON);
        most = fmax(most, here > 0 && isfinite(here) ? -here : HUGE_VAL);
    }
    if (status == PEPA_OK)
        p->largest(p->user, &most, 1);
    *least = -most;
    return status;
}

/* Of the state in which the chain begins. */
static PepaStatus read_beginning(Gain *g, const double *by_state, double *value)
{
    const PepaProcesses *p = processes_of(g);
    const Berth at = spread_order_begin(&g->order);
    const PepaStatus status = spread_order_bring(&g->order, by_state, 1, g->y, g->err);
    *value = status == PEPA_OK && at.process == p->rank ? g->y[at.place] : 0;
    if (status == PEPA_OK)
        p->sum(p->user, value, 1);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static PepaStatus reserve(Gain *g)
{
    const size_t own = (size_t)g->chain->state_count, n = (size_t)g->order.n;
    const bool ok = mem_new_zeroed(g->x, own) && mem_new(g->t, own) &&
                    mem_new_zeroed(g->exit, own) && mem_new(g->weight, own) &&
                    mem_new(g->part, own) && mem_new(g->sum, own) && mem_new(g->all, own) &&
                    mem_new(g->count, own) && mem_new(g->b, n) && mem_new(g->y, n);
    return processes_agree(processes_of(g), ok ? PEPA_OK : error_memory(g->err), g->err);
}

/* Jumps between states that are left for ever are all that stays of the matrix. */
static PepaStatus cut(Gain *g)
{
    const int32_t n = g->order.n;
    int32_t *of = NULL;
    uint8_t *bottom = NULL;
    PepaStatus status = mem_new(of, n) && mem_new(bottom, n) ? PEPA_OK : error_memory(g->err);
    status = processes_agree(processes_of(g), status, g->err);
    if (status == PEPA_OK)
        status = spread_bottoms_bring(&g->order, of, g->b, g->err);
    for (int32_t i = 0; i < n && status == PEPA_OK; i++) {
        bottom[i] = of[i] >= 0;
        g->b[i] = bottom[i];
    }
    if (status == PEPA_OK) {
        spread_flow_clear(&g->flow, bottom);
        spread_flow_drop(&g->flow, g->b);
        g->flow.flow.exit = NULL; /* some are 0; what is solved for does not need them */
    }
    mem_free_all(of, bottom);
    return status;
}

static PepaStatus build(Gain *g)
{
    const double each = 130; /* bytes of a state */
    const double taken = chain_bytes(g->chain) + each * (double)g->chain->state_count;
    PepaStatus status = spread_order_new(&g->order, g->chain, g->value, false, NULL, NULL, g->err);
    if (status == PEPA_OK)
        status = spread_flow_onward(&g->flow, &g->order, g->value, PEPA_MATRIX_AUTO,
                                    budget_left(g->set->memory, taken), g->err);
    if (status == PEPA_OK)
        status = reserve(g);
    if (status == PEPA_OK)
        status = cut(g);
    if (status == PEPA_OK)
        status =
            chain_agree(g->chain, chain_each_transition(g->chain, add_exit, g, g->err), g->err);
    return status;
}

static PepaStatus find(Gain *g, const double *number, double *gain, double *error)
{
    const int improvements = 2;
    double least = -HUGE_VAL;
    for (int64_t s = 0; s < g->chain->state_count; s++)
        g->x[s] = is_left(g, s) ? 0 : number[chain_component(g->chain, s)];
    PepaStatus status = PEPA_OK;
    for (int k = 0; k < improvements && status == PEPA_OK; k++)
        status = improve(g);
    if (status == PEPA_OK)
        status = weigh(g);
    if (status == PEPA_OK)
        status = find_least(g, &least);
    if (status == PEPA_OK)
        status = read_beginning(g, g->x, gain);
    if (status == PEPA_OK)
        status = read_beginning(g, g->t, error);
    if (status != PEPA_OK)
        return status;
    *error = *error / least * (1 + 8 * DBL_EPSILON);
    if (!(least > 0 && isfinite(*error)))
        status = error_set(g->err, PEPA_ENOCONV,
                           "the states of the transient part are left too rarely for its linear "
                           "equations to be solved");
    return status;
}

PepaStatus spread_gain(const Chain *chain, const double *value, double roundings,
                       const PepaSettings *set, const double *number, double *gain, double *error,
                       PepaError *err)
{
    PepaError unseen;
    Gain g = {.chain = chain,
              .value = value,
              .roundings = roundings,
              .set = set,
              .err = err ? err : &unseen};
    PepaStatus status = build(&g);
    if (status == PEPA_OK)
        status = find(&g, number, gain, error);
    flow_factors_free(g.factors);
    spread_flow_free(&g.flow);
    spread_order_free(&g.order);
    mem_free_all(g.x, g.t, g.exit, g.weight, g.part, g.sum, g.all, g.count, g.b, g.y);
    return status;
}
