/* Mean and variance of a passage time by linear equations, over the states from which the passage
 * can end.  In flow form, with y the expected visits and d the exit rates,
 *     y = P'y + start,   v = y / d,   E T = sum v. */
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "measure/passage_equations.h"

/* The share of the mean by which a correction may change it, for it to be the last, and at most. */
#define LITTLE_MOVED 1e-12
#define MOST_MOVED   1e-9
enum { CORRECTIONS = 5 };

static void sum_of_all(const Equations *q, double *x, int32_t n)
{
    chain_sum(q->p->chain, x, n);
}

static PepaStatus solve_alone(const Equations *q, const double *start, double *y, bool *exact,
                              PepaError *err)
{
    const PepaSettings *set = q->p->set;
    Flow view = flow_view(&q->flow, start);
    Control control = stricter_control(set, q->memory);
    Outcome out = {0};
    view.leave = q->leave;
    PepaStatus status = flow_team_new(&view.team, &view, set->threads)
                            ? solve_flow(set->solve.method, &view, &control, y, &out, err)
                            : error_memory(err);
    flow_team_free(view.team);
    *exact = status == PEPA_OK && strcmp(out.method, "gth") == 0;
    return status;
}

/* y of y = P'y + start, to the tolerance of the settings; start: of sum 1.  *exact: each to nearly
 * all digits. */
static PepaStatus solve_once(const Equations *q, const double *start, double *y, bool *exact,
                             PepaError *err)
{
    memcpy(y, start, (size_t)q->n * sizeof *y);
    *exact = false;
    return q->p->chain->share ? spread_solve_flow(&q->solve, q->p->set->solve.method, start, y)
                              : solve_alone(q, start, y, exact, err);
}

/* += what flows into row i from others; *row: the first of theirs that is not before it. */
static void add_others(const FlowShare *s, int32_t i, int32_t *row, Twofold *sum)
{
    const double *others = s->buffer + s->sent_count;
    if (*row == s->rows || s->place[*row] != i)
        return;
    for (int64_t k = s->row[*row]; k < s->row[*row + 1]; k++)
        twofold_add_product(sum, s->val[k], others[s->col[k]], 0);
    ++*row;
}

/* What start + P'y - y lacks, in twice the digits: the positive part and the negative part. */
static double lack(const Equations *q, const double *start, const double *y, double *sides[2])
{
    const bool shared = q->p->chain->share;
    const int64_t *row = shared ? q->spread.row : q->flow.row;
    const int32_t *col = shared ? q->spread.col : q->flow.col;
    const double *val = shared ? q->spread.val : q->flow.val;
    double sum = 0;
    int32_t others = 0;
    if (shared)
        flow_receive(&q->spread.flow, y);
    for (int32_t i = 0; i < q->n; i++) {
        Twofold rest = {start[i], 0};
        twofold_add_product(&rest, -y[i], q->whole[i].hi, q->whole[i].lo);
        for (int64_t k = row[i]; k < row[i + 1]; k++)
            twofold_add_product(&rest, val[k], y[col[k]], 0);
        if (shared)
            add_others(&q->spread.share, i, &others, &rest);
        const double here = rest.hi + rest.lo;
        sides[0][i] = fmax(here, 0);
        sides[1][i] = fmax(-here, 0);
        sum += fabs(here);
    }
    sum_of_all(q, &sum, 1);
    return sum;
}

/* Add what y lacks, and say by which share that changes the time in all states: visits would not
 * tell, since slow states have few.  The solvers take no negative numbers.
 * more: n, scratch */
static PepaStatus correct(const Equations *q, double *sides[2], double *y, double *more,
                          double *share, PepaError *err)
{
    const int32_t n = q->n;
    PepaStatus status = PEPA_OK;
    double sum[2], time[2] = {0}; /* moved, and all */
    bool exact;
    for (int side = 0; side < 2 && status == PEPA_OK; side++) {
        sum[side] = vector_sum(sides[side], n);
        sum_of_all(q, &sum[side], 1);
        for (int32_t i = 0; i < n; i++)
            sides[side][i] /= sum[side] > 0 ? sum[side] : 1;
        if (!(sum[side] > 0)) /* it stays 0 */
            continue;
        status = solve_once(q, sides[side], more, &exact, err);
        memcpy(sides[side], more, (size_t)n * sizeof *more);
    }
    for (int32_t i = 0; i < n && status == PEPA_OK; i++) {
        const double change = sum[0] * sides[0][i] - sum[1] * sides[1][i];
        y[i] += change;
        time[0] += fabs(change) / q->exit[i];
        time[1] += y[i] / q->exit[i];
    }
    if (status == PEPA_OK)
        sum_of_all(q, time, 2);
    *share = time[1] > 0 && isfinite(time[1]) ? time[0] / time[1] : HUGE_VAL;
    return status;
}

