/* Linear equations x = A x + c over transient states, with proved errors.
 *
 * Let t > 0 and weights w > 0 have t - A t >= least w, least > 0, in each state.  I - A is a
 * nonsingular M-matrix, since there is a way out of each state, so that its inverse has no negative
 * entry; and from |c + A y - y| <= r w follows |x - y| <= r (I - A)^-1 w <= (r / least) t.  With
 * w = 1, t is about the mean number of jumps until the states are left.  With w = |c + A y - y|, t is
 * about what these defects come to, each as often as its state is visited.
 *
 * Each number is the sum of two doubles, and defects are computed in long double, as sums of
 * differences: where jumps within the states are many beside those that leave, neighbours have
 * nearly equal numbers, and the digits in which they differ count.
 * Source: Berman, Plemmons, Nonnegative Matrices in the Mathematical Sciences, 1994, ch. 6;
 * refinement: Higham, Accuracy and Stability of Numerical Algorithms, 2002, ch. 12. */
#include "measure/leave.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/twofold.h"
#include "measure/leave_eliminate.h"
#include "measure/steady.h"
#include "solvers/direct/factors.h"

/* Each is tried where those before it do not come near enough: factors first. */
static const PepaMethod methods[] = {PEPA_DIRECT, PEPA_BICGSTAB, PEPA_GAUSS_SEIDEL};
enum { METHODS = sizeof methods / sizeof *methods };

/* One vector of the equations' unknowns. */
typedef struct {
    Twofold *at; /* per row */
    /* c: per state, at the boundary and by time; and per row, for each visit.  Each may be NULL. */
    const double *boundary, *earn, *visit;
} Unknown;

typedef struct {
    const LeaveJob *job;
    int32_t *place, *state; /* per state: its row, or -1; per row: its state */
    int32_t n;
    int tried;      /* methods: the first, where elimination follows it */
    FlowOwner flow;  /* A */
    Factors factors; /* of I - A, once they are wanted */
    enum { NO_FACTORS, HAS_FACTORS, REFUSED_FACTORS } has;
    FlowFactors *incomplete; /* of I - A; NULL: none yet */
    Unknown x, t;
    double *b, *weight, *part; /* part: 2 n */
    Twofold *kept;
    double least; /* of (t - A t) / weight */
} Leaving;

/* eliminates: elimination is to follow, if there are few states */
static PepaStatus build(Leaving *l, const uint8_t *within, bool eliminates, PepaError *err)
{
    const RateRows *q = l->job->rows;
    const size_t n = (size_t)q->n;
    if (!(mem_new(l->place, n) && mem_new(l->state, n)))
        return error_memory(err);
    for (int32_t i = 0; i < q->n; i++) {
        l->place[i] = within[i] ? l->n : -1;
        if (within[i])
            l->state[l->n++] = i;
    }
    l->tried = eliminates && leave_eliminates(l->n, l->job->memory) ? 1 : METHODS;
    const size_t rows = (size_t)l->n;
    if (!(mem_new(l->b, rows) && mem_new(l->weight, rows) && mem_new(l->part, 2 * rows) &&
          mem_new(l->kept, rows) && mem_new(l->x.at, rows) && mem_new(l->t.at, rows)))
        return error_memory(err);
    l->t.visit = l->weight;
    return rate_rows_jumps(q, l->state, l->place, l->n, &l->flow, err);
}

static void leaving_free(Leaving *l)
{
    factors_free(&l->factors);
    flow_factors_free(l->incomplete);
    flow_free(&l->flow);
    mem_free_all(l->place, l->state, l->b, l->weight, l->part, l->kept, l->x.at, l->t.at);
}

/* ---- solution -------------------------------------------------------------------------------- */

/* The chance to leave these states from that of a row. */
static double leave_chance(const Leaving *l, int32_t i)
{
    const RateRows *q = l->job->rows;
    const int32_t s = l->state[i];
    double sum = 0;
    for (int64_t k = q->row[s]; k < q->row[s + 1]; k++)
        if (l->place[q->col[k]] < 0)
            sum += q->val[k];
    return sum / q->exit[s];
}

