/* Potentials of a chain by rows that processes have explored together: what starting in each state is worth. */
#ifndef PEPA_MEASURE_SPREAD_POTENTIAL_H
#define PEPA_MEASURE_SPREAD_POTENTIAL_H

#include "ctmc/chain.h"

/* What does not depend on the rewards: the jumps within bottom components, incomplete factors of them, and mean
 * times until the chain returns to one state of its component.  Stays with a chain, which it borrows. */
typedef struct SpreadPotential SpreadPotential;

/* All processes call these, and agree.
 *   bottom_count, bottom of the chain  of all processes; per own state, or NULL: all are in component 0
 *   pi                                 per own state: about the long-run distribution
 * The orders and the matrix of a solution (see spread_flow.h), 28 bytes per state; then its factors, until it is freed.
 * Errors: PEPA_ELIMIT, PEPA_ENOMEM. */
PepaStatus spread_potential_new(SpreadPotential **out, const Chain *chain, const double *pi,
                                const PepaSettings *set, PepaError *err);
void spread_potential_free(SpreadPotential *potential);

/* About the potential of rewards in each component, as solve_potential has it up to a constant: proved by nothing.
 *   tolerance  per component: of the linear solution, all components of which are equally important to it; 0: h is
 *              not wanted there
 *   mean       per component: about what is earned there per unit of time, a guess
 *   reward     per own state: >= 0
 *   h          per own state, out: 0 in states that are left for ever
 * One linear solution for all components, and another one the first time.
 * Errors: PEPA_ENOCONV (h is the best found), PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus spread_potential_solve(SpreadPotential *potential, const PepaSettings *set,
                                  const double *tolerance, const double *mean, const double *reward,
                                  double *h, PepaError *err);

#endif
