/* Bottom components one by one, weighted by the probability of ending in each, then certified
 * against the chain itself. */
#include "measure/longrun.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "ctmc/order.h"
#include "measure/absorption.h"
#include "measure/flow_build.h"

typedef struct {
    const Chain *chain;
    const PepaSettings *set;
    double *pi;
    PepaInfo info;
    PepaError *err;
    int32_t *member, *order; /* of the component being solved */
    int32_t *place;          /* per state: its place in order, or -1 */
    int32_t largest;         /* component solved so far: whose method is reported */
} LongRun;

double longrun_residual(const Chain *c, const double *pi, double *balance)
{
    int32_t n = c->states.count;
    double flow = 0, imbalance = 0;
    memset(balance, 0, (size_t)n * sizeof *balance);
    for (int32_t s = 0; s < n; s++) {
        double out = 0;
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            if (c->target[k] == s)
                continue;
            double rate = chain_rate(c, k);
            balance[c->target[k]] += pi[s] * rate;
            out += rate;
        }
        balance[s] -= pi[s] * out;
        flow += pi[s] * out;
    }
    for (int32_t s = 0; s < n; s++)
        imbalance += fabs(balance[s]);
    if (!isfinite(imbalance) || !isfinite(flow))
        return INFINITY;
    return imbalance == 0 ? 0 : imbalance / flow;
}

/* A starting vector for y, from pi if that is any use. */
static void first_guess(const LongRun *r, const double *exit, int32_t n, double *y)
{
    double sum = 0;
    if (r->set->warm_start) {
        for (int32_t i = 0; i < n; i++) {
            y[i] = r->pi[r->order[i]] * exit[i];
            sum += y[i] >= 0 ? y[i] : NAN;
        }
    }
    if (!(sum > 0) || !isfinite(sum))
        for (int32_t i = 0; i < n; i++)
            y[i] = 1.0 / n;
}

/* pi of the members from their flows, with total `weight`. */
static bool spread(LongRun *r, const double *y, const double *exit, int32_t n, double weight)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += y[i] / exit[i];
    for (int32_t i = 0; i < n; i++)
        r->pi[r->order[i]] = weight * (y[i] / exit[i] / sum);
    return isfinite(sum) && sum > 0;
}

static void note_outcome(LongRun *r, const Outcome *out, int32_t n)
{
    if (out->trail[0] && !r->info.trail[0])
        (void)snprintf(r->info.trail, sizeof r->info.trail, "%s", out->trail);
    if (n < r->largest)
        return;
    r->largest = n;
    r->info.method = out->method;
    r->info.iterations = out->iterations;
}

/* Where rare jumps join groups of states, only elimination gets their shares right for certain. */
static void note_caution(LongRun *r, const Flow *flow)
{
    if (strcmp(r->info.method, "gth") != 0 && flow_falls_apart(flow))
        r->info.caution = "some states are joined by rare jumps only (chances below 1e-4); the "
                          "residual hardly shows how probability is divided between them: compare "
                          "with the method gth";
}

/* The steady state within the n members, times `weight`. */
static PepaStatus solve_members(LongRun *r, int32_t n, double weight)
{
    if (n == 1) {
        r->pi[r->member[0]] = weight;
        return PEPA_OK;
    }
    FlowOwner flow = {0};
    double *y = mem_alloc((size_t)n, sizeof *y);
    if (!y)
        return error_memory(r->err);
    PepaStatus status = chain_order(r->chain, r->member, n, r->order, r->err);
    for (int32_t i = 0; i < n && status == PEPA_OK; i++)
        r->place[r->order[i]] = i;
    if (status == PEPA_OK)
        status = flow_build(&flow, r->chain, r->order, n, r->place, r->err);
    if (status == PEPA_OK) {
        Flow view = flow_view(&flow, NULL);
        Control control = {0.9 * r->set->tolerance, r->set->max_iter, r->set->progress,
                           r->set->user};
        Outcome out = {0};
        first_guess(r, flow.exit, n, y);
        status = solver_of(r->set->method)(&view, &control, y, &out, r->err);
        note_outcome(r, &out, n);
        note_caution(r, &view);
        if (status == PEPA_OK && !spread(r, y, flow.exit, n, weight))
            status = error_set(r->err, PEPA_ENOCONV, "the probabilities overflow");
        if (status == PEPA_ENOCONV)
            r->info.residual = fmax(r->info.residual, out.residual);
    }
    for (int32_t i = 0; i < n; i++)
        r->place[r->member[i]] = -1;
    flow_free(&flow);
    mem_free(y);
    return status;
}

