/* Derivatives of a measure by the rates of a model: one linear solution for the potential, then
 * reverse accumulation over transitions, terms and rates. */
#include "measure/sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/clock.h"
#include "base/hash.h"
#include "solvers/solver.h"

struct Sensitivity {
    const Chain *chain;
    LongRun *run; /* borrowed */
    /* The states of the bottom component in the reverse order of the sweeps for the steady state:
     * the potential is carried against the transitions. */
    int32_t n;
    int32_t *order, *place; /* place: per state of the chain, or -1 */
    /* P by rows in that order.  The i-th transition out of these states that is no self-loop, as
     * chain_each_transition has them, adds to the entry row[place of its source] + entry[i]. */
    int64_t *row;
    int32_t *col, *entry;
    double *val, *exit;
    /* Scratch: in that order; per state of the chain; per term. */
    double *h, *pi, *reward;
    double *potential, *gain;
    double *by_term, *slopes; /* per term; scratch of rates_gradient, as counts */
    int32_t *counts;
    PotentialFactors *factors; /* for the jumps whose hash this is */
    uint64_t hash;
};

/* ---- structure --------------------------------------------------------------------------- */

void sensitivity_free(Sensitivity *s)
{
    if (!s)
        return;
    potential_factors_free(s->factors);
    mem_free_all(s->order, s->place, s->row, s->col, s->entry, s->val, s->exit, s->h, s->pi,
                 s->reward, s->potential, s->gain, s->by_term, s->slopes, s->counts, s);
}

static bool reserve(Sensitivity *s)
{
    const Chain *c = s->chain;
    size_t n = (size_t)s->n, states = (size_t)c->state_count;
    return mem_new(s->order, n) && mem_new(s->place, states) && mem_new_zeroed(s->row, n + 2) &&
           mem_new(s->exit, n) && mem_new(s->h, n) && mem_new(s->pi, n) && mem_new(s->reward, n) &&
           mem_new(s->potential, states) && mem_new(s->gain, states) &&
           mem_new(s->by_term, c->rates.count) && mem_new(s->slopes, c->model->expr_count) &&
           mem_new_zeroed(s->counts, c->model->local_count);
}

static void choose_order(Sensitivity *s)
{
    (void)longrun_order(s->run, s->order);
    order_reverse(s->order, s->n);
    memset(s->place, -1, (size_t)s->chain->state_count * sizeof *s->place);
    for (int32_t i = 0; i < s->n; i++)
        s->place[s->order[i]] = i;
}

/* One pass over the transitions.  Those between the same two states share an entry. */
typedef struct {
    Sensitivity *s;
    int64_t *at;                   /* per state: the entry that it had when last met as a target */
    int64_t from, end, met, first; /* the source at hand; entries and transitions until now */
    int64_t met_before;            /* transitions of the sources before it */
    bool fills;                    /* the second pass */
    int64_t *keys, *moved;         /* per entry of a row: column and entry; where that went */
} Structure;

