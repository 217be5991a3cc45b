/* Elimination without subtractions for sparse chains, front by front. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>

#include "base/bucket.h"
#include "base/mem.h"
#include "solvers/direct/fronts.h"
#include "solvers/direct/tuning.h"

/* The same by targets: column i has the sources of state i. */
static bool transpose(const Jumps *jumps, Jumps *back)
{
    const int32_t rows = jumps->rows;
    const int64_t count = jumps->row[rows];
    *back = (Jumps){.rows = rows, .columns = rows};
    if (!mem_new_zeroed(back->row, (size_t)rows + 2) || !mem_new(back->col, count) ||
        !mem_new(back->val, count))
        return false;
    for (int64_t k = 0; k < count; k++)
        if (jumps->col[k] < rows)
            bucket_count(back->row, jumps->col[k]);
    bucket_starts(back->row, rows);
    for (int32_t i = 0; i < rows; i++)
        for (int64_t k = jumps->row[i]; k < jumps->row[i + 1]; k++)
            if (jumps->col[k] < rows) {
                const int64_t at = bucket_place(back->row, jumps->col[k]);
                back->col[at] = i;
                back->val[at] = jumps->val[k];
            }
    return true;
}

/* ---- elimination ------------------------------------------------------------------------ */

typedef struct {
    const Jumps *jumps;
    Jumps back;
    Fronts fronts;
    int32_t *place; /* per column: its place in the front */
    Front now;
    double *update; /* of fronts whose parents are to come, each rows x columns without pivots */
    size_t used;    /* of that */
    int32_t *waits; /* these fronts */
    int32_t waiting;
    double *visits; /* of all fronts but the last, each rows x pivots; NULL: nobody wants them */
} Elimination;

static int32_t columns_of(const Fronts *fronts, int32_t f)
{
    return (int32_t)(fronts->start[f + 1] - fronts->start[f]);
}

/* What is left of a front. */
static size_t update_size(const Fronts *fronts, int32_t f)
{
    const int32_t pivots = fronts->pivots[f];
    return (size_t)(fronts->rows[f] - pivots) * (size_t)(columns_of(fronts, f) - pivots);
}

/* Visits to its pivots, as they are kept; the last front stays where it is. */
static size_t visits_size(const Fronts *fronts, int32_t f)
{
    return f == fronts->count - 1 ? 0 : (size_t)fronts->rows[f] * (size_t)fronts->pivots[f];
}

static size_t front_size(const Fronts *fronts, int32_t f)
{
    return (size_t)fronts->rows[f] * (size_t)front_stride(columns_of(fronts, f));
}

/* Memory for all fronts, of known size before the first is eliminated. */
static PepaStatus reserve(Elimination *e, double most, bool wanted)
{
    const Fronts *fronts = &e->fronts;
    size_t used = 0, deepest = 0, largest = 0, visits = 0;
    int32_t rows = 0, waiting = 0;
    for (int32_t f = 0; f < fronts->count; f++) {
        for (; waiting > 0 && fronts->parent[e->waits[waiting - 1]] == f; waiting--)
            used -= update_size(fronts, e->waits[waiting - 1]);
        e->waits[waiting++] = f;
        used += update_size(fronts, f);
        deepest = used > deepest ? used : deepest;
        largest = front_size(fronts, f) > largest ? front_size(fronts, f) : largest;
        rows = fronts->rows[f] > rows ? fronts->rows[f] : rows;
        visits += wanted ? visits_size(fronts, f) : 0;
    }
    const double entry = sizeof(double) + sizeof(int32_t);
    if ((double)(deepest + largest + visits) * sizeof(double) > most * entry)
        return PEPA_ELIMIT;
    return mem_new(e->update, deepest) && mem_new(e->now.a, largest) && mem_new(e->now.out, rows) &&
                   mem_new(e->now.busy, rows) && (!wanted || mem_new(e->visits, visits))
               ? PEPA_OK
               : PEPA_ENOMEM;
}

static PepaStatus elimination_start(Elimination *e, const Jumps *jumps, double most, bool wanted)
{
    *e = (Elimination){.jumps = jumps};
    if (!transpose(jumps, &e->back) || !fronts_new(&e->fronts, jumps, &e->back) ||
        !mem_new(e->place, jumps->columns) || !mem_new(e->waits, e->fronts.count))
        return PEPA_ENOMEM;
    return reserve(e, most, wanted);
}

static void elimination_free(Elimination *e)
{
    jumps_free(&e->back);
    fronts_free(&e->fronts);
    mem_free_all(e->place, e->now.a, e->now.out, e->now.busy, e->update, e->waits, e->visits);
}

