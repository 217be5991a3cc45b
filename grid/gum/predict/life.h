/* How long tasks are, and what is left of one that runs when it is looked at.
 *
 * Works have a gamma distribution, cut at the longest: a work is the smaller of the two.  A task that
 * runs at some time has a length whose density is that of works times the length, and its age is
 * uniform within that.  Source: Cox, Renewal Theory, 1962, sections 5.2 to 5.4. */
#ifndef GRID_GUM_PREDICT_LIFE_H
#define GRID_GUM_PREDICT_LIFE_H

/* Works of tasks: mean and deviation before the cut. */
typedef struct {
    double mean, deviation, longest; /* units, mean > 0, longest >= mean */
} TaskWork;

enum { LIFE_POINTS = 513 };

/* Tables from 0 to the longest. */
typedef struct {
    double mean, longest, whole; /* units; mean: before the cut, whole: after it */
    double step;                 /* units; 0: all works are equal, and there are no tables */
    double over[LIFE_POINTS];    /* P(work > x) */
    double left[LIFE_POINTS];    /* P(what is left > x) */
} Life;

void life_of(const TaskWork *work, Life *out);
/* P(what is left of a task that runs > x). */
double life_left(const Life *life, double x);
/* P(what is left of it > x and its length > y):
 *
 *     (1 / mean) integral from max(x, y) of (u - x) dF(u). */
double life_both(const Life *life, double x, double y);

#endif
