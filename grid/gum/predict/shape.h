/* What of a program's shape decides how its work spreads: which sparks processes take, and how many. */
#ifndef GRID_GUM_PREDICT_SHAPE_H
#define GRID_GUM_PREDICT_SHAPE_H

#include "grid/gum/predict/profile.h"

/* Work in two parts: that of sparks which the main program makes, taken from the main process; and what
 * moves again, sparks that those make, taken from whoever has them. */
typedef struct {
    double work;    /* units, of both parts */
    double main;    /* units that come with sparks of level 1 */
    double granule; /* units of one such spark that stay with who takes it; 0: there are none */
    double sparks;  /* of level 1 */
    double spread;  /* units that move again */
    double piece;   /* units of what one such move brings; 0: nothing moves again */
    double
        branches; /* sparks of a task that makes some, of the levels whose sparks move again: mean */
    /* What is not divided further: tasks of the last level with much work. */
    double leaf, deviation, longest; /* units */
    double leaves;                   /* how many */
    double pure; /* share that processes which have taken it may have run again */
} WorkShape;

WorkShape work_shape(const Profile *profile, int32_t processes);

#endif
