/* Residuals and normalisation: what every method is judged by. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/internal.h"
#include "solvers/rows/rows.h"

/* What the passes below work on. */
typedef struct {
    const Flow *flow;
    const double *y, *v;
    double *out, scale;
} Vectors;

enum { OFF, SUM, TIME_OFF, TIME };

static void criterion_rows(void *user, int32_t first, int32_t end, double *sum)
{
    const Vectors *s = user;
    const Flow *flow = s->flow;
    const double *y = s->y, *exit = flow->b ? NULL : flow->exit;
    const double visit = flow->b ? 0 : 1; /* its mean time, without exit rates */
    double off = 0, all = 0, time_off = 0, time = 0;
    for (int32_t i = first; i < end; i++) {
        double defect = fabs(y[i] - flow_into(flow, y, i));
        double stay = exit ? 1 / exit[i] : visit;
        off += defect;
        all += fabs(y[i]);
        time_off += stay * defect;
        time += stay * fabs(y[i]);
    }
    sum[OFF] = off;
    sum[SUM] = all;
    sum[TIME_OFF] = time_off;
    sum[TIME] = time;
}

/* A single state without a way out has no flow that could be out of balance. */
double flow_criterion(const Flow *flow, const double *y, double *residual)
{
    double sum[SUMS];
    Vectors pass = {.flow = flow, .y = y};
    flow_receive(flow, y);
    if (flow->n == 1 && !flow->b && !flow->share)
        return *residual = isfinite(y[0]) ? 0 : HUGE_VAL;
    rows_each(flow, true, criterion_rows, &pass, sum);
    double share = sum[OFF] / sum[SUM], criterion = flow->b && sum[SUM] > 1 ? sum[OFF] : share;
    if (!flow->b && !(sum[TIME_OFF] <= criterion * sum[TIME]))
        criterion = sum[TIME_OFF] / sum[TIME];
    *residual = isfinite(share) ? share : HUGE_VAL;
    return isfinite(criterion) && isfinite(sum[SUM]) ? criterion : HUGE_VAL;
}

double flow_residual(const Flow *flow, const double *y)
{
    double residual;
    (void)flow_criterion(flow, y, &residual);
    return residual;
}

/* Scale so that sums stay within the range of doubles; false if an entry is not finite or all are
 * 0. */
static bool tame(const Flow *flow, double *y)
{
    double most = 0;
    for (int32_t i = 0; i < flow->n; i++)
        most = isfinite(y[i]) ? fmax(most, fabs(y[i])) : HUGE_VAL;
    most = flow_largest(flow, most);
    for (int32_t i = 0; i < flow->n && most > 0 && isfinite(most); i++)
        y[i] /= most;
    return most > 0 && isfinite(most);
}

enum { ABOVE, BELOW };

static void add_signs(void *user, int32_t first, int32_t end, double *sum)
{
    const double *y = ((const Vectors *)user)->y;
    double above = 0, below = 0;
    for (int32_t i = first; i < end; i++)
        if (y[i] >= 0)
            above += y[i];
        else
            below -= y[i];
    sum[ABOVE] = above;
    sum[BELOW] = below;
}

static void scale_rows(void *user, int32_t first, int32_t end, double *sum)
{
    const Vectors *s = user;
    const double scale = s->scale;
    double *y = s->out;
    (void)sum;
    for (int32_t i = first; i < end; i++) {
        double scaled = scale * y[i];
        y[i] = scaled > 0 ? scaled : 0;
    }
}

bool flow_normalise(const Flow *flow, double *y)
{
    const double large = 1e200, small = 1e-200;
    double sum[SUMS];
    Vectors pass = {.flow = flow, .y = y, .out = y};
    rows_each(flow, false, add_signs, &pass, sum);
    if (!(sum[ABOVE] + sum[BELOW] < large) || (!flow->b && !(sum[ABOVE] + sum[BELOW] > small))) {
        if (!tame(flow, y))
            return false;
        rows_each(flow, false, add_signs, &pass, sum);
    }
    pass.scale = flow->b ? 1 : sum[BELOW] > sum[ABOVE] ? -1 / sum[BELOW] : 1 / sum[ABOVE];
    rows_each(flow, false, scale_rows, &pass, NULL);
    return flow->b ? sum[ABOVE] > 0 : true;
}

