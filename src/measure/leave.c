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
#include "measure/leave_solve.h"
#include "measure/steady.h"

/* ---- the bound ------------------------------------------------------------------------------- */

/* The least that (t - A t) / weight may be, from the rates themselves: 1 less what t lacks. */
static void judge_jumps(Leaving *l)
{
    const RateRows *q = l->job->rows;
    l->least = HUGE_VAL;
    for (int32_t i = 0; i < l->n; i++) {
        long double off;
        const long double lacks = leaving_lack(l, &l->t, i, &off);
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
    for (; *method < l->methods; ++*method) {
        memset(l->t.at, 0, (size_t)l->n * sizeof *l->t.at);
        for (int k = 0; k < rounds; k++) {
            PepaStatus status = leaving_improve(l, &l->t, *method, usual / l->n, err);
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
    const long double sum = leaving_lack(l, &l->x, i, &off);
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
    for (goal->enough = false; method < l->methods && !goal->enough && status == PEPA_OK;) {
        memcpy(l->kept, l->x.at, bytes);
        status = leaving_improve(l, &l->x, method, goal->each, err);
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
    PepaStatus status = leaving_build(&l, within, true, err);
    if (status == PEPA_OK && l.n > 0) {
        status = find_all(&l, boundary_error, earn_error, &goal, value, error, &worst, err);
        const double enough = fmax(goal.asked * goal.size, 2 * boundary_error);
        const bool far = status == PEPA_ENOCONV || (status == PEPA_OK && worst > enough);
        if (far && l.methods == 1) {
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
    PepaStatus status = leaving_build(&l, within, !low, err);
    *error = HUGE_VAL;
    if (status == PEPA_OK) {
        status = find_one(&l, l.place[from], value, low, error, err);
        const bool far = status == PEPA_ENOCONV ||
                         (status == PEPA_OK && !(*error <= job->tolerance * value[from]));
        if (far && l.methods == 1)
            status = eliminate_one(&l, from, value, error, err);
    }
    leaving_free(&l);
    return status;
}