static int by_key(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The columns of the row at hand ascend, as incomplete factors want them. */
static void sort_row(Structure *l)
{
    Sensitivity *s = l->s;
    if (!l->fills || l->from < 0)
        return;
    int32_t *col = s->col + s->row[s->place[l->from]];
    const int64_t width = l->end - l->first;
    bool ascends = true;
    for (int64_t e = 0; e < width; e++) {
        l->keys[e] = (int64_t)col[e] << 32 | e;
        ascends = ascends && (e == 0 || col[e - 1] < col[e]);
    }
    if (ascends)
        return;
    qsort(l->keys, (size_t)width, sizeof *l->keys, by_key);
    for (int64_t e = 0; e < width; e++) {
        col[e] = (int32_t)(l->keys[e] >> 32);
        l->moved[l->keys[e] & INT32_MAX] = e;
    }
    for (int64_t k = l->met_before; k < l->met; k++)
        s->entry[k] = (int32_t)l->moved[s->entry[k]];
}

static void add_to_structure(void *user, const Transition *t)
{
    Structure *l = user;
    Sensitivity *s = l->s;
    if (s->place[t->from] < 0 || t->to == t->from)
        return;
    if (t->from != l->from) {
        sort_row(l);
        l->from = t->from;
        l->first = l->end;
        l->met_before = l->met;
    }
    bool fresh = l->at[t->to] < l->first;
    if (fresh)
        l->at[t->to] = l->end++;
    if (!l->fills) {
        s->row[s->place[t->from] + 1] += fresh;
    } else {
        int32_t entry = (int32_t)(l->at[t->to] - l->first);
        s->col[s->row[s->place[t->from]] + entry] = s->place[t->to];
        s->entry[l->met] = entry;
    }
    l->met++;
}

/* Room for rows that have been counted. */
static bool reserve_rows(Structure *l)
{
    Sensitivity *s = l->s;
    int64_t widest = 0;
    for (int32_t i = 0; i < s->n; i++) {
        widest = s->row[i + 1] > widest ? s->row[i + 1] : widest;
        s->row[i + 1] += s->row[i];
    }
    return mem_new(s->col, l->end) && mem_new(s->val, l->end) && mem_new(s->entry, l->met) &&
           mem_new(l->keys, widest) && mem_new(l->moved, widest);
}

static PepaStatus build_structure(Sensitivity *s, PepaError *err)
{
    const size_t states = (size_t)s->chain->state_count;
    Structure l = {.s = s, .from = -1};
    l.at = mem_alloc(states, sizeof *l.at);
    PepaStatus status = l.at ? PEPA_OK : error_memory(err);
    for (int pass = 0; pass < 2 && status == PEPA_OK; pass++) {
        memset(l.at, -1, states * sizeof *l.at);
        status = chain_each_transition(s->chain, add_to_structure, &l, err);
        if (pass == 1 || status != PEPA_OK)
            break;
        if (!reserve_rows(&l))
            status = error_memory(err);
        l = (Structure){.s = s,
                        .at = l.at,
                        .from = -1,
                        .fills = true,
                        .keys = l.keys,
                        .moved = l.moved};
    }
    if (status == PEPA_OK)
        sort_row(&l);
    mem_free_all(l.at, l.keys, l.moved);
    return status;
}

PepaStatus sensitivity_new(Sensitivity **out, const Chain *chain, LongRun *run, PepaError *err)
{
    Sensitivity *s = mem_alloc(1, sizeof *s);
    if (!s)
        return error_memory(err);
    *s = (Sensitivity){.chain = chain, .run = run, .n = longrun_order(run, NULL)};
    PepaStatus status = reserve(s) ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK) {
        choose_order(s);
        status = build_structure(s, err);
    }
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
    double shift; /* added to the reward of every state */
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
    int32_t i = s->place[t->from];
    if (i < 0)
        return;
    double rate = p->value[t->term];
    s->reward[i] += reward_of(p, t->action) * rate;
    if (t->to == t->from)
        return;
    s->val[s->row[i] + s->entry[p->met++]] += rate;
    s->exit[i] += rate;
}

/* Factors for other jumps go. */
static void forget_factors(Sensitivity *s)
{
    const uint64_t hash = hash_bytes(s->val, (size_t)s->row[s->n] * sizeof *s->val);
    if (hash != s->hash)
        potential_factors_free(s->factors);
    s->factors = hash != s->hash ? NULL : s->factors;
    s->hash = hash;
}

