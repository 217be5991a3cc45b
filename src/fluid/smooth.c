/* Evaluates means and slopes, operands first. */
#include "fluid/smooth.h"

#include <math.h>
#include <string.h>

/* ---- life -------------------------------------------------------------------------------------- */

static void find_constants(Smooth *s)
{
    const Flows *flows = &s->field->p->rates;
    for (size_t i = 0; i < flows->count; i++) {
        const Flow *f = &flows->flow[i];
        s->constant[i] = f->op == EXPR_NUMBER ||
                         (f->op != EXPR_COUNT && s->constant[f->a] &&
                          (f->b < 0 || s->constant[f->b]) && (f->c < 0 || s->constant[f->c]));
    }
}

PepaStatus smooth_new(Smooth *out, FluidField *field, PepaError *err)
{
    const Flows *flows = &field->p->rates;
    const size_t r = (size_t)field->r;
    *out = (Smooth){.field = field, .r = field->r};
    if (flows->count * (r + 1) > MOST_SLOPES)
        return error_set(err, PEPA_ELIMIT,
                         "%zu rates of %zu populations are too many for their moments; use the "
                         "fluid limit alone, or simulate",
                         flows->count, r);
    if (!mem_new(out->constant, flows->count) || !mem_new(out->mean, flows->count) ||
        !mem_new(out->slope, flows->count * r) || !mem_new_zeroed(out->first, flows->kink_count) ||
        !mem_new(out->row, r)) {
        smooth_free(out);
        return error_memory(err);
    }
    find_constants(out);
    return PEPA_OK;
}

void smooth_free(Smooth *s)
{
    mem_free_all(s->constant, s->mean, s->slope, s->first, s->row);
    *s = (Smooth){0};
}

double smooth_covariance(const Smooth *s, const double *a, const double *b)
{
    double sum = 0;
    for (int32_t i = 0; i < s->r; i++) {
        if (a[i] == 0)
            continue;
        const double *row = s->cov + (ptrdiff_t)i * s->r;
        double part = 0;
        for (int32_t j = 0; j < s->r; j++)
            part += row[j] * b[j];
        sum += a[i] * part;
    }
    return sum;
}

/* ---- one expression ---------------------------------------------------------------------------- */

/* An operand. */
typedef struct {
    double mean;
    const double *slope; /* r */
    bool constant;
} Part;

static Part part(const Smooth *s, int32_t flow)
{
    return (Part){s->mean[flow], smooth_slope(s, flow), s->constant[flow]};
}

static double covariance(const Smooth *s, Part a, Part b)
{
    return s->first_order || a.constant || b.constant ? 0 : smooth_covariance(s, a.slope, b.slope);
}

static double deviation(const Smooth *s, Part a)
{
    return sqrt(fmax(covariance(s, a, a), 0));
}

/* to = u a + v b */
static void mix(const Smooth *s, double u, Part a, double v, Part b, double *to)
{
    for (int32_t i = 0; i < s->r; i++)
        to[i] = u * a.slope[i] + v * b.slope[i];
}

/* u and v 1 or 0: without an operand that does not count, even if it has no value. */
static void mix_finite(const Smooth *s, bool u, Part a, bool v, Part b, double *to)
{
    for (int32_t i = 0; i < s->r; i++)
        to[i] = u ? a.slope[i] : v ? b.slope[i] : 0;
}

static double normal(double x) /* its density */
{
    const double at_zero = 0.39894228040143268;
    return at_zero * exp(-x * x / 2);
}

static double normal_below(double x)
{
    const double half_root = 0.70710678118654752;
    return erfc(-x * half_root) / 2;
}

/* To the first order: the side of min, which is changed gradually where both are nearly equal, so that
 * slopes do not jump to and fro where they stay so. */
static double side_of(Part a, Part b)
{
    const double width = 1e-3 * (fabs(a.mean) + fabs(b.mean));
    return width > 0 ? normal_below((b.mean - a.mean) / width) : 0.5;
}

/* How likely a < b is: 1, 0 or 1/2 where neither varies.  more: by how much the mean of max(a, b) is
 * larger than that of the operands with these weights. */
