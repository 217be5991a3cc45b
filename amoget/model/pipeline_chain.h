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
 * A duration of several phases is a sum of such terms, a place on a link a cycle of move_i and
 * take_i, and nothing changes.
 *
 * With AMOGET_SERIAL, stages do wait for a processor, and C need not be monotone or convex.  It is
 * still homogeneous.  Without the waiting the pipeline is an event graph, and that is never slower.
 * The proof is by induction over the firings, at the same e: an activity that must also wait for
 * the processor ends no earlier than one that need not.  (A clock that stops and goes on where it
 * stopped has, for exponential durations, the law of one that begins anew.)
 *
 * (Baccelli and Liu, Comparison properties of stochastic decision free Petri nets, IEEE Trans.
 * Automatic Control 37, 1992.)  A contiguous part of a pipeline alone has a subset of the paths:
 * its time per item is not larger than that of the whole. */
#ifndef AMOGET_PIPELINE_CHAIN_H
#define AMOGET_PIPELINE_CHAIN_H

#include <stdbool.h>

#include "amoget/model/shape.h"

/* Asked now and then: non-zero, what is being done ends with PEPA_ECANCEL. */
typedef struct {
    int (*wanted)(void *user);
    void *user;
} ChainStop;

/* One chain and what its solution needs; not to be used by two threads at once. */
typedef struct PipelineChain PipelineChain;

/* stop: may be NULL.  Errors: PEPA_ELIMIT (more than max_states), PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus pipeline_chain_new(PipelineChain **out, const Shape *shape, int64_t max_states,
                              const ChainStop *stop, PepaError *err);
void pipeline_chain_free(PipelineChain *chain);
PepaChainInfo pipeline_chain_info(const PipelineChain *chain);
const Shape *pipeline_chain_shape(const PipelineChain *chain);

typedef struct {
    double time;                   /* per item, seconds: 1/X */
    double share[MOST_ACTIVITIES]; /* s_j dC/ds_j / C: of each activity; sum 1; free shapes: >= 0 */
    double slope[MOST_ACTIVITIES]; /* a certified cut (cut.h), nearly tight at these durations */
    double bound;                  /* its value here: C is not less, whatever the errors */
    PepaInfo info;
} ChainAnswer;

typedef struct {
    double tolerance;      /* of the residual */
    bool shares;           /* are wanted; costs a second solution, which serves the cut as well */
    bool cut;              /* slope and bound are wanted; the shape is free */
    bool rough;            /* and nothing else: cuts make up for a residual of 1e-10 */
    bool warm;             /* begin from the answer before, which this chain gave */
    const ChainStop *stop; /* or NULL */
} ChainQuestion;

/* Solve at `seconds` (shape_activities entries, finite, > 0).  Not warm: equal durations give equal
 * answers whatever was solved before.  Errors: PEPA_ENOCONV, PEPA_ECANCEL, PEPA_ENOMEM. */
PepaStatus pipeline_chain_solve(PipelineChain *chain, const double *seconds,
                                const ChainQuestion *question, ChainAnswer *answer, PepaError *err);

#endif
