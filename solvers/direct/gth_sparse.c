/* Elimination without subtractions for sparse chains. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>
#include <suitesparse/amd.h>

#include "base/bucket.h"
#include "base/mem.h"
#include "solvers/direct/tuning.h"

/* ---- order ------------------------------------------------------------------------------ */

static SuiteSparse_long *widened(const int32_t *col, int64_t count)
{
    SuiteSparse_long *wide = mem_alloc((size_t)count, sizeof *wide);
    for (int64_t k = 0; wide && k < count; k++)
        wide[k] = col[k];
    return wide;
}

double most_work(const Control *control)
{
    return control->work > 0 ? control->work : ELIMINATION_WORK;
}

double gth_entries(const Control *control)
{
    const double entry = sizeof(double) + sizeof(int32_t);
    double within = (double)control->memory / entry;
    return control->memory == 0 || within > GTH_ENTRIES ? GTH_ENTRIES : within;
}

double gth_order_bytes(const Flow *flow)
{
    return ORDER_ENTRY_BYTES * (double)flow->row[flow->n] + ORDER_STATE_BYTES * flow->n;
}

PepaStatus gth_order(const Flow *flow, int32_t last, double most, int32_t *place, double *work)
{
    size_t n = (size_t)flow->n;
    double info[AMD_INFO];
    *work = HUGE_VAL;
    if ((double)flow->row[n] > most / 4)
        return PEPA_OK;
    SuiteSparse_long *col = widened(flow->col, flow->row[n]);
    SuiteSparse_long *row = mem_alloc(n + 1, sizeof *row), *order = mem_alloc(n, sizeof *order);
    PepaStatus status = PEPA_ENOMEM;
    if (col && row && order) {
        for (size_t i = 0; i <= n; i++)
            row[i] = flow->row[i];
        SuiteSparse_long done = amd_l_order((SuiteSparse_long)n, row, col, order, NULL, info);
        if (done == AMD_OK || done == AMD_OK_BUT_JUMBLED)
            status = PEPA_OK;
    }
    if (status == PEPA_OK) {
        int32_t at = 0;
        for (size_t k = 0; k < n; k++)
            if (order[k] != last)
                place[order[k]] = at++;
        if (last >= 0)
            place[last] = at;
        if (2 * info[AMD_LNZ] <= most)
            *work = info[AMD_NMULTSUBS_LU];
    }
    mem_free_all(col, row, order);
    return status;
}

/* ---- the chain, by sources -------------------------------------------------------------- */

void jumps_free(Jumps *jumps)
{
    mem_free_all(jumps->row, jumps->col, jumps->val);
    *jumps = (Jumps){0};
}

/* Counts a jump, or puts it in its place. */
static void add(Jumps *jumps, bool counting, int32_t from, int32_t to, double chance)
{
    if (counting) {
        bucket_count(jumps->row, from);
        return;
    }
    int64_t at = bucket_place(jumps->row, from);
    jumps->col[at] = to;
    jumps->val[at] = chance;
}

static void add_all(Jumps *jumps, bool counting, const Flow *flow, const int32_t *place,
                    const double *leave, const double *enter)
{
    int32_t n = flow->n, classes = jumps->columns - n;
    for (int32_t i = 0; i < n; i++) {
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            add(jumps, counting, place[flow->col[k]], place[i], flow_val(flow, k));
        for (int32_t c = 0; c < classes; c++) {
            double chance = leave[(size_t)i * (size_t)classes + (size_t)c];
            if (chance != 0)
                add(jumps, counting, place[i], n + c, chance);
        }
        if (enter && enter[i] != 0)
            add(jumps, counting, n, place[i], enter[i]);
    }
}

PepaStatus jumps_new(Jumps *jumps, const Flow *flow, const int32_t *place, int32_t classes,
                     const double *leave, const double *enter)
{
    const int32_t rows = flow->n + (enter ? 1 : 0);
    *jumps = (Jumps){.rows = rows, .columns = flow->n + classes};
    if (!mem_new_zeroed(jumps->row, (size_t)rows + 2))
        return PEPA_ENOMEM;
    add_all(jumps, true, flow, place, leave, enter);
    bucket_starts(jumps->row, rows);
    if (!mem_new(jumps->col, jumps->row[rows + 1]) || !mem_new(jumps->val, jumps->row[rows + 1])) {
        jumps_free(jumps);
        return PEPA_ENOMEM;
    }
    add_all(jumps, false, flow, place, leave, enter);
    return PEPA_OK;
}

/* ---- elimination ------------------------------------------------------------------------ */

/* A triangle of the eliminated chain, growing row by row. */
typedef struct {
    int64_t *row;
    int32_t *col;
    double *val;
    size_t col_cap, val_cap, count;
} Triangle;

