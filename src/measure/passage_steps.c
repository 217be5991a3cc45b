/* Passage times by uniformisation. */
#include "measure/passage_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "measure/spread_until.h"
#include "solvers/transient/poisson.h"

void passage_free(Passage *p)
{
    if (!p)
        return;
    passage_series_free(&p->series);
    uniform_free(p->uniform);
    mem_free_all(p->start, p->x, p->next, p->left, p->ended, p);
}

static PepaStatus keep(Passage *p, double left, double ended, PepaError *err)
{
    const MemColumn columns[] = {{&p->left, sizeof *p->left}, {&p->ended, sizeof *p->ended}};
    const double step = sizeof left + sizeof ended, beside = 3 * (double)p->cap * step;
    if (p->count == p->cap) {
        PepaStatus status = PEPA_OK;
        if (!budget_allows(p->set->memory, chain_bytes(p->chain) + beside))
            status = budget_exceeded(err, chain_bytes(p->chain) + beside, p->set->memory,
                                     "following a passage for more than %zu steps", p->count);
        else if (!mem_reserve_columns(columns, 2, &p->cap, p->count + 1))
            status = error_memory(err);
        status = chain_agree(p->chain, status, err);
        if (status != PEPA_OK)
            return status;
    }
    p->left[p->count] = left;
    p->ended[p->count] = 0;
    if (p->count > 0)
        p->ended[p->count - 1] = ended;
    p->count++;
    return PEPA_OK;
}

