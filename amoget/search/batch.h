/* Mappings solved side by side, and what their solutions say about all others. */
#ifndef AMOGET_BATCH_H
#define AMOGET_BATCH_H

#include "amoget/search/answer.h"

double search_bound(Search *search, const int32_t *mapping, int32_t depth);

/* Is the mapping solved, or in the batch? */
bool batch_knows(const Search *search, const int32_t *mapping);
/* The batch is not full. */
void batch_add(Search *search, const int32_t *mapping, double bound);
/* Keep the search->batch mappings with the least bounds, in order. */
void batch_offer(Search *search, const int32_t *mapping, double bound);
/* Solve the batch, and learn from it; at the time limit from what was solved until then.
 * Errors: PEPA_ENOCONV, PEPA_ECANCEL, PEPA_ELIMIT (time, states), PEPA_ENOMEM. */
PepaStatus batch_solve(Search *search, PepaError *err);

#endif
