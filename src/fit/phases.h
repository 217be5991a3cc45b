/* Acyclic phase-type distributions in three forms, and what is computed from them. */
#ifndef PEPA_FIT_PHASES_H
#define PEPA_FIT_PHASES_H

#include <stdbool.h>

#include "base/mem.h"
#include "pepa_fit.h"

enum { MOST = PEPA_FIT_MOST_PHASES };

/* A distribution.
 *   PEPA_FIT_ERLANG  rate[0], which all phases have; share is not used
 *   PEPA_FIT_HYPER   phase i of rate[i] with probability share[i]
 *   PEPA_FIT_COX     begins in phase i with probability share[i], and goes on through all phases
 *                    after it.  This is the Cox form read from its end: the sum of phases i to the
 *                    last is the sum of the first ones of the reversed chain. */
typedef struct {
    PepaFitFamily family;
    int32_t phases;
    double rate[MOST], share[MOST];
} Phases;

/* Different values in ascending order, each with the number of samples that have it. */
typedef struct {
    size_t count;
    double *time, *weight;
    double total; /* of the weights */
} Sample;

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
