/* Between which values expressions over counts lie, whatever the populations are.
 *
 * A quantity between l and u of mean m has a variance of at most (u - m) (m - l): so no deviation is
 * larger than the root of this, whatever the distribution.
 *
 * Source: Bhatia, Davis, A better bound on the variance, American Mathematical Monthly 107, 2000. */
#ifndef PEPA_FLUID_RANGE_H
#define PEPA_FLUID_RANGE_H

#include "fluid/field.h"

typedef struct {
    double least, most;
} FlowRange;

/* Per flow, at any numbers of components, by interval arithmetic; infinite where nothing is known.
 * O(flows). */
void flow_ranges(const FluidField *field, FlowRange *range);
/* The largest deviation of what lies in the range and has this mean; 0 if the mean does not lie in it. */
double range_deviation(FlowRange range, double mean);

#endif
