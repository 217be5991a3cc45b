/* What transient states contribute to derivatives and bounds of long-run measures. */
#include "measure/ends.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/mem.h"
#include "ctmc/operator.h"
#include "measure/ends_apart.h"
#include "measure/leave.h"
#include "measure/longrun.h"
#include "measure/origin.h"
#include "measure/spread_gain.h"

double ends_bytes(const Chain *c)
{
    const double entry = 60, state = 250; /* both matrices and their vectors; rates by rows */
    return entry * (double)c->transitions + state * (double)c->state_count;
}

/* g from a number >= 0 for each component.
 *   roundings  see ends_enclose
 *   g, rest    per state, out: g is the sum, more exactly; rest may be NULL
 *   *apart     out, where rest is wanted and g has not the digits for differences, if there are few states: these
 *   *error     out: of g of the initial state */
static PepaStatus find_gain(const Chain *chain, const double *value, double roundings,
                            const PepaSettings *set, const double *number, double *g, double *rest,
                            EndsApart *apart, double *error, PepaError *err)
{
    RateRows rows = {0};
    PepaSettings unlimited = *set; /* ends_bytes have been left for the rows */
    LeaveJob job = {.rows = &rows,
                    .set = set,
                    .memory = set->memory,
                    .tolerance = set->solve.tolerance / 4,
                    .whose = "the transient part",
                    .advice = "bring the rates closer"};
    uint8_t *within = mem_calloc((size_t)chain->state_count, 1);
    int64_t left;
    unlimited.memory = 0;
    PepaStatus status =
        within ? rate_rows_new(&rows, chain, value, &unlimited, "", &left, err) : error_memory(err);
    rows.roundings += roundings;
    for (int64_t s = 0; s < chain->state_count && status == PEPA_OK; s++) {
        within[s] = chain->bottom[s] < 0;
        g[s] = within[s] ? 0 : number[chain->bottom[s]];
        if (rest)
            rest[s] = 0;
    }
    if (status == PEPA_OK)
        status = leave_from(&job, within, g, chain->initial, g, rest, error, err);
    const bool far = status == PEPA_ENOCONV ||
                     (status == PEPA_OK && !(*error <= job.tolerance * g[chain->initial]));
    if (far && apart && ends_apart_may(chain, set->memory)) {
        status = leave_from(&job, within, g, chain->initial, g, NULL, error, err);
        if (status == PEPA_OK)
            status = ends_apart(apart, &rows, chain, number, set, err);
    }
    rate_rows_free(&rows);
    mem_free(within);
    return status;
}

/* ---- derivatives ----------------------------------------------------------------------------- */

typedef struct {
    const double *time, *g, *rest; /* see find_gain; time: 0 in bottom components */
    const EndsApart *apart;        /* if it has rows, in place of these */
    double unit;                   /* of g */
    double *by_term;
} Adding;

static void add_transition(void *user, const Transition *t)
{
    const Adding *a = user;
    const double more = a->apart->n > 0
                            ? ends_apart_gain(a->apart, t->from, t->to)
                            : (a->g[t->to] - a->g[t->from]) + (a->rest[t->to] - a->rest[t->from]);
    a->by_term[t->term] += a->unit * a->time[t->from] * more;
}

static PepaStatus check_weights(const Chain *chain, const PepaSettings *set, const double *pi,
                                double *weight, PepaError *err)
{
    const double margin = 100, rounding = 1e-12;
    double off = 0;
    for (int64_t s = 0; s < chain->state_count; s++)
        if (chain->bottom[s] >= 0)
            weight[chain->bottom[s]] -= pi[s];
    for (int32_t b = 0; b < chain->bottom_count; b++)
        off += fabs(weight[b]);
    if (off <= fmax(margin * set->solve.tolerance, rounding))
        return PEPA_OK;
    return error_set(err, PEPA_EARG,
                     "pi is not the steady state at these rates: its probabilities of ending in "
                     "each bottom component are off by %.2g",
                     off);
}

/* Means as numbers from 0 to 1, the first `low` and the last low + range. */
static void normalise(const double *mean, int32_t count, double *number, double *low, double *range)
{
    double high = *low = mean[0];
    for (int32_t b = 0; b < count; b++) {
        *low = fmin(*low, mean[b]);
        high = fmax(high, mean[b]);
    }
    *range = high - *low;
    for (int32_t b = 0; b < count; b++)
        number[b] = *range > 0 ? (mean[b] - *low) / *range : 0;
}