/* Visits y from `start`, of sum 1; time[i]: y_i / d_i.  A mean is off by what each y lacks times
 * what a passage takes from there: that may be much more than it takes from the start, so that y is
 * corrected until corrections are small.  Elimination without subtractions needs none: no y is off
 * by more than a small share of itself.  scratch: 3 n */
static PepaStatus solve(const Equations *q, const double *start, double *y, double *time,
                        double *scratch, PepaError *err)
{
    const int32_t n = q->n;
    double *sides[] = {scratch, scratch + n}, share = 0;
    bool exact;
    PepaStatus status = solve_once(q, start, y, &exact, err);
    for (int i = 0; i < CORRECTIONS && status == PEPA_OK && !exact; i++) {
        if (lack(q, start, y, sides) == 0)
            break;
        status = correct(q, sides, y, scratch + 2 * (size_t)n, &share, err);
        if (share <= LITTLE_MOVED)
            break;
    }
    if (status == PEPA_OK && !(share <= MOST_MOVED))
        status =
            error_set(err, PEPA_ENOCONV,
                      "the mean of the passage time is right to %.1e of itself only: passages end "
                      "too rarely for its linear equations, or few stay very long; "
                      "--method gth, direct or gauss-seidel may do better",
                      share);
    for (int32_t i = 0; i < n && status == PEPA_OK; i++)
        time[i] = y[i] / q->exit[i];
    return status;
}

/* ---- moments --------------------------------------------------------------------------------- */

/* The sequence of steps tells a part of the mean.  What is left, however little, may take so long
 * that it is most of the mean: nothing can be said against a mean that is larger. */
static PepaStatus compare(const Passage *p, const PassageMoments *found, PepaError *err)
{
    double part = 0;
    const double apart = 1e-6; /* of the mean: far beyond what either way may be off */
    if (!isfinite(found->mean) || passage_rate(p) == 0)
        return PEPA_OK;
    for (size_t k = p->count; k > 0; k--)
        part += p->left[k - 1] / passage_rate(p);
    if (found->mean >= (1 - apart) * part)
        return PEPA_OK;
    return error_set(err, PEPA_ENOCONV,
                     "the mean is %.9g by linear equations and at least %.9g by uniformisation: "
                     "give a stricter --tolerance",
                     found->mean, part);
}

/* start: per row, of sum `whole`; scratch: 6 n. */
static PepaStatus find_moments(const Equations *q, double whole, double *scratch,
                               PassageMoments *out, PepaError *err)
{
    const int32_t n = q->n;
    double *start = q->start, *y = scratch, *time = y + n, *again = time + n, *rest = again + n;
    double sum[2] = {0}, second = 0; /* of times; and of ends */
    for (int32_t i = 0; i < n; i++)
        start[i] /= whole;
    PepaStatus status = solve(q, start, y, time, rest, err);
    for (int32_t i = 0; i < n && status == PEPA_OK; i++) {
        sum[0] += time[i];
        sum[1] += time[i] * q->ends[i];
    }
    if (status == PEPA_OK)
        sum_of_all(q, sum, 2);
    for (int32_t i = 0; i < n && status == PEPA_OK; i++)
        start[i] = time[i] / sum[0];
    if (status == PEPA_OK)
        status = solve(q, start, y, again, rest, err);
    if (status != PEPA_OK)
        return status;
    second = vector_sum(again, n);
    sum_of_all(q, &second, 1);
    out->ends += whole * sum[1];
    out->mean = whole * sum[0];
    const double more = fmax(2 * second - out->mean, 0);
    out->variance = out->mean * more;
    out->deviation = sqrt(out->mean) * sqrt(more);
    return PEPA_OK;
}

PepaStatus passage_moments(Passage *p, PassageMoments *out, PepaError *err)
{
    Equations q = {.p = p};
    double *scratch = NULL;
    PepaStatus status = p->chain->share ? equations_together(&q, err) : equations_alone(&q, err);
    if (status == PEPA_OK && !mem_new(scratch, 6 * (size_t)q.n))
        status = error_memory(err);
    status = chain_agree(p->chain, status, err);
    *out = (PassageMoments){.ends = 1 - p->left[0]}; /* at once */
    double whole = status == PEPA_OK ? vector_sum(q.start, q.n) : 0;
    if (status == PEPA_OK)
        sum_of_all(&q, &whole, 1);
    if (status == PEPA_OK && whole > 0)
        status = find_moments(&q, whole, scratch, out, err);
    if (q.lost)
        out->mean = out->variance = out->deviation = HUGE_VAL;
    else
        out->ends = 1;
    if (status == PEPA_OK)
        status = compare(p, out, err);
    equations_free(&q);
    mem_free(scratch);
    return status;
}
