/* The transitions out of states: what expand.h finds, with the states eliminated that take no time. */
#ifndef PEPA_CTMC_SEMANTICS_VANISH_H
#define PEPA_CTMC_SEMANTICS_VANISH_H

#include "ctmc/semantics/expand.h"

/* Append the moves of a tangible state to the block, those into vanishing states as moves to the
 * tangible ones in which they end (vanish.c), whose caller notes where they begin and end; if it is
 * not expanded nothing is appended. */
Expansion expand_state(Expander *expander, const uint64_t *packed, Block *block);
/* The same without plans, also if an event is at fault: expander->faults has these. */
Expansion expand_interpreted(Expander *expander, const uint64_t *packed, Block *block);

/* Append the tangible states in which the process begins, given its initial state; the kind of each
 * is the term of its probability. */
Expansion expand_start(Expander *expander, const uint64_t *packed, Block *block);

#endif
