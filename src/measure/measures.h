/* Counts of components in a state, and their means under a distribution. */
#ifndef PEPA_MEASURE_MEASURES_H
#define PEPA_MEASURE_MEASURES_H

#include "ctmc/operator.h"

/* The count vector of a state: position after position, one entry per local state of the
 * position's component.  offset[p]: where position p begins; offset has position_count + 1. */
void measure_offsets(const System *system, int32_t *offset);
void measure_counts(const System *system, const int32_t *offset, const int32_t *cells,
                    int32_t *counts);

/* Rounding leaves a position with a little more or less than all of its copies: scale to them. */
void measure_restore_copies(const System *system, const int32_t *offset, double *mean);
/* Mean of the count vector under pi, whatever its sum: mean has offset[position_count] entries.
 * PEPA_ENOMEM. */
PepaStatus measure_mean_counts(const Chain *chain, const int32_t *offset, const double *pi,
                               double *mean, PepaError *err);

#endif
