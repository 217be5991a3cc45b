/* Encloses measures: r + Q h with a bound of rounding errors, state by state. */
#include "measure/enclosure.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/mem.h"
#include "ctmc/targets.h"
#include "measure/enclosure_few.h"
#include "measure/ends.h"

/* ---- r + Q h ------------------------------------------------------------------------------ */

/* Sums are taken in long double, each with a bound of its error, added up as the sum is.  Source:
 * Higham, Accuracy and Stability of Numerical Algorithms, 2002, sec. 3.3.  Bounds are to the first
 * order in the unit roundoff, and their own rounding errors are not counted: a hundredth more is
 * enough for both. */
static const double unit = 1.01 * (double)(LDBL_EPSILON / 2),
                    coarse_unit = 1.01 * (DBL_EPSILON / 2);

/* A bottom component. */
typedef struct {
    Interval x;         /* its mean is in */
    double before;      /* how wide that was a round ago */
    double least;       /* as narrow as it can get, with errors as they are now */
    long double floor;  /* least of its sums, in all processes */
    double mean, whole; /* by pi: of its rewards, of its states */
    bool done;
} Part;

typedef struct {
    const Chain *chain;
    const Encloser *by;
    Part *part;
    const double *h;
    long double *value; /* per term */
    double *roundings;  /* per term: of its value, a difference of potentials and their product */
    Reward earns;       /* for the first pass */
    long double *sum;   /* per state: r + Q h .. */
    double *error;      /* .. and how far off it may be */
    Interval *found;    /* scratch: per component, as are */
    double *wanted;     /* tolerances for potentials */
    double *among;      /* three numbers that processes compare, or add up */
} Pass;

/* A transition's rate times what it gains. */
static void add_gain(Pass *p, const Transition *t, long double gain)
{
    if (gain == 0)
        return;
    const long double part = p->value[t->term] * gain, sum = p->sum[t->from] + part;
    p->sum[t->from] = sum;
    p->error[t->from] +=
        unit * (double)(fabsl(part) * p->roundings[t->term] + fabsl(sum)) + DBL_MIN;
}

static void add_earned(void *user, const Transition *t)
{
    Pass *p = user;
    add_gain(p, t, p->earns.by_action[t->action]);
}

/* h: of the state that it leads to. */
static void add_step_to(void *user, const Transition *t, double h)
{
    Pass *p = user;
    add_gain(p, t, (long double)h - p->h[t->from]);
}

static void add_step(void *user, const Transition *t)
{
    const Pass *p = user;
    add_step_to(user, t, p->h[t->to]);
}

/* The part of a state; NULL: it has none. */
static Part *part_of(const Pass *p, int64_t state)
{
    const int32_t b = chain_component(p->chain, state);
    return b < 0 ? NULL : &p->part[b];
}

/* What each process has found of the parts, among all. */
static void compare(const Pass *p, Interval *found)
{
    const int32_t count = p->chain->bottom_count;
    double *x = p->among;
    for (int32_t b = 0; b < count; b++) {
        x[3 * b] = -found[b].low;
        x[3 * b + 1] = found[b].high;
        x[3 * b + 2] = p->part[b].least;
    }
    chain_largest(p->chain, x, 3 * count);
    for (int32_t b = 0; b < count; b++) {
        found[b] = (Interval){-x[3 * b], x[3 * b + 1]};
        p->part[b].least = x[3 * b + 2];
    }
}

/* Narrow intervals to between the least and the greatest that r + Q h may be. */
static void spread(const Pass *p, Interval *found)
{
    for (int32_t b = 0; b < p->chain->bottom_count; b++) {
        found[b] = (Interval){HUGE_VAL, -HUGE_VAL};
        p->part[b].least = 0;
    }
    for (int64_t i = 0; i < p->chain->state_count; i++) {
        const long double sum = p->sum[i], error = p->error[i];
        Part *part = part_of(p, i);
        if (!part)
            continue;
        const Interval here = sum == 0 && error == 0
                                  ? interval_of(0)
                                  : interval_outwards((double)(sum - error), (double)(sum + error));
        Interval *all = &found[part - p->part];
        *all = (Interval){fmin(all->low, here.low), fmax(all->high, here.high)};
        part->least = fmax(part->least, 2 * p->error[i]);
    }
    compare(p, found);
    for (int32_t b = 0; b < p->chain->bottom_count; b++) {
        Interval *x = &p->part[b].x;
        *x = (Interval){fmax(x->low, found[b].low), fmin(x->high, found[b].high)};
    }
}

/* Add r, or Q h, to the sums; intervals are narrowed by what that says. */
static PepaStatus narrow(Pass *p, PepaError *err)
{
    const Chain *c = p->chain;
    PepaStatus status = !p->earns.by_action
                            ? p->by->together ? spread_each_target(c, p->h, add_step_to, p, err)
                                              : chain_each_transition(c, add_step, p, err)
                            : chain_agree(c, chain_each_transition(c, add_earned, p, err), err);
    if (status == PEPA_OK)
        spread(p, p->found);
    return status;
}