void flow_equal_shares(int32_t n, double *y)
{
    for (int32_t i = 0; i < n; i++)
        y[i] = 1 / (double)n;
}

enum { CHANGE, WHOLE };

static void compare_times(void *user, int32_t first, int32_t end, double *sum)
{
    const Vectors *s = user;
    const double *exit = s->flow->exit;
    double change = 0, time = 0;
    for (int32_t i = first; i < end; i++) {
        double rate = exit ? exit[i] : 1;
        change += fabs(s->v[i] - s->y[i]) / rate;
        time += s->y[i] / rate;
    }
    sum[CHANGE] = change;
    sum[WHOLE] = time;
}

/* Those that count, and all: cycles lift what is less to 1e-100 (flows_lift). */
enum { BITS = 3, CLASSES = 24, ALL_CLASSES = 300 / BITS };

/* Flows of about the same size: their number; that of all if there is none. */
static int class_of(double y)
{
    const int class = y > 0 && y <= 1 ? -ilogb(y) / BITS : ALL_CLASSES;
    return class < ALL_CLASSES ? class : ALL_CLASSES;
}

/* Taken together, as a few states that are off among many as rare make no difference to a measure. */
double flow_rare_change(const FlowShare *share, int32_t n, const double *y, const double *old)
{
    double both[2 * CLASSES] = {0}, *change = both, *sum = both + CLASSES, most = 0;
    for (int32_t i = 0; i < n; i++) {
        const double larger = fmax(y[i], old[i]);
        const int class = class_of(larger);
        if (class < CLASSES) {
            change[class] += fabs(y[i] - old[i]);
            sum[class] += larger;
        }
    }
    if (share)
        share->processes->sum(share->processes->user, both, 2 * CLASSES);
    for (int class = 0; class < CLASSES; class ++)
        if (change[class] > most * sum[class])
            most = change[class] / sum[class];
    return most;
}

double flow_growth(int32_t n, const double *y, const double *old)
{
    double growth[ALL_CLASSES] = {0}, sum[ALL_CLASSES] = {0}, most = 0;
    for (int32_t i = 0; i < n; i++) {
        const int class = class_of(y[i]);
        if (class >= CLASSES && class < ALL_CLASSES) {
            growth[class] += y[i] - old[i];
            sum[class] += y[i];
        }
    }
    for (int class = CLASSES; class < ALL_CLASSES; class ++)
        if (growth[class] > most * sum[class])
            most = growth[class] / sum[class];
    return most;
}

Drift flow_change(const Flow *flow, const double *y, const double *old)
{
    double sum[SUMS];
    Vectors pass = {.flow = flow, .y = old, .v = y};
    rows_each(flow, false, compare_times, &pass, sum);
    const double share = sum[CHANGE] / sum[WHOLE];
    return (Drift){.time = isfinite(share) ? share : HUGE_VAL,
                   .rare = flow_rare_change(flow->share, flow->n, y, old),
                   .growth = flow->share ? 0 : flow_growth(flow->n, y, old)};
}

Drift flow_drift(const Flow *flow, const double *y, double *scratch)
{
    memcpy(scratch, y, (size_t)flow->n * sizeof *y);
    (void)flow_sweep(flow, scratch);
    return flow_change(flow, scratch, y);
}

static void defect_rows(void *user, int32_t first, int32_t end, double *sum)
{
    const Vectors *s = user;
    const double *y = s->y;
    double *r = s->out, off = 0;
    for (int32_t i = first; i < end; i++) {
        r[i] = flow_into(s->flow, y, i) - y[i];
        off += fabs(r[i]);
    }
    sum[OFF] = off;
}