static PepaStatus fill(Pass *p, PepaError *err)
{
    Sensitivity *s = p->s;
    memset(s->val, 0, (size_t)s->row[s->n] * sizeof *s->val);
    memset(s->exit, 0, (size_t)s->n * sizeof *s->exit);
    memset(s->reward, 0, (size_t)s->n * sizeof *s->reward);
    p->met = 0;
    PepaStatus status = chain_each_transition(s->chain, fill_transition, p, err);
    double least = 0;
    for (int32_t i = 0; i < s->n; i++) {
        s->reward[i] += p->earns->by_state ? p->earns->by_state[s->order[i]] : 0;
        least = fmin(least, s->reward[i]);
    }
    p->shift = -least;
    for (int32_t i = 0; i < s->n; i++) {
        s->reward[i] += p->shift;
        s->pi[i] = p->pi[s->order[i]];
        for (int64_t e = s->row[i]; e < s->row[i + 1]; e++)
            s->val[e] /= s->exit[i];
    }
    if (status == PEPA_OK)
        forget_factors(s);
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

/* Derivatives of X by the terms, and w = r + Q h, which certifies h. */
static void add_gain(void *user, const Transition *t)
{
    Pass *p = user;
    Sensitivity *s = p->s;
    if (s->place[t->from] < 0)
        return;
    double difference = p->h[t->to] - p->h[t->from] + reward_of(p, t->action);
    s->gain[t->from] += p->value[t->term] * difference;
    s->by_term[t->term] += p->pi[t->from] * difference;
}

/* w = r + Q h, computed afresh from the transitions; *residual: pi |w - (pi w) 1| / pi w. */
static PepaStatus derivatives_by_term(Pass *p, double *residual, PepaError *err)
{
    Sensitivity *s = p->s;
    double mean = 0, off = 0;
    const size_t terms = (size_t)s->chain->rates.count;
    memset(s->by_term, 0, terms * sizeof *s->by_term);
    if (p->earns->by_term)
        memcpy(s->by_term, p->earns->by_term, terms * sizeof *s->by_term);
    for (int64_t i = 0; i < s->chain->state_count; i++)
        s->gain[i] = p->shift + (p->earns->by_state ? p->earns->by_state[i] : 0);
    PepaStatus status = chain_each_transition(s->chain, add_gain, p, err);
    for (int32_t i = s->n; i-- > 0;)
        mean += p->pi[s->order[i]] * s->gain[s->order[i]];
    for (int32_t i = 0; i < s->n; i++)
        off += p->pi[s->order[i]] * fabs(s->gain[s->order[i]] - mean);
    *residual = off == 0 ? 0 : mean > 0 ? off / mean : HUGE_VAL;
    return status;
}

/* The potential h of each state; PEPA_ENOCONV: it is as good as it gets. */
static PepaStatus find_potential(Pass *p, const PepaSettings *set, bool guess, bool everywhere,
                                 double *h, PepaInfo *info, PepaError *err)
{
    Sensitivity *s = p->s;
    Poisson problem = {{.n = s->n, .row = s->row, .col = s->col, .val = s->val, .exit = s->exit},
                       s->pi,
                       s->reward,
                       everywhere,
                       &s->factors};
    Control control = stricter_control(set, set->memory);
    Outcome out = {0};
    PepaStatus status = fill(p, err);
    for (int32_t i = 0; i < s->n; i++)
        s->h[i] = guess ? h[s->order[i]] : 0;
    if (status == PEPA_OK && !flow_team_new(&problem.jumps.team, &problem.jumps, set->threads))
        status = error_memory(err);
    if (status != PEPA_OK)
        return status;
    status = solve_potential(&problem, set->solve.method, &control, s->h, &out, err);
    flow_team_free(problem.jumps.team);
    info->method = out.method;
    info->iterations = out.iterations;
    info->residual = out.residual;
    (void)snprintf(info->trail, sizeof info->trail, "%s", out.trail);
    if (status != PEPA_OK && status != PEPA_ENOCONV)
        return status;
    memset(h, 0, (size_t)s->chain->state_count * sizeof *h);
    for (int32_t i = 0; i < s->n; i++)
        h[s->order[i]] = s->h[i];
    p->h = h;
    return status;
}

PepaStatus sensitivity_potential(Sensitivity *s, const RateValues *at, const PepaSettings *set,
                                 const double *pi, const Reward *reward, double *potential,
                                 PepaInfo *info, PepaError *err)
{
    Pass pass = {.s = s, .value = at->term, .pi = pi, .earns = reward};
    *info = info_unsolved(set, "explicit");
    return find_potential(&pass, set, false, true, potential, info, err);
}

bool sensitivity_covers(const Sensitivity *s, int64_t state)
{
    return s->place[state] >= 0;
}

/* The same, with its certificate. */
static PepaStatus solve(Pass *p, const PepaSettings *set, bool guess, double *h, PepaInfo *info,
                        PepaError *err)
{
    PepaStatus status = find_potential(p, set, guess, false, h, info, err);
    if (status != PEPA_OK)
        return status;
    status = derivatives_by_term(p, &info->residual, err);
    if (status == PEPA_OK && !(info->residual <= set->solve.tolerance))
        status =
            error_set(err, PEPA_ENOCONV, "residual %.2g after %s", info->residual, info->method);
    return status;
}

/* Rates that cannot be set have no derivative. */
static void blank(const Chain *c, const RateValues *at, double *derivative)
{
    const Model *model = c->model;
    for (int32_t r = 0; r < model->rate_count; r++) {
        const Rate *rate = &model->rates[r];
        if (model->exprs[rate->expr].functional || rate->structural || at->rate[r].passive)
            derivative[r] = NAN;
    }
}

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
    SteadyJob job = {s->chain, at->term, at->forced, set, potential, &found, err};
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
    }
    if (status == PEPA_ENOCONV)
        longrun_advise(&job, "sensitivities ", chosen);
    found.seconds = clock_seconds() - start;
    if (info && (status == PEPA_OK || status == PEPA_ENOCONV))
        *info = found;
    return status;
}
