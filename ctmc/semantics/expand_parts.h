/* What the files that expand states share. */
#ifndef PEPA_CTMC_SEMANTICS_EXPAND_PARTS_H
#define PEPA_CTMC_SEMANTICS_EXPAND_PARTS_H

#include "ctmc/semantics/expand.h"

/* The moves of a program in the state of e->moves.cells, composed from tables into e->moves. */
MovesSummary expand_compose(Expander *e, int32_t prog);
/* The kind of transitions that an action and a rate make; 0, with e->missing or e->no_memory set, if
 * there is none. */
int32_t expand_kind(Expander *e, int32_t action, int32_t term);
/* Among the moves of the block from `begin` on, merge those alike in action and target; the others
 * keep their order. */
void expand_merge(Expander *e, Block *block, size_t begin);

#endif
