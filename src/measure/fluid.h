/* Measures in the fluid limit of a model, from its compiled system to their values. */
#ifndef PEPA_MEASURE_FLUID_H
#define PEPA_MEASURE_FLUID_H

#include "fluid/settle.h"
#include "measure/fluid_values.h"

/* A model with its differential equations. */
typedef struct {
    Chain chain; /* its system and its rates; it has no states */
    Population *population;
    FluidField field;
} FluidModel; /* starts as {0} */

/* model, set: borrowed.  Errors: PEPA_EMODEL, PEPA_ELIMIT, PEPA_ENOMEM. */
PepaStatus fluid_model_new(FluidModel *out, const Model *model, const PepaSettings *set,
                           PepaError *err);
void fluid_model_free(FluidModel *model);
/* How many components are no copies. */
int32_t fluid_model_single(const FluidModel *model);

typedef struct {
    int64_t steps, turns;
    Settled settled;
} FluidFound;

/* value: one row of items for each time.  Errors: those of fluid_values_new and mean_run. */
PepaStatus fluid_at_times(FluidModel *model, const Query *query, const double *time, size_t count,
                          const PepaSettings *set, double *value, FluidFound *found,
                          PepaError *err);
/* value: one row.  Errors: those of settle. */
PepaStatus fluid_settled(FluidModel *model, const Query *query, const PepaSettings *set,
                         double *value, FluidFound *found, PepaError *err);

#endif
