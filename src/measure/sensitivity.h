/* Derivatives of measures by the rates of a model. */
#ifndef PEPA_MEASURE_SENSITIVITY_H
#define PEPA_MEASURE_SENSITIVITY_H

#include "measure/longrun.h"

/* What does not depend on the rates, and workspace.  Borrows the chain and its LongRun.  16 bytes
 * per transition, 64 per state, 8 per term. */
typedef struct Sensitivity Sensitivity;
PepaStatus sensitivity_new(Sensitivity **out, const Chain *chain, LongRun *run, PepaError *err);
/* *left: what chain, run and this leave of set->memory to methods.  PEPA_ELIMIT: nothing. */
PepaStatus sensitivity_check_memory(const Chain *chain, const PepaSettings *set, int64_t *left,
                                    PepaError *err);
void sensitivity_free(Sensitivity *s);

/* What is differentiated: X = sum_s pi_s r_s, where state s earns r_s, by_state and its transitions'
 * rewards times their rates.  Where X is linearised, by_term and by_rate are derivatives that do not
 * come through pi.  Each may be NULL. */
typedef struct {
    const double *by_state;  /* per state */
    const double *by_action; /* per action of the model: each completion earns so much */
    const double *by_term;   /* per term: dX / d its value with pi and r as they are, but for what
                              * by_action says */
    const double *by_rate;   /* per rate of the model: the same */
} Reward;

/* The potentials of X (see solve_potential) in bottom components, as flat as they get in every state
 * there; 0 elsewhere.  PEPA_ENOCONV: one misses its tolerance.
 *   wanted  per component: its tolerance; 0: the potential is 0 */
PepaStatus sensitivity_potential(Sensitivity *s, const RateValues *at, const PepaSettings *set,
                                 const double *wanted, const double *pi, const Reward *reward,
                                 double *potential, PepaInfo *info, PepaError *err);

/* Contract of pepa_steady_sensitivities.  With h the potential of X (see solve_potential) and k the
 * transitions, from s to t at rate rate_k,
 *
 *     dX = sum_k  pi_s (h_t - h_s + by_action of k)  d rate_k
 *
 * over those of bottom components, so that one linear solution gives the derivatives by all rates of transitions, and one backward
 * pass over the terms those by the rates of the model.  With several bottom components each has a
 * potential, and the other transitions count as ends.h says.  Negative rewards are shifted; X of the
 * residual is then that of the shifted ones.
 *   at   values of the chain's rates
 *   set  checked */
PepaStatus sensitivity_solve(Sensitivity *s, const RateValues *at, const PepaSettings *set,
                             const double *pi, const Reward *reward, double *potential,
                             double *derivative, PepaInfo *info, PepaError *err);

#endif
