/* Mean and variance of a passage time by linear equations, over the states from which the passage
 * can end.  In flow form, with y the expected visits and d the exit rates,
 *     y = P'y + start,   v = y / d,   E T = sum v. */
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/twofold.h"
#include "measure/flow_build.h"
#include "measure/passage_private.h"
#include "measure/steady.h"

/* The share of the mean by which a correction may change it, for it to be the last, and at most. */
#define LITTLE_MOVED 1e-12
#define MOST_MOVED   1e-9
enum { CORRECTIONS = 5 };

/* Links, of which there are as many as entries, entries, and what goes with states. */
#define BYTES_PER_TRANSITION 16.0
#define BYTES_PER_STATE      148.0

typedef struct {
    Passage *p;
    double *exit, *ends; /* per state: rates at which it is left, and the passage ends */
    int32_t *place;      /* per state: its row; -1: the passage cannot end from there, or has */
    int64_t *from;       /* per row: the last source that was met */
    int64_t *fill;       /* per row: where its next entry goes */
    FlowOwner flow;
    /* Per row, what the chances of all jumps and of ends sum to: 1, but for their rounding.  Where
     * ends are rare, that is what tells how rare. */
    Twofold *whole;
    double *leave;  /* per row: the chance that it ends with a jump, or can never end after it */
    int64_t memory; /* that is left for methods; 0: no limit */
    bool fills;
    bool lost; /* some passage comes to where it cannot end */
} Equations;

static bool ends_by(const Equations *q, const Transition *t)
{
    return q->p->end.action && q->p->end.action[t->action];
}

static bool ends_in(const Equations *q, int64_t state)
{
    return q->p->end.state && q->p->end.state[state];
}

/* ---- where it can end ------------------------------------------------------------------------ */

static void add_rates(void *user, const Transition *t)
{
    Equations *q = user;
    const double rate = q->p->at->term[t->term];
    const bool away = ends_by(q, t);
    if (away || t->to != t->from)
        q->exit[t->from] += rate;
    if (away || ends_in(q, t->to))
        q->ends[t->from] += rate;
}

/* Transitions that do not end it, by target, or by source. */
typedef struct {
    const Equations *q;
    bool forward, fills;
    int64_t *row;
    int32_t *next;
} Links;

static void add_link(void *user, const Transition *t)
{
    Links *l = user;
    if (ends_by(l->q, t) || t->to == t->from || ends_in(l->q, t->from) || ends_in(l->q, t->to))
        return;
    const int64_t at = l->forward ? t->from : t->to;
    if (l->fills) /* from the end of its links to their beginning */
        l->next[--l->row[at + 1]] = (int32_t)(l->forward ? t->to : t->from);
    else
        l->row[at + 1]++;
}

/* Mark all that can be reached from what is marked, against the transitions or with them. */
static PepaStatus spread(const Equations *q, bool forward, uint8_t *mark, PepaError *err)
{
    const int64_t n = q->p->chain->state_count;
    Links l = {.q = q, .forward = forward};
    int32_t *stack = NULL;
    int64_t count = 0;
    bool ok = mem_new_zeroed(l.row, n + 2) && mem_new(stack, n);
    PepaStatus status =
        ok ? chain_each_transition(q->p->chain, add_link, &l, err) : error_memory(err);
    for (int64_t i = 0; status == PEPA_OK && i <= n; i++)
        l.row[i + 1] += l.row[i];
    if (status == PEPA_OK && !mem_new(l.next, l.row[n + 1]))
        status = error_memory(err);
    l.fills = true;
    if (status == PEPA_OK)
        status = chain_each_transition(q->p->chain, add_link, &l, err);
    for (int64_t i = 0; i < n && status == PEPA_OK; i++)
        if (mark[i])
            stack[count++] = (int32_t)i;
    while (count > 0) {
        const int32_t i = stack[--count];
        for (int64_t k = l.row[i + 1]; k < l.row[i + 2]; k++)
            if (!mark[l.next[k]]) {
                mark[l.next[k]] = 1;
                stack[count++] = l.next[k];
            }
    }
    mem_free_all(l.row, l.next, stack);
    return status;
}

/* place: 0 where the passage may be and from where it can end, else -1; *lost: it may be elsewhere.
 */
static PepaStatus find_reach(Equations *q, PepaError *err)
{
    const int64_t n = q->p->chain->state_count;
    uint8_t *can = NULL, *may = NULL;
    bool ok = mem_new_zeroed(can, n) && mem_new_zeroed(may, n);
    for (int64_t i = 0; ok && i < n; i++) {
        can[i] = q->ends[i] > 0 && !ends_in(q, i);
        may[i] = q->p->start[i] > 0;
    }
    PepaStatus status = ok ? spread(q, false, can, err) : error_memory(err);
    if (status == PEPA_OK)
        status = spread(q, true, may, err);
    for (int64_t i = 0; i < n && status == PEPA_OK; i++) {
        q->place[i] = can[i] && may[i] ? 0 : -1;
        q->lost = q->lost || (may[i] && !can[i]);
    }
    mem_free_all(can, may);
    return status;
}

