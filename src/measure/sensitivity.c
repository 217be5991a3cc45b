/* Derivatives of a throughput: one potential, then backwards over transitions, terms and rates. */
#include "measure/sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/budget.h"
#include "solvers/solver.h"

struct Sensitivity {
    const Chain *chain;
    /* The bottom component's states, against the order in which the steady state is swept: that
     * one carries probability along the transitions, this one carries worth back. */
    int32_t n;
    int32_t *order;
    /* P by rows in that order.  The i-th transition that counts, in order of rows, adds to the
     * entry row[its source] + entry[i]. */
    int64_t *row;
    int32_t *col, *entry;
    double *val, *exit;
    /* Scratch: in that order; per state of the chain; per term. */
    double *h, *pi, *reward;
    double *potential, *worth, *balance;
    double *by_term;
    GradientWorkspace room;
};

/* ---- structure --------------------------------------------------------------------------- */

void sensitivity_free(Sensitivity *s)
{
    if (!s)
        return;
    mem_free(s->order);
    mem_free(s->row);
    mem_free(s->col);
    mem_free(s->entry);
    mem_free(s->val);
    mem_free(s->exit);
    mem_free(s->h);
    mem_free(s->pi);
    mem_free(s->reward);
    mem_free(s->potential);
    mem_free(s->worth);
    mem_free(s->balance);
    mem_free(s->by_term);
    gradient_workspace_free(&s->room);
    mem_free(s);
}

static bool reserve(Sensitivity *s)
{
    const Chain *c = s->chain;
    size_t n = (size_t)s->n, states = (size_t)c->states.count, most = (size_t)c->transitions;
    s->order = mem_alloc(n, sizeof *s->order);
    s->row = mem_calloc(n + 1, sizeof *s->row);
    s->col = mem_alloc(most, sizeof *s->col);
    s->entry = mem_alloc(most, sizeof *s->entry);
    s->exit = mem_alloc(n, sizeof *s->exit);
    s->h = mem_alloc(n, sizeof *s->h);
    s->pi = mem_alloc(n, sizeof *s->pi);
    s->reward = mem_alloc(n, sizeof *s->reward);
    s->potential = mem_alloc(states, sizeof *s->potential);
    s->worth = mem_alloc(states, sizeof *s->worth);
    s->balance = mem_alloc(states, sizeof *s->balance);
    s->by_term = mem_alloc((size_t)c->rates.count, sizeof *s->by_term);
    return s->order && s->row && s->col && s->entry && s->exit && s->h && s->pi && s->reward &&
           s->potential && s->worth && s->balance && s->by_term &&
           gradient_workspace(&s->room, c->model);
}

/* Transitions between the same two states share an entry.
 *   place, at  per state: its place in the order; which entry it had when last met */
static void lay_out(Sensitivity *s, const int32_t *place, int64_t *at)
{
    const Chain *c = s->chain;
    int64_t end = 0, met = 0;
    memset(at, -1, (size_t)c->states.count * sizeof *at);
    for (int32_t i = 0; i < s->n; i++) {
        s->row[i] = end;
        for (int64_t k = c->row[s->order[i]]; k < c->row[s->order[i] + 1]; k++) {
            int32_t t = c->target[k];
            if (t == s->order[i])
                continue;
            if (at[t] < s->row[i]) {
                s->col[end] = place[t];
                at[t] = end++;
            }
            s->entry[met++] = (int32_t)(at[t] - s->row[i]);
        }
    }
    s->row[s->n] = end;
}

