/* The long-run distribution of a chain from its initial state. */
#ifndef PEPA_MEASURE_LONGRUN_H
#define PEPA_MEASURE_LONGRUN_H

#include "ctmc/chain.h"
#include "measure/certificate.h"
#include "measure/steady.h"

/* The probability, from the initial state, of ending in each bottom component: weight has
 * chain->bottom_count entries that sum to 1.  With few transient states by censoring (every digit
 * right).  With many by expected visits, whose residual r is computed anew from the transitions: it
 * changes no weight by more than r, since a visit ends in any component with probability <= 1.  If
 * it is too large, or the weights do not sum to 1, censoring is used after all.
 *   value  per term: its rate
 * Errors: PEPA_ENOCONV, PEPA_ENOMEM, PEPA_ECANCEL.  Source: Kemeny and Snell 1960, ch. 3. */
PepaStatus absorption(const Chain *chain, const double *value, const PepaSettings *set,
                      double *weight, PepaError *err);

/* The mean time that is spent in each transient state, from the initial state, and the same
 * probabilities, for a chain with several bottom components.
 *   eliminate  in: transient states are to be eliminated without subtractions, however many there
 *              are, so that every digit of a time counts; out: that was done.  Else times meet the
 *              residual of absorption; NULL for no times
 *   time       per state, out: 0 in bottom components; or NULL
 * Errors: as absorption. */
PepaStatus absorption_times(const Chain *chain, const double *value, const PepaSettings *set,
                            bool *eliminate, double *time, double *weight, PepaError *err);

/* What does not depend on the rates, and workspace for one solution at a time.  Borrows the chain.
 * Several may solve one chain at the same time, each at its own values. */
typedef struct LongRun LongRun;
const SteadyForm *steady_form(const Chain *chain);
/* form: steady_form(chain), or another, which the certificate does not trust either. */
PepaStatus longrun_new(LongRun **out, const Chain *chain, const SteadyForm *form, PepaError *err);
void longrun_free(LongRun *run);
/* PEPA_ELIMIT, with an estimate, if set->memory is too small for the chain, its LongRun, pi and the
 * method that takes least. */
PepaStatus longrun_check_memory(const Chain *chain, const PepaSettings *set, PepaError *err);

/* The number of states of a bottom component; order, if not NULL, gets them in that of sweeps. */
int32_t longrun_order(const LongRun *run, int32_t bottom, int32_t *order);

/* Contract of pepa_steady_solve, at these values of the chain's rates. */
PepaStatus longrun_solve(LongRun *run, const RateValues *at, const PepaSettings *set, double *pi,
                         PepaInfo *info, PepaError *err);

/* Make *job->err, the reason of a failure, say what was not solved, and what to try next.
 *   what    begins the message, such as "sensitivities "; may be empty
 *   chosen  the method was the caller's choice */
void longrun_advise(const SteadyJob *job, const char *what, bool chosen);

/* The certificate of pi; the operator is kept for the next time.  Errors: PEPA_ENOMEM. */
PepaStatus longrun_certificate(LongRun *run, const double *value, const double *pi, int32_t threads,
                               Certificate *out, PepaError *err);

#endif