/* ---- the equations --------------------------------------------------------------------------- */

static void add_leave(Equations *q, int32_t row, double chance)
{
    q->leave[row] += chance;
    twofold_add(&q->whole[row], (Twofold){chance, 0});
}

/* Sources ascend: a second transition between two states finds the entry of the first last. */
static void add_entry(void *user, const Transition *t)
{
    Equations *q = user;
    const int32_t from = q->place[t->from], to = q->place[t->to];
    if (from < 0 || t->to == t->from || ends_by(q, t) || ends_in(q, t->to))
        return;
    const double chance = q->p->at->term[t->term] / q->exit[t->from];
    if (to < 0) { /* to where it cannot end */
        if (q->fills)
            add_leave(q, from, chance);
        return;
    }
    const bool again = q->from[to] == t->from;
    q->from[to] = t->from;
    if (!q->fills) {
        q->flow.row[to + 1] += !again;
        return;
    }
    int64_t at = again ? q->fill[to] - 1 : q->fill[to]++;
    q->flow.col[at] = from;
    q->flow.val[at] = (again ? q->flow.val[at] : 0) + chance;
}

static PepaStatus build(Equations *q, PepaError *err)
{
    const Chain *c = q->p->chain;
    int32_t n = 0;
    for (int64_t i = 0; i < c->state_count; i++)
        q->place[i] = q->place[i] < 0 ? -1 : n++;
    q->flow.n = n;
    bool ok = mem_new_zeroed(q->flow.row, (size_t)n + 1) && mem_new(q->from, n) &&
              mem_new(q->fill, n) && mem_new(q->flow.exit, n) && mem_new_zeroed(q->whole, n) &&
              mem_new_zeroed(q->leave, n);
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    for (int pass = 0; pass < 2 && status == PEPA_OK; pass++) {
        memset(q->from, -1, (size_t)n * sizeof *q->from);
        q->fills = pass == 1;
        status = chain_each_transition(c, add_entry, q, err);
        if (pass == 1 || status != PEPA_OK)
            break;
        for (int32_t i = 0; i < n; i++)
            q->flow.row[i + 1] += q->flow.row[i];
        memcpy(q->fill, q->flow.row, (size_t)n * sizeof *q->fill);
        if (!mem_new(q->flow.col, q->flow.row[n]) || !mem_new(q->flow.val, q->flow.row[n]))
            status = error_memory(err);
    }
    for (int64_t i = 0; i < c->state_count && status == PEPA_OK; i++)
        if (q->place[i] >= 0) {
            q->flow.exit[q->place[i]] = q->exit[i];
            add_leave(q, q->place[i], q->ends[i] / q->exit[i]);
        }
    for (int64_t k = 0; status == PEPA_OK && k < q->flow.row[n]; k++)
        twofold_add(&q->whole[q->flow.col[k]], (Twofold){q->flow.val[k], 0});
    return status;
}

/* y of y = P'y + start, to the tolerance of the settings; start: of sum 1.  *exact: each to nearly
 * all digits. */
static PepaStatus solve_once(const Equations *q, const double *start, double *y, bool *exact,
                             PepaError *err)
{
    const PepaSettings *set = q->p->set;
    Flow view = flow_view(&q->flow, start);
    Control control = stricter_control(set, q->memory);
    Outcome out = {0};
    view.leave = q->leave;
    memcpy(y, start, (size_t)view.n * sizeof *y);
    PepaStatus status = flow_team_new(&view.team, &view, set->threads)
                            ? solve_flow(set->solve.method, &view, &control, y, &out, err)
                            : error_memory(err);
    flow_team_free(view.team);
    *exact = status == PEPA_OK && strcmp(out.method, "gth") == 0;
    return status;
}

/* What start + P'y - y lacks, in twice the digits: the positive part and the negative part. */
static double lack(const Equations *q, const double *start, const double *y, double *sides[2])
{
    const FlowOwner *f = &q->flow;
    double sum = 0;
    for (int32_t i = 0; i < f->n; i++) {
        Twofold rest = {start[i], 0};
        twofold_add_product(&rest, -y[i], q->whole[i].hi, q->whole[i].lo);
        for (int64_t k = f->row[i]; k < f->row[i + 1]; k++)
            twofold_add_product(&rest, f->val[k], y[f->col[k]], 0);
        const double here = rest.hi + rest.lo;
        sides[0][i] = fmax(here, 0);
        sides[1][i] = fmax(-here, 0);
        sum += fabs(here);
    }
    return sum;
}

static double sum_of(const double *x, int32_t n)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* Add what y lacks, and say by which share that changes the time in all states: visits would not
 * tell, since slow states have few.  The solvers take no negative numbers.
 * more: n, scratch */
