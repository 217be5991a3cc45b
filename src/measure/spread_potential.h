/* Potentials of a chain by rows that processes have explored together: what starting in each state is worth. */
#ifndef PEPA_MEASURE_SPREAD_POTENTIAL_H
#define PEPA_MEASURE_SPREAD_POTENTIAL_H

#include "ctmc/chain.h"

/* What does not depend on the rewards: the jumps, and mean times until the chain returns to one state.  Stays
 * with a chain of one bottom component, which it borrows. */
typedef struct SpreadPotential SpreadPotential;

/* All processes call these, and agree.
 *   pi   per own state: about the steady state
 *   set  borrowed until the next solution
 * The orders and the matrix of a solution (see spread_flow.h).  Errors: PEPA_ELIMIT, PEPA_ENOMEM. */
PepaStatus spread_potential_new(SpreadPotential **out, const Chain *chain, const double *pi,
                                const PepaSettings *set, PepaError *err);
void spread_potential_free(SpreadPotential *potential);

/* About the potential of rewards, as solve_potential has it up to a constant: proved by nothing.
 *   tolerance  of the linear solution
 *   reward     per own state: >= 0, and 0 in states that are left for ever
 *   h          per own state, out
 * One linear solution, and another one the first time.
 * Errors: PEPA_ENOCONV (h is the best found), PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus spread_potential_solve(SpreadPotential *potential, const PepaSettings *set,
                                  double tolerance, const double *reward, double *h,
                                  PepaError *err);

#endif