/* Factors of I - A, unless they would take too much. */
static PepaStatus make_factors(Leaving *l, PepaError *err)
{
    const double most = 5e10; /* multiply-adds: some ten seconds */
    Control control = settings_control(l->job->set, l->job->memory);
    const Flow view = flow_view(&l->flow, NULL);
    control.work = most;
    for (int32_t i = 0; i < l->n; i++)
        l->part[i] = leave_chance(l, i);
    PepaStatus status = factors_analyse(&l->factors, &view, ROWS_OF_TARGETS, -1, &control);
    if (status == PEPA_OK)
        status = factors_make(&l->factors, l->part, &control);
    l->has = status == PEPA_OK ? HAS_FACTORS : REFUSED_FACTORS;
    if (status != PEPA_OK)
        factors_free(&l->factors);
    return status == PEPA_ENOMEM    ? error_memory(err)
           : status == PEPA_ECANCEL ? error_set(err, status, "cancelled")
                                    : PEPA_OK;
}

/* y of y = A y + b, b >= 0, as near as the method comes; b is spoiled. */
static PepaStatus solve(Leaving *l, PepaMethod method, double tolerance, double *y, PepaError *err)
{
    double sum = 0;
    for (int32_t i = 0; i < l->n; i++)
        sum += l->b[i];
    memset(y, 0, (size_t)l->n * sizeof *y);
    if (sum == 0)
        return PEPA_OK;
    for (int32_t i = 0; i < l->n; i++)
        y[i] = l->b[i] /= sum;
    Flow view = flow_view(&l->flow, l->b);
    Control control = settings_control(l->job->set, l->job->memory);
    Outcome out = {0};
    control.factors = &l->incomplete;
    control.tolerance = tolerance;
    PepaStatus status = solve_flow(method, &view, &control, y, &out, err);
    for (int32_t i = 0; i < l->n; i++)
        y[i] *= sum;
    return status == PEPA_ENOMEM || status == PEPA_ECANCEL ? status : PEPA_OK;
}

/* c + A u - u of a row, times the rate at which its state is left.  *off: a bound of its rounding
 * errors, those of the rates' sums among them. */
static long double lack(const Leaving *l, const Unknown *u, int32_t i, long double *off)
{
    const RateRows *q = l->job->rows;
    const int32_t s = l->state[i];
    const long double unit = LDBL_EPSILON,
                      visit = u->visit ? (long double)u->visit[i] * q->exit[s] : 0;
    const double earned = u->earn ? u->earn[s] : 0;
    const Twofold here = u->at[i];
    long double sum = earned + visit, all = 0;
    for (int64_t k = q->row[s]; k < q->row[s + 1]; k++) {
        const int32_t j = l->place[q->col[k]];
        const Twofold there = j >= 0        ? u->at[j]
                              : u->boundary ? (Twofold){u->boundary[q->col[k]], 0}
                                            : (Twofold){0, 0};
        const long double high = (long double)there.hi - here.hi,
                          low = (long double)there.lo - here.lo;
        sum += q->val[k] * (high + low);
        all += q->val[k] * (fabsl(high) + fabsl(low));
    }
    *off = (all + fabsl(visit)) * (q->roundings * DBL_EPSILON + (q->roundings + 6) * unit) +
           fabsl(sum) * 4 * unit + fabs(earned) * (q->roundings + 6) * unit;
    return sum;
}

static void add(Twofold *x, double more)
{
    const Twofold sum = twofold_sum(x->hi, more);
    *x = twofold_sum(sum.hi, x->lo + sum.lo);
}

/* Add to u what it lacks, by factors. */
static PepaStatus improve_directly(Leaving *l, Unknown *u, PepaError *err)
{
    PepaStatus status = l->has == NO_FACTORS ? make_factors(l, err) : PEPA_OK;
    if (l->has != HAS_FACTORS)
        return status;
    for (int32_t i = 0; i < l->n; i++) {
        long double off;
        l->b[i] = (double)(lack(l, u, i, &off) / l->job->rows->exit[l->state[i]]);
        l->part[i] = 0;
    }
    factors_correct(&l->factors, l->b, l->part);
    for (int32_t i = 0; i < l->n; i++)
        add(&u->at[i], l->part[i]);
    return PEPA_OK;
}

/* Add to u what it lacks, as near as the method comes.  Other solvers than factors take no negative numbers: the
 * positive part and the negative part apart. */