typedef struct {
    const Jumps *jumps;
    Triangle lower, upper; /* visits to earlier states; ways to later ones */
    double *out;           /* per row: sum of its ways to later states */
    int32_t *parent;       /* elimination tree of the pattern of P + P' */
    int32_t *stack, *mark; /* mark[k] == i: k is known in row i */
    int32_t *later;        /* columns > i of row i as it grows */
    double *sum;           /* row i itself, spread over the columns */
} Elimination;

static bool triangle_start(Triangle *t, size_t rows)
{
    return (t->row = mem_calloc(rows + 1, sizeof *t->row));
}

static bool triangle_reserve(Triangle *t, size_t more)
{
    return mem_grow(t->col, t->col_cap, t->count + more) &&
           mem_grow(t->val, t->val_cap, t->count + more);
}

static void triangle_put(Triangle *t, int32_t col, double val)
{
    t->col[t->count] = col;
    t->val[t->count++] = val;
}

static void triangle_free(Triangle *t)
{
    mem_free_all(t->row, t->col, t->val);
}

/* The sources of each column: those of i are from[start[i]] .. from[start[i + 1] - 1].
 *   start  columns + 2, all 0 */
static void transpose(const Jumps *jumps, int64_t *start, int32_t *from)
{
    for (int64_t k = 0; k < jumps->row[jumps->rows]; k++)
        bucket_count(start, jumps->col[k]);
    bucket_starts(start, jumps->columns);
    for (int32_t i = 0; i < jumps->rows; i++)
        for (int64_t k = jumps->row[i]; k < jumps->row[i + 1]; k++)
            from[bucket_place(start, jumps->col[k])] = i;
}

/* Make i the root over `at` and its ancestors so far, which are all eliminated before i.  `above`
 * leads up the tree by short cuts. */
static void add_ancestor(int32_t *parent, int32_t *above, int32_t at, int32_t i)
{
    while (at >= 0 && at < i) {
        int32_t up = above[at];
        above[at] = i;
        if (up < 0)
            parent[at] = i;
        at = up;
    }
}

/* parent[k]: the least i > k that k's elimination concerns, in the pattern of P + P'.
 * Source: Liu, ACM TOMS 12 (1986); Davis, Direct Methods for Sparse Linear Systems, 2006, 4.1. */
static bool find_tree(Elimination *e)
{
    const Jumps *jumps = e->jumps;
    int64_t *start = mem_calloc((size_t)jumps->columns + 2, sizeof *start);
    int32_t *from = mem_alloc((size_t)jumps->row[jumps->rows], sizeof *from), *above = e->stack;
    bool done = start && from;
    if (done)
        transpose(jumps, start, from);
    for (int32_t i = 0; done && i < jumps->rows; i++) {
        e->parent[i] = above[i] = -1;
        for (int64_t k = jumps->row[i]; k < jumps->row[i + 1]; k++)
            add_ancestor(e->parent, above, jumps->col[k], i);
        for (int64_t k = start[i]; k < start[i + 1]; k++)
            add_ancestor(e->parent, above, from[k], i);
    }
    mem_free_all(start, from);
    return done;
}

static bool elimination_start(Elimination *e, const Jumps *jumps)
{
    size_t rows = (size_t)jumps->rows, columns = (size_t)jumps->columns;
    *e = (Elimination){.jumps = jumps};
    if (!(mem_new(e->out, rows) && mem_new(e->parent, rows) && mem_new(e->stack, rows) &&
          mem_new(e->mark, columns) && mem_new(e->later, columns) &&
          mem_new_zeroed(e->sum, columns)) ||
        !triangle_start(&e->lower, rows) || !triangle_start(&e->upper, rows) || !find_tree(e))
        return false;
    memset(e->mark, -1, columns * sizeof *e->mark);
    return true;
}

static void elimination_free(Elimination *e)
{
    triangle_free(&e->lower);
    triangle_free(&e->upper);
    mem_free_all(e->out, e->parent, e->stack, e->mark, e->later, e->sum);
}

/* Spread row i over `sum`; list its later columns; stack[return value ..] becomes the earlier
 * states whose elimination concerns it, each before its ancestors in the tree. */
static int32_t spread(Elimination *e, int32_t i, int32_t *later_count)
{
    const Jumps *jumps = e->jumps;
    int32_t top = jumps->rows, count = 0;
    e->mark[i] = i;
    for (int64_t k = jumps->row[i]; k < jumps->row[i + 1]; k++) {
        int32_t at = jumps->col[k], length = 0;
        e->sum[at] += jumps->val[k];
        if (at > i && e->mark[at] != i) {
            e->mark[at] = i;
            e->later[count++] = at;
        }
        for (; at < i && e->mark[at] != i; at = e->parent[at]) {
            e->mark[at] = i;
            e->stack[length++] = at;
        }
        while (length > 0)
            e->stack[--top] = e->stack[--length];
    }
    *later_count = count;
    return top;
}

