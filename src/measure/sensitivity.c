/* Derivatives of a measure by the rates of a model: one linear solution for the potential, then
 * reverse accumulation over transitions, terms and rates. */
#include "measure/sensitivity.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "base/clock.h"
#include "base/mem.h"
#include "measure/ends.h"
#include "measure/recurrent.h"
#include "solvers/solver.h"

struct Sensitivity {
    const Chain *chain;
    LongRun *run; /* borrowed */
    Recurrent jumps;
    /* Scratch: by place in jumps; per state of the chain; per term. */
    double *h, *pi, *reward;
    double *potential, *gain;
    double *by_term, *slopes; /* per term; scratch of rates_gradient, as counts; per rate */
    double *by_rate;
    int64_t *counts;
    double *mean, *shift; /* per bottom component: mean gain; what is added to its rewards */
    /* Per bottom component: differences of its potential; or NULL: h has the digits. */
    long double **apart;
};

/* ---- structure --------------------------------------------------------------------------- */

static void forget_apart(Sensitivity *s)
{
    for (int32_t b = 0; s->apart && b < s->chain->bottom_count; b++) {
        mem_free(s->apart[b]);
        s->apart[b] = NULL;
    }
}

void sensitivity_free(Sensitivity *s)
{
    if (!s)
        return;
    recurrent_free(&s->jumps);
    forget_apart(s);
    mem_free_all(s->apart, s->h, s->pi, s->reward, s->potential, s->gain, s->by_term, s->slopes,
                 s->by_rate, s->counts, s->mean, s->shift, s);
}

static bool reserve(Sensitivity *s)
{
    const Chain *c = s->chain;
    size_t n = (size_t)s->jumps.n, states = (size_t)c->state_count;
    return mem_new(s->h, n) && mem_new(s->pi, n) && mem_new(s->reward, n) &&
           mem_new(s->potential, states) && mem_new(s->gain, states) &&
           mem_new(s->by_term, c->rates.count) && mem_new(s->slopes, c->model->expr_count) &&
           mem_new(s->by_rate, c->model->rate_count) &&
           mem_new_zeroed(s->counts, c->model->local_count) && mem_new(s->mean, c->bottom_count) &&
           mem_new(s->shift, c->bottom_count) && mem_new_zeroed(s->apart, c->bottom_count);
}

PepaStatus sensitivity_new(Sensitivity **out, const Chain *chain, LongRun *run, PepaError *err)
{
    Sensitivity *s = mem_alloc(1, sizeof *s);
    if (!s)
        return error_memory(err);
    *s = (Sensitivity){.chain = chain, .run = run};
    PepaStatus status = recurrent_new(&s->jumps, chain, run, err);
    if (status == PEPA_OK && !reserve(s))
        status = error_memory(err);
    if (status == PEPA_OK)
        *out = s;
    else
        sensitivity_free(s);
    return status;
}

/* See sensitivity_new and steady_rows.c. */
PepaStatus sensitivity_check_memory(const Chain *c, const PepaSettings *set, int64_t *left,
                                    PepaError *err)
{
    const double entry = 12 + 16, state = 8 + 48 + 16 + 64 + 24;
    double need = chain_bytes(c) + entry * (double)c->transitions + state * (double)c->state_count;
    if (c->bottom_count > 1)
        need += ends_bytes(c) + 64.0 * c->bottom_count;
    *left = budget_left(set->memory, need);
    if (budget_allows(set->memory, need))
        return PEPA_OK;
    return budget_exceeded(err, need, set->memory, "a computation of sensitivities");
}

/* ---- solution ---------------------------------------------------------------------------- */

/* A pass over the transitions at some values of the rates. */
typedef struct {
    Sensitivity *s;
    const double *value, *pi, *h;
    const Reward *earns;
    int64_t met;
} Pass;

static double reward_of(const Pass *p, int32_t action)
{
    return p->earns->by_action ? p->earns->by_action[action] : 0;
}

