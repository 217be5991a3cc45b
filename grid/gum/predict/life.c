/* Lengths and residual lives of tasks. */
#include "grid/gum/predict/life.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>

/* Below this deviation / mean all works count as equal: the gamma function has no such shapes. */
#define LEAST_SPREAD 0.02

static void equal(Life *out)
{
    out->whole = out->longest = out->mean;
}

static void fill(Life *out, double shape, double scale)
{
    double up_to[LIFE_POINTS]; /* the integral of P(work > u) */
    out->step = out->longest / (LIFE_POINTS - 1);
    for (int i = 0; i < LIFE_POINTS; i++) {
        const double x = i * out->step, y = x / scale;
        out->over[i] = gsl_sf_gamma_inc_Q(shape, y);
        up_to[i] = x * out->over[i] + out->mean * gsl_sf_gamma_inc_P(shape + 1, y);
    }
    out->whole = up_to[LIFE_POINTS - 1];
    for (int i = 0; i < LIFE_POINTS; i++)
        out->left[i] = 1 - up_to[i] / out->whole;
}

void life_of(const TaskWork *work, Life *out)
{
    const double spread = work->deviation / work->mean, shape = 1 / (spread * spread);
    *out = (Life){.mean = work->mean, .longest = work->longest};
    if (spread < LEAST_SPREAD)
        equal(out);
    else
        fill(out, shape, work->mean / shape);
}

/* Where x lies between points. */
static int place(const Life *l, double x, double *part)
{
    const double at = x / l->step;
    const int i = (int)fmin(at, LIFE_POINTS - 2);
    *part = at - i;
    return i;
}

/* P(work > x). */
static double over(const Life *l, double x)
{
    double part;
    if (x >= l->longest)
        return 0;
    if (x <= 0 || l->step == 0)
        return 1;
    const int i = place(l, x, &part);
    return l->over[i] + part * (l->over[i + 1] - l->over[i]);
}

/* By Hermite's cubic: the derivative is -P(work > x) / mean. */
double life_left(const Life *l, double x)
{
    double part;
    if (x >= l->longest)
        return 0;
    if (x <= 0)
        return 1;
    if (l->step == 0)
        return 1 - x / l->mean;
    const int i = place(l, x, &part);
    const double a = l->left[i], b = l->left[i + 1], rest = 1 - part, slope = -l->step / l->whole;
    return a + part * part * (3 - 2 * part) * (b - a) +
           slope * part * rest * (rest * l->over[i] - part * l->over[i + 1]);
}

double life_both(const Life *l, double x, double y)
{
    return y > x ? life_left(l, y) + (y - fmax(0, x)) * over(l, y) / l->whole : life_left(l, x);
}
