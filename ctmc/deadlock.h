/* Explains a deadlock: a path to it, and what each component waits for. */
#ifndef PEPA_CTMC_DEADLOCK_H
#define PEPA_CTMC_DEADLOCK_H

#include "ctmc/chain.h"

/* A deadlocked state that is nearest to the initial state, and a shortest path to it: `length`
 * actions, indices into chain->actions.  The caller frees `action`. */
typedef struct {
    int32_t state, length;
    int32_t *action;
} DeadlockPath;

/* For a chain that has deadlocks.  Of the nearest ones, and of the shortest paths, those whose
 * states have the smallest numbers.  O(transitions of the states that are no farther), 12 bytes per
 * state of scratch.  Errors: PEPA_ENOMEM. */
PepaStatus deadlock_find(const Chain *chain, DeadlockPath *out, PepaError *err);
/* Append lines: the path, and for each component which actions it waits for and which components
 * cannot take part in them.  Equal lines are counted; long lists are cut.
 *   cells  scratch, cell_count of the system
 * O(components x programs).  Errors: PEPA_ENOMEM. */
PepaStatus deadlock_explain(const Chain *chain, const DeadlockPath *path, int32_t *cells, Text *out,
                            PepaError *err);

#endif
