/* Where passages begin and end, as callers give it. */
#ifndef PEPA_API_PASSAGE_ENDS_H
#define PEPA_API_PASSAGE_ENDS_H

#include "ctmc/chain.h"
#include "pepa_passage.h"

/* One start and one end are given.  Errors: PEPA_EARG. */
PepaStatus passage_ends_check(const PepaPassageEnds *ends, const char *function, PepaError *err);
/* Per action of the model: it is one of the names.  *mark: the caller frees it in any case.
 * Errors: PEPA_EARG (there is no such action, or it is immediate), PEPA_ENOMEM. */
PepaStatus passage_ends_actions(const Chain *chain, const char *const *name, size_t count,
                                uint8_t **mark, PepaError *err);

#endif
