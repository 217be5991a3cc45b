/* The long-run distribution of a chain from its initial state. */
#ifndef PEPA_MEASURE_LONGRUN_H
#define PEPA_MEASURE_LONGRUN_H

#include "measure/certificate.h"
#include "measure/steady.h"

/* What does not change with the rates, and room to work in: for one solution at a time.  Borrows the
 * chain.  Several may be used on one chain at the same time, at other values each. */
typedef struct LongRun LongRun;
PepaStatus longrun_new(LongRun **out, const Chain *chain, PepaError *err);
/* The same with a form of the caller's choice, which the certificate does not trust either. */
PepaStatus longrun_with(LongRun **out, const Chain *chain, const SteadyForm *form, PepaError *err);
void longrun_free(LongRun *run);
/* Whether set->memory is enough for the chain, its LongRun, pi and the method that takes least:
 * PEPA_ELIMIT, with an estimate, if not. */
PepaStatus longrun_affords(const Chain *chain, const PepaSettings *set, PepaError *err);

/* How many states a bottom component has; they, in the order in which they are swept. */
int32_t longrun_count(const LongRun *run, int32_t bottom);
void longrun_order(const LongRun *run, int32_t bottom, int32_t *order);

/* Contract of pepa_steady_solve, at these values of the chain's rates. */
PepaStatus longrun_solve(LongRun *run, const RateValues *at, const PepaSettings *set, double *pi,
                         PepaInfo *info, PepaError *err);

/* The certificate of pi; the operator is kept for the next time.  Errors: PEPA_ENOMEM. */
PepaStatus longrun_certificate(LongRun *run, const double *value, const double *pi, int32_t threads,
                               Certificate *out, PepaError *err);

#endif
