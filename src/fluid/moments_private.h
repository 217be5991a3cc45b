/* What the files of means and covariances share. */
#ifndef PEPA_FLUID_MOMENTS_PRIVATE_H
#define PEPA_FLUID_MOMENTS_PRIVATE_H

#include "fluid/lyapunov.h"
#include "fluid/moments.h"

enum { MOMENT_STAGES = 4 };

typedef struct {
    int32_t coordinate;
    double by;
} MomentJump;

/* Vectors hold r means and r x r covariances behind each other, in components. */
struct FluidMoments {
    Smooth smooth;
    FluidField *field;
    int32_t r;
    size_t size;   /* r + r x r */
    size_t *first; /* per move, and for the end: its jumps */
    MomentJump *jump;
    double *y, *next, *at, *sum;
    double *shift; /* r: of the means, by terms of second order; of linear noise only, else 0 */
    double *k[MOMENT_STAGES];
    double *jacobian, *lu, *scaled; /* r x r; lu and scaled: of components over roots of totals */
    int32_t *pivot;
    Lyapunov *lyapunov;
    double t, step, tolerance;
    int64_t steps;
};

static inline double *moments_covariances(const FluidMoments *m, double *vector)
{
    return vector + m->r;
}

/* The moments at time 0: of slots whose components begin by chance, each by itself, the multinomial
 * ones. */
void moments_start(FluidMoments *m);
/* E f, E J and E D, of the moments y. */
void moments_expectations(FluidMoments *m, const double *y, double *f, double *j, double *d);
/* f = dy/dt; J is kept in m->jacobian. */
void moments_change(FluidMoments *m, const double *y, double *f);

/* Of linear noise, after a step of length h: the shift there.  h infinite: in the long run.
 *     d shift/dt = J shift + E f - f,  by the implicit Euler method. */
void moments_shift(FluidMoments *m, double h);

/* Populations over the roots of their totals, where means and covariances are of size 1 or so. */
double moments_root(const FluidMoments *m, int32_t coordinate);
/* Prepare for (alpha + beta J) x = y, and solve it; false: singular. */
bool moments_factor_means(FluidMoments *m, double alpha, double beta);
void moments_solve_means(const FluidMoments *m, double *x);
/* Prepare for X - by (J X + X J') = Y, or for J X + X J' + Y = 0 if by is 0, and solve it. */
PepaStatus moments_factor_covariances(FluidMoments *m, double by, bool *stable, PepaError *err);
void moments_solve_covariances(const FluidMoments *m, double *c);

/* The size of an entry's error that is allowed, from m->y to m->next. */
double moments_allowed(const FluidMoments *m, size_t i);
/* As fluid_moments_run.  most: steps in all. */
PepaStatus moments_run_to(FluidMoments *m, double time, int64_t most, const PepaSettings *set,
                          PepaError *err);
/* Of other than linear noise: the mean of no population is below 0
 * by more than a twentieth of a component: else normally
 * distributed populations are too far from what they stand for.  PEPA_ENOCONV. */
PepaStatus moments_check(const FluidMoments *m, PepaError *err);

#endif
