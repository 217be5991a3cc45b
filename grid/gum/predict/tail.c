/* The end of a run: the mean of the largest of independent residual lives, by Simpson's rule. */
#include "grid/gum/predict/tail.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>

enum { POINTS = 400 }; /* even */

/* Below this deviation / mean all works count as equal: the gamma function has no such shapes. */
#define LEAST_SPREAD 0.02

typedef struct {
    double shape, scale, mean; /* shape 0: all are equal */
    double longest, whole;     /* the integral up to there */
} Life;

/* The integral of P(work > x) from 0 to x. */
static double survival(const Life *l, double x)
{
    if (l->shape == 0)
        return fmin(x, l->mean);
    const double y = x / l->scale;
    return x * gsl_sf_gamma_inc_Q(l->shape, y) + l->mean * gsl_sf_gamma_inc_P(l->shape + 1, y);
}

static Life life_of(const TaskWork *work)
{
    Life l = {.mean = work->mean, .longest = work->longest};
    const double spread = work->deviation / work->mean;
    if (spread >= LEAST_SPREAD) {
        l.shape = 1 / (spread * spread);
        l.scale = work->mean / l.shape;
    }
    l.whole = survival(&l, l.longest);
    return l;
}

/* P(what is left of a task <= x). */
static double residual(const Life *l, double x)
{
    return x >= l->longest ? 1 : survival(l, x) / l->whole;
}

static double all_done(const TailGroup *group, int32_t groups, const Life *l, double seconds)
{
    double p = 1;
    for (int32_t g = 0; g < groups; g++)
        p *= pow(1 - group[g].busy * (1 - residual(l, seconds / group[g].time)), group[g].copies);
    return p;
}

double tail_of(const TailGroup *group, int32_t groups, const TaskWork *work, double *left)
{
    const Life l = life_of(work);
    double slowest = 0, tail = 0;
    *left = 0;
    for (int32_t g = 0; g < groups; g++)
        slowest = fmax(slowest, group[g].time);
    const double end = l.longest * slowest, step = end / POINTS;
    for (int i = 0; i <= POINTS; i++) {
        const double weight = (i == 0 || i == POINTS ? 1 : i % 2 ? 4 : 2) / 3.0;
        tail += weight * step * (1 - all_done(group, groups, &l, i * step));
        *left += weight * step / slowest * (1 - residual(&l, i * step / slowest));
    }
    return tail;
}
