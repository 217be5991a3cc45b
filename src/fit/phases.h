/* Acyclic phase-type distributions in four forms, and what is computed from them. */
#ifndef PEPA_FIT_PHASES_H
#define PEPA_FIT_PHASES_H

#include "fit/forms.h"

/* 1 - F(t) and the density at each of `count` ascending times >= 0; density may be NULL. */
void phases_at(const Phases *p, const double *time, size_t count, double *survival,
               double *density);
/* The log-likelihood of a sample. */
double phases_likelihood(const Phases *p, const Sample *s);
PepaFitMoments phases_moments(const Phases *p);
/* One value at random. */
double phases_draw(const Phases *p, uint64_t *random);
/* All rates divided by `unit`: the times are multiples of it. */
void phases_scale(Phases *p, double unit);
/* The probability that phase i of the Cox form, from 0, is followed by another. */
double phases_goes_on(const Phases *p, int32_t i);
int32_t phases_parameters(const Phases *p);

#endif
