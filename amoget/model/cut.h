/* Certified cuts: linear lower bounds of a pipeline's time per item, from a numerical solution.
 * They hold whatever the errors of the solution are.
 *
 * C(t) is the time per item of an event graph (pipeline_chain.h) at mean durations t.  A cut g at
 * durations s has C(t) >= g . t for ALL t >= 0, and nearly equality at t = s.  In exact arithmetic
 * the gradient of C is one.  What follows derives a cut that holds whatever the errors in the
 * steady state pi and the potential h (pepa_steady_sensitivities) are; they only make it lower.
 *
 * Paths.  Let e be the durations of all firings, divided by their means.  For every path through
 * the firings, chosen as any function of e, C(t) per item is at least the sum of t_k e over the
 * path.  So g is a cut if g_k is the mean, per item, of the sum of e over the firings of activity
 * k on a path chosen at durations s.  The best path is the critical one: it leads back from each
 * firing to the one that enabled it.  Tag in each state i the running activity k on the path, with
 * probability a_k(i).  Go backwards in time.  A tag stays on its activity while that runs.  If the
 * completion of j enabled the firing, the tag moves to j.  With p_j(i) the chance that j completes
 * first in i, which leads to ij,
 *
 *     t_k(i) = sum_{j != k} p_j(i) a_k(ij) + p_k(i) sum_{b: enabled by k in ik} a_b(ik)
 *
 * is the law of the tag in state i if a(ij) is that in the next state.  For the exact h,
 *     a_k(i) = rate_k (c_k + h(ik) - h(i)) / X,      c_k = 1 for process1, else 0,
 * solves a = t: insert the equations (Q h)(i) = X - r(i) and (Q h)(ik) = X - r(ik), and use that in
 * an event graph the order of two completions does not matter.
 *
 * Breaks.  Take any pi >= 0, and any a(i) >= 0 with sum 1 over the activities that run in i (here
 * the formula above, negative terms set to 0).  Both are made exact by breaks:
 *  - pi Q = y is not 0.  Add jumps out of states with y > 0 into those with y < 0, at rates in
 *    proportion: then pi is stationary exactly.  They happen G = |y|_1 / 2 times per unit of time,
 *    and do not look ahead.  Between two of them the pipeline runs as it should.
 *  - t(i) is not a(i).  Change the tag with probability |t(i) - a(i)|_1 / 2 on entering i: then a
 *    is the law of the tag exactly.  That happens E = sum_i pi_i q_i |t(i) - a(i)|_1 / 2 times per
 *    unit of time, out of R = sum_i pi_i q_i jumps.
 * From any firing of item m there is a path to every firing of item m + B or later, B = 2 x stages:
 * downstream within the item, upstream by one item per stage and one per place on a link.
 *  - After a jump of the first kind leave out B items: the path goes on in what follows, whose
 *    durations are independent of those before.  The path then spans X + B G items per unit of
 *    time, X the completions of process1.
 *  - After a change of tag, the path goes on where the item is B behind the one it had: it loses
 *    firings of fewer than 3 B items from then on (activities that run at one time are less than B
 *    items apart).  The change may depend on those durations.  For an event A of probability p and
 *    the sum Y of 3 B exponential durations of mean 1, Jensen's inequality gives
 *         exp(E(Y|A) / 2) <= E(exp(Y/2) | A) <= 2^{3B} / p,
 *    so that each activity loses L = 2 E (3 B ln 2 + ln(R / E)) per unit of time at most.
 * With S_k = sum_i pi_i a_k(i), the share of time that the path spends in k, the cut is
 *
 *     g_k = max(0, S_k / s_k - L) / (X + B G).
 *
 * Nothing in it depends on how well conditioned the chain is.  Rounding: every sum below has terms
 * of one sign or is allowed for, see cut.c. */
#ifndef AMOGET_CUT_H
#define AMOGET_CUT_H

#include "amoget/model/shape.h"

/* What cuts of one chain need besides its solution. */
typedef struct {
    const int64_t *row;    /* of the chain's transitions, borrowed */
    const int32_t *target; /* the same */
    Shape shape;
    int32_t states;
    uint8_t *code; /* transitions: the activity that each completes */
    /* States, their transitions k, those of the next state: where in the state's row the activity
     * is that has the tag before k if this one has it after. */
    uint8_t *before;
    int64_t *first; /* states: where its entries of `before` begin */
    double *tag;    /* transitions: a, in the source, of that activity */
    double *inflow; /* states: of pi */
    double *exit;   /* states: the rate at which it is left */
} CutWorkspace;     /* starts as {0} */

/* chain: of generate_chain_model at a shape that is free.  Errors: PEPA_ENOMEM. */
PepaStatus cut_workspace_new(CutWorkspace *work, const PepaChain *chain, const Shape *shape,
                             PepaError *err);
void cut_workspace_free(CutWorkspace *work);

/* The cut at some durations.
 *   seconds    activities: the durations s
 *   pi         states: the steady state there, or any numbers >= 0
 *   potential  states: h there, or any finite numbers
 *   slope      out, activities: g; all 0 where the solution is of no use
 * Four passes over the transitions; two of them look at the next states' transitions as well. */
void cut_certify(const CutWorkspace *work, const double *seconds, const double *pi,
                 const double *potential, double *slope);

#endif