PepaStatus sensitivity_new(Sensitivity **out, const Chain *chain, const LongRun *run,
                           PepaError *err)
{
    size_t states = (size_t)chain->states.count;
    Sensitivity *s = mem_calloc(1, sizeof *s);
    int32_t *place = mem_alloc(states, sizeof *place);
    int64_t *at = mem_alloc(states, sizeof *at);
    bool ok = s && place && at;
    if (ok) {
        s->chain = chain;
        const int32_t *swept = longrun_order(run, 0, &s->n);
        ok = reserve(s);
        for (int32_t i = 0; ok && i < s->n; i++) {
            s->order[i] = swept[s->n - 1 - i];
            place[s->order[i]] = i;
        }
    }
    if (ok) {
        lay_out(s, place, at);
        s->val = mem_alloc((size_t)s->row[s->n], sizeof *s->val);
        ok = s->val != NULL;
    }
    mem_free(place);
    mem_free(at);
    if (ok)
        *out = s;
    else
        sensitivity_free(s);
    return ok ? PEPA_OK : error_memory(err);
}

/* See sensitivity_new and longrun.c. */
PepaStatus sensitivity_room(const Chain *c, const PepaSettings *set, int64_t *left, PepaError *err)
{
    const double entry = 12 + 16, state = 8 + 32 + 16 + 68 + 24;
    double need = chain_bytes(c) + entry * (double)c->transitions + state * (double)c->state_count;
    *left = budget_left(set->memory, need);
    if (budget_allows(set->memory, need))
        return PEPA_OK;
    return budget_exceeded(err, need, set->memory, "a computation of sensitivities");
}

/* ---- solution ---------------------------------------------------------------------------- */

/* Values at the chain's rates of now. */
static void fill(Sensitivity *s, const double *pi, int32_t action)
{
    const Chain *c = s->chain;
    const int32_t *entry = s->entry;
    for (int32_t i = 0; i < s->n; i++) {
        int32_t state = s->order[i];
        double exit = 0, reward = 0, *val = s->val + s->row[i];
        int64_t entries = s->row[i + 1] - s->row[i];
        memset(val, 0, (size_t)entries * sizeof *val);
        for (int64_t k = c->row[state]; k < c->row[state + 1]; k++) {
            double rate = chain_rate(c, k);
            if (chain_action(c, k) == action)
                reward += rate;
            if (c->target[k] == state)
                continue;
            val[*entry++] += rate;
            exit += rate;
        }
        for (int64_t e = 0; e < entries; e++)
            val[e] /= exit;
        s->exit[i] = exit;
        s->reward[i] = reward;
        s->pi[i] = pi[state];
    }
}

/* A pi that belongs to other rates would give derivatives that look like any others. */
static PepaStatus check_pi(const Sensitivity *s, const PepaSettings *set, const double *pi,
                           PepaError *err)
{
    double sum = 0, least = 0, by_time;
    for (int32_t i = 0; i < s->chain->states.count; i++) {
        sum += pi[i];
        least = pi[i] < least ? pi[i] : least;
    }
    double residual = longrun_residual(s->chain, pi, s->balance, s->worth, &by_time);
    if (!(fabs(sum - 1) <= 1e-9) || least < 0)
        return error_set(err, PEPA_EARG, "pi is no distribution: sum %.17g, least %g", sum, least);
    if (!(residual <= set->solve.tolerance))
        return error_set(err, PEPA_EARG,
                         "pi is not the steady state at these rates: its residual is %.2g, the "
                         "tolerance %.2g",
                         residual, set->solve.tolerance);
    return PEPA_OK;
}

/* Slopes of X by the terms, and on the way what h has to answer for: the worth of each state,
 * w = r + Q h, computed afresh from the transitions.  Returns pi |w - (pi w) 1| / pi w. */
static double slopes_by_term(Sensitivity *s, const double *pi, int32_t action, const double *h)
{
    const Chain *c = s->chain;
    double mean = 0, off = 0;
    memset(s->by_term, 0, (size_t)c->rates.count * sizeof *s->by_term);
    for (int32_t i = s->n; i-- > 0;) {
        int32_t from = s->order[i];
        double worth = 0;
        for (int64_t k = c->row[from]; k < c->row[from + 1]; k++) {
            double gain = h[c->target[k]] - h[from] + (chain_action(c, k) == action ? 1 : 0);
            worth += chain_rate(c, k) * gain;
            s->by_term[chain_term(c, k)] += pi[from] * gain;
        }
        s->worth[from] = worth;
        mean += pi[from] * worth;
    }
    for (int32_t i = 0; i < s->n; i++)
        off += pi[s->order[i]] * fabs(s->worth[s->order[i]] - mean);
    return off == 0 ? 0 : off / mean;
}

