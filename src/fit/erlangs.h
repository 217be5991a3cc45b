/* Mixtures of Erlang distributions (hyper-Erlang): with probability share[i] a sum of shape[i] phases of
 * rate[i].  Few parameters serve samples of several kinds, each of which varies little.
 * Source: Thümmler, Buchholz, Telek, "A novel approach for phase-type fitting with the EM algorithm",
 * IEEE Transactions on Dependable and Secure Computing 3 (2006). */
#ifndef PEPA_FIT_ERLANGS_H
#define PEPA_FIT_ERLANGS_H

#include "fit/forms.h"

enum { ERLANGS_BRANCHES = 4 }; /* at most */

/* One step of EM, in place.  Returns the log-likelihood before the step, which none decreases. */
double erlangs_step(const Sample *s, Phases *p);
/* Branches of these shapes, each with the mean of as large a part of the sample, in ascending order. */
void erlangs_by_parts(const Sample *s, const int32_t *shape, int32_t branches, Phases *p);
/* The next way to divide `phases` into a descending sum of 2 to ERLANGS_BRANCHES shapes that are not all
 * 1, after shape[0 .. *branches - 1]; the first one, if *branches is 0.  False: there are no more. */
bool erlangs_next(int32_t phases, int32_t *shape, int32_t *branches);
/* Of one time t > 0. */
double erlangs_log_density(const Phases *p, double t);
/* The same distribution as a chain (PEPA_FIT_COX) of as many phases.  By positive terms only: of two rates
 * a <= b, a phase of rate a is one of rate b with probability a / b, and else one of each (Cumani 1982). */
void erlangs_chain(const Phases *p, Phases *chain);

#endif
