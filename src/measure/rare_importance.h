/* How near a state is to one that satisfies a predicate: the importance function of splitting. */
#ifndef PEPA_MEASURE_RARE_IMPORTANCE_H
#define PEPA_MEASURE_RARE_IMPORTANCE_H

#include "ctmc/state_function.h"

/* Appends nodes for the importance of the predicate at `node`: >= 0 where it is true, if it compares
 * whole numbers; else how far the comparison is from being true, negative.  x >= y has x - y; of `&&`
 * the least counts, of `||` the greatest; x == y has -|x - y|; what is no comparison is 0 where it
 * is true, and -1 or more steps away elsewhere.
 * Only the variance depends on it: estimates have the same mean whatever the importance is.
 * Returns the node; -1: memory is out. */
int32_t rare_importance(StateCode *code, int32_t node);

#endif
