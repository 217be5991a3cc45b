/* Agreement of the model with the run: does the present mapping give what is predicted?
 *
 * Estimates leave out services far longer than others, and pauses of processes, as disturbances
 * (grid/machine/speed.h).  They are none where a mapping gives much less than the model says, for so
 * long that chance hardly explains it; where it then gives much more, they are disturbances after
 * all.  Durations that vary less than the model's give more than it says: what is predicted is taken
 * times the ratio that the mapping has had, if that is above 1. */
#ifndef GRID_STEER_AGREEMENT_H
#define GRID_STEER_AGREEMENT_H

#include <stdbool.h>

typedef struct {
    int decisions;
    double seen, predicted; /* items */
} AgreementCount;

typedef struct {
    AgreementCount usual; /* of the present mapping, where both agree */
    AgreementCount apart; /* the newest ones in a row that do not */
    bool moved;           /* since the last decision */
    bool whole;           /* pauses and the longest services count */
} Agreement;

/* Items since the last decision.  Has `whole` changed? */
bool agreement_see(Agreement *agreement, double seen, double predicted);
/* The mapping is another one: what is seen until the next decision is partly the move. */
void agreement_moved(Agreement *agreement);

#endif
