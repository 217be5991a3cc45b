/* The forms of acyclic phase-type distributions, and samples: types alone. */
#ifndef PEPA_FIT_FORMS_H
#define PEPA_FIT_FORMS_H

#include <stdbool.h>

#include "base/mem.h"
#include "pepa_fit.h"

enum { MOST = PEPA_FIT_MOST_PHASES };

/* A distribution.
 *   PEPA_FIT_ERLANG  rate[0], which all phases have; share is not used
 *   PEPA_FIT_HYPER   phase i of rate[i] with probability share[i]
 *   PEPA_FIT_HYPER_ERLANG  branch i with probability share[i]: shape[i] phases of rate[i] (erlangs.h)
 *   PEPA_FIT_COX     begins in phase i with probability share[i], and goes on through all phases
 *                    after it.  This is the Cox form read from its end: the sum of phases i to the
 *                    last is the sum of the first ones of the reversed chain. */
typedef struct {
    PepaFitFamily family;
    int32_t phases;
    double rate[MOST], share[MOST];
    int32_t branches, shape[MOST]; /* of PEPA_FIT_HYPER_ERLANG */
} Phases;

/* Different values in ascending order, each with the number of samples that have it. */
typedef struct {
    size_t count;
    double *time, *weight;
    double total; /* of the weights */
} Sample;

#endif
