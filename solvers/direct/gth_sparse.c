/* The chain's flows, or where its last state leads to, by elimination without subtractions. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/direct/elimination.h"
#include "solvers/direct/tuning.h"

/* What absorbing states get from the chain's last state, the last pivot of the front. */
static void absorb(const Elimination *e, int32_t f, double *weight)
{
    const Fronts *fronts = &e->fronts;
    const int32_t *column = front_states(&fronts->column, f);
    const int32_t pivots = fronts->pivots[f], columns = front_count(&fronts->column, f);
    const double *row = e->now.a + (size_t)(pivots - 1) * (size_t)e->now.stride;
    for (int32_t j = pivots; j < columns; j++)
        weight[column[j] - e->jumps->rows] = row[j];
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
    const int32_t *states = front_states(&fronts->row, f), pivots = fronts->pivots[f];
    memset(sum, 0, (size_t)pivots * sizeof *sum);
    for (int32_t i = front_count(&fronts->row, f) - 1; i >= 0; i--) {
        const int32_t state = states[i], count = i < pivots ? i : pivots;
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
    int32_t *at = e->row, most = 0; /* the elimination is done with it */
    const double *visits = e->visits;
    long double *x, *sum;
    for (int32_t f = 0; f < fronts->count; f++)
        most = fronts->pivots[f] > most ? fronts->pivots[f] : most;
    if (!mem_new(x, rows))
        return false;
    if (mem_new(sum, most)) {
        for (int32_t f = 0; f < last; f++)
            visits += elimination_visits(e, f);
        int32_t now = unfold_front(e, last, e->now.a, e->now.stride, x, sum, at, 0);
        for (int32_t f = last - 1; f >= 0; f--) {
            visits -= elimination_visits(e, f);
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

/* Room for the visits, if all is within `most` entries. */
static PepaStatus make_room(Elimination *e, double most, bool wanted)
{
    const double entry = sizeof(double) + sizeof(int32_t);
    size_t visits = 0;
    for (int32_t f = 0; wanted && f < e->fronts.count; f++)
        visits += elimination_visits(e, f);
    if ((double)(e->deepest + e->largest + visits) * sizeof(double) > most * entry)
        return PEPA_ELIMIT;
    return !wanted || mem_new(e->visits, visits) ? PEPA_OK : PEPA_ENOMEM;
}

PepaStatus gth_sparse(const Jumps *jumps, Monitor *monitor, double *x, double *weight)
{
    const double most = monitor ? gth_entries(monitor->control) : GTH_ENTRIES;
    Elimination e;
    PepaStatus status = elimination_start(&e, jumps) ? make_room(&e, most, x != NULL) : PEPA_ENOMEM;
    if (status == PEPA_OK)
        status = elimination_run(&e, monitor, true);
    if (status == PEPA_OK && weight) {
        memset(weight, 0, (size_t)(jumps->columns - jumps->rows) * sizeof *weight);
        absorb(&e, e.fronts.count - 1, weight);
    }
    if (status == PEPA_OK && x && !unfold(&e, x))
        status = PEPA_ENOMEM;
    mem_free(e.visits);
    elimination_free(&e);
    return status;
}