static PepaStatus correct(const Equations *q, double *sides[2], double *y, double *more,
                          double *share, PepaError *err)
{
    const int32_t n = q->flow.n;
    PepaStatus status = PEPA_OK;
    double sum[2], moved = 0, all = 0;
    bool exact;
    for (int side = 0; side < 2 && status == PEPA_OK; side++) {
        sum[side] = sum_of(sides[side], n);
        for (int32_t i = 0; i < n; i++)
            sides[side][i] /= sum[side] > 0 ? sum[side] : 1;
        if (sum[side] > 0)
            status = solve_once(q, sides[side], more, &exact, err);
        if (status == PEPA_OK)
            memcpy(sides[side], more, (size_t)n * sizeof *more);
    }
    for (int32_t i = 0; i < n && status == PEPA_OK; i++) {
        const double change = sum[0] * sides[0][i] - sum[1] * sides[1][i];
        y[i] += change;
        moved += fabs(change) / q->flow.exit[i];
        all += y[i] / q->flow.exit[i];
    }
    *share = all > 0 && isfinite(all) ? moved / all : HUGE_VAL;
    return status;
}

/* Visits y from `start`, of sum 1; time[i]: y_i / d_i.  A mean is off by what each y lacks times
 * what a passage takes from there: that may be much more than it takes from the start, so that y is
 * corrected until corrections are small.  Elimination without subtractions needs none: no y is off
 * by more than a small share of itself.  scratch: 3 n */
static PepaStatus solve(const Equations *q, const double *start, double *y, double *time,
                        double *scratch, PepaError *err)
{
    const int32_t n = q->flow.n;
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
        time[i] = y[i] / q->flow.exit[i];
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
static PepaStatus find_moments(Equations *q, double *start, double whole, double *scratch,
                               PassageMoments *out, PepaError *err)
{
    const int32_t n = q->flow.n;
    double *y = scratch, *time = y + n, *again = time + n, *rest = again + n;
    double first = 0, second = 0, ended = 0;
    for (int32_t i = 0; i < n; i++)
        start[i] /= whole;
    PepaStatus status = solve(q, start, y, time, rest, err);
    for (int64_t i = 0; i < q->p->chain->state_count && status == PEPA_OK; i++)
        if (q->place[i] >= 0)
            ended += time[q->place[i]] * q->ends[i];
    for (int32_t i = 0; i < n; i++)
        first += time[i];
    for (int32_t i = 0; i < n && status == PEPA_OK; i++)
        start[i] = time[i] / first;
    if (status == PEPA_OK)
        status = solve(q, start, y, again, rest, err);
    for (int32_t i = 0; i < n; i++)
        second += again[i];
    out->ends += whole * ended;
    out->mean = whole * first;
    out->variance = 2 * whole * first * second - out->mean * out->mean;
    return status;
}

PepaStatus passage_moments(Passage *p, PassageMoments *out, PepaError *err)
{
    const int64_t n = p->chain->state_count;
    const double bytes = chain_bytes(p->chain) + BYTES_PER_STATE * (double)n +
                         BYTES_PER_TRANSITION * (double)p->chain->transitions;
    Equations q = {.p = p, .memory = budget_left(p->set->memory, bytes)};
    double *start = NULL, *scratch = NULL, whole = 0;
    PepaStatus status = error_by_rows(err, n, "the mean of a passage time");
    if (status != PEPA_OK)
        return status;
    if (!budget_allows(p->set->memory, bytes))
        return budget_exceeded(err, bytes, p->set->memory, "the mean of a passage time");
    bool ok = mem_new_zeroed(q.exit, n) && mem_new_zeroed(q.ends, n) && mem_new(q.place, n);
    status = ok ? chain_each_transition(p->chain, add_rates, &q, err) : error_memory(err);
    if (status == PEPA_OK)
        status = find_reach(&q, err);
    if (status == PEPA_OK)
        status = build(&q, err);
    if (status == PEPA_OK &&
        !(mem_new_zeroed(start, q.flow.n) && mem_new(scratch, 6 * (size_t)q.flow.n)))
        status = error_memory(err);
    *out = (PassageMoments){.ends = 1 - p->left[0]}; /* at once */
    for (int64_t i = 0; i < n && status == PEPA_OK; i++)
        if (q.place[i] >= 0) {
            start[q.place[i]] = p->start[i];
            whole += p->start[i];
        }
    if (status == PEPA_OK && whole > 0)
        status = find_moments(&q, start, whole, scratch, out, err);
    if (q.lost)
        out->mean = out->variance = HUGE_VAL;
    else
        out->ends = 1;
    if (status == PEPA_OK)
        status = compare(p, out, err);
    flow_free(&q.flow);
    mem_free_all(q.exit, q.ends, q.place, q.from, q.fill, q.whole, q.leave, start, scratch);
    return status;
}
