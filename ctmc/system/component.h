/* A sequential component compiled on its own: its local states and activities as integers. */
#ifndef PEPA_CTMC_SYSTEM_COMPONENT_H
#define PEPA_CTMC_SYSTEM_COMPONENT_H

#include "ctmc/system/system.h"

/* Local states reachable from `initial` (a model id), breadth first, and their activities; equal
 * ones are added up.  Arrays go into the arena.
 *   index  scratch of model->local_count entries, all -1 before and after */
PepaStatus component_compile(Component *out, Arena *arena, const Model *model, RateTable *rates,
                             int32_t initial, int32_t *index, PepaError *err);

/* The index of an action in the component's alphabet, or -1. */
int32_t component_action(const Component *component, int32_t action);

/* The local states of a component in depth-first order (reverse postorder) from the initial one, in
 * which most moves lead onwards.  order: local_count.  False: memory is out. */
bool component_flow_order(const Component *component, int32_t *order);

#endif
