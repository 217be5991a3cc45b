/* The long run of a chain by rows that processes have explored together and that ends in one of several
 * bottom components, or in one that some states are not in. */
#ifndef PEPA_MEASURE_SPREAD_ENDS_H
#define PEPA_MEASURE_SPREAD_ENDS_H

#include "measure/spread_bottoms.h"
#include "measure/spread_solve.h"

/* Where the chain ends: alike in all processes. */
typedef struct {
    int32_t count;       /* bottom components */
    double *probability; /* of ending there */
    double *states;      /* how many it has */
    double *first;       /* the smallest number of any of them, as in a transition's target */
} SpreadEnds;            /* starts as {0} */

/* All processes call these, and agree. */

/* Counts states; the probability of a single component is 1.
 *   bottoms  of is NULL: all states are one component
 * Errors: PEPA_ENOMEM. */
PepaStatus spread_ends_new(SpreadEnds *out, const SpreadOrder *order, const SpreadBottoms *bottoms,
                           PepaError *err);
void spread_ends_free(SpreadEnds *ends);

/* Each component's steady state, and the probability of ending in it.
 *   solve  its flow is left without jumps from bottom components if there are several, and exit rates of
 *          its order are 1 where they were 0
 *   pi     per place, out: the long-run distribution, sum 1
 * Steady states of all components are found at once, each to the tolerance by itself.  Probabilities are off by
 * at most the residual of expected visits, which is evaluated anew from the transitions, as in `absorption`.  50 bytes
 * per state, 57 per component.
 * Errors: as of solve_flow. */
PepaStatus spread_ends_solve(SpreadEnds *ends, SpreadSolve *solve, const SpreadBottoms *bottoms,
                             double *pi);

#endif
