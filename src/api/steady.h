/* The structure of the handle for repeated solutions. */
#ifndef PEPA_API_STEADY_H
#define PEPA_API_STEADY_H

#include "measure/sensitivity.h"

struct PepaSteady {
    const PepaChain *owner;
    const Chain *chain; /* its */
    LongRun *run;
    Sensitivity *sensitivity; /* NULL until it is asked for */
};

/* The chain's number of an action that occurs.  Errors: PEPA_EARG. */
PepaStatus steady_find_action(const Chain *chain, const char *name, int32_t *action,
                              PepaError *err);

/* Make steady->sensitivity.  *within: the settings, complete, with the memory that is left.
 * Errors: PEPA_ELIMIT, PEPA_ENOMEM. */
PepaStatus steady_differentiable(PepaSteady *steady, const PepaSettings *set, PepaSettings *within,
                                 PepaError *err);

#endif
