/* Local search: from the best mapping known to one that no neighbour beats. */
#ifndef AMOGET_LOCAL_SEARCH_H
#define AMOGET_LOCAL_SEARCH_H

#include "amoget/search/batch.h"

/* Neighbours differ in the place of one stage, or exchange those of two.  The cuts of all that is
 * solved describe the region that matters.  Errors: as batch_solve. */
PepaStatus local_search(Search *search, PepaError *err);

#endif