/* Jumps from and to the pivots, but those from and to states that are eliminated. */
static void enter_jumps(Elimination *e, int32_t f)
{
    const Jumps *jumps = e->jumps, *back = &e->back;
    const int32_t *column = e->fronts.column + e->fronts.start[f];
    const size_t stride = (size_t)e->now.stride;
    for (int32_t p = 0; p < e->fronts.pivots[f]; p++) {
        const int32_t i = column[p];
        for (int64_t k = jumps->row[i]; k < jumps->row[i + 1]; k++)
            if (jumps->col[k] > i)
                e->now.a[(size_t)p * stride + (size_t)e->place[jumps->col[k]]] += jumps->val[k];
        for (int64_t k = back->row[i]; k < back->row[i + 1]; k++)
            if (back->col[k] > i)
                e->now.a[(size_t)e->place[back->col[k]] * stride + (size_t)p] += back->val[k];
    }
}

/* What is left of the child that was eliminated last. */
static void enter_update(Elimination *e)
{
    const Fronts *fronts = &e->fronts;
    const int32_t child = e->waits[--e->waiting], pivots = fronts->pivots[child];
    const int32_t *column = fronts->column + fronts->start[child] + pivots;
    const int32_t rows = fronts->rows[child] - pivots, columns = columns_of(fronts, child) - pivots;
    e->used -= update_size(fronts, child);
    const double *from = e->update + e->used;
    for (int32_t i = 0; i < rows; i++, from += columns) {
        double *to = e->now.a + (size_t)e->place[column[i]] * (size_t)e->now.stride;
        for (int32_t j = 0; j < columns; j++)
            to[e->place[column[j]]] += from[j];
    }
}

static void assemble(Elimination *e, int32_t f)
{
    const Fronts *fronts = &e->fronts;
    const int32_t columns = columns_of(fronts, f), *column = fronts->column + fronts->start[f];
    e->now.rows = fronts->rows[f];
    e->now.stride = front_stride(columns);
    memset(e->now.a, 0, front_size(fronts, f) * sizeof *e->now.a);
    for (int32_t j = 0; j < columns; j++)
        e->place[column[j]] = j;
    enter_jumps(e, f);
    while (e->waiting > 0 && fronts->parent[e->waits[e->waiting - 1]] == f)
        enter_update(e);
}

/* Visits to its pivots, and what is left, are kept for others. */
static void keep(Elimination *e, int32_t f, double *visits)
{
    const int32_t pivots = e->fronts.pivots[f], left = columns_of(&e->fronts, f) - pivots;
    const double *row = e->now.a;
    for (int32_t i = 0; i < e->now.rows; i++, row += e->now.stride) {
        if (visits)
            memcpy(visits + (size_t)i * (size_t)pivots, row, (size_t)pivots * sizeof *row);
        if (i >= pivots) {
            memcpy(e->update + e->used, row + pivots, (size_t)left * sizeof *row);
            e->used += (size_t)left;
        }
    }
    e->waits[e->waiting++] = f;
}

/* What absorbing states get from the chain's last state, the last pivot of the front. */
static void absorb(const Elimination *e, int32_t f, double *weight)
{
    const Fronts *fronts = &e->fronts;
    const int32_t *column = fronts->column + fronts->start[f], columns = columns_of(fronts, f);
    const double *row = e->now.a + (size_t)(fronts->pivots[f] - 1) * (size_t)e->now.stride;
    for (int32_t j = fronts->rows[f]; j < columns; j++)
        weight[column[j] - e->jumps->rows] = row[j];
}

static PepaStatus eliminate_front(Elimination *e, int32_t f, Monitor *monitor)
{
    const int32_t pivots = e->fronts.pivots[f], last = e->jumps->rows - 1;
    const int32_t *column = e->fronts.column + e->fronts.start[f];
    for (int32_t begin = 0, end; begin < pivots; begin = end) {
        end = begin + GTH_PIVOTS < pivots ? begin + GTH_PIVOTS : pivots;
        front_eliminate(&e->now, begin, end);
        for (int32_t p = begin; p < end; p++)
            if (column[p] != last && !(e->now.out[p] >= LEAST_OUT && isfinite(e->now.out[p])))
                return PEPA_ENOCONV;
        const int64_t work =
            (int64_t)(end - begin) * (e->now.rows - begin) * (e->now.stride - begin);
        if (monitor && monitor_cancels(monitor, work, 0, 1))
            return PEPA_ECANCEL;
    }
    return PEPA_OK;
}

