/* Bottom components do not flow into each other, so that sweeps over all rows solve all of them at the same
 * time, from equal masses; one that is solved leaves the next round.  The probability of ending in each is
 * how often the chain enters it: with the jumps from bottom components taken out, the chain visits each of
 * their states at most once, when it enters.  Source: Kemeny and Snell 1960, ch. 3. */
#include "measure/spread_ends.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/processes.h"
#include "ctmc/operator.h"

void spread_ends_free(SpreadEnds *ends)
{
    mem_free_all(ends->probability, ends->states, ends->first);
    *ends = (SpreadEnds){0};
}

PepaStatus spread_ends_new(SpreadEnds *out, const SpreadOrder *order, const SpreadBottoms *b,
                           PepaError *err)
{
    const PepaProcesses *p = order->chain->spread->processes;
    const int32_t count = b->of ? b->count : 1;
    *out = (SpreadEnds){.count = count};
    const bool ok = mem_new_zeroed(out->probability, count) && mem_new_zeroed(out->states, count) &&
                    mem_new(out->first, count);
    const PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
    if (status != PEPA_OK)
        return status;
    out->probability[0] = count == 1;
    for (int32_t k = 0; k < count; k++)
        out->first[k] = -HUGE_VAL;
    for (int32_t i = 0; i < order->n; i++) {
        const int32_t k = b->of ? b->of[i] : 0;
        if (k < 0)
            continue;
        out->states[k]++;
        out->first[k] = fmax(out->first[k], -spread_order_number(order, i));
    }
    spread_reduce(p, p->sum, out->states, count);
    spread_reduce(p, p->largest, out->first, count);
    for (int32_t k = 0; k < count; k++)
        out->first[k] = -out->first[k];
    return status;
}

/* ---- steady states --------------------------------------------------------------------------- */

enum { OFF, FLOW, TIME_OFF, TIME, SUMS_OF_ONE };

typedef struct {
    const SpreadEnds *ends;
    SpreadSolve *solve;
    const SpreadBottoms *bottoms;
    int32_t n;
    double *x, *defect; /* per place: flows, and what is out of balance */
    double *pi;         /* per place: of its component, in the sum 1 */
    double *sum;        /* per component: such numbers */
    uint8_t *left;      /* per component: it is to be solved */
    int32_t unsolved;
} Round;

static const PepaProcesses *processes_of(const Round *r)
{
    return r->solve->flow->share.processes;
}

/* A component with one state has no jumps. */
static void take_single(Round *r)
{
    double *exit = r->solve->order->exit;
    for (int32_t k = 0; k < r->ends->count; k++) {
        r->left[k] = r->ends->states[k] > 1;
        r->unsolved += r->left[k];
    }
    for (int32_t i = 0; i < r->n; i++) {
        const int32_t k = r->bottoms->of[i];
        r->pi[i] = k >= 0 && !r->left[k];
        if (!(exit[i] > 0))
            exit[i] = 1; /* nothing divides by 0 */
    }
}

static bool is_left(const Round *r, int32_t i)
{
    return r->bottoms->of[i] >= 0 && r->left[r->bottoms->of[i]];
}

/* As much in each component that is left. */
static void even_out(Round *r)
{
    const PepaProcesses *p = processes_of(r);
    const int32_t count = r->ends->count;
    memset(r->sum, 0, (size_t)count * sizeof *r->sum);
    for (int32_t i = 0; i < r->n; i++)
        if (is_left(r, i))
            r->sum[r->bottoms->of[i]] += r->x[i];
    spread_reduce(p, p->sum, r->sum, count);
    for (int32_t i = 0; i < r->n; i++) {
        const int32_t k = r->bottoms->of[i];
        r->x[i] = !is_left(r, i)                         ? 0
                  : r->sum[k] > 0 && isfinite(r->sum[k]) ? r->x[i] / r->sum[k]
                                                         : 1 / r->ends->states[k];
    }
}

