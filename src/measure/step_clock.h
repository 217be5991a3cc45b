/* Progress of a sequence of steps. */
#ifndef PEPA_MEASURE_STEP_CLOCK_H
#define PEPA_MEASURE_STEP_CLOCK_H

#include "ctmc/chain.h"
#include "pepa.h"

/* What the callback of the settings is told of a sequence of steps. */
typedef struct {
    const PepaSettings *set;
    double began, last; /* seconds on the clock, if there is a callback */
    int64_t wait;       /* multiply-adds until the next look at it */
} StepClock;
StepClock step_clock_start(const PepaSettings *set);
/* After a step on the chain, one of at most `planned`: tell the callback about every 0.1 s.
 * True: it wants to stop. */
bool step_clock_stops(StepClock *clock, const Chain *chain, int64_t steps, int64_t planned);

#endif
