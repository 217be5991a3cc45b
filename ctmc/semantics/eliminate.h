/* What vanishing states lead to. */
#ifndef PEPA_CTMC_SEMANTICS_ELIMINATE_H
#define PEPA_CTMC_SEMANTICS_ELIMINATE_H

#include "ctmc/semantics/expand.h"

enum { ONE = 0 }; /* the term for 1 */

/* Has some component an immediate activity in this state?  If not, the state is tangible. */
bool may_vanish(Expander *e, const uint64_t *packed);
/* The number of a state in e->vanished, new or not; -1: memory is out. */
int32_t vanished_id(Expander *e, const uint64_t *packed);
/* Find out what the state leads to: e->vanished.result[id].  EXPAND_FAULTY: see e->culprit. */
Expansion eliminate_from(Expander *e, int32_t id);
/* What building terms and kinds has come to since the last state was expanded. */
Expansion expansion_failed(const Expander *e);

#endif
