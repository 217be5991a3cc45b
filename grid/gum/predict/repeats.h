/* Tasks that idle processes run again at the end of a run (policy `predicted`): when each task is done.
 *
 * From when the sparks end, an idle process runs again, from its beginning, a task of a slower one that may run
 * twice and has not been begun again yet.  The run-time takes the one that gains most (policy/predicted.h); here
 * it is as if slower ones were asked in turn, which hardly differs in the mean.  The task is
 * done when the first of both is.  Each that begins a repeat is busy with all of it, also when the other
 * is done first.  So with G(x) = P(left > x), J(x, y) = P(left > x and length > y) (life.h), tasks of group
 * g, of which Q(s) has not been begun again after s seconds, and h(b) db the probability that one is
 * begun by group f between b and b + db,
 *
 *     P(not done after s) = G(s / t_g) Q(s) + integral to s of h(b) Q(b) J(s / t_g, (s - b - L) / t_f) db
 *
 * h is the rate at which idle processes of f find such a task, over the number of tasks that are left for
 * them.  How many of f are idle follows from their own last tasks and from the repeats that they have
 * begun, by the same J: means for large numbers (Kurtz 1970), taken for small ones too. */
#ifndef GRID_GUM_PREDICT_REPEATS_H
#define GRID_GUM_PREDICT_REPEATS_H

#include <stdint.h>

#include "grid/gum/predict/life.h"
#include "grid/gum/predict/platform.h"

enum { REPEAT_GROUPS = MOST_GROUPS + 2, REPEAT_POINTS = 201 };

/* Processes that nothing tells apart, when the sparks end. */
typedef struct {
    int32_t copies;
    double time; /* seconds per unit */
    double busy; /* probability that one of them runs a task */
    double pure; /* that others may run this again */
    double ask;  /* seconds from asking slower ones to a task of theirs that the first has */
    double hop;  /* seconds more for each one that is asked in vain */
    double gone; /* seconds from when a task is found to its beginning here */
} TailGroup;

typedef struct {
    double not_done[REPEAT_GROUPS][REPEAT_POINTS]; /* of a task that runs, after k steps */
} Repeats;

/* step: seconds between points.  Cost: points^2 for each pair of groups one of which repeats tasks of
 * the other. */
void repeats_of(const TailGroup *group, int32_t groups, const Life *life, double step,
                Repeats *out);

#endif
