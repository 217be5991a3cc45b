/* Grassmann, Taksar, Heyman: elimination without subtractions. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/direct/tuning.h"

/* The row takes over the ways through states last-1, .., first, whose own rows are complete and
 * whose ways to earlier states sum to out[k]; row[k] becomes the visits to k. */
static void reroute(double *restrict row, const double *restrict a, size_t m, int32_t first,
                    int32_t last, const double *out)
{
    for (int32_t k = last - 1; k >= first; k--) {
        if (row[k] == 0)
            continue;
        const double *via = a + (size_t)k * m;
        double visits = row[k] / out[k];
        for (int32_t j = 0; j < k; j++)
            row[j] += visits * via[j];
        row[k] = visits;
    }
}

/* Censor states m-1, .., 1 of the dense chain a (m x m, row-major), block by block, so that each
 * row before the block is read once per block.  All numbers are sums, products and quotients of
 * non-negative ones: nothing cancels.  a_ik with k > i then holds the expected visits to k per
 * visit to i before the chain is in a state < k.  PEPA_ENOCONV when some state has no way to those
 * before it, or a number is not finite.  out: m entries, scratch.  m^3/3 multiply-adds. */
static PepaStatus censor(double *a, int32_t m, double *out, Monitor *monitor)
{
    PepaStatus status = PEPA_OK;
    for (int32_t last = m, first; last > 1 && status == PEPA_OK; last = first) {
        first = last - 1 > GTH_ROWS ? last - GTH_ROWS : 1;
        for (int32_t k = last - 1; k >= first; k--) {
            double *row = a + (size_t)k * (size_t)m;
            reroute(row, a, (size_t)m, k + 1, last, out);
            double sum = 0;
            for (int32_t j = 0; j < k; j++)
                sum += row[j];
            out[k] = sum;
            if (!(out[k] > 0 && isfinite(out[k])))
                status = PEPA_ENOCONV;
        }
        for (int32_t i = 0; i < first && status == PEPA_OK; i++) {
            reroute(a + (size_t)i * (size_t)m, a, (size_t)m, first, last, out);
            if (monitor_cancels(monitor, (int64_t)first * (last - first), 0, 1))
                status = PEPA_ECANCEL;
        }
    }
    return status;
}

/* The chance to leave for good.  If it is not given: 1 - sum_j p_ij, exact for the numbers given (a
 * sum of two doubles without rounding errors: Knuth, TAOCP 2, 4.2.2).  It is then known no better
 * than P is: a chance of 1e-15 that was lost when the p_ij were rounded cannot be recovered. */
static bool ways_out(const Flow *flow, double *out)
{
    int32_t n = flow->n;
    if (flow->leave) {
        memcpy(out, flow->leave, (size_t)n * sizeof *out);
        return true;
    }
    double *rest = mem_calloc((size_t)n, sizeof *rest);
    if (!rest)
        return false;
    for (int32_t i = 0; i < n; i++)
        out[i] = 1;
    for (int64_t k = 0; k < flow->row[n]; k++) {
        double x = out[flow->col[k]], p = -flow_val(flow, k), sum = x + p, taken = sum - x;
        rest[flow->col[k]] += (x - (sum - taken)) + (p - taken);
        out[flow->col[k]] = sum;
    }
    for (int32_t i = 0; i < n; i++)
        out[i] = out[i] + rest[i] > 0 ? out[i] + rest[i] : 0;
    mem_free(rest);
    return true;
}

/* Flows from the censored chain: x_0 = 1, x_k = sum_{i<k} x_i a_ik.  When they grow beyond the
 * range of doubles all are scaled down, and the smallest may become 0. */
static void unfold(const double *a, int32_t m, double *x)
{
    const double large = 1e100;
    memset(x, 0, (size_t)m * sizeof *x);
    x[0] = 1;
    for (int32_t i = 0; i < m; i++) {
        if (x[i] > large)
            for (int32_t j = 0; j < m; j++)
                x[j] /= large;
        const double *row = a + (size_t)i * (size_t)m;
        for (int32_t j = i + 1; j < m; j++)
            x[j] += x[i] * row[j];
    }
}