static PepaStatus improve(Leaving *l, Unknown *u, PepaMethod method, double tolerance,
                          PepaError *err)
{
    if (method == PEPA_DIRECT)
        return improve_directly(l, u, err);
    double *const sides[] = {l->part, l->part + l->n};
    PepaStatus status = PEPA_OK;
    for (int side = 0; side < 2 && status == PEPA_OK; side++) {
        for (int32_t i = 0; i < l->n; i++) {
            long double off;
            const double here = (double)(lack(l, u, i, &off) / l->job->rows->exit[l->state[i]]);
            l->b[i] = fmax(side ? -here : here, 0);
        }
        status = solve(l, method, tolerance, sides[side], err);
    }
    for (int32_t i = 0; i < l->n && status == PEPA_OK; i++)
        add(&u->at[i], sides[0][i] - sides[1][i]);
    return status;
}

/* ---- the bound ------------------------------------------------------------------------------- */

/* The least that (t - A t) / weight may be, from the rates themselves: 1 less what t lacks. */
static void judge_jumps(Leaving *l)
{
    const RateRows *q = l->job->rows;
    l->least = HUGE_VAL;
    for (int32_t i = 0; i < l->n; i++) {
        long double off;
        const long double lacks = lack(l, &l->t, i, &off);
        const double exit = q->exit[l->state[i]],
                     least = 1 -
                             (double)((lacks + off) / exit / l->weight[i]) *
                                 (1 + (q->roundings + 8) * DBL_EPSILON) -
                             8 * DBL_EPSILON;
        if (!isfinite(l->t.at[i].hi) || !(l->t.at[i].hi > 0) ||
            !(least > 0)) { /* NaN is no bound */
            l->least = -HUGE_VAL;
            return;
        }
        l->least = fmin(l->least, least);
    }
}

/* t, by the first method, from *method on, that gives it a positive defect: any will do. */
static PepaStatus find_jumps(Leaving *l, int *method, PepaError *err)
{
    const double usual = 0.01;
    const int rounds = 3;
    for (; *method < l->tried; ++*method) {
        memset(l->t.at, 0, (size_t)l->n * sizeof *l->t.at);
        for (int k = 0; k < rounds; k++) {
            PepaStatus status = improve(l, &l->t, methods[*method], usual / l->n, err);
            if (status != PEPA_OK)
                return status;
            judge_jumps(l);
            if (l->least > 0)
                return PEPA_OK;
        }
    }
    return error_set(err, PEPA_ENOCONV,
                     "the states of %s are left too rarely for its linear equations to be solved: "
                     "%s",
                     l->job->whose, l->job->advice);
}

/* The most that |c + A x - x| may be in a row.
 *   earn_error  per state, or NULL: 0 */
static double row_defect(const Leaving *l, int32_t i, const double *earn_error)
{
    const RateRows *q = l->job->rows;
    long double off;
    const long double sum = lack(l, &l->x, i, &off);
    const double unsure = earn_error ? earn_error[l->state[i]] : 0;
    const long double all = (fabsl(sum) + off + unsure) / q->exit[l->state[i]];
    /* NaN is no bound, nor is infinity. */
    return all <= DBL_MAX / 2 ? (double)all * (1 + (q->roundings + 6) * DBL_EPSILON) : HUGE_VAL;
}

/* The same by weight, in any. */
static double defect(const Leaving *l, const double *earn_error)
{
    double most = 0;
    for (int32_t i = 0; i < l->n; i++)
        most = fmax(most, row_defect(l, i, earn_error) / l->weight[i] * (1 + DBL_EPSILON));
    return most;
}

/* What numbers are to come to. */
typedef struct {
    double asked;   /* error of numbers of 1 or less, relative to larger ones */
    double longest; /* entry of t that this is about */
    double each;    /* tolerance of iterative methods */
    double size;    /* out: 1, or the largest number if that is more */
    bool enough;    /* out: they came so near, or as near as rounding lets them */
} Goal;

/* The nearest x, from x as it is; its defect.  Answers are refined: what one lacks is solved for in
 * turn. */