/* Row i takes over the ways through all earlier states; the multiply-adds that took, or -1 when
 * memory is out. */
static int64_t eliminate_row(Elimination *e, int32_t i)
{
    int32_t count, rows = e->jumps->rows;
    int64_t work = 1;
    int32_t top = spread(e, i, &count);
    if (!triangle_reserve(&e->lower, (size_t)(rows - top)))
        return -1;
    for (int32_t s = top; s < rows; s++) {
        int32_t k = e->stack[s];
        double share = e->sum[k];
        e->sum[k] = 0;
        if (share == 0)
            continue;
        double visits = share / e->out[k];
        triangle_put(&e->lower, k, visits);
        work += e->upper.row[k + 1] - e->upper.row[k];
        for (int64_t u = e->upper.row[k]; u < e->upper.row[k + 1]; u++) {
            int32_t to = e->upper.col[u];
            e->sum[to] += visits * e->upper.val[u];
            if (to > i && e->mark[to] != i) {
                e->mark[to] = i;
                e->later[count++] = to;
            }
        }
    }
    e->sum[i] = 0; /* coming back is no way out */
    e->out[i] = 0;
    if (!triangle_reserve(&e->upper, (size_t)count))
        return -1;
    for (int32_t k = 0; k < count; k++) {
        int32_t to = e->later[k];
        e->out[i] += e->sum[to];
        triangle_put(&e->upper, to, e->sum[to]);
        e->sum[to] = 0;
    }
    e->lower.row[i + 1] = (int64_t)e->lower.count;
    e->upper.row[i + 1] = (int64_t)e->upper.count;
    return work;
}

static const double large = 1e100;

/* Bring x, last scaled down at time *at, up to time `now`. */
static void scale_down(double *x, int32_t *at, int32_t now)
{
    for (; *x > 0 && *at < now; ++*at)
        *x /= large;
    *at = now;
}

/* Flows from the visits: x_last = 1, x_k = sum_{i>k} x_i lower_ik.  Whenever they grow beyond the
 * range of doubles all are scaled down, each when it is next looked at. */
static void unfold(Elimination *e, double *x)
{
    int32_t rows = e->jumps->rows, now = 0, *at = e->mark; /* the elimination is done with it */
    memset(x, 0, (size_t)rows * sizeof *x);
    memset(at, 0, (size_t)rows * sizeof *at);
    x[rows - 1] = 1;
    for (int32_t i = rows - 1; i >= 0; i--) {
        scale_down(&x[i], &at[i], now);
        if (x[i] > large)
            scale_down(&x[i], &at[i], ++now);
        for (int64_t k = e->lower.row[i]; k < e->lower.row[i + 1]; k++) {
            int32_t to = e->lower.col[k];
            scale_down(&x[to], &at[to], now);
            x[to] += x[i] * e->lower.val[k];
        }
    }
    for (int32_t i = 0; i < rows; i++)
        scale_down(&x[i], &at[i], now);
}

PepaStatus gth_sparse(const Jumps *jumps, Monitor *monitor, double *x, double *weight)
{
    const double most = monitor ? gth_entries(monitor->control) : GTH_ENTRIES;
    Elimination e;
    PepaStatus status = elimination_start(&e, jumps) ? PEPA_OK : PEPA_ENOMEM;
    int32_t rows = jumps->rows, last = rows - 1;
    for (int32_t i = 0; i < rows && status == PEPA_OK; i++) {
        int64_t work = eliminate_row(&e, i);
        if (work < 0)
            status = PEPA_ENOMEM;
        else if (i < last && !(e.out[i] > 0 && isfinite(e.out[i])))
            status = PEPA_ENOCONV;
        else if ((double)(e.lower.count + e.upper.count) > most)
            status = PEPA_ELIMIT;
        else if (monitor && monitor_cancels(monitor, work, 0, 1))
            status = PEPA_ECANCEL;
    }
    if (status == PEPA_OK && x)
        unfold(&e, x);
    if (status == PEPA_OK && weight) {
        memset(weight, 0, (size_t)(jumps->columns - rows) * sizeof *weight);
        for (int64_t k = e.upper.row[last]; k < e.upper.row[rows]; k++)
            weight[e.upper.col[k] - rows] = e.upper.val[k];
    }
    elimination_free(&e);
    return status;
}
