/* The policy `predicted`: whom to ask, and how many sparks to give, so that the expected time lost is
 * least.  Functions of the tables alone; no MPI. */
#ifndef GRID_GUM_POLICY_PREDICTED_H
#define GRID_GUM_POLICY_PREDICTED_H

#include "grid/gum/policy/tables.h"

/* Whom tables->self sends a FISH of this origin (itself, or one that it passes on), within `reach`; -1: nobody is
 * left.  `early`: the origin still runs something.  One is drawn by chance, unless a task runs twice, which a FISH of
 * REACH_NEAR never asks for.  O(processes), and LENGTH_BINS for each one of which a task may run twice. */
int32_t predicted_target(const Tables *tables, int32_t origin, int early, Reach reach,
                         uint64_t *chance);
/* How many of its sparks tables->self, which has some, gives a FISH of this origin: 1 .. half of them,
 * at least 1.  O(processes). */
int32_t predicted_sparks(const Tables *tables, int32_t origin);

/* Who gets a spark of tables->self instead of the origin of a FISH: a process that was idle a short while
 * ago and ends it sooner, where there are no more sparks than such processes; -1: nobody.  O(processes). */
int32_t predicted_instead(const Tables *tables, int32_t origin);

/* Is nobody known to have sparks, of all who have been heard of, which is everybody?  O(processes). */
int predicted_dry(const Tables *tables);
/* Seconds that the result of a task is expected to come earlier, 0 or more, which has run here for `ran`
 * seconds, beside running - 1 others, if the origin, which has nothing to do, runs it as well, from its
 * beginning.  O(LENGTH_BINS). */
double predicted_gain(const Tables *tables, int32_t origin, double ran, int32_t running);

/* The probability that a process has sparks when a FISH arrives there. */
double predicted_chance(const Tables *tables, int32_t process);

#endif