static void add_up(Round *r)
{
    const PepaProcesses *p = processes_of(r);
    const double *exit = r->solve->order->exit;
    const int64_t numbers = (int64_t)SUMS_OF_ONE * r->ends->count;
    (void)flow_defect(&r->solve->flow->flow, r->x, r->defect);
    memset(r->sum, 0, (size_t)numbers * sizeof *r->sum);
    for (int32_t i = 0; i < r->n; i++) {
        if (!is_left(r, i))
            continue;
        double *sum = r->sum + (int64_t)SUMS_OF_ONE * r->bottoms->of[i];
        sum[OFF] += fabs(r->defect[i]);
        sum[FLOW] += r->x[i];
        sum[TIME_OFF] += fabs(r->defect[i]) / exit[i];
        sum[TIME] += r->x[i] / exit[i];
    }
    spread_reduce(p, p->sum, r->sum, numbers);
}

/* Those that have met the tolerance; whether there are any. */
static bool take_solved(Round *r, double tolerance)
{
    const double *exit = r->solve->order->exit;
    const int32_t before = r->unsolved;
    for (int32_t i = 0; i < r->n; i++) {
        if (!is_left(r, i))
            continue;
        const double *sum = r->sum + (int64_t)SUMS_OF_ONE * r->bottoms->of[i];
        r->pi[i] = r->x[i] / exit[i] / sum[TIME];
    }
    for (int32_t k = 0; k < r->ends->count; k++) {
        const double *sum = r->sum + (int64_t)SUMS_OF_ONE * k;
        if (r->left[k] && sum[OFF] <= tolerance * sum[FLOW] &&
            sum[TIME_OFF] <= tolerance * sum[TIME]) {
            r->left[k] = 0;
            r->unsolved--;
        }
    }
    return r->unsolved < before;
}

/* Of the sum of what is out of balance, no component has more than all of it: at least one is solved each
 * time by flow, and one by time.  Where no one is by both, all are solved to more digits. */
static PepaStatus find_steady(Round *r)
{
    const double tolerance = r->solve->control.tolerance, least = 1e-17, digit = 0.1;
    const SteadyJob *job = r->solve->job;
    PepaStatus status = PEPA_OK;
    while (r->unsolved > 0 && status == PEPA_OK) {
        even_out(r);
        status = spread_solve_flow(r->solve, job->set->solve.method, NULL, r->x);
        if (status != PEPA_OK)
            break;
        add_up(r);
        if (!take_solved(r, tolerance))
            r->solve->control.tolerance *= digit;
        if (r->solve->control.tolerance < least)
            status = error_set(job->err, PEPA_ENOCONV,
                               "%d of %d bottom components are not solved to the tolerance",
                               r->unsolved, r->ends->count);
    }
    r->solve->control.tolerance = tolerance;
    return status;
}

/* ---- where it ends --------------------------------------------------------------------------- */

/* What may be out of balance, in visits. */
static double most_off(const Round *r)
{
    return fmax(10 * r->solve->job->set->solve.tolerance,
                1e-14 * (double)r->solve->order->chain->spread->states);
}

/* Per own state. */
typedef struct {
    double *time, *start, *enter; /* enter: -1 in states that are left for ever */
    double off[PRODUCT_PARTS];
} Balance;

static void add_off(void *user, int32_t part, int64_t first, int32_t count, const double *in,
                    const double *exit)
{
    Balance *b = user;
    for (int32_t k = 0; k < count; k++) {
        const int64_t s = first + k;
        const double out = b->enter[s] < 0 ? b->time[s] * exit[k] : b->enter[s];
        b->off[part] += fabs(in[k] + b->start[s] - out);
    }
}

/* What goes into states that are left for ever comes out of them, and what goes into others stays: by the chain's
 * own transitions, not by the matrix.
 *   start, visits  per place;  time: per place, scratch */
