/* What populations do in the fluid limit: differential equations for the mean number of components
 * in each local state, whose cost does not depend on how many components there are.
 *
 *   double time[] = {1, 2, 5}, value[3];  PepaFluid at = {.time = time, .count = 3};
 *   if (pepa_fluid_measures(model, measures, &at, NULL, value, NULL, &err) == PEPA_OK)
 *       printf("%g after 5\n", value[2]);
 *
 * The equations are exact for rates that are linear in the populations, and in the limit of large
 * populations; else they approximate the mean. */
#ifndef PEPA_FLUID_H
#define PEPA_FLUID_H

#include "pepa_measure.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const double *time; /* count of them, ascending, finite, >= 0; not used if steady */
    size_t count;
    int steady; /* non-zero: where the populations settle, in place of times: one row of values */
    uint64_t reserved[8];
} PepaFluid;

/* What moments are made of: normally distributed populations; where these equations have no solution,
 * linear noise around the fluid limit; where that has none, the largest deviations that quantities of
 * these means can have. */
typedef enum { PEPA_CLOSURE_NORMAL, PEPA_CLOSURE_LINEAR_NOISE, PEPA_CLOSURE_BOUNDS } PepaClosure;

typedef struct {
    int32_t variables;    /* local states, over all components or groups of copies */
    int32_t equations;    /* what is left of them without what invariants decide */
    int64_t steps;        /* of integration */
    int64_t turns;        /* times at which the smaller operand of a min changed */
    double residual;      /* steady: the largest net change, relative to what flows in and out */
    double settled;       /* steady: the time until which the populations were followed */
    int32_t single;       /* components that are no copies: as populations of 1 */
    int32_t closure;      /* a PepaClosure, of moments */
    int64_t moment_steps; /* the same with means and covariances */
    double seconds;
    uint64_t reserved[8];
} PepaFluidInfo;

/* value[j x measures + i]: measure i at time[j], or its only row if steady; NaN where it has none.
 * Every slot of set->derive.separate_copies is a population of 1.  set->solve.tolerance is that of
 * the residual if steady; else of each step, in shares of each population.
 * Warnings go to set->derive.diagnose: also where a next to empty local state divides between actions in a
 * way that these equations do not know.
 * Errors: PEPA_EARG (a measure without a fluid limit, such as a probability; immediate activities that are
 * shared; priorities), PEPA_EMODEL (active and
 * passive rates of one action in one component, a passive activity without drive), PEPA_ELIMIT
 * (copies that all move together; too many moves), PEPA_ENOCONV (the populations do not settle,
 * cannot be followed, or fall below 0), PEPA_ENOMEM, PEPA_ECANCEL (progress: phase "fluid", `measure` the share of
 * the time).  info may be NULL.  O(moves x equations + equations^3) per step. */
PEPA_API PepaStatus pepa_fluid_measures(const PepaModel *model, const PepaMeasures *measures,
                                        const PepaFluid *at, const PepaSettings *set, double *value,
                                        PepaFluidInfo *info, PepaError *err);

typedef struct {
    double mean;      /* to the second order in the fluctuations */
    double deviation; /* standard deviation of the measure, as a function of the populations */
    double fluid;     /* its value in the fluid limit */
} PepaMoment;

/* The same with fluctuations: out[j x measures + i].  Populations are taken as normally
 * distributed, with the variances of the linear noise approximation and the mean of min(a, b) that
 * follows (Clark).  Where `mean` and `fluid` differ much, populations are too small, or too near to
 * a switch between what limits an action: a warning says where.
 *
 * Where populations come so near to 0 that these equations have no solution, `mean` is `fluid`, and
 * `deviation` that of linear noise around it; a warning says so, and by how much the terms of second
 * order would change a mean.  No deviation is more than it can be of something of this mean between its
 * least and its greatest value; NaN where not even this is known.
 *
 * set->solve.tolerance: as above, and at least 1e-7 for moments in time.
 * Other errors: PEPA_ELIMIT (rates x equations above 2^27).  O(moves x equations^2 + equations^3) per step. */
PEPA_API PepaStatus pepa_fluid_moments(const PepaModel *model, const PepaMeasures *measures,
                                       const PepaFluid *at, const PepaSettings *set,
                                       PepaMoment *out, PepaFluidInfo *info, PepaError *err);

/* The model of one component of these: the first from the left that begins as `component`, a
 * sequential one.  Its rates are those that it meets where the populations settle; so how long
 * something takes that happens to it, with a probe (pepa_model_probe), is a passage time of this
 * model, in the limit of large populations.  To be freed by pepa_model_free.
 * Source: Hayden, Stefanek, Bradley, TCS 413, 2012.
 * Errors: PEPA_EARG (there is no such component); PEPA_EMODEL (a rate is below 0 there: it
 * counts local states); as pepa_fluid_measures, steady. */
PEPA_API PepaStatus pepa_fluid_individual(PepaModel **out, const PepaModel *model,
                                          const char *component, const PepaSettings *set,
                                          PepaError *err);

#ifdef __cplusplus
}
#endif
#endif