/* The potential h of each state, with its certificate. */
static PepaStatus solve(Sensitivity *s, const PepaSettings *set, const double *pi, int32_t action,
                        bool guess, double *h, PepaInfo *info, PepaError *err)
{
    Poisson problem = {{.n = s->n, .row = s->row, .col = s->col, .val = s->val, .exit = s->exit},
                       s->pi,
                       s->reward};
    /* A little stricter, so that rounding between here and the certificate costs no answer. */
    Control control = {.tolerance = 0.9 * set->solve.tolerance,
                       .max_iter = set->solve.max_iter,
                       .progress = set->progress,
                       .user = set->user,
                       .memory = set->memory};
    Outcome out = {0};
    fill(s, pi, action);
    for (int32_t i = 0; i < s->n; i++)
        s->h[i] = guess ? h[s->order[i]] : 0;
    if (!flow_team_new(&problem.jumps.team, &problem.jumps, set->threads))
        return error_memory(err);
    PepaStatus status = solve_potential(&problem, set->solve.method, &control, s->h, &out, err);
    flow_team_free(problem.jumps.team);
    info->method = out.method;
    info->iterations = out.iterations;
    info->residual = out.residual;
    (void)snprintf(info->trail, sizeof info->trail, "%s", out.trail);
    if (status != PEPA_OK)
        return status;
    memset(h, 0, (size_t)s->chain->states.count * sizeof *h);
    for (int32_t i = 0; i < s->n; i++)
        h[s->order[i]] = s->h[i];
    info->residual = slopes_by_term(s, pi, action, h);
    if (!(info->residual <= set->solve.tolerance))
        return error_set(err, PEPA_ENOCONV, "residual %.2g after %s", info->residual, info->method);
    return PEPA_OK;
}

/* Say what can be tried next. */
static void advise(const PepaSettings *set, const PepaInfo *info, PepaError *err)
{
    char why[sizeof err->message];
    memcpy(why, err->message, sizeof why);
    bool chosen = set->solve.method == PEPA_GAUSS_SEIDEL || set->solve.method == PEPA_DIRECT;
    (void)error_set(err, PEPA_ENOCONV,
                    "sensitivities not solved to %.3g: the residual is %.2g (%.120s); %s",
                    set->solve.tolerance, info->residual, why,
                    chosen                    ? "try the method auto"
                    : set->solve.max_iter > 0 ? "allow more iterations"
                                              : "try a larger tolerance");
}

/* No derivative by what cannot be set. */
static void blank(const Chain *c, double *derivative)
{
    const Model *model = c->model;
    for (int32_t r = 0; r < model->rate_count; r++) {
        const Rate *rate = &model->rates[r];
        if (model->exprs[rate->expr].functional || rate->structural || c->rates.values[r].passive)
            derivative[r] = NAN;
    }
}

PepaStatus sensitivity_solve(Sensitivity *s, const PepaSettings *set, const double *pi,
                             int32_t action, double *potential, double *derivative, PepaInfo *info,
                             PepaError *err)
{
    PepaError unseen;
    PepaInfo found = {.method = "none", .caution = "", .tolerance = set->solve.tolerance};
    double start = clock_seconds();
    err = err ? err : &unseen;
    PepaStatus status = check_pi(s, set, pi, err);
    if (status == PEPA_OK)
        status = solve(s, set, pi, action, potential && set->solve.warm_start,
                       potential ? potential : s->potential, &found, err);
    if (status == PEPA_OK) {
        rates_gradient(&s->chain->rates, s->by_term, &s->room, derivative);
        blank(s->chain, derivative);
    }
    if (status == PEPA_ENOCONV)
        advise(set, &found, err);
    found.seconds = clock_seconds() - start;
    if (info && (status == PEPA_OK || status == PEPA_ENOCONV))
        *info = found;
    return status;
}
