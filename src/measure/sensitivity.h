/* Derivatives of a throughput by the rates of a model. */
#ifndef PEPA_MEASURE_SENSITIVITY_H
#define PEPA_MEASURE_SENSITIVITY_H

#include "measure/longrun.h"

/* What does not depend on the rates, and workspace.  Borrows the chain and its LongRun;
 * the chain has one bottom component.  16 bytes per transition, 64 per state, 8 per term. */
typedef struct Sensitivity Sensitivity;
PepaStatus sensitivity_new(Sensitivity **out, const Chain *chain, LongRun *run, PepaError *err);
/* *left: what chain, run and this leave of set->memory to methods.  PEPA_ELIMIT: nothing. */
PepaStatus sensitivity_check_memory(const Chain *chain, const PepaSettings *set, int64_t *left,
                                    PepaError *err);
void sensitivity_free(Sensitivity *s);

/* Contract of pepa_steady_sensitivities.  With h the potential of the action's throughput X (see
 * solve_potential) and k the transitions, from s to t at rate rate_k,
 *
 *     dX = sum_k  pi_s (h_t - h_s + [k is of the action])  d rate_k
 *
 * so that one linear solution gives the derivatives by all rates of transitions, and one backward
 * pass over the terms those by the rates of the model.
 *   at      values of the chain's rates
 *   action  index into chain->actions
 *   set     checked */
PepaStatus sensitivity_solve(Sensitivity *s, const RateValues *at, const PepaSettings *set,
                             const double *pi, int32_t action, double *potential,
                             double *derivative, PepaInfo *info, PepaError *err);

#endif