/* One derivation. */
typedef struct {
    const Chain *chain;
    const double *value, *pi;
    const PepaSettings *set;
    double *time, *g, *rest, *balance; /* per state; see find_gain */
    EndsApart apart;
    double *weight, *number; /* per component */
    double size;             /* of g of the initial state, or of the means if that is more */
    PepaError *err;
} Deriving;

static void add_balance(void *user, const Transition *t)
{
    const Deriving *d = user;
    const double flow = d->time[t->from] * d->value[t->term];
    if (t->to != t->from && flow > 0) {
        d->balance[t->from] -= flow;
        d->balance[t->to] += flow;
    }
}

/* sum_s |r_s| g_s, r what is out of balance in the times: dX is wrong by at most that times the
 * largest d log g_s of any transient state, since r (I - P)^-1 dP g = r dg. */
static PepaStatus times_miss(const Deriving *d, double *miss)
{
    memset(d->balance, 0, (size_t)d->chain->state_count * sizeof *d->balance);
    d->balance[d->chain->initial] = 1;
    PepaStatus status = chain_each_transition(d->chain, add_balance, (void *)d, d->err);
    *miss = 0;
    for (int64_t s = 0; s < d->chain->state_count; s++)
        if (d->chain->bottom[s] < 0)
            *miss += fabs(d->balance[s]) * d->g[s];
    return status;
}

/* Times that are good enough for this g.  Where many transient states are hardly ever reached, those
 * that a method left out of balance may be the ones that count. */
static PepaStatus refine_times(const Deriving *d, double *residual)
{
    double miss;
    bool eliminate = true;
    PepaStatus status = times_miss(d, &miss);
    if (status != PEPA_OK || miss <= d->set->solve.tolerance * d->size) {
        *residual = fmax(*residual, miss / d->size);
        return status;
    }
    return absorption_times(d->chain, d->value, d->set, &eliminate, d->time, d->weight, d->err);
}

/* g, and what it is off as a share of itself; *range: what g is to be multiplied by, 0: means are
 * equal. */
static PepaStatus gain(Deriving *d, const double *mean, double *range, double *residual)
{
    double error = 0, low;
    normalise(mean, d->chain->bottom_count, d->number, &low, range);
    if (*range == 0)
        return PEPA_OK;
    PepaStatus status = find_gain(d->chain, d->value, 0, d->set, d->number, d->g, d->rest,
                                  &d->apart, &error, d->err);
    if (status != PEPA_OK)
        return status;
    d->size = fmax(d->g[d->chain->initial], fabs(low) / *range);
    *residual = error / d->size;
    if (!(*residual <= d->set->solve.tolerance))
        return error_set(d->err, PEPA_ENOCONV,
                         "means by where the chain ends are known to %.1e only", *residual);
    return PEPA_OK;
}

static PepaStatus derive(Deriving *d, const double *mean, double *by_term, double *residual)
{
    bool eliminated = false;
    double range;
    *residual = 0;
    PepaStatus status =
        absorption_times(d->chain, d->value, d->set, &eliminated, d->time, d->weight, d->err);
    if (status == PEPA_OK)
        status = check_weights(d->chain, d->set, d->pi, d->weight, d->err);
    if (status == PEPA_OK)
        status = gain(d, mean, &range, residual);
    if (status != PEPA_OK || range == 0)
        return status;
    if (!eliminated)
        status = refine_times(d, residual);
    Adding a = {d->time, d->g, d->rest, &d->apart, range, by_term};
    return status == PEPA_OK ? chain_each_transition(d->chain, add_transition, &a, d->err) : status;
}

