/* Measures of a distribution over the states of a diagram. */
#ifndef PEPA_MEASURE_DIAGRAM_MEASURES_H
#define PEPA_MEASURE_DIAGRAM_MEASURES_H

#include "ctmc/diagram/diagram.h"

/* Mean completions per unit of time.
 *   pi        one entry per state
 *   actions   model ids of the actions that occur, ascending; `count` of them
 *   per_time  count entries, added to */
void diagram_throughputs(const Diagram *diagram, const RateTable *rates, const double *pi,
                         const int32_t *actions, int32_t count, double *per_time);

/* The same for one action of the model. */
double diagram_throughput(const Diagram *diagram, const RateTable *rates, const double *pi,
                          int32_t action);

/* The mean number of copies in each local state of each position: contract of measure_mean_counts,
 * before rounding is made good.  mean: zeroed by the caller.  Errors: PEPA_ENOMEM. */
PepaStatus diagram_mean_counts(const Diagram *diagram, const int32_t *offset, const double *pi,
                               double *mean, PepaError *err);

#endif