static PepaStatus refine(Leaving *l, int method, Goal *goal, double *off, PepaError *err)
{
    const double rounding = 4 * (l->job->rows->roundings + 16) * DBL_EPSILON;
    const size_t bytes = (size_t)l->n * sizeof *l->kept;
    PepaStatus status = PEPA_OK;
    for (goal->enough = false; method < l->tried && !goal->enough && status == PEPA_OK;) {
        memcpy(l->kept, l->x.at, bytes);
        status = improve(l, &l->x, methods[method], goal->each, err);
        const double before = *off, now = status == PEPA_OK ? defect(l, NULL) : HUGE_VAL;
        const bool moves = now < before / 2;
        if (!(now < before))
            memcpy(l->x.at, l->kept, bytes);
        *off = fmin(now, before);
        goal->size = 1;
        for (int32_t i = 0; i < l->n; i++)
            goal->size = fmax(goal->size, fabs(l->x.at[i].hi));
        goal->enough = (*off <= rounding * goal->size && !moves) ||
                       *off / l->least * goal->longest <= goal->asked * goal->size;
        method += !moves;
    }
    return status;
}

/* The bound of row i: a mean of what the boundary is off is added, and what is beyond a double. */
static double bound(const Leaving *l, int32_t i, double off, double boundary_error)
{
    return (off / l->least * (l->t.at[i].hi * (1 + DBL_EPSILON)) + boundary_error +
            fabs(l->x.at[i].lo)) *
           (1 + 8 * DBL_EPSILON);
}

/* x and t with weights of 1.  *off: the defect but for what earnings are off. */
static PepaStatus find(Leaving *l, Goal *goal, double *off, PepaError *err)
{
    const double usual = 1e-12;
    int method = 0;
    double jumps = 0;
    memset(l->x.at, 0, (size_t)l->n * sizeof *l->x.at);
    for (int32_t i = 0; i < l->n; i++)
        l->weight[i] = 1;
    PepaStatus status = find_jumps(l, &method, err);
    if (status != PEPA_OK)
        return status;
    for (int32_t i = 0; i < l->n; i++) {
        goal->longest = fmax(goal->longest, l->t.at[i].hi);
        jumps += l->t.at[i].hi;
    }
    goal->each = fmax(goal->asked * l->least / jumps, usual);
    *off = HUGE_VAL;
    return refine(l, method, goal, off, err);
}

/* What elimination starts from. */
static LeaveRows rows_of(const Leaving *l)
{
    return (LeaveRows){.rates = l->job->rows,
                       .set = l->job->set,
                       .memory = l->job->memory,
                       .whose = l->job->whose,
                       .n = l->n,
                       .state = l->state,
                       .place = l->place,
                       .boundary = l->x.boundary,
                       .earn = l->x.earn};
}

/* Every number and its bound.  *worst: the largest bound. */
static PepaStatus find_all(Leaving *l, double boundary_error, const double *earn_error, Goal *goal,
                           double *value, double *error, double *worst, PepaError *err)
{
    double off = HUGE_VAL;
    PepaStatus status = find(l, goal, &off, err);
    if (status == PEPA_OK && isfinite(off))
        off = defect(l, earn_error);
    for (int32_t i = 0; i < l->n; i++) {
        const double bounded = status == PEPA_OK ? bound(l, i, off, boundary_error) : HUGE_VAL;
        value[l->state[i]] = l->x.at[i].hi;
        error[l->state[i]] = isfinite(bounded) ? bounded : HUGE_VAL;
        *worst = fmax(*worst, error[l->state[i]]);
    }
    return status;
}

/* A method that stopped early is no reason to fail: what counts is the proved error. */
static PepaStatus judge_all(const Leaving *l, const Goal *goal, double worst, double boundary_error,
                            PepaError *err)
{
    const double tolerance = l->job->set->solve.tolerance * goal->size;
    if (!isfinite(worst))
        return error_set(err, PEPA_ENOCONV, "numbers of %s overflow", l->job->whose);
    if (!goal->enough && worst > tolerance && worst > boundary_error * 2)
        return error_set(err, PEPA_ENOCONV,
                         "the linear equations of %s are solved to %.1e only, not to %.1e: try a "
                         "larger --tolerance",
                         l->job->whose, worst, tolerance);
    return PEPA_OK;
}