static const long double large = 1e1500L;

/* Bring x, last scaled down at time *at, up to time `now`. */
static void scale_down(long double *x, int32_t *at, int32_t now)
{
    for (; *x > 0 && *at < now; ++*at)
        *x /= large;
    *at = now;
}

/* Flows of a front's pivots from those of its other states.  Returns the time after it.
 *   visits  rows x stride: those to the pivots, row-major
 *   sum     pivots entries, scratch */
static int32_t unfold_front(const Elimination *e, int32_t f, const double *visits, int32_t stride,
                            long double *x, long double *sum, int32_t *at, int32_t now)
{
    const Fronts *fronts = &e->fronts;
    const int32_t *column = fronts->column + fronts->start[f], pivots = fronts->pivots[f];
    memset(sum, 0, (size_t)pivots * sizeof *sum);
    for (int32_t i = fronts->rows[f] - 1; i >= 0; i--) {
        const int32_t state = column[i], count = i < pivots ? i : pivots;
        const double *row = visits + (size_t)i * (size_t)stride;
        if (i < pivots) {
            x[state] = state == e->jumps->rows - 1 ? 1 : sum[i];
            at[state] = now;
            if (x[state] > large) {
                now++;
                for (int32_t k = 0; k < count; k++)
                    sum[k] /= large;
            }
        }
        scale_down(&x[state], &at[state], now);
        for (int32_t k = 0; x[state] > 0 && k < count; k++)
            sum[k] += x[state] * row[k];
    }
    return now;
}

/* The last is 1, or the largest is 1e100 where that is more. */
static void write_flows(const long double *x, int32_t rows, double *flows)
{
    const long double most = 1e100L;
    long double largest = 0;
    for (int32_t i = 0; i < rows; i++)
        largest = x[i] > largest ? x[i] : largest;
    const long double unit = largest > most ? largest / most : 1;
    for (int32_t i = 0; i < rows; i++)
        flows[i] = (double)(x[i] / unit);
}

/* Flows from the visits: x_last = 1, x_k = sum_{i>k} x_i visits_ik.  On the way from one group of states to another they may
 * be far less than a double can hold.  Whenever they grow beyond the range of long doubles all are scaled down, each when
 * it is next looked at.  False: memory is out. */
static bool unfold(Elimination *e, double *flows)
{
    const Fronts *fronts = &e->fronts;
    const int32_t rows = e->jumps->rows, last = fronts->count - 1;
    int32_t *at = e->place, most = 0; /* the elimination is done with it */
    const double *visits = e->visits;
    long double *x, *sum;
    for (int32_t f = 0; f < fronts->count; f++)
        most = fronts->pivots[f] > most ? fronts->pivots[f] : most;
    if (!mem_new(x, rows))
        return false;
    if (mem_new(sum, most)) {
        for (int32_t f = 0; f < last; f++)
            visits += visits_size(fronts, f);
        int32_t now = unfold_front(e, last, e->now.a, e->now.stride, x, sum, at, 0);
        for (int32_t f = last - 1; f >= 0; f--) {
            visits -= visits_size(fronts, f);
            now = unfold_front(e, f, visits, fronts->pivots[f], x, sum, at, now);
        }
        for (int32_t i = 0; i < rows; i++)
            scale_down(&x[i], &at[i], now);
        write_flows(x, rows, flows);
    }
    const bool ok = sum != NULL;
    mem_free_all(x, sum);
    return ok;
}

PepaStatus gth_sparse(const Jumps *jumps, Monitor *monitor, double *x, double *weight)
{
    const double most = monitor ? gth_entries(monitor->control) : GTH_ENTRIES;
    Elimination e;
    PepaStatus status = elimination_start(&e, jumps, most, x != NULL);
    double *visits = e.visits;
    for (int32_t f = 0; status == PEPA_OK && f < e.fronts.count; f++) {
        assemble(&e, f);
        status = eliminate_front(&e, f, monitor);
        if (f < e.fronts.count - 1) {
            keep(&e, f, visits);
            visits = visits ? visits + visits_size(&e.fronts, f) : NULL;
        }
    }
    if (status == PEPA_OK && weight) {
        memset(weight, 0, (size_t)(jumps->columns - jumps->rows) * sizeof *weight);
        absorb(&e, e.fronts.count - 1, weight);
    }
    if (status == PEPA_OK && x && !unfold(&e, x))
        status = PEPA_ENOMEM;
    elimination_free(&e);
    return status;
}