static double width(Interval x)
{
    return x.high - x.low;
}

static bool reserve(Pass *p, double **h, double **earned)
{
    const size_t n = (size_t)p->chain->state_count, terms = (size_t)p->chain->rates.count;
    const int32_t parts = p->chain->bottom_count;
    return mem_new_zeroed(*h, n) && mem_new(*earned, n) && mem_new(p->sum, n) &&
           mem_new_zeroed(p->error, n) && mem_new(p->roundings, terms) &&
           mem_new(p->value, terms) && mem_new_zeroed(p->part, parts) && mem_new(p->found, parts) &&
           mem_new(p->wanted, parts) && mem_new(p->among, 3 * (size_t)parts);
}

/* r, and between what it is: means are, too. */
static PepaStatus begin(Pass *p, const RateValues *at, double roundings, PepaError *err)
{
    rates_precisely(&p->chain->rates, at, p->value, p->roundings);
    for (int32_t k = 0; k < p->chain->rates.count; k++)
        p->roundings[k] += 3;
    for (int32_t b = 0; b < p->chain->bottom_count; b++)
        p->part[b].x = (Interval){-HUGE_VAL, HUGE_VAL};
    for (int64_t i = 0; i < p->chain->state_count; i++) {
        const double earned = p->earns.by_state ? p->earns.by_state[i] : 0;
        p->sum[i] = earned;
        p->error[i] = coarse_unit * roundings * fabs(earned);
    }
    PepaStatus status = narrow(p, err);
    p->earns = (Reward){0};
    return status;
}

/* The least sum of each part: exactly, as two doubles, of which processes compare first the one and then the
 * other. */
static void find_floors(Pass *p)
{
    const int32_t count = p->chain->bottom_count;
    double *high = p->among, *low = high + count;
    for (int64_t i = 0; i < p->chain->state_count; i++) {
        Part *part = part_of(p, i);
        if (part)
            part->floor = fminl(part->floor, p->sum[i]);
    }
    for (int32_t b = 0; b < count; b++)
        high[b] = low[b] = -(double)p->part[b].floor;
    chain_largest(p->chain, high, count);
    for (int32_t b = 0; b < count; b++) /* low is still what this process has */
        low[b] = low[b] == high[b] && isfinite(low[b])
                     ? (double)(-(long double)high[b] - p->part[b].floor)
                     : -HUGE_VAL;
    chain_largest(p->chain, low, count);
    for (int32_t b = 0; b < count; b++)
        p->part[b].floor = isfinite(low[b]) ? -(long double)high[b] - low[b] : -high[b];
}

static void add_means(Pass *p)
{
    const int32_t count = p->chain->bottom_count;
    for (int32_t b = 0; b < count; b++) {
        p->among[2 * b] = p->part[b].mean;
        p->among[2 * b + 1] = p->part[b].whole;
    }
    chain_sum(p->chain, p->among, 2 * count);
    for (int32_t b = 0; b < count; b++) {
        p->part[b].mean = p->among[2 * b];
        p->part[b].whole = p->among[2 * b + 1];
    }
}

/* Which parts are to become narrower, and the relative tolerance for the mean of their rewards that
 * is `wanted` for theirs.  Rewards are what sums are beyond the least of their part: numbers as small
 * as they can be, so that h is.  False: there are none. */
static bool set_rewards(Pass *p, const double *pi, double wanted, double *earned)
{
    bool some = false;
    for (int32_t b = 0; b < p->chain->bottom_count; b++) {
        Part *part = &p->part[b];
        part->done = part->done || interval_is_narrow(part->x, wanted);
        some = some || !part->done;
        part->floor = HUGE_VALL;
        part->mean = part->whole = 0;
    }
    if (!some)
        return false;
    find_floors(p);
    for (int64_t i = 0; i < p->chain->state_count; i++) {
        Part *part = part_of(p, i);
        earned[i] = part ? (double)(p->sum[i] - part->floor) : 0;
        if (!part)
            continue;
        part->mean += pi[i] * earned[i];
        part->whole += pi[i];
    }
    add_means(p);
    for (int32_t b = 0; b < p->chain->bottom_count; b++) {
        const Part *part = &p->part[b];
        const double times = fabs(part->x.low) * part->whole / part->mean;
        p->wanted[b] = part->done ? 0 : fmin(0.1, fmax(1, times) * wanted);
    }
    return true;
}

/* After a round: parts that it made hardly narrower, or that are as narrow as they get, are done. */
static void conclude(Pass *p)
{
    for (int32_t b = 0; b < p->chain->bottom_count; b++) {
        Part *part = &p->part[b];
        if (!(width(part->x) < 0.5 * part->before) || width(part->x) <= 2 * part->least)
            part->done = true;
    }
}

