/* The end of a run: how long the last tasks take when there are no more sparks. */
#ifndef GRID_GUM_PREDICT_TAIL_H
#define GRID_GUM_PREDICT_TAIL_H

#include "grid/gum/predict/repeats.h"

/* Mean seconds until the last of all is done: the largest of independent lives that are left, which end
 * sooner where idle processes run tasks again.  *left: mean units that are left of one. */
double tail_of(const TailGroup *group, int32_t groups, const TaskWork *work, double *left);

#endif
