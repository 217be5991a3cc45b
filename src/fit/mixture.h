/* Mixtures of exponentials: EM with closed forms for both steps. */
#ifndef PEPA_FIT_MIXTURE_H
#define PEPA_FIT_MIXTURE_H

#include "fit/phases.h"

/* One step of EM, in place.  Returns the log-likelihood before the step, which none decreases. */
double mixture_step(const Sample *s, Phases *p);
/* Two exponentials with the mean 1 and this squared coefficient of variation > 1, each with half of
 * the mean ("balanced means"). */
void mixture_by_moments(double variation, Phases *p);
/* n exponentials, each with the mean of a share of the sample: most of it, and ever less of the
 * largest values. */
void mixture_by_shares(const Sample *s, int32_t n, Phases *p);

#endif