static PepaStatus find_potential(const Pass *p, const RateValues *at, const PepaSettings *set,
                                 const double *pi, const double *earned, double *h, PepaInfo *info,
                                 PepaError *err)
{
    for (int32_t b = 0; b < p->chain->bottom_count && p->by->together; b++)
        p->among[b] = p->part[b].whole > 0 ? p->part[b].mean / p->part[b].whole : 0;
    if (p->by->together)
        return spread_potential_solve(p->by->together, set, p->wanted, p->among, earned, h, err);
    return sensitivity_potential(p->by->alone, at, set, p->wanted, pi,
                                 &(Reward){.by_state = earned}, h, info, err);
}

/* X from the means of its parts, with the terms' values as doubles. */
static PepaStatus join(const Pass *p, const PepaSettings *set, Interval *out, PepaError *err)
{
    const int32_t count = p->chain->bottom_count;
    double *value = NULL, roundings = 0;
    *out = p->part[0].x;
    if (count == 1)
        return PEPA_OK;
    PepaStatus status = mem_new(value, p->chain->rates.count) ? PEPA_OK : error_memory(err);
    status = chain_agree(p->chain, status, err);
    for (int32_t k = 0; k < p->chain->rates.count && status == PEPA_OK; k++) {
        value[k] = (double)p->value[k];
        const double digits = p->value[k] > 0 && value[k] < DBL_MIN
                                  ? HUGE_VAL
                                  : 1; /* a subnormal number has lost some */
        roundings =
            fmax(roundings, digits + p->roundings[k] * (double)(LDBL_EPSILON / DBL_EPSILON));
    }
    for (int32_t b = 0; b < count; b++)
        p->found[b] = p->part[b].x;
    if (status == PEPA_OK)
        status = ends_enclose(p->chain, value, roundings, set, p->found, out, err);
    mem_free(value);
    return status;
}

/* Parts of few states that are not narrow yet, by elimination. */
static PepaStatus eliminate(const Pass *p, const Reward *reward, double roundings,
                            const PepaSettings *set, PepaError *err)
{
    const FewStates few = {p->chain, p->value, p->roundings, *reward, roundings};
    PepaStatus status = PEPA_OK;
    if (p->by->together || !enclose_few_may(p->chain, set->memory))
        return status;
    for (int32_t b = 0; b < p->chain->bottom_count && status == PEPA_OK; b++)
        if (!interval_is_narrow(p->part[b].x, set->solve.tolerance))
            status = enclose_few(&few, b, set, &p->part[b].x, err);
    return status;
}

/* Where jumps are rare, h is so large that differences between neighbours lose digits.  But what
 * r + Q h then is, hardly flat, may be taken for r again, with an h that is small. */
PepaStatus enclose(const Encloser *by, const RateValues *at, const PepaSettings *set,
                   const double *pi, const Reward *reward, double roundings, Interval *out,
                   PepaInfo *info, PepaError *err)
{
    const int32_t most = 10; /* rounds */
    const Chain *chain = by->chain;
    const double bytes = 40.0 * (double)chain->state_count + 24.0 * chain->rates.count;
    PepaSettings within = *set;
    double *h = NULL, *earned = NULL;
    Pass pass = {.chain = chain, .by = by, .earns = *reward};
    *out = (Interval){-HUGE_VAL, HUGE_VAL};
    *info = (PepaInfo){.method = "none"};
    const bool fits = budget_allows(set->memory, bytes);
    PepaStatus status = !fits
                            ? budget_exceeded(err, bytes, set->memory, "an interval for a measure")
                        : reserve(&pass, &h, &earned) ? PEPA_OK
                                                      : error_memory(err);
    status = chain_agree(chain, status, err);
    within.memory = budget_left(set->memory, bytes);
    pass.h = h;
    if (status == PEPA_OK)
        status = begin(&pass, at, roundings, err);
    for (int32_t k = 0; k < most && status == PEPA_OK; k++) {
        if (!set_rewards(&pass, pi, set->solve.tolerance, earned))
            break;
        for (int32_t b = 0; b < chain->bottom_count; b++)
            pass.part[b].before = width(pass.part[b].x);
        status = find_potential(&pass, at, &within, pi, earned, h, info, err);
        if (status == PEPA_OK || status == PEPA_ENOCONV)
            status = narrow(&pass, err);
        conclude(&pass);
    }
    if (status == PEPA_OK)
        status = eliminate(&pass, reward, roundings, &within, err);
    if (status == PEPA_OK)
        status = join(&pass, &within, out, err);
    mem_free_all(h, earned, pass.sum, pass.error, pass.roundings, pass.value, pass.part, pass.found,
                 pass.wanted, pass.among);
    return status;
}
