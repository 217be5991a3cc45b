/* Vanishing states: those in which an immediate activity can happen.  They take no time, so that a
 * chain has the others only, the tangible ones. */
#ifndef PEPA_CTMC_SEMANTICS_VANISH_H
#define PEPA_CTMC_SEMANTICS_VANISH_H

#include "ctmc/semantics/plan.h"

/* What a state that was looked at leads to without time passing. */
typedef struct {
    size_t first_end, first_passed; /* in Vanished.portion */
    int32_t ends;   /* how many tangible states, with their probabilities; or one of the next two */
    int32_t passed; /* how many actions happen on the way, with how often they do, in the mean */
} Vanishing;

enum { STATE_TANGIBLE = -1, STATE_UNKNOWN = -2, STATE_PENDING = -3 };

typedef struct {
    int32_t id, term; /* of a state or of an action; a term for a number without a unit */
} Portion;

/* What was found so far; emptied when it grows large (tuning.h). */
typedef struct {
    const System *system;
    bool *urgent;    /* per local state of the model: it has an immediate activity, ... */
    uint8_t *passed; /* ... and some vanishing state that was met has it */
    Table states;    /* those that were looked at: targets that may vanish, and what they lead to */
    Vanishing *result; /* of each */
    Portion *portion;
    size_t result_cap, portion_count, portion_cap;
    struct Elimination *work;
} Vanished;

PepaStatus vanished_init(Vanished *vanished, const System *system, PepaError *err);
void vanished_free(Vanished *vanished);

#endif
