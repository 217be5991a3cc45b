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

/* Whether the last state of the sequence stands for all that would follow up to step `to`: nearly
 * nothing is left, or what is left hardly changes (as in transient.h). */
static bool surely_stands(const Passage *p, double to)
{
    return p->left[p->count - 1] <= p->little ||
           (to - (double)passage_steps(p)) * p->change <= p->little;
}

/* The same, or no more of it could be told by steps, whose rounding is as large. */
static bool stands(const Passage *p, int64_t to)
{
    return surely_stands(p, (double)to) ||
           p->change <= uniform_rounding(p->uniform) * p->left[p->count - 1];
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
        UniformStep step = uniform_step(p->uniform, p->x, p->next, 0, NULL);
        double *swap = p->x;
        p->x = p->next;
        p->next = swap;
        p->change = step.change;
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
    return status;
}

/* How what is left at a time is found. */
typedef enum { BY_STEPS, BY_LAST, BY_SERIES } PassageWay;

/* By the last state of the sequence, if that surely stands for all that follow, and fewer steps
 * than it has are out of the question: of m jumps, at most m / 2 have a probability of exp(-0.15 m).
 * By a series, if there are many steps, after the first of which nothing is certain to stand. */
static PepaStatus choose(Passage *p, double t, PassageWay *way, PepaError *err)
{
    const double jumps = passage_rate(p) * t;
    bool covers = false;
    *way = BY_STEPS;
    if (jumps < SERIES_LEAST)
        return PEPA_OK;
    PepaStatus status = extend(p, (int64_t)SERIES_FIRST, err);
    if (status != PEPA_OK)
        return status;
    if (surely_stands(p, jumps)) {
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

/* At a time: the probabilities that the passage has not ended, and that it has, each with a bound of its error, and
 * the density. */
typedef struct {
    double left, left_error, over, over_error, pdf;
} Reading;

static void read_last(const Passage *p, double jumps, Reading *r)
{
    const int64_t last = passage_steps(p);
    r->left = p->left[last];
    r->pdf = last > 0 ? passage_rate(p) * p->ended[last - 1] : 0;
    r->left_error = (double)last * uniform_rounding(p->uniform) + fmin(r->left, jumps * p->change) +
                    2 * DBL_EPSILON;
}

/* With weights that miss so much.  What has ended is summed up by itself: nothing cancels where it is little. */
static PepaStatus read_steps(Passage *p, double t, double missing, Reading *r, PepaError *err)
{
    const double rate = passage_rate(p);
    PoissonWeights w = {0};
    PepaStatus status = chain_agree(p->chain, poisson_new(&w, rate * t, missing, err), err);
    if (status == PEPA_OK)
        status = extend(p, w.right + 1, err);
    const int64_t last = passage_steps(p);
    double density = 0, over = p->at_once;
    *r = (Reading){0};
    for (int64_t k = 0; k < w.left && k < last && status == PEPA_OK; k++)
        over += p->ended[k];
    for (int64_t k = w.left; k <= w.right && status == PEPA_OK; k++) {
        const double weight = w.weight[k - w.left];
        const bool known = k < last;
        r->left += weight * p->left[known ? k : last];
        r->over += weight * over;
        density += weight * (known ? p->ended[k] : last > 0 ? p->ended[last - 1] : 0);
        over += known ? p->ended[k] : 0;
    }
    const int64_t steps = w.right < last ? w.right : last;
    const double summing = (double)(w.right - w.left + 2) * DBL_EPSILON;
    const double rounding = (double)steps * uniform_rounding(p->uniform);
    const double beyond =
        w.right > last ? fmin(p->left[last], (double)(w.right - last) * p->change) : 0;
    r->pdf = rate * density;
    r->left_error = 2 * w.missing + rounding + summing + beyond;
    r->over_error = 2 * w.missing + (rounding + summing) * r->over + beyond;
    mem_free(w.weight);
    return status;
}

/* Right to as many digits as the sequence is. */
static PepaStatus weigh(Passage *p, double t, double missing, Reading *r, PepaError *err)
{
    const double beside = 1e-7; /* of the tolerance */
    PassageWay way;
    *r = (Reading){.left = p->left[0], .over = p->at_once, .left_error = DBL_EPSILON};
    p->little = fmin(p->set->solve.tolerance * beside, missing);
    if (passage_rate(p) == 0) /* nothing ever happens */
        return PEPA_OK;
    PepaStatus status = choose(p, t, &way, err);
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
    Reading r;
    PepaStatus status = weigh(p, t, p->set->solve.tolerance / 4, &r, err);
    *cdf = r.left < 1 ? 1 - r.left : 0;
    *pdf = r.pdf;
    *error = r.left_error;
    return status == PEPA_OK ? judge(p, *error, err) : status;
}

/* ---- quantiles ------------------------------------------------------------------------------- */

/* A quantile is as sensitive as its tail is thin: its weights miss no more than this share of what has ended at
 * that time, or of what is left, whichever is less. */
#define TAIL 1e-11
/* Probabilities of an end, also of one at once, are known to this part of themselves: a share so near to one is taken
 * for the same.  That of all that end is never reached. */
#define SAME 1e-12
/* By series: the most that its error may shift a quantile, as a share of it; multiply-adds up to
 * which steps are taken instead, some ten seconds. */
#define MOST_SHIFT     1e-8
#define MOST_TAIL_WORK 1e10

static bool by_left(double share)
{
    return share > 0.5;
}

/* How much more has to end by time t for it to be the share; *error: what that is off. */
static PepaStatus lacks(Passage *p, double share, double t, double *more, double *pdf,
                        double *error, PepaError *err)
{
    const double left = 1 - share;
    Reading r;
    PepaStatus status = weigh(p, t, TAIL * fmin(share, left), &r, err);
    *more = by_left(share) ? r.left - left : share - r.over;
    *error = by_left(share) ? r.left_error : r.over_error;
    *pdf = r.pdf;
    return status;
}

/* Newton's next time.  Of few that have ended by their logarithm as a function of that of time: a straight line
 * where they grow by a power of time, as in the beginning. */
static double next_time(double share, double now, double more, double pdf)
{
    const double over = share - more;
    if (by_left(share))
        return now + more / pdf;
    return over > 0 ? now * pow(share / over, over / (pdf * now)) : 0;
}

/* The time by which the share has ended, by Newton's method within an interval that bisection halves.
 * *off: by how much its error may shift it, as a share of it. */
static PepaStatus refine(Passage *p, double share, double low, double high, double *t, double *off,
                         PepaError *err)
{
    const double close = 1e-11;
    double now = (low + high) / 2, more, pdf, error;
    *off = 0;
    PepaStatus status = PEPA_OK;
    for (int i = 0; i < 200 && high - low > close * high && status == PEPA_OK; i++) {
        status = lacks(p, share, now, &more, &pdf, &error, err);
        *off = error / (pdf * now);
        if (more <= 0)
            high = now;
        else
            low = now;
        double next = next_time(share, now, more, pdf);
        if (fabs(next - now) <= close * now / 4) { /* so near that one side is all that is left */
            *t = next;
            return status;
        }
        now = next > low && next < high ? next : (low + high) / 2;
    }
    *t = (low + high) / 2;
    return status;
}

/* A series has an error that does not fall with what is left, or has ended: where that is too little, steps have
 * to be taken after all, if they can be. */
static PepaStatus refine_tail(Passage *p, double share, double high, double *t, PepaError *err)
{
    double off;
    PepaStatus status = refine(p, share, 0, high, t, &off, err);
    const size_t pieces = p->series.count;
    if (status != PEPA_OK || pieces == 0 || p->series.off || off <= MOST_SHIFT)
        return status;
    const double product = (double)p->chain->transitions + (double)p->chain->state_count;
    if (passage_rate(p) * high * product > MOST_TAIL_WORK)
        return error_set(
            err, PEPA_ENOCONV,
            "the quantile %.12g%% is right to %.1e of itself only: the chain is stiff, and "
            "rounding adds up over so long a time",
            100 * share, off);
    p->series.off = true;
    status = refine(p, share, 0, high, t, &off, err);
    p->series.off = false;
    return status;
}

PepaStatus passage_quantile(Passage *p, double share, const PassageMoments *moments, double *t,
                            PepaError *err)
{
    double high =
               isfinite(moments->mean) && moments->mean > 0 ? moments->mean : 10 / passage_rate(p),
           more = 1, pdf, error;
    PepaStatus status = PEPA_OK;
    if (by_left(share) ? p->left[0] <= (1 - share) * (1 + SAME)
                       : p->at_once >= share * (1 - SAME)) {
        *t = 0;
        return PEPA_OK;
    }
    if (moments->ends < 1 && share >= moments->ends * (1 - SAME)) {
        *t = HUGE_VAL;
        return PEPA_OK;
    }
    for (int i = 0; i < 2000 && status == PEPA_OK; i++, high *= 2) {
        status = lacks(p, share, high, &more, &pdf, &error, err);
        if (status != PEPA_OK || more <= 0)
            break;
    }
    if (status == PEPA_OK && more > 0)
        return error_set(err, PEPA_ENOCONV, "the quantile %.12g%% is too far away", 100 * share);
    return status == PEPA_OK ? refine_tail(p, share, high, t, err) : status;
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
