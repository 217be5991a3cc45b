/* Solutions by rows that processes have explored together, of which some follow each other. */
#ifndef PEPA_MEASURE_SPREAD_SOLVE_H
#define PEPA_MEASURE_SPREAD_SOLVE_H

#include "measure/keep.h"
#include "measure/spread_flow.h"
#include "measure/steady.h"

typedef struct {
    const SteadyJob *job;
    SpreadOrder *order; /* borrowed, as the flow is */
    SpreadFlow *flow;
    Control control;
    KeepOrder kept;
    Keep keep;
} SpreadSolve; /* stays where it is once it is open */

/* All processes call these, and agree. */

/* Errors: PEPA_ENOMEM. */
PepaStatus spread_solve_open(SpreadSolve *out, const SteadyJob *job, SpreadOrder *order,
                             SpreadFlow *flow);
/* y: what was kept, or equal shares.  Errors: PEPA_EIO. */
PepaStatus spread_solve_start(const SpreadSolve *solve, double *y);
/* y = P'y + b by a method that processes share; b NULL: a steady state.  Iterations are added up in the
 * job's report.  Contract of solve_flow. */
PepaStatus spread_solve_flow(const SpreadSolve *solve, PepaMethod method, const double *b,
                             double *y);
/* The same of b with the sum 1, for one of several solutions with this matrix: nothing is kept but its factors, and
 * nothing reported.
 *   factors  in, out: see Control
 *   y        in: a guess >= 0 */
PepaStatus spread_solve_with(SpreadOrder *order, SpreadFlow *flow, FlowFactors **factors,
                             const PepaSettings *set, double tolerance, const double *b, double *y,
                             PepaError *err);

#endif
