/* The chain of a pipeline, solved again and again at other durations.
 *
 * The time per item C = 1/X of a pipeline whose 2k+1 activities take s = (s_0, ..., s_2k) seconds
 * in the mean (move_1, process_1, move_2, ..., move_{k+1}) is the time per firing of a stochastic
 * event graph: stage i is a cycle of move_i, process_i, move_{i+1} with one token, and neighbours
 * share a move.  Activities never wait for a resource: the network and the processors of the model
 * offer all their activities at once and do not change by one of them.  Write the durations of the
 * m-th firings as s_j e_jm with e_jm exponential of mean 1.  The time of the m-th item is the
 * largest of sums of durations over paths (Baccelli, Cohen, Olsder, Quadrat, Synchronization and
 * Linearity, 1992, ch. 2 and 7), hence for fixed e a non-decreasing, convex function of s, and of
 * degree 1.  Means and limits keep that:
 *
 *     monotone        s <= t  implies  C(s) <= C(t)
 *     homogeneous     C(c s) = c C(s)
 *     convex          C(t) >= C(s) + grad C(s) (t - s) = grad C(s) t        (Euler's identity)
 *
 * (Baccelli and Liu, Comparison properties of stochastic decision free Petri nets, IEEE Trans.
 * Automatic Control 37, 1992.)  A contiguous part of a pipeline alone has a subset of the paths:
 * its time per item is not larger than that of the whole. */
#ifndef AMOGET_LINE_H
#define AMOGET_LINE_H

#include <stdbool.h>

#include "amoget/description.h"

enum { MOST_ACTIVITIES = 2 * MOST_STAGES + 1 };

/* One chain and what its solution needs; not to be used by two threads at once. */
typedef struct Line Line;

/* Errors: PEPA_ELIMIT (3^stages exceeds max_states), PEPA_ENOMEM. */
PepaStatus line_new(Line **out, int32_t stages, int64_t max_states, PepaError *err);
void line_free(Line *line);
PepaChainInfo line_info(const Line *line);

typedef struct {
    double time;                   /* per item, seconds: 1/X */
    double share[MOST_ACTIVITIES]; /* s_j dC/ds_j / C: of each activity; sum 1, each >= 0 */
    PepaInfo info;
} LineAnswer;

typedef struct {
    double tolerance;             /* of the residual */
    bool shares;                  /* wanted: costs a second solution */
    int (*cancelled)(void *user); /* polled now and then; or NULL */
    void *user;
} LineQuestion;

/* Solve at `seconds` (2 x stages + 1 entries, finite, > 0), from nothing: equal durations give
 * equal answers whatever was solved before.
 * Errors: PEPA_ENOCONV, PEPA_ECANCEL, PEPA_ENOMEM. */
PepaStatus line_solve(Line *line, const double *seconds, const LineQuestion *question,
                      LineAnswer *answer, PepaError *err);

#endif