PepaStatus ends_derive(const Chain *chain, const double *value, const PepaSettings *set,
                       const double *pi, const double *mean, double *by_term, double *residual,
                       PepaError *err)
{
    Chain begun;
    const size_t n = (size_t)chain->state_count + 1, count = (size_t)chain->bottom_count;
    Deriving d = {.chain = &begun, .value = value, .pi = pi, .set = set, .err = err};
    PepaStatus status = origin_add(&begun, chain, set->memory, err);
    const bool ok = mem_new(d.time, n) && mem_new(d.g, n) && mem_new(d.rest, n) &&
                    mem_new(d.balance, n) && mem_new(d.weight, count) && mem_new(d.number, count);
    if (status == PEPA_OK)
        status = ok ? derive(&d, mean, by_term, residual) : error_memory(err);
    mem_free_all(d.time, d.g, d.rest, d.balance, d.weight, d.number);
    ends_apart_free(&d.apart);
    origin_free(&begun, chain);
    return status;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* The means as sign * 2^power * (number + base), off by `error` each, and by `share` of the number. */
typedef struct {
    double *number;
    double sign, base, error, share;
    int power;
} Scaled;

static Interval hull(const Interval *mean, int32_t count)
{
    Interval all = mean[0];
    for (int32_t b = 1; b < count; b++)
        all = (Interval){fmin(all.low, mean[b].low), fmax(all.high, mean[b].high)};
    return all;
}

/* Numbers are >= 0, at most about 1. */
static void scale(const Interval *mean, int32_t count, Interval all, Scaled *s)
{
    const double up = 1 + 8 * DBL_EPSILON;
    s->sign = all.high <= 0 ? -1 : 1;
    (void)frexp(fmax(fabs(all.low), fabs(all.high)), &s->power);
    s->base = all.low < 0 && all.high > 0 ? ldexp(all.low, -s->power) : 0;
    s->error = s->share = 0;
    for (int32_t b = 0; b < count; b++) {
        double low = ldexp(mean[b].low, -s->power), high = ldexp(mean[b].high, -s->power);
        const double middle = low == high ? low : low + (high - low) / 2;
        const double number = fmax(s->sign * middle - s->base, 0);
        const bool exact = low == high && s->base == 0 && ldexp(low, s->power) == mean[b].low;
        const double off = exact ? 0
                                 : fmax(fabs(high - middle), fabs(middle - low)) * up +
                                       4 * DBL_EPSILON * number + DBL_EPSILON * fabs(s->base) +
                                       DBL_MIN;
        s->number[b] = number;
        s->error = fmax(s->error, off);
        s->share = off > 0 ? fmax(s->share, off / number * up) : s->share; /* +inf of 0 */
    }
}

/* Back from the number x, off by `error`. */
static Interval unscale(const Scaled *s, double x, double error)
{
    const double up = 1 + 8 * DBL_EPSILON, sure = fmax(x + error, 0) * up;
    const double off = (error + fmin(s->error, s->share * sure)) * up;
    Interval found = interval_outwards(fmax(x - off, 0), x + off);
    found = interval_add(found, interval_of(s->base));
    if (s->base == 0)
        found.low = fmax(found.low, 0);
    found = interval_multiply(found, interval_of(s->sign));
    return interval_outwards(ldexp(found.low, s->power), ldexp(found.high, s->power));
}

/* g where the chain begins, and its error. */
static PepaStatus gain_of_begin(const Chain *chain, const double *value, double roundings,
                                const PepaSettings *set, const double *number, double *gain,
                                double *error, PepaError *err)
{
    Chain begun;
    double *g = mem_alloc((size_t)chain->state_count + 1, sizeof *g);
    PepaStatus status = g ? origin_add(&begun, chain, set->memory, err) : error_memory(err);
    if (status == PEPA_OK)
        status = find_gain(&begun, value, roundings, set, number, g, NULL, NULL, error, err);
    if (status == PEPA_OK)
        *gain = g[begun.initial];
    if (g)
        origin_free(&begun, chain);
    mem_free(g);
    return status;
}

PepaStatus ends_enclose(const Chain *chain, const double *value, double roundings,
                        const PepaSettings *set, const Interval *mean, Interval *out,
                        PepaError *err)
{
    const int32_t count = chain->bottom_count;
    if (chain->spread && !chain_has_one_start(chain))
        return chain_several_starts(err, "each bound");
    const Interval all = hull(mean, count);
    Scaled s = {0};
    double gain = 0, error;
    *out = all;
    if (interval_is_narrow(all, set->solve.tolerance) || !isfinite(all.low) || !isfinite(all.high))
        return PEPA_OK;
    const bool ok = mem_new(s.number, count);
    PepaStatus status = chain_agree(chain, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK) {
        scale(mean, count, all, &s);
        status = chain->spread
                     ? spread_gain(chain, value, roundings, set, s.number, &gain, &error, err)
                     : gain_of_begin(chain, value, roundings, set, s.number, &gain, &error, err);
    }
    if (status == PEPA_OK) {
        const Interval found = unscale(&s, gain, error);
        *out = (Interval){fmax(all.low, found.low), fmin(all.high, found.high)};
    }
    mem_free(s.number);
    return status == PEPA_ENOCONV ? PEPA_OK : status;
}
