/* Each number is a sum of products of rates over another one, so that rates that are off by d each, relative to themselves,
 * change it by 2 n d of itself, for n rows: there are no conditions (O'Cinneide, Numer. Math. 65, 1993).  Rewards and numbers
 * at the boundary that are below 0 are counted apart. */
#include "measure/leave_eliminate.h"

#include <float.h>
#include <math.h>

#include "base/budget.h"
#include "measure/steady.h"

/* Right sides: what is above 0, what is below, and what rewards are off. */
enum { ABOVE, BELOW, UNSURE, SIDES };

typedef struct {
    long double *rate, *leave, *x;
    int64_t longest; /* of the rows' numbers of rates */
} Dense;

static void dense_free(Dense *d)
{
    mem_free_all(d->rate, d->leave, d->x);
}

static double dense_bytes(double n)
{
    return (n + 1 + SIDES) * n * sizeof(long double);
}

bool leave_eliminates(int32_t n, int64_t memory)
{
    return n <= CENSOR_FIRST && budget_allows(memory, dense_bytes(n));
}

static void add_side(long double *x, long double earned)
{
    x[earned > 0 ? ABOVE : BELOW] += fabsl(earned);
}

static bool fill(const LeaveRows *rows, Dense *d)
{
    const RateRows *q = rows->rates;
    const size_t n = (size_t)rows->n;
    if (!(mem_new_zeroed(d->rate, n * n) && mem_new_zeroed(d->leave, n) &&
          mem_new_zeroed(d->x, n * SIDES)))
        return false;
    for (size_t i = 0; i < n; i++) {
        const int32_t s = rows->state[i];
        long double *x = d->x + i * SIDES;
        const int64_t length = q->row[s + 1] - q->row[s];
        d->longest = length > d->longest ? length : d->longest;
        x[UNSURE] = rows->earn_error ? rows->earn_error[s] : 0;
        if (rows->earn)
            add_side(x, rows->earn[s]);
        for (int64_t k = q->row[s]; k < q->row[s + 1]; k++) {
            const int32_t t = q->col[k], j = rows->place[t];
            if (j >= 0) {
                d->rate[i * n + (size_t)j] += q->val[k];
                continue;
            }
            d->leave[i] += q->val[k];
            add_side(x, (long double)q->val[k] * rows->boundary[t]);
        }
    }
    return true;
}

/* The answer for row i, and what it is off.
 *   off  of each of its parts, relative to itself */
static double answer(const LeaveRows *rows, const long double *x, double off, double *error)
{
    const double both = (double)(x[ABOVE] + x[BELOW]), up = 1 + 8 * DBL_EPSILON;
    *error =
        (both * (off + DBL_EPSILON) + (double)x[UNSURE] * (1 + off) + rows->boundary_error) * up;
    return (double)(x[ABOVE] - x[BELOW]);
}

/* Where `error` is larger than that of what was found. */
static PepaStatus put_answers(const LeaveRows *rows, const Dense *d, double off, double *value,
                              double *error, PepaError *err)
{
    for (int32_t i = 0; i < rows->n; i++) {
        const int32_t s = rows->state[i];
        double bound;
        const double number = answer(rows, d->x + (size_t)i * SIDES, off, &bound);
        if (!isfinite(bound) && !isfinite(error[s]))
            return error_set(err, PEPA_ENOCONV, "numbers of %s overflow", rows->whose);
        if (bound < error[s]) {
            value[s] = number;
            error[s] = bound;
        }
    }
    return PEPA_OK;
}

PepaStatus leave_eliminate(const LeaveRows *rows, double *value, double *error, PepaError *err)
{
    const Control control = settings_control(rows->set, rows->memory);
    double off = 0;
    Dense d = {0};
    PepaStatus status =
        fill(rows, &d) ? absorb_values(rows->n, SIDES, d.rate, d.leave, d.x, &control, &off, err)
                       : error_memory(err);
    /* Rates come in off by their roundings, those of sums and of products with the boundary among them. */
    const double each =
        rows->rates->roundings * DBL_EPSILON + (double)(d.longest + 2) * (double)LDBL_EPSILON;
    off = expm1((off + 2 * rows->n * each) * (1 + 16 * DBL_EPSILON));
    if (status == PEPA_OK)
        status = put_answers(rows, &d, off, value, error, err);
    if (status == PEPA_ENOCONV)
        status = error_set(err, status, "numbers of %s overflow", rows->whose);
    dense_free(&d);
    return status;
}
