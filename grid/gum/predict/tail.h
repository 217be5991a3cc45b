/* The end of a run: how long the last tasks take when there are no more sparks. */
#ifndef GRID_GUM_PREDICT_TAIL_H
#define GRID_GUM_PREDICT_TAIL_H

#include <stdint.h>

typedef struct {
    int32_t copies;
    double time; /* seconds per unit */
    double busy; /* probability that one of them runs a task when the sparks end */
} TailGroup;

/* Works of tasks: gamma-distributed with that mean and deviation, none longer than `longest`. */
typedef struct {
    double mean, deviation, longest; /* units, mean > 0, longest >= mean */
} TaskWork;

/* Mean seconds until the last of all is done: what is left of each task that runs has the distribution
 * of a residual life, (1 / mean) integral of P(work > x).  *left: mean units that are left of one.
 * Source: Cox, Renewal Theory, 1962, section 5.2. */
double tail_of(const TailGroup *group, int32_t groups, const TaskWork *work, double *left);

#endif