/* The members of every bottom component in turn. */
static PepaStatus solve_bottoms(LongRun *r, const double *weight)
{
    const Chain *c = r->chain;
    int32_t n = c->states.count;
    int32_t *first = mem_calloc((size_t)c->bottom_count + 2, sizeof *first);
    int32_t *states = mem_alloc((size_t)n, sizeof *states); /* those of component k from first[k] */
    PepaStatus status = first && states ? PEPA_OK : error_memory(r->err);
    if (status == PEPA_OK) {
        for (int32_t s = 0; s < n; s++)
            if (c->bottom[s] >= 0)
                first[c->bottom[s] + 2]++;
        for (int32_t k = 0; k < c->bottom_count; k++)
            first[k + 2] += first[k + 1];
        for (int32_t s = 0; s < n; s++)
            if (c->bottom[s] >= 0)
                states[first[c->bottom[s] + 1]++] = s;
        for (int32_t k = 0; k < c->bottom_count && status == PEPA_OK; k++) {
            int32_t count = first[k + 1] - first[k];
            memcpy(r->member, states + first[k], (size_t)count * sizeof *states);
            status = solve_members(r, count, weight[k]);
        }
    }
    mem_free(first);
    mem_free(states);
    return status;
}

static PepaStatus solve_all(LongRun *r)
{
    const Chain *c = r->chain;
    int32_t n = c->states.count;
    if (!c->bottom) {
        for (int32_t s = 0; s < n; s++)
            r->member[s] = s;
        return solve_members(r, n, 1);
    }
    double *weight = mem_alloc((size_t)c->bottom_count, sizeof *weight);
    if (!weight)
        return error_memory(r->err);
    PepaStatus status = absorption(c, r->set, weight, r->err);
    if (status == PEPA_OK && !r->set->warm_start)
        memset(r->pi, 0, (size_t)n * sizeof *r->pi);
    for (int32_t s = 0; s < n && status == PEPA_OK; s++)
        if (c->bottom[s] < 0)
            r->pi[s] = 0;
    if (status == PEPA_OK)
        status = solve_bottoms(r, weight);
    mem_free(weight);
    return status;
}

/* Nothing a method says counts: the sum, the signs and the balance are looked at afresh. */
static PepaStatus certify(LongRun *r, double *balance)
{
    double sum = 0, least = 0;
    for (int32_t s = 0; s < r->chain->states.count; s++) {
        sum += r->pi[s];
        least = r->pi[s] < least ? r->pi[s] : least;
    }
    r->info.residual = longrun_residual(r->chain, r->pi, balance);
    if (!(fabs(sum - 1) <= 1e-9) || least < 0)
        return error_set(r->err, PEPA_ENOCONV, "the answer is no distribution: sum %.17g, least %g",
                         sum, least);
    if (!(r->info.residual <= r->set->tolerance))
        return error_set(r->err, PEPA_ENOCONV, "residual %.2g after %s", r->info.residual,
                         r->info.method);
    return PEPA_OK;
}

/* Say how near it came, and what can be tried next. */
static void advise(const LongRun *r)
{
    char why[sizeof r->err->message];
    memcpy(why, r->err->message, sizeof why);
    const char *next = r->set->method != PEPA_AUTO ? "try the method auto"
                       : r->set->max_iter > 0      ? "allow more iterations"
                                                   : "try a larger tolerance";
    if (r->info.residual > 0)
        (void)error_set(r->err, PEPA_ENOCONV, "not solved to %.3g: the residual is %.2g (%.150s); %s",
                        r->set->tolerance, r->info.residual, why, next);
    else
        (void)error_set(r->err, PEPA_ENOCONV, "not solved to %.3g: %.180s; %s", r->set->tolerance,
                        why, next);
}

PepaStatus longrun_solve(const Chain *chain, const PepaSettings *set, double *pi, PepaInfo *info,
                         PepaError *err)
{
    PepaError unseen;
    LongRun r = {.chain = chain, .set = set, .pi = pi, .err = err ? err : &unseen};
    struct timespec start, end;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    size_t n = (size_t)chain->states.count;
    double *balance = mem_alloc(n, sizeof *balance);
    r.info.method = "none";
    r.info.caution = "";
    r.info.tolerance = set->tolerance;
    r.member = mem_alloc(n, sizeof *r.member);
    r.order = mem_alloc(n, sizeof *r.order);
    r.place = mem_alloc(n, sizeof *r.place);
    PepaStatus status = PEPA_OK;
    if (!balance || !r.member || !r.order || !r.place)
        status = error_memory(r.err);
    if (status == PEPA_OK) {
        memset(r.place, -1, n * sizeof *r.place);
        status = solve_all(&r);
    }
    if (status == PEPA_OK)
        status = certify(&r, balance);
    if (status == PEPA_ENOCONV)
        advise(&r);
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    r.info.seconds =
        (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    if (info && (status == PEPA_OK || status == PEPA_ENOCONV))
        *info = r.info;
    mem_free(balance);
    mem_free(r.member);
    mem_free(r.order);
    mem_free(r.place);
    return status;
}
