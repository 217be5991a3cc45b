/* What vanishing states lead to. */
#ifndef PEPA_CTMC_SEMANTICS_ELIMINATE_H
#define PEPA_CTMC_SEMANTICS_ELIMINATE_H

#include "ctmc/semantics/expand.h"

enum { ONE = 0 }; /* the term for 1 */

/* The number of a key in e->vanished, new or not; -1: memory is out.
 *   ready  some activity of states of this key may be immediate: if not, they are tangible */
int32_t vanished_id(Expander *e, const uint64_t *key, bool ready);
/* Find out what the states of a key lead to: e->vanished.result[id].
 *   packed  one of them
 * EXPAND_FAULTY: see e->culprit. */
Expansion eliminate_from(Expander *e, int32_t id, const uint64_t *packed);
/* The first part of it: nodes and edges of e->vanished.work.  States found to be tangible have no edges;
 * the others are pending. */
Expansion find_nodes(Expander *e, int32_t id, const uint64_t *packed);
/* What building terms and kinds has come to since the last state was expanded. */
Expansion expansion_failed(const Expander *e);

#endif