/* With b the chain is closed by one more state, where it ends and starts anew: its flow is 1, so
 * that the other flows are the expected visits.  It is the first one of the dense chain.
 *   x  2 (n + 1) entries, at most 3 n; the first n get the answer, here and below */
static PepaStatus eliminate_dense(Attempt *try, double *x)
{
    const Flow *flow = try->flow;
    const int32_t shift = flow->b ? 1 : 0, m = flow->n + shift;
    if (!attempt_affords(try, (double)m * m * sizeof *x))
        return PEPA_ELIMIT;
    double *a = mem_calloc((size_t)m * (size_t)m, sizeof *a);
    bool ok = a && (!flow->b || ways_out(flow, x));
    for (int32_t i = 0; ok && i < flow->n; i++) {
        double *into = a + i + shift;
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            into[(size_t)(flow->col[k] + shift) * (size_t)m] = flow_val(flow, k);
        if (flow->b) {
            *into = flow->b[i];
            a[(size_t)(i + 1) * (size_t)m] = x[i];
        }
    }
    PepaStatus status = ok ? censor(a, m, x + m, &try->monitor) : PEPA_ENOMEM;
    if (status == PEPA_OK)
        unfold(a, m, x);
    double again = status == PEPA_OK && flow->b ? x[0] : 1;
    for (int32_t i = 0; status == PEPA_OK && i < flow->n; i++)
        x[i] = x[i + shift] / again;
    mem_free(a);
    return status;
}

static PepaStatus eliminate_sparse(Attempt *try, const int32_t *place, double *x)
{
    const Flow *flow = try->flow;
    size_t n = (size_t)flow->n;
    double *flows = x + n;
    Jumps jumps = {0};
    PepaStatus status = PEPA_ENOMEM;
    if (!flow->b || ways_out(flow, x))
        status = jumps_new(&jumps, flow, place, flow->b ? 1 : 0, x, flow->b);
    if (status == PEPA_OK)
        status = gth_sparse(&jumps, &try->monitor, flows, NULL);
    double again = status == PEPA_OK && flow->b ? flows[n] : 1;
    for (size_t i = 0; status == PEPA_OK && i < n; i++)
        x[i] = flows[place[i]] / again;
    jumps_free(&jumps);
    return status;
}

/* Dense, from the last state to the first, for few states, or when the sparse elimination would
 * fill up anyway. */
static PepaStatus eliminate(Attempt *try, double *x)
{
    int32_t n = try->flow->n;
    double cube = (double)n * n * n / 3, work;
    if (n <= GTH_DENSE)
        return eliminate_dense(try, x);
    if (!attempt_affords(try, gth_order_bytes(try->flow)))
        return PEPA_ELIMIT;
    int32_t *place = mem_alloc((size_t)n, sizeof *place);
    PepaStatus status =
        place ? gth_order(try->flow, -1, gth_entries(try->control), place, &work) : PEPA_ENOMEM;
    if (status == PEPA_OK) {
        bool dense = n <= GTH_MOST_DENSE && cube < GTH_SPARSE_COST * work;
        if (!((dense ? cube : work) <= most_work(try->control)))
            status = PEPA_ELIMIT;
        else
            status = dense ? eliminate_dense(try, x) : eliminate_sparse(try, place, x);
    }
    mem_free(place);
    return status;
}

static void run(Attempt *try, double *x)
{
    PepaStatus status = eliminate(try, x);
    try->every_digit = try->flow->leave != NULL;
    if (status == PEPA_OK)
        (void)attempt_answer(try, x);
    else if (status == PEPA_ENOCONV)
        try->why = "found a state that cannot reach the others";
    else
        try->status = status;
}

/* Steady state or visits by elimination, dense or sparse.  Without b every
 * entry is right to almost full relative accuracy, however stiff the chain; with b as well, as far
 * as the chances to leave are (see ways_out).  Where they are given and visits are many, rounding
 * of these alone is out of balance by more than b, and the share of them that is counts.
 * PEPA_ELIMIT when the elimination would create more than GTH_ENTRIES entries or take hours.
 * Source: Grassmann, Taksar, Heyman, Operations Research 33 (1985); O'Cinneide, Numer. Math. 65
 * (1993) for the accuracy. */
const Method method_gth = {"gth", "steps", .passes = 1, .vectors = 3, .run = run};
