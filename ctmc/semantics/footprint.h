/* Footprints: what of a key decides what follows a move from a tangible state.
 *
 * Of the events that might be immediate only those of changed units can have become possible.  One that
 * has depends on all slots which take part; of one that has not, a slot that is in its way will do.
 * The same holds after each immediate activity, for what it changes. */
#ifndef PEPA_CTMC_SEMANTICS_FOOTPRINT_H
#define PEPA_CTMC_SEMANTICS_FOOTPRINT_H

#include "ctmc/semantics/expand.h"

/* Add the bits that decide which events are possible in a state after a change.
 *   changed  bits of the units that were changed
 * e->moves.cells are then those of the state. */
void footprint_read(Expander *e, const uint64_t *packed, const uint64_t *changed, uint64_t *bits);

#endif
