/* Where a transient chain ends. */
#include "solvers/internal.h"

#include <float.h>
#include <math.h>

#include "base/mem.h"

PepaStatus absorb_gth(const Flow *flow, const double *absorb, int32_t classes, int32_t start,
                      const Control *control, double *weight, PepaError *err)
{
    double work = 0, sum = 0;
    Jumps jumps = {0};
    Monitor monitor = monitor_start(control);
    int32_t *place = mem_alloc((size_t)flow->n, sizeof *place);
    double *found = mem_alloc((size_t)classes, sizeof *found);
    PepaStatus status =
        place && found ? gth_order(flow, start, gth_entries(control), place, &work) : PEPA_ENOMEM;
    if (status == PEPA_OK && !(work <= most_work(control)))
        status = PEPA_ELIMIT;
    if (status == PEPA_OK)
        status = jumps_new(&jumps, flow, place, classes, absorb, NULL);
    if (status == PEPA_OK)
        status = gth_sparse(&jumps, &monitor, NULL, found);
    for (int32_t c = 0; status == PEPA_OK && c < classes; c++)
        sum += found[c];
    if (status == PEPA_OK && !(sum > 0 && isfinite(sum)))
        status = PEPA_ENOCONV;
    for (int32_t c = 0; status == PEPA_OK && c < classes; c++)
        weight[c] = found[c] / sum;
    jumps_free(&jumps);
    mem_free_all(place, found);
    if (status == PEPA_OK)
        return PEPA_OK;
    if (status == PEPA_ENOMEM)
        return error_memory(err);
    if (status == PEPA_ECANCEL)
        return error_set(err, status, "cancelled");
    if (status == PEPA_ELIMIT)
        return error_set(err, status, "too many transient states for absorption probabilities");
    return error_set(err, status, "some transient state has no way into an absorbing class");
}

/* ---- numbers of all states ------------------------------------------------------------------- */

/* Dense, from the last state to the first. */
typedef struct {
    int32_t n, sides;
    long double *rate, *leave, *x;
} Values;

/* Without state k: who goes there goes on at once. */
static void censor(const Values *v, int32_t k, long double out)
{
    const long double *from = v->rate + (size_t)k * (size_t)v->n;
    for (int32_t i = 0; i < k; i++) {
        long double *to = v->rate + (size_t)i * (size_t)v->n;
        const long double share = to[k] / out;
        if (share == 0)
            continue;
        for (int32_t j = 0; j < k; j++)
            to[j] += share * from[j];
        v->leave[i] += share * v->leave[k];
        for (int32_t side = 0; side < v->sides; side++)
            v->x[i * v->sides + side] += share * v->x[k * v->sides + side];
    }
}

/* The rate at which state k is left for those before it, or for good. */
static long double way_out(const Values *v, int32_t k)
{
    const long double *rate = v->rate + (size_t)k * (size_t)v->n;
    long double sum = v->leave[k];
    for (int32_t j = 0; j < k; j++)
        sum += rate[j];
    return sum;
}

/* From the values of the states before it. */
static void put_value(const Values *v, int32_t k)
{
    const long double *rate = v->rate + (size_t)k * (size_t)v->n, out = way_out(v, k);
    long double *x = v->x + (size_t)k * (size_t)v->sides;
    for (int32_t side = 0; side < v->sides; side++) {
        for (int32_t j = 0; j < k; j++)
            x[side] += rate[j] * v->x[j * v->sides + side];
        x[side] /= out;
    }
}

/* Censoring state k is exact but for factors of (1 + u)^(k + 3) in what is left of the chain.  x is a sum of products of k of
 * these numbers over another one (Freidlin and Wentzell 1984, ch. 6, lemma 3.3), and is off by 2 k (k + 3) u for it; then by
 * (k + 3) u when its sum is made: over all k, less than this.  Source: O'Cinneide, Numer. Math. 65 (1993). */
static double rounding_of_values(double n)
{
    const double u = (double)LDBL_EPSILON / 2;
    return n * (n * (n + 3) + 10) * u;
}

PepaStatus absorb_values(int32_t n, int32_t sides, long double *rate, long double *leave,
                         long double *x, const Control *control, double *off, PepaError *err)
{
    const Values v = {.n = n, .sides = sides, .rate = rate, .leave = leave, .x = x};
    const long double least =
        sqrtl(LDBL_MIN); /* beside which what is lost below LDBL_MIN is nothing */
    Monitor monitor = monitor_start(control);
    bool finite = true;
    for (int32_t k = n - 1; k >= 0 && finite; k--) {
        const long double out = way_out(&v, k);
        finite = out >= least && isfinite(out);
        if (finite)
            censor(&v, k, out);
        if (monitor_cancels(&monitor, (int64_t)k * k, 0, 1))
            return error_set(err, PEPA_ECANCEL, "cancelled");
    }
    for (int32_t k = 0; k < n && finite; k++) {
        put_value(&v, k);
        for (int32_t side = 0; side < sides; side++)
            finite = finite && isfinite(x[k * sides + side]);
    }
    *off = rounding_of_values(n);
    return finite ? PEPA_OK : error_set(err, PEPA_ENOCONV, "some transient state is never left");
}