static PepaStatus check_visits(const Round *r, const double *start, const double *visits,
                               double *time)
{
    const SteadyJob *job = r->solve->job;
    const SpreadOrder *order = r->solve->order;
    const PepaProcesses *p = processes_of(r);
    const int64_t own = job->chain->state_count;
    Balance b = {0};
    Operator *op = NULL;
    bool ok = mem_new(b.time, own) && mem_new(b.start, own) && mem_new(b.enter, own);
    PepaStatus status = ok ? operator_new(&op, job->chain, NULL, job->set->threads, NULL, job->err)
                           : error_memory(job->err);
    status = processes_agree(p, status, job->err);
    for (int32_t i = 0; i < r->n; i++)
        time[i] = r->bottoms->of[i] < 0 ? visits[i] / order->exit[i] : 0;
    if (status == PEPA_OK)
        status = spread_order_return(order, time, b.time, job->err);
    for (int32_t i = 0; i < r->n; i++)
        time[i] = r->bottoms->of[i] < 0 ? -1 : visits[i];
    if (status == PEPA_OK)
        status = spread_order_return(order, time, b.enter, job->err);
    if (status == PEPA_OK)
        status = spread_order_return(order, start, b.start, job->err);
    if (status == PEPA_OK) {
        operator_product(op, job->value, b.time, add_off, &b);
        double off = vector_sum(b.off, PRODUCT_PARTS);
        p->sum(p->user, &off, 1);
        if (!(off <= most_off(r)))
            status = error_set(job->err, PEPA_ENOCONV, "visits are out of balance by %.2g", off);
    }
    operator_free(op);
    mem_free_all(b.time, b.start, b.enter);
    return status;
}

static PepaStatus weigh(const Round *r, const double *visits, double *probability)
{
    const SteadyJob *job = r->solve->job;
    const PepaProcesses *p = processes_of(r);
    const int32_t count = r->ends->count;
    memset(probability, 0, (size_t)count * sizeof *probability);
    for (int32_t i = 0; i < r->n; i++)
        if (r->bottoms->of[i] >= 0)
            probability[r->bottoms->of[i]] += visits[i];
    spread_reduce(p, p->sum, probability, count);
    const double sum = vector_sum(probability, count);
    for (int32_t k = 0; k < count; k++)
        probability[k] /= sum;
    if (fabs(sum - 1) <= most_off(r))
        return PEPA_OK;
    return error_set(job->err, PEPA_ENOCONV, "probabilities of absorption sum to %.12g", sum);
}

/* Expected visits to states that are left for ever, and entries into others. */
static PepaStatus find_probabilities(const Round *r)
{
    SpreadSolve *s = r->solve;
    const SteadyJob *job = s->job;
    const PepaProcesses *p = processes_of(r);
    double *start = NULL, *visits = r->x, *inside = r->defect;
    PepaStatus status =
        processes_agree(p, mem_new(start, r->n) ? PEPA_OK : error_memory(job->err), job->err);
    for (int32_t i = 0; i < r->n; i++)
        inside[i] = r->bottoms->of[i] >= 0;
    if (status == PEPA_OK) {
        spread_flow_drop(s->flow, inside);
        status = spread_order_start(s->order, job->value, start, job->err);
    }
    if (status == PEPA_OK) {
        memcpy(visits, start, (size_t)r->n * sizeof *visits);
        s->control.tolerance = job->set->solve.tolerance;
        s->control.keeper = NULL;
        status = spread_solve_flow(s, PEPA_AUTO, start, visits);
    }
    if (status == PEPA_OK)
        status = check_visits(r, start, visits, inside);
    if (status == PEPA_OK)
        status = weigh(r, visits, r->ends->probability);
    mem_free(start);
    return status;
}

PepaStatus spread_ends_solve(SpreadEnds *ends, SpreadSolve *s, const SpreadBottoms *bottoms,
                             double *pi)
{
    const PepaProcesses *p = s->flow->share.processes;
    Round r = {.ends = ends, .solve = s, .bottoms = bottoms, .n = s->order->n, .pi = pi};
    const bool ok = mem_new(r.x, r.n) && mem_new(r.defect, r.n) &&
                    mem_new(r.sum, (size_t)SUMS_OF_ONE * (size_t)ends->count) &&
                    mem_new(r.left, ends->count);
    PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(s->job->err), s->job->err);
    if (status == PEPA_OK) {
        take_single(&r);
        status = spread_solve_start(s, r.x);
    }
    if (status == PEPA_OK)
        status = find_steady(&r);
    if (status == PEPA_OK && ends->count > 1)
        status = find_probabilities(&r);
    for (int32_t i = 0; i < r.n && status == PEPA_OK; i++)
        pi[i] *= bottoms->of[i] >= 0 ? ends->probability[bottoms->of[i]] : 0;
    mem_free_all(r.x, r.defect, r.sum, r.left);
    return status;
}
