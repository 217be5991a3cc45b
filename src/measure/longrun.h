/* The long-run distribution of a chain from its initial state. */
#ifndef PEPA_MEASURE_LONGRUN_H
#define PEPA_MEASURE_LONGRUN_H

#include "ctmc/chain.h"

/* What does not change with the rates: the bottom components, an order to sweep each in, and the
 * pattern of each one's flow.  Borrows the chain. */
typedef struct LongRun LongRun;
PepaStatus longrun_new(LongRun **out, const Chain *chain, PepaError *err);
void longrun_free(LongRun *run);
/* Whether set->memory is enough for a chain explored one by one, its LongRun, pi and the method
 * that takes least: PEPA_ELIMIT, with an estimate, if not. */
PepaStatus longrun_room(const Chain *chain, const PepaSettings *set, PepaError *err);
/* The states of a bottom component in the order in which they are swept; *count: how many. */
const int32_t *longrun_order(const LongRun *run, int32_t bottom, int32_t *count);

/* Contract of pepa_steady_solve, at the chain's rates of now. */
PepaStatus longrun_solve(LongRun *run, const PepaSettings *set, double *pi, PepaInfo *info,
                         PepaError *err);

/* sum |(pi Q)_i| / sum pi_i q_i, q_i the exit rates, self-loops apart; 0 if nothing flows; +inf if
 * that is not a finite number.  *by_time: sum |(pi Q)_i| / q_i over the states that can be left,
 * which weighs a state by the time that a visit takes and not by how often it is visited.
 * balance, exit: scratch of one double per state. */
double longrun_residual(const Chain *chain, const double *pi, double *balance, double *exit,
                        double *by_time);

#endif