static double below(const Smooth *s, Part a, Part b, double *more)
{
    const double variance = covariance(s, a, a) + covariance(s, b, b) - 2 * covariance(s, a, b);
    const double size = fabs(a.mean) + fabs(b.mean), none = 1e-12;
    *more = 0;
    if (!(variance > none * none * size * size))
        return a.mean < b.mean ? 1 : a.mean > b.mean ? 0 : 0.5;
    const double gap = sqrt(variance), at = (b.mean - a.mean) / gap;
    *more = gap * normal(at);
    return normal_below(at);
}

static double least_or_most(Smooth *s, const Flow *f, double *slope)
{
    const Kink *kink = &s->field->p->rates.kink[f->kink];
    const Part a = part(s, kink->a), b = part(s, kink->b);
    double more = 0;
    if (!isfinite(a.mean) || !isfinite(b.mean)) {
        const double value = model_operate(f->op, a.mean, b.mean);
        mix_finite(s, value == a.mean, a, value == b.mean, b, slope);
        return value;
    }
    const double p = s->first_order ? side_of(a, b) : below(s, a, b, &more);
    s->first[f->kink] = p;
    if (s->first_order) {
        mix(s, f->op == EXPR_MIN ? p : 1 - p, a, f->op == EXPR_MIN ? 1 - p : p, b, slope);
        return model_operate(f->op, a.mean, b.mean);
    }
    if (f->op == EXPR_MIN) {
        mix(s, p, a, 1 - p, b, slope);
        return p * a.mean + (1 - p) * b.mean - more;
    }
    mix(s, 1 - p, a, p, b, slope);
    return (1 - p) * a.mean + p * b.mean + more;
}

/* min(a, b), and max(a, b) that divides a b, where b is passive: there is some of b with
 * probability p, and then min is a.  Half a component is as good as none: counts are whole. */
static double least_of_passive(Smooth *s, const Flow *f, Part a, Part b, double *slope)
{
    const double spread = deviation(s, b), half = s->field->p->rates.passive / 2;
    if (!(spread > 0))
        return least_or_most(s, f, slope);
    const double at = (b.mean - half) / spread, p = normal_below(at), by = normal(at) / spread;
    const double tiny = 1e-12;
    s->first[f->kink] = p;
    if (f->op == EXPR_MIN) {
        mix(s, p, a, by * a.mean, b, slope);
        return p * a.mean + by * covariance(s, a, b);
    }
    const double q = fmax(p, tiny);
    mix(s, 0, a, (1 - b.mean * by / q) / q, b, slope);
    return b.mean / q;
}

static double of_kink(Smooth *s, const Flow *f, double *slope)
{
    const Flows *flows = &s->field->p->rates;
    const bool a_passive = flows->kind[f->a] == FLOW_PASSIVE,
               b_passive = flows->kind[f->b] == FLOW_PASSIVE;
    if (a_passive == b_passive)
        return least_or_most(s, f, slope);
    return a_passive ? least_of_passive(s, f, part(s, f->b), part(s, f->a), slope)
                     : least_of_passive(s, f, part(s, f->a), part(s, f->b), slope);
}

static double of_product(const Smooth *s, Part a, Part b, double *slope)
{
    const bool finite = isfinite(a.mean) && isfinite(b.mean);
    if (!finite && (a.mean == 0 || b.mean == 0)) { /* nobody does what has no rate */
        mix_finite(s, 0, a, 0, b, slope);
        return 0;
    }
    mix(s, b.mean, a, a.mean, b, slope);
    return a.mean * b.mean + covariance(s, a, b);
}

/* To the second order, and bounded where b varies much. */
static double of_quotient(const Smooth *s, Part a, Part b, bool first_order, double *slope)
{
    const double ratio = a.mean / b.mean;
    if (!isfinite(ratio)) {
        mix_finite(s, false, a, false, b, slope);
        return ratio;
    }
    mix(s, 1 / b.mean, a, -ratio / b.mean, b, slope);
    if (first_order || b.constant)
        return ratio;
    const double variance = fmax(covariance(s, b, b), 0);
    return ratio + (ratio * variance - covariance(s, a, b)) / (b.mean * b.mean + 3 * variance);
}