static void fill_transition(void *user, const Transition *t)
{
    Pass *p = user;
    Sensitivity *s = p->s;
    Recurrent *r = &s->jumps;
    int32_t i = r->place[t->from];
    if (i < 0)
        return;
    double rate = p->value[t->term];
    s->reward[i] += reward_of(p, t->action) * rate;
    if (t->to == t->from)
        return;
    r->val[recurrent_row(r, chain_component(s->chain, t->from), i) + r->target[p->met++]] += rate;
    r->exit[i] += rate;
}

/* pi of component b.  Where its entries are too small to have all their digits, any other will do:
 * what is not flat in equal shares is not flat. */
static void fill_pi(Pass *p, int32_t b)
{
    Sensitivity *s = p->s;
    const double least = DBL_MIN / DBL_EPSILON / DBL_EPSILON;
    const BottomComponent *c = &s->jumps.component[b];
    const int32_t *order = s->jumps.order + c->first;
    double *pi = s->pi + c->first, sum = 0;
    for (int32_t i = 0; i < c->n; i++) {
        pi[i] = p->pi[order[i]];
        sum += pi[i];
    }
    for (int32_t i = 0; i < c->n && s->chain->bottom_count > 1; i++)
        pi[i] = sum > least ? pi[i] / sum : 1.0 / c->n;
}

/* Rewards, pi and chances of jumps in component b. */
static void fill_component(Pass *p, int32_t b)
{
    Sensitivity *s = p->s;
    Recurrent *r = &s->jumps;
    const int32_t first = r->component[b].first, end = first + r->component[b].n;
    double least = 0;
    for (int32_t i = first; i < end; i++) {
        s->reward[i] += p->earns->by_state ? p->earns->by_state[r->order[i]] : 0;
        least = fmin(least, s->reward[i]);
    }
    s->shift[b] = -least;
    fill_pi(p, b);
    for (int32_t i = first; i < end; i++) {
        s->reward[i] += s->shift[b];
        for (int64_t e = recurrent_row(r, b, i); e < recurrent_row_end(r, b, i); e++)
            r->val[e] /= r->exit[i];
    }
}

static PepaStatus fill(Pass *p, PepaError *err)
{
    Sensitivity *s = p->s;
    Recurrent *r = &s->jumps;
    const int32_t count = s->chain->bottom_count;
    const BottomComponent *last = &r->component[count - 1];
    memset(r->val, 0, (size_t)recurrent_row(r, count - 1, last->first + last->n) * sizeof *r->val);
    memset(r->exit, 0, (size_t)r->n * sizeof *r->exit);
    memset(s->reward, 0, (size_t)r->n * sizeof *s->reward);
    p->met = 0;
    PepaStatus status = chain_each_transition(s->chain, fill_transition, p, err);
    for (int32_t b = 0; b < count; b++)
        fill_component(p, b);
    if (status == PEPA_OK)
        recurrent_forget(r);
    return status;
}

/* A pi that belongs to other rates would give derivatives that look like any others. */
static PepaStatus check_pi(const Pass *p, const PepaSettings *set, PepaError *err)
{
    Certificate found;
    char why[sizeof err->message];
    PepaStatus status = longrun_certificate(p->s->run, p->value, p->pi, set->threads, &found, err);
    found.by_time = 0; /* the flow decides here */
    if (status == PEPA_OK)
        status = certificate_check(&found, set->solve.tolerance, PEPA_EARG, "its solution", err);
    if (status != PEPA_EARG)
        return status;
    memcpy(why, err->message, sizeof why);
    return error_set(err, PEPA_EARG, "pi is not the steady state at these rates: %.200s", why);
}

/* h_to - h_from, within a bottom component. */
static double gained(const Pass *p, int64_t from, int64_t to)
{
    const Recurrent *r = &p->s->jumps;
    const int32_t b = chain_component(r->chain, from), first = r->component[b].first;
    const long double *apart = p->s->apart[b];
    if (!apart)
        return p->h[to] - p->h[from];
    const int64_t i = r->place[from] - first, j = r->place[to] - first;
    return (double)apart[i * r->component[b].n + j];
}

/* Derivatives of X by the terms, and w = r + Q h, which certifies h. */
static void add_gain(void *user, const Transition *t)
{
    Pass *p = user;
    Sensitivity *s = p->s;
    if (s->jumps.place[t->from] < 0)
        return;
    const double difference = gained(p, t->from, t->to) + reward_of(p, t->action);
    s->gain[t->from] += p->value[t->term] * difference;
    s->by_term[t->term] += p->pi[t->from] * difference;
}

