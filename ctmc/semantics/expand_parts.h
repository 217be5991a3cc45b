/* Between the files that expand states. */
#ifndef PEPA_CTMC_SEMANTICS_EXPAND_PARTS_H
#define PEPA_CTMC_SEMANTICS_EXPAND_PARTS_H

#include "ctmc/semantics/expand.h"

/* Moves found for a node: entries of the plans, or in the expander's own arrays. */
typedef struct {
    int32_t apparent;
    int32_t count;
    size_t first;
    bool own, twins, still; /* own: in the expander's; the others: see Entry */
} Found;

/* The moves of a node in the state of e->moves.cells, packed in `packed`. */
Found expand_find(Expander *e, int32_t node, const uint64_t *packed);
/* The kind of transitions that an action and a rate make; 0 with e->missing or e->no_memory set if
 * there is none to be had. */
int32_t expand_kind(Expander *e, int32_t action, int32_t term);
/* Merge moves alike among those of the block from `begin` on; the others keep their order. */
void expand_merge(Expander *e, Block *block, size_t begin);

#endif