static double of_condition(const Smooth *s, const Flow *f, double *slope)
{
    const Part p = part(s, f->a), x = part(s, f->b), y = part(s, f->c);
    mix(s, p.mean, x, 1 - p.mean, y, slope);
    if (!p.constant)
        for (int32_t i = 0; i < s->r; i++)
            slope[i] += (x.mean - y.mean) * p.slope[i];
    return p.mean * x.mean + (1 - p.mean) * y.mean + covariance(s, p, x) - covariance(s, p, y);
}

/* A function of a alone, by the Gauss-Hermite rule of three points; where it has no value there, by
 * its own slope. */
static double of_function(const Smooth *s, const Flow *f, Part a, double b, double *slope)
{
    const double step = sqrt(3) * deviation(s, a), value = model_operate(f->op, a.mean, b);
    const double up = model_operate(f->op, a.mean + step, b),
                 down = model_operate(f->op, a.mean - step, b);
    if (step > 0 && isfinite(up) && isfinite(down)) {
        mix(s, (up - down) / (2 * step), a, 0, a, slope);
        return (4 * value + up + down) / 6;
    }
    mix(s, model_slopes(f->op, a.mean, b).a, a, 0, a, slope);
    return value;
}

/* max of an active and a passive rate: what least_of_passive gives. */
static bool is_passive_most(const Smooth *s, int32_t flow)
{
    const Flows *flows = &s->field->p->rates;
    return flows->flow[flow].op == EXPR_MAX && flows->kind[flow] == FLOW_PASSIVE;
}

static double of_operator(Smooth *s, const Flow *f, double *slope)
{
    const Part a = part(s, f->a), b = f->b < 0 ? a : part(s, f->b);
    switch (f->op) {
    case EXPR_ADD:
        mix(s, 1, a, 1, b, slope);
        return a.mean + b.mean;
    case EXPR_SUB:
        mix(s, 1, a, -1, b, slope);
        return a.mean - b.mean;
    case EXPR_MUL:
    case EXPR_AND:
        return of_product(s, a, b, slope);
    case EXPR_OR: {
        const double both = of_product(s, a, b, slope);
        mix(s, 1 - b.mean, a, 1 - a.mean, b, slope);
        return a.mean + b.mean - both;
    }
    case EXPR_NEG:
        mix(s, -1, a, 0, a, slope);
        return -a.mean;
    case EXPR_NOT:
        mix(s, -1, a, 0, a, slope);
        return 1 - a.mean;
    case EXPR_MIN:
    case EXPR_MAX:
        return of_kink(s, f, slope);
    case EXPR_IF:
        return of_condition(s, f, slope);
    case EXPR_DIV:
        if (f->share && !(b.mean > 0)) {
            mix(s, 0, a, 0, a, slope);
            return 0;
        }
        return of_quotient(s, a, b, is_passive_most(s, f->b), slope);
    default:
        break;
    }
    if (f->b < 0 || b.constant)
        return of_function(s, f, a, f->b < 0 ? 0 : b.mean, slope);
    const Slopes by = model_slopes(f->op, a.mean, b.mean);
    mix(s, by.a, a, by.b, b, slope);
    return model_operate(f->op, a.mean, b.mean);
}

/* ---- all --------------------------------------------------------------------------------------- */

void smooth_evaluate(Smooth *s, const double *z, const double *cov, size_t count)
{
    const FluidField *field = s->field;
    const Flows *flows = &field->p->rates;
    const size_t r = (size_t)s->r;
    s->cov = cov;
    field_expand(field, z, field->x);
    for (size_t i = 0; i < count; i++) {
        const Flow *f = &flows->flow[i];
        double *slope = s->slope + i * r;
        if (f->op == EXPR_COUNT) {
            s->mean[i] = field->x[f->a];
            memset(slope, 0, r * sizeof *slope);
            for (int32_t k = field->basis.row[f->a]; k < field->basis.row[f->a + 1]; k++)
                slope[field->basis.col[k]] = field->basis.value[k];
        } else if (s->constant[i] || f->op == EXPR_ELSE) {
            s->mean[i] = flow_value(flows, f, s->mean, field->x, NULL);
            memset(slope, 0, r * sizeof *slope);
        } else {
            s->mean[i] = of_operator(s, f, slope);
        }
    }
}