/* pi |w - (pi w) 1| / pi w in component b, whose mean it notes. */
static double judge(Sensitivity *s, int32_t b)
{
    const BottomComponent *c = &s->jumps.component[b];
    const int32_t end = c->first + c->n;
    double mean = 0, off = 0;
    for (int32_t i = end; i-- > c->first;)
        mean += s->pi[i] * s->gain[s->jumps.order[i]];
    for (int32_t i = c->first; i < end; i++)
        off += s->pi[i] * fabs(s->gain[s->jumps.order[i]] - mean);
    s->mean[b] = mean - s->shift[b];
    return off == 0 ? 0 : mean > 0 ? off / mean : HUGE_VAL;
}

/* w = r + Q h, computed afresh from the transitions; *residual: the largest of any component. */
static PepaStatus derivatives_by_term(Pass *p, double *residual, PepaError *err)
{
    Sensitivity *s = p->s;
    const Chain *c = s->chain;
    const size_t terms = (size_t)c->rates.count;
    memset(s->by_term, 0, terms * sizeof *s->by_term);
    if (p->earns->by_term)
        memcpy(s->by_term, p->earns->by_term, terms * sizeof *s->by_term);
    for (int64_t i = 0; i < c->state_count; i++)
        s->gain[i] = s->jumps.place[i] < 0 ? 0
                                           : s->shift[chain_component(c, i)] +
                                                 (p->earns->by_state ? p->earns->by_state[i] : 0);
    PepaStatus status = chain_each_transition(c, add_gain, p, err);
    *residual = 0;
    for (int32_t b = 0; b < c->bottom_count; b++)
        *residual = fmax(*residual, judge(s, b));
    return status;
}

/* The potential of component b into s->h, from what is there; PEPA_ENOCONV: it is as good as it
 * gets.  Of the largest one, info says what answered. */
static PepaStatus solve_component(Sensitivity *s, int32_t b, const PepaSettings *set,
                                  bool everywhere, int32_t *largest, PepaInfo *info, PepaError *err)
{
    BottomComponent *c = &s->jumps.component[b];
    Poisson problem = {recurrent_flow(&s->jumps, b),
                       s->pi + c->first,
                       s->reward + c->first,
                       everywhere,
                       &c->factors,
                       everywhere ? NULL : &s->apart[b]};
    Control control = stricter_control(set, set->memory);
    Outcome out = {0};
    if (!flow_team_new(&problem.jumps.team, &problem.jumps, set->threads))
        return error_memory(err);
    PepaStatus status =
        solve_potential(&problem, set->solve.method, &control, s->h + c->first, &out, err);
    flow_team_free(problem.jumps.team);
    if (c->n <= *largest)
        return status;
    *largest = c->n;
    info->method = out.method;
    info->iterations = out.iterations;
    info->residual = out.residual;
    (void)snprintf(info->trail, sizeof info->trail, "%s", out.trail);
    return status;
}

/* The potential h of each state; PEPA_ENOCONV: it is as good as it gets.
 *   wanted  per component: its tolerance; 0: its potential is 0.  NULL: that of set */
static PepaStatus find_potential(Pass *p, const PepaSettings *set, const double *wanted, bool guess,
                                 bool everywhere, double *h, PepaInfo *info, PepaError *err)
{
    Sensitivity *s = p->s;
    PepaSettings each = *set;
    int32_t largest = 0;
    PepaStatus status = fill(p, err), worst = PEPA_OK;
    forget_apart(s);
    for (int32_t i = 0; i < s->jumps.n; i++)
        s->h[i] = guess ? h[s->jumps.order[i]] : 0;
    for (int32_t b = 0; b < s->chain->bottom_count && status == PEPA_OK; b++) {
        const BottomComponent *c = &s->jumps.component[b];
        if (s->chain->bottom_count > 1 && c->n == 1) {
            s->h[c->first] = 0;
            continue;
        }
        if (wanted && wanted[b] == 0)
            continue;
        each.solve.tolerance = wanted ? wanted[b] : set->solve.tolerance;
        status = solve_component(s, b, &each, everywhere, &largest, info, err);
        worst = status == PEPA_ENOCONV ? status : worst;
        status = status == PEPA_ENOCONV ? PEPA_OK : status;
    }
    if (status != PEPA_OK)
        return status;
    memset(h, 0, (size_t)s->chain->state_count * sizeof *h);
    for (int32_t i = 0; i < s->jumps.n; i++)
        h[s->jumps.order[i]] = s->h[i];
    p->h = h;
    return worst;
}

