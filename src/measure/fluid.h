/* Measures in the fluid limit of a model, from its compiled system to their values. */
#ifndef PEPA_MEASURE_FLUID_H
#define PEPA_MEASURE_FLUID_H

#include "fluid/moments.h"
#include "fluid/range.h"
#include "fluid/settle.h"
#include "measure/fluid_values.h"

/* A model with its differential equations, and measures of it. */
typedef struct {
    Chain chain; /* its system and its rates; it has no states */
    Population *population;
    const Query *query;
    const PepaSettings *set;
    Expressions *e;
    FluidValues values;
    FluidField field;
} FluidModel; /* starts as {0} */

/* model, query, set: borrowed.
 * Errors: PEPA_EARG (a measure without a fluid limit; immediate activities, priorities), PEPA_EMODEL,
 * PEPA_ELIMIT, PEPA_ENOMEM. */
PepaStatus fluid_model_new(FluidModel *out, const Model *model, const Query *query,
                           const PepaSettings *set, PepaError *err);
void fluid_model_free(FluidModel *model);
/* How many components are no copies. */
int32_t fluid_model_single(const FluidModel *model);

/* What moments are: of normally distributed populations; where these have no solution, of linear noise
 * around the fluid limit; where that has none, the most that deviations can be. */
typedef enum { CLOSURE_NORMAL, CLOSURE_LINEAR_NOISE, CLOSURE_BOUNDS } FluidClosure;

typedef struct {
    int64_t steps, turns;
    Settled settled;
    int64_t moment_steps;
    FluidClosure closure; /* of moments */
    char why[256];        /* it is not CLOSURE_NORMAL, in words */
    /* The first jump of a rate, where a condition changes: of which action; -1: none jumps. */
    int32_t jump_action;
    double jump_time;
    /* The first rate below 0: of which action; -1: none is. */
    int32_t negative_action;
    double negative_time;
    /* The first scarce population that divides in a way that is not known, and two actions of it;
     * -1: none does. */
    int32_t scarce, scarce_action, scarce_other;
    double scarce_time;
    /* Where second-order terms change a measure most: by this share of it, at the time of this
     * number, and the action that is nearest to a switch between what limits it. */
    double doubt;
    size_t doubt_time, doubt_item;
    int32_t doubt_action;
} FluidFound;
extern const FluidFound fluid_nothing_found;
/* A choice that is not known, into the above. */
void fluid_put_choice(const FluidModel *model, ScarceChoice choice, double time, FluidFound *found);

/* Of a measure: its mean to the second order, its standard deviation, its value in the fluid
 * limit. */
typedef struct {
    double mean, deviation, fluid;
} FluidMoment;

/* value: one row of items for each time.  Errors: those of mean_run. */
PepaStatus fluid_at_times(FluidModel *model, const double *time, size_t count, double *value,
                          FluidFound *found, PepaError *err);
/* value: one row.  Errors: those of settle. */
PepaStatus fluid_settled(FluidModel *model, double *value, FluidFound *found, PepaError *err);

/* The same with means and covariances.  time: NULL in the long run, with count 1.  No deviation is more
 * than those of the functionals can be (range.h).
 * Errors: those of fluid_moments_new as well. */
PepaStatus fluid_moments(FluidModel *model, const double *time, size_t count, FluidMoment *moment,
                         FluidFound *found, PepaError *err);

#endif