/* At once it ends where it has ended; *left: that it does not. */
static PepaStatus begin(Passage *p, const double *start, double *left, PepaError *err)
{
    const size_t n = uniform_states(p->uniform), all = uniform_entries(p->uniform);
    const bool ok = mem_new(p->start, n) && mem_new(p->x, all) && mem_new(p->next, all);
    PepaStatus status = chain_agree(p->chain, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status = uniform_from_states(p->uniform, start, 1, p->start, err);
    const uint8_t *ended = uniform_ended(p->uniform);
    double sum[2] = {0, 0}; /* that it has not ended, and that it has */
    for (size_t i = 0; status == PEPA_OK && i < n; i++) {
        const bool over = ended && ended[i];
        sum[over] += p->start[i];
        p->x[i] = p->start[i] = over ? 0 : p->start[i];
    }
    if (status == PEPA_OK)
        chain_sum(p->chain, sum, 2);
    *left = sum[0];
    p->at_once = sum[1];
    return status;
}

PepaStatus passage_new(Passage **out, const Chain *chain, const RateValues *at,
                       const PassageEnd *end, const double *start, const PepaSettings *set,
                       PepaError *err)
{
    Passage *p = mem_calloc(1, sizeof *p);
    double left;
    PepaStatus status = chain_agree(chain, p ? PEPA_OK : error_memory(err), err);
    if (status != PEPA_OK) {
        mem_free(p);
        return status;
    }
    *p = (Passage){.chain = chain, .at = at, .end = *end, .set = set};
    p->series.off = chain->share; /* of which no process has the whole matrix */
    status = uniform_new(&p->uniform, chain, at->term, end, set, err);
    if (status == PEPA_OK)
        status = begin(p, start, &left, err);
    if (status == PEPA_OK)
        status = keep(p, left, 0, err);
    p->clock = step_clock_start(set);
    if (status == PEPA_OK)
        *out = p;
    else
        passage_free(p);
    return status;
}

double passage_rate(const Passage *p)
{
    return uniform_rate(p->uniform);
}

int64_t passage_steps(const Passage *p)
{
    return (int64_t)p->count - 1;
}

int64_t passage_solves(const Passage *p)
{
    return p->series.solves;
}

/* ---- what follows the last step ----------------------------------------------------------------
 *
 * Once what is left has its shape, each step shrinks it to 1 - drop of itself: with r = x P - (1 - drop) x,
 *
 *     |x P^k - (1 - drop)^k x|_1 <= (sum over i < k of (1 - drop)^i) |r|_1 <= min(k, 1 / drop) |r|_1,
 *
 * as P lengthens nothing.  Where nothing ends any more drop is 0 (as in transient.h). */

static double last_left(const Passage *p)
{
    return p->left[p->count - 1];
}

/* What is left after so many steps more, and what has ended by then. */
static double left_after(const Passage *p, double more)
{
    return more > 0 ? last_left(p) * exp(more * log1p(-p->drop)) : last_left(p);
}

static double ended_after(const Passage *p, double more)
{
    return more > 0 ? -last_left(p) * expm1(more * log1p(-p->drop)) : 0;
}

/* What that is off by at most. */
static double strays(const Passage *p, double more)
{
    const double steps = p->drop * more > 1 ? 1 / p->drop : more;
    return fmin(last_left(p), steps * p->stray);
}

/* Whether the last state surely stands for all that would follow up to step `to`. */
static bool surely_stands(const Passage *p, double to)
{
    return last_left(p) <= p->little ||
           (to - (double)passage_steps(p)) * (p->change + p->drop * last_left(p)) <= p->little;
}

/* Of what is left then, that its shape may lack. */
#define LITTLE_SHAPE 1e-12
/* Changes as small as so many roundings of what flows in a step are rounding. */
#define NOISE (4 * DBL_EPSILON)

/* Whether shrinking it tells as much as steps would: nearly all of the digits, or as many as their rounding leaves. */
static bool has_shape(Passage *p, double to)
{
    const double left = last_left(p), more = to - (double)passage_steps(p);
    const double rounding = uniform_rounding(p->uniform) * left;
    p->noisy = false;
    if (p->change > rounding)
        return false;
    const bool sure =
        more * p->change <= LITTLE_SHAPE * left || p->change + p->drop * left <= rounding;
    p->noisy = !sure && p->change <= NOISE * uniform_flow(p->uniform, p->x) / passage_rate(p);
    return sure || p->noisy;
}

static bool stands(Passage *p, int64_t to)
{
    return surely_stands(p, (double)to) || has_shape(p, (double)to);
}

/* Steps that are kept at most: 1.6 GB. */
#define MOST_STEPS 1e8

/* Go on to step `to`, unless the sequence stands for it. */
static PepaStatus extend(Passage *p, int64_t to, PepaError *err)
{
    if (p->count == 1)
        p->change = HUGE_VAL;
    PepaStatus status = PEPA_OK;
    while (status == PEPA_OK && passage_steps(p) < to && !stands(p, to)) {
        if ((double)passage_steps(p) >= MOST_STEPS)
            return error_set(err, PEPA_ENOCONV,
                             "until so late there are some %.1e jumps, and %.0e can be followed: "
                             "the chain is stiff; simulate, or bring the rates closer",
                             (double)to, MOST_STEPS);
        const double before = last_left(p), drop = p->ratio;
        UniformStep step = uniform_step_beside(p->uniform, p->x, p->next, drop);
        double *swap = p->x;
        p->x = p->next;
        p->next = swap;
        p->change = step.change;
        p->drop = drop;
        p->ratio = before > 0 ? fmin(step.ended / before, 1) : 0;
        status = keep(p, step.left, step.ended, err);
        bool stops =
            status == PEPA_OK && step_clock_stops(&p->clock, p->chain, passage_steps(p), to);
        if (p->chain->share) { /* with the next step, all of them */
            if (stops)
                uniform_stop(p->uniform);
            stops = step.stopped;
        }
        if (status == PEPA_OK && stops)
            status = error_set(err, PEPA_ECANCEL, "cancelled");
    }
    p->stray = p->change + uniform_change_rounding(p->uniform, p->x);
    return status;
}

/* How what is left at a time is found. */
typedef enum { BY_STEPS, BY_LAST, BY_SERIES } PassageWay;

/* By the last state of the sequence, if that stands for all that follow, and fewer steps
 * than it has are out of the question: of m jumps, at most m / 2 have a probability of exp(-0.15 m).
 * By a series, if there are many steps, after the first of which nothing is certain to stand. */
static PepaStatus choose(Passage *p, double t, double missing, PassageWay *way, PepaError *err)
{
    const double jumps = passage_rate(p) * t;
    bool covers = false;
    *way = BY_STEPS;
    if (jumps < SERIES_LEAST)
        return PEPA_OK;
    PepaStatus status = extend(p, (int64_t)SERIES_FIRST, err);
    if (status != PEPA_OK)
        return status;
    if (surely_stands(p, jumps) || strays(p, jumps) <= missing / 2) {
        if ((double)passage_steps(p) <= jumps / 2)
            *way = BY_LAST;
        return PEPA_OK;
    }
    if (!p->series.off)
        status = passage_series_reach(p, t, &covers, err);
    if (covers)
        *way = BY_SERIES;
    return status;
}

static void read_last(const Passage *p, double jumps, PassageReading *r)
{
    const int64_t last = passage_steps(p);
    const bool some = last_left(p) > p->little;
    const double fall = some ? (double)last * log1p(-p->drop) + jumps * p->drop : 0;
    r->left = fmin(last_left(p) * exp(-fall), 1);
    r->pdf = passage_rate(p) * p->drop * r->left;
    r->left_error = (double)last * uniform_rounding(p->uniform) + strays(p, jumps) +
                    (2 + (some ? (2 + jumps * p->drop) * r->left : 0)) * DBL_EPSILON;
}

/* With weights that miss so much.  What has ended is summed up by itself: nothing cancels where it is little. */
static PepaStatus read_steps(Passage *p, double t, double missing, PassageReading *r,
                             PepaError *err)
{
    const double rate = passage_rate(p);
    PoissonWeights w = {0};
    PepaStatus status = chain_agree(p->chain, poisson_new(&w, rate * t, missing, err), err);
    if (status == PEPA_OK)
        status = extend(p, w.right + 1, err);
    const int64_t last = passage_steps(p);
    double density = 0, over = p->at_once;
    *r = (PassageReading){0};
    for (int64_t k = 0; k < w.left && k < last && status == PEPA_OK; k++)
        over += p->ended[k];
    for (int64_t k = w.left; k <= w.right && status == PEPA_OK; k++) {
        const double weight = w.weight[k - w.left];
        const double left = k < last ? p->left[k] : left_after(p, (double)(k - last));
        r->left += weight * left;
        r->over += weight * (over + ended_after(p, (double)(k - last)));
        density += weight * (k < last ? p->ended[k] : left * p->drop);
        over += k < last ? p->ended[k] : 0;
    }
    const int64_t steps = w.right < last ? w.right : last;
    const double summing = (double)(w.right - w.left + 2) * DBL_EPSILON;
    const double rounding = (double)steps * uniform_rounding(p->uniform);
    const double beyond = w.right > last ? strays(p, (double)(w.right - last)) : 0;
    r->pdf = rate * density;
    r->left_error = 2 * w.missing + rounding + summing + beyond;
    r->over_error = 2 * w.missing + (rounding + summing) * r->over + beyond;
    mem_free(w.weight);
    return status;
}

PepaStatus passage_weigh(Passage *p, double t, double missing, PassageReading *r, PepaError *err)
{
    const double beside = 1e-7; /* of the tolerance */
    PassageWay way;
    *r = (PassageReading){.left = p->left[0], .over = p->at_once, .left_error = DBL_EPSILON};
    p->little = fmin(p->set->solve.tolerance * beside, missing);
    if (passage_rate(p) == 0) /* nothing ever happens */
        return PEPA_OK;
    PepaStatus status = choose(p, t, missing, &way, err);
    if (status != PEPA_OK)
        return status;
    if (way == BY_STEPS)
        return read_steps(p, t, missing, r, err);
    if (way == BY_SERIES)
        passage_series_read(p, t, &r->left, &r->pdf, &r->left_error);
    else
        read_last(p, passage_rate(p) * t, r);
    r->over = 1 - r->left;
    r->over_error = r->left_error;
    return PEPA_OK;
}

/* Series need factors of the whole matrix, which no process has. */
static PepaStatus judge(const Passage *p, double error, PepaError *err)
{
    const PepaStatus status = uniform_judge(error, p->set->solve.tolerance, 1, err);
    if (status != PEPA_ENOCONV || !p->chain->share)
        return status;
    return error_set(
        err, status,
        "what happens until so late is known to %.1e only: the chain is stiff, and processes have "
        "no more than steps of uniformisation; start it without mpirun, where Laguerre series "
        "take stiff chains, or simulate",
        error);
}

PepaStatus passage_at(Passage *p, double t, double *cdf, double *pdf, double *error, PepaError *err)
{
    PassageReading r;
    PepaStatus status = passage_weigh(p, t, p->set->solve.tolerance / 4, &r, err);
    /* little of either would cancel in the other */
    const bool early = r.over < r.left;
    *cdf = early ? fmax(r.over, 0) : 1 - r.left;
    *pdf = r.pdf;
    *error = early ? r.over_error : r.left_error;
    return status == PEPA_OK ? judge(p, *error, err) : status;
}

/* ---- the start ------------------------------------------------------------------------------- */

typedef struct {
    const double *value, *pi;
    const PassageEnd *from;
    double *start, sum;
} Start;

static void add_start(void *user, const Transition *t)
{
    Start *s = user;
    bool starts = s->from->action ? s->from->action[t->action] != 0
                                  : s->from->state[t->to] && !s->from->state[t->from];
    double flow = starts ? s->pi[t->from] * s->value[t->term] : 0;
    s->start[t->to] += flow;
    s->sum += flow;
}

PepaStatus passage_start(const Chain *chain, const double *value, const double *pi,
                         const PassageEnd *from, double *start, PepaError *err)
{
    Start s = {value, pi, from, start, 0};
    memset(start, 0, (size_t)chain->state_count * sizeof *start);
    PepaStatus status = chain->spread
                            ? spread_until_start(chain, value, pi, from, start, &s.sum, err)
                            : chain_each_transition(chain, add_start, &s, err);
    if (status == PEPA_OK && !(s.sum > 0))
        status = error_set(err, PEPA_EARG, "%s in the long run: there is no passage from there",
                           from->action ? "the actions that it starts with never happen"
                                        : "the states that it starts in are never entered");
    for (int64_t i = 0; i < chain->state_count && status == PEPA_OK; i++)
        start[i] /= s.sum;
    return status;
}
