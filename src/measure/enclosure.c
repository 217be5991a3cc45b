/* Encloses measures: r + Q h with a bound of rounding errors, state by state. */
#include "measure/enclosure.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/mem.h"

/* ---- intervals ---------------------------------------------------------------------------- */

static Interval outwards(double low, double high)
{
    if (isnan(low) || isnan(high))
        return (Interval){-HUGE_VAL, HUGE_VAL};
    return (Interval){nextafter(low, -HUGE_VAL), nextafter(high, HUGE_VAL)};
}

Interval interval_of(double value)
{
    return (Interval){value, value};
}

Interval interval_add(Interval a, Interval b)
{
    return outwards(a.low + b.low, a.high + b.high);
}

Interval interval_subtract(Interval a, Interval b)
{
    return outwards(a.low - b.high, a.high - b.low);
}

static Interval spanned(double a, double b, double c, double d)
{
    if (isnan(a) || isnan(b) || isnan(c) || isnan(d))
        return (Interval){-HUGE_VAL, HUGE_VAL};
    return outwards(fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d)));
}

Interval interval_multiply(Interval a, Interval b)
{
    return spanned(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
}

Interval interval_divide(Interval a, Interval b)
{
    if (b.low <= 0 && b.high >= 0)
        return (Interval){-HUGE_VAL, HUGE_VAL};
    return spanned(a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high);
}

Interval interval_min(Interval a, Interval b)
{
    return (Interval){fmin(a.low, b.low), fmin(a.high, b.high)};
}

Interval interval_max(Interval a, Interval b)
{
    return (Interval){fmax(a.low, b.low), fmax(a.high, b.high)};
}

/* ---- r + Q h ------------------------------------------------------------------------------ */

/* Sums are taken in long double, each with a bound of its error, added up as the sum is.  Source:
 * Higham, Accuracy and Stability of Numerical Algorithms, 2002, sec. 3.3.  Bounds are to the first
 * order in the unit roundoff, and their own rounding errors are not counted: a hundredth more is
 * enough for both. */
static const double unit = 1.01 * (double)(LDBL_EPSILON / 2),
                    coarse_unit = 1.01 * (DBL_EPSILON / 2);

typedef struct {
    const Chain *chain;
    const Sensitivity *s;
    const double *h;
    long double *value; /* per term */
    double *roundings;  /* per term: of its value, a difference of potentials and their product */
    Reward earns;       /* for the first pass */
    long double *sum;   /* per state: r + Q h .. */
    double *error;      /* .. and how far off it may be */
} Pass;

/* Of each transition, its rate times what it gains. */
static void add_transition(void *user, const Transition *t)
{
    Pass *p = user;
    const long double gain = p->earns.by_action ? p->earns.by_action[t->action]
                                                : (long double)p->h[t->to] - p->h[t->from];
    if (gain == 0)
        return;
    const long double part = p->value[t->term] * gain, sum = p->sum[t->from] + part;
    p->sum[t->from] = sum;
    p->error[t->from] +=
        unit * (double)(fabsl(part) * p->roundings[t->term] + fabsl(sum)) + DBL_MIN;
}

/* The least and the greatest that r + Q h may be.  *least: as narrow as that can get, with errors
 * as they are now. */
static Interval spread(const Pass *p, double *least)
{
    Interval all = {HUGE_VAL, -HUGE_VAL};
    *least = 0;
    for (int64_t i = 0; i < p->chain->state_count; i++) {
        const long double sum = p->sum[i], error = p->error[i];
        if (!sensitivity_covers(p->s, i))
            continue;
        const Interval here = sum == 0 && error == 0
                                  ? interval_of(0)
                                  : outwards((double)(sum - error), (double)(sum + error));
        all.low = fmin(all.low, here.low);
        all.high = fmax(all.high, here.high);
        *least = fmax(*least, 2 * p->error[i]);
    }
    return all;
}

/* Add r, or Q h, to the sums; *narrowed by what that says.  *least: see spread. */
static PepaStatus narrow(Pass *p, Interval *narrowed, double *least, PepaError *err)
{
    PepaStatus status = chain_each_transition(p->chain, add_transition, p, err);
    const Interval found = spread(p, least);
    if (status == PEPA_OK)
        *narrowed = (Interval){fmax(narrowed->low, found.low), fmin(narrowed->high, found.high)};
    return status;
}

static double width(Interval x)
{
    return x.high - x.low;
}

static bool is_narrow(Interval x, double tolerance)
{
    const double margin = 2; /* both sides */
    return width(x) <= margin * tolerance * fmax(fabs(x.low), fabs(x.high));
}

static bool reserve(Pass *p, double **h, double **earned)
{
    const size_t n = (size_t)p->chain->state_count, terms = (size_t)p->chain->rates.count;
    return mem_new_zeroed(*h, n) && mem_new(*earned, n) && mem_new(p->sum, n) &&
           mem_new_zeroed(p->error, n) && mem_new(p->roundings, terms) && mem_new(p->value, terms);
}

/* r, and between what it is: X is, too. */
static PepaStatus begin(Pass *p, const RateValues *at, double roundings, Interval *out,
                        PepaError *err)
{
    double least;
    rates_precisely(&p->chain->rates, at, p->value, p->roundings);
    for (int32_t k = 0; k < p->chain->rates.count; k++)
        p->roundings[k] += 3;
    for (int64_t i = 0; i < p->chain->state_count; i++) {
        const double earned = p->earns.by_state ? p->earns.by_state[i] : 0;
        p->sum[i] = earned;
        p->error[i] = coarse_unit * roundings * fabs(earned);
    }
    PepaStatus status = narrow(p, out, &least, err);
    p->earns = (Reward){0};
    return status;
}

/* What the sums are beyond the least of them, as rewards: numbers as small as they can be, so that h
 * is.  The relative tolerance for their mean that is `wanted` for X. */
static double set_rewards(const Pass *p, const double *pi, Interval x, double wanted,
                          double *earned)
{
    long double least = HUGE_VALL;
    double mean = 0, whole = 0;
    for (int64_t i = 0; i < p->chain->state_count; i++)
        if (sensitivity_covers(p->s, i))
            least = fminl(least, p->sum[i]);
    for (int64_t i = 0; i < p->chain->state_count; i++) {
        const bool covered = sensitivity_covers(p->s, i);
        earned[i] = covered ? (double)(p->sum[i] - least) : 0;
        mean += pi[i] * earned[i];
        whole += pi[i];
    }
    return fmin(0.1, fmax(1, fabs(x.low) * whole / mean) * wanted);
}

/* Where jumps are rare, h is so large that differences between neighbours lose digits.  But what
 * r + Q h then is, hardly flat, may be taken for r again, with an h that is small. */
PepaStatus enclose(Sensitivity *s, const Chain *chain, const RateValues *at,
                   const PepaSettings *set, const double *pi, const Reward *reward,
                   double roundings, Interval *out, PepaInfo *info, PepaError *err)
{
    const int32_t most = 10; /* rounds */
    const double bytes = 40.0 * (double)chain->state_count + 24.0 * chain->rates.count;
    PepaSettings within = *set;
    double *h = NULL, *earned = NULL;
    Pass pass = {.chain = chain, .s = s, .earns = *reward};
    *out = (Interval){-HUGE_VAL, HUGE_VAL};
    *info = (PepaInfo){.method = "none"};
    if (!budget_allows(set->memory, bytes))
        return budget_exceeded(err, bytes, set->memory, "an interval for a measure");
    within.memory = budget_left(set->memory, bytes);
    PepaStatus status = reserve(&pass, &h, &earned) ? PEPA_OK : error_memory(err);
    pass.h = h;
    if (status == PEPA_OK)
        status = begin(&pass, at, roundings, out, err);
    for (int32_t k = 0; k < most && status == PEPA_OK; k++) {
        const double before = width(*out);
        double least = 0;
        if (is_narrow(*out, set->solve.tolerance))
            break;
        within.solve.tolerance = set_rewards(&pass, pi, *out, set->solve.tolerance, earned);
        status =
            sensitivity_potential(s, at, &within, pi, &(Reward){.by_state = earned}, h, info, err);
        if (status == PEPA_OK || status == PEPA_ENOCONV)
            status = narrow(&pass, out, &least, err);
        if (!(width(*out) < 0.5 * before) || width(*out) <= 2 * least)
            break;
    }
    mem_free_all(h, earned, pass.sum, pass.error, pass.roundings, pass.value);
    return status;
}