double flow_defect(const Flow *flow, const double *y, double *r)
{
    double sum[SUMS];
    flow_receive(flow, y);
    rows_each(flow, true, defect_rows, &(Vectors){.flow = flow, .y = y, .out = r}, sum);
    return sum[OFF];
}

static void step_rows(void *user, int32_t first, int32_t end, double *sum)
{
    const Vectors *s = user;
    const double *y = s->y, *pace = s->v;
    double *next = s->out, off = 0;
    for (int32_t i = first; i < end; i++) {
        double change = flow_into(s->flow, y, i) - y[i];
        off += fabs(change);
        next[i] = y[i] + (pace ? s->scale * pace[i] : s->scale) * change;
    }
    sum[OFF] = off;
}

double flow_relax(const Flow *flow, const double *pace, double factor, const double *y,
                  double *next)
{
    double sum[SUMS];
    Vectors pass = {.flow = flow, .y = y, .v = pace, .out = next, .scale = factor};
    flow_receive(flow, y);
    rows_each(flow, true, step_rows, &pass, sum);
    return sum[OFF];
}

static void apply_rows(void *user, int32_t first, int32_t end, double *sum)
{
    const Vectors *s = user;
    const Flow *flow = s->flow;
    const double *come = flow_come(flow);
    (void)sum;
    for (int32_t i = first; i < end; i++)
        s->out[i] =
            s->y[i] - flow_more(flow, s->y, flow->row[i], flow->row[i + 1], come ? come[i] : 0);
}

void flow_apply(const Flow *flow, const double *v, double *w)
{
    flow_receive(flow, v);
    rows_each(flow, true, apply_rows, &(Vectors){.flow = flow, .y = v, .out = w}, NULL);
}

/* Each addition need not wait for the one before. */
static void multiply_rows(void *user, int32_t first, int32_t end, double *sum)
{
    enum { WAYS = 4 };
    const double *a = ((const Vectors *)user)->y, *b = ((const Vectors *)user)->v;
    double part[WAYS] = {0};
    int32_t i = first;
    for (; end - i >= WAYS; i += WAYS)
        for (int32_t k = 0; k < WAYS; k++)
            part[k] += a[i + k] * b[i + k];
    for (; i < end; i++)
        part[0] += a[i] * b[i];
    sum[0] = (part[0] + part[1]) + (part[2] + part[3]);
}

double flow_dot(const Flow *flow, const double *a, const double *b)
{
    double sum[SUMS];
    rows_each(flow, false, multiply_rows, &(Vectors){.flow = flow, .y = a, .v = b}, sum);
    return sum[0];
}

static void multiply_both_rows(void *user, int32_t first, int32_t end, double *sum)
{
    const double *a = ((const Vectors *)user)->y, *b = ((const Vectors *)user)->v;
    double aa = 0, ab = 0;
    for (int32_t i = first; i < end; i++) {
        aa += a[i] * a[i];
        ab += a[i] * b[i];
    }
    sum[0] = aa;
    sum[1] = ab;
}

void flow_dots(const Flow *flow, const double *a, const double *b, double *aa, double *ab)
{
    double sum[SUMS];
    rows_each(flow, false, multiply_both_rows, &(Vectors){.flow = flow, .y = a, .v = b}, sum);
    *aa = sum[0];
    *ab = sum[1];
}

static void add_rows(void *user, int32_t first, int32_t end, double *sum)
{
    const Vectors *s = user;
    const double *x = s->y, factor = s->scale;
    double *y = s->out;
    (void)sum;
    for (int32_t i = first; i < end; i++)
        y[i] += factor * x[i];
}

void flow_axpy(const Flow *flow, double factor, const double *x, double *y)
{
    rows_each(flow, false, add_rows, &(Vectors){.flow = flow, .y = x, .out = y, .scale = factor},
              NULL);
}

bool flow_ways_out(const Flow *flow, double *out)
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