PepaStatus leave(const LeaveJob *job, const uint8_t *within, const double *boundary,
                 double boundary_error, const double *earn, const double *earn_error, double *value,
                 double *error, PepaError *err)
{
    Leaving l = {.job = job, .x = {.boundary = boundary, .earn = earn}};
    Goal goal = {.asked = job->tolerance, .size = 1};
    double worst = 0;
    PepaStatus status = build(&l, within, true, err);
    if (status == PEPA_OK && l.n > 0) {
        status = find_all(&l, boundary_error, earn_error, &goal, value, error, &worst, err);
        const double enough = fmax(goal.asked * goal.size, 2 * boundary_error);
        const bool far = status == PEPA_ENOCONV || (status == PEPA_OK && worst > enough);
        if (far && l.tried == 1) {
            LeaveRows rows = rows_of(&l);
            rows.earn_error = earn_error;
            rows.boundary_error = boundary_error;
            status = leave_eliminate(&rows, value, error, err);
        } else if (status == PEPA_OK) {
            status = judge_all(&l, &goal, worst, boundary_error, err);
        }
    }
    leaving_free(&l);
    return status;
}

/* ---- one state's number ---------------------------------------------------------------------- */

/* x is refined until its defects are as small as they get beside it, or beside the number of row
 * `from`.  Then weights are these defects, and a little, so that each counts as often as its row is
 * visited. */
static PepaStatus sharpen(Leaving *l, int32_t from, double *error, PepaError *err)
{
    const double own = l->x.at[from].hi, jumps = l->t.at[from].hi, little = 0.01;
    int method = 0; /* the first */
    for (int32_t i = 0; i < l->n; i++)
        l->weight[i] = fmax(l->x.at[i].hi, own);
    double off = defect(l, NULL);
    Goal goal = {.asked = 0, .longest = jumps, .each = 1e-15};
    PepaStatus status = refine(l, method, &goal, &off, err);
    if (status != PEPA_OK)
        return status;
    for (int32_t i = 0; i < l->n; i++)
        l->weight[i] = row_defect(l, i, NULL) + little * l->job->tolerance * own / jumps + DBL_MIN;
    status = find_jumps(l, &method, err);
    if (status == PEPA_OK)
        *error = fmin(*error, bound(l, from, 1, 0));
    return status == PEPA_ENOCONV ? PEPA_OK : status;
}

/* By refinement: value, low and *error as of leave_from. */
static PepaStatus find_one(Leaving *l, int32_t row, double *value, double *low, double *error,
                           PepaError *err)
{
    Goal goal = {.asked = l->job->tolerance};
    double off;
    PepaStatus status = find(l, &goal, &off, err);
    if (status == PEPA_OK) {
        const double own = l->x.at[row].hi;
        *error = bound(l, row, off, 0);
        if (own > 0 && (low || !(*error <= l->job->tolerance * own)))
            status = sharpen(l, row, error, err);
    }
    for (int32_t i = 0; i < l->n && status == PEPA_OK; i++) {
        value[l->state[i]] = l->x.at[i].hi;
        if (low)
            low[l->state[i]] = l->x.at[i].lo;
    }
    return status;
}

/* By elimination: *error of the state `from`, which is HUGE_VAL where nothing was found before. */
static PepaStatus eliminate_one(const Leaving *l, int64_t from, double *value, double *error,
                                PepaError *err)
{
    const LeaveRows rows = rows_of(l);
    double *each = NULL;
    if (!mem_new(each, l->job->rows->n))
        return error_memory(err);
    for (int32_t i = 0; i < l->n; i++)
        each[l->state[i]] = *error;
    const PepaStatus status = leave_eliminate(&rows, value, each, err);
    *error = each[from];
    mem_free(each);
    return status;
}

PepaStatus leave_from(const LeaveJob *job, const uint8_t *within, const double *boundary,
                      int64_t from, double *value, double *low, double *error, PepaError *err)
{
    Leaving l = {.job = job, .x = {.boundary = boundary}};
    PepaStatus status = build(&l, within, !low, err);
    *error = HUGE_VAL;
    if (status == PEPA_OK) {
        status = find_one(&l, l.place[from], value, low, error, err);
        const bool far = status == PEPA_ENOCONV ||
                         (status == PEPA_OK && !(*error <= job->tolerance * value[from]));
        if (far && l.tried == 1)
            status = eliminate_one(&l, from, value, error, err);
    }
    leaving_free(&l);
    return status;
}