PepaStatus sensitivity_potential(Sensitivity *s, const RateValues *at, const PepaSettings *set,
                                 const double *wanted, const double *pi, const Reward *reward,
                                 double *potential, PepaInfo *info, PepaError *err)
{
    Pass pass = {.s = s, .value = at->term, .pi = pi, .earns = reward};
    *info = info_unsolved(set, "explicit");
    return find_potential(&pass, set, wanted, false, true, potential, info, err);
}

/* The same, with its certificate. */
static PepaStatus solve(Pass *p, const PepaSettings *set, bool guess, double *h, PepaInfo *info,
                        PepaError *err)
{
    PepaStatus status = find_potential(p, set, NULL, guess, false, h, info, err);
    if (status != PEPA_OK)
        return status;
    status = derivatives_by_term(p, &info->residual, err);
    if (status == PEPA_OK && !(info->residual <= set->solve.tolerance))
        status =
            error_set(err, PEPA_ENOCONV, "residual %.2g after %s", info->residual, info->method);
    if (status != PEPA_OK || p->s->chain->bottom_count == 1)
        return status;
    double off;
    status = ends_derive(p->s->chain, p->value, set, p->pi, p->s->mean, p->s->by_term, &off, err);
    if (status == PEPA_OK)
        info->residual = fmax(info->residual, off);
    return status;
}

/* Rates that cannot be set have no derivative. */
static void blank(const Chain *c, const RateValues *at, double *derivative)
{
    const Model *model = c->model;
    for (int32_t r = 0; r < model->rate_count; r++) {
        const Rate *rate = &model->rates[r];
        if (model->exprs[rate->expr].functional || rate->structural ||
            at->rate[r].level != LEVEL_TIMED)
            derivative[r] = NAN;
    }
}

static const char one_side_only[] = "a functional rate is 0 in some state, and not for other "
                                    "values of a rate: derivatives are those to the side where "
                                    "it stays 0";

PepaStatus sensitivity_solve(Sensitivity *s, const RateValues *at, const PepaSettings *set,
                             const double *pi, const Reward *reward, double *potential,
                             double *derivative, PepaInfo *info, PepaError *err)
{
    const size_t rates = (size_t)s->chain->model->rate_count;
    PepaError unseen;
    PepaInfo found = info_unsolved(set, "explicit");
    Pass pass = {.s = s, .value = at->term, .pi = pi, .earns = reward};
    double start = clock_seconds();
    err = err ? err : &unseen;
    SteadyJob job = {s->chain, at->term, at->forced, set, potential, &found, err, NULL};
    bool chosen = set->solve.method == PEPA_GAUSS_SEIDEL || set->solve.method == PEPA_DIRECT;
    PepaStatus status = check_pi(&pass, set, err);
    if (status == PEPA_OK)
        status = solve(&pass, set, potential && set->solve.warm_start,
                       potential ? potential : s->potential, &found, err);
    if (status == PEPA_OK) {
        memset(derivative, 0, rates * sizeof *derivative);
        if (reward->by_rate)
            memcpy(derivative, reward->by_rate, rates * sizeof *derivative);
        rates_gradient(&s->chain->rates, at, s->by_term, s->slopes, s->counts, derivative);
        blank(s->chain, at, derivative);
        if (rates_may_begin(&s->chain->rates, at, s->by_term, s->slopes, s->counts, s->by_rate))
            found.caution = one_side_only;
    }
    if (status == PEPA_ENOCONV)
        longrun_advise(&job, "sensitivities ", chosen);
    found.seconds = clock_seconds() - start;
    if (info && (status == PEPA_OK || status == PEPA_ENOCONV))
        *info = found;
    return status;
}
