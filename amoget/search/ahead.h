/* The solving of mappings by several processes: those of a batch, and others that later batches are
 * likely to ask for.
 *
 * A batch is small, so that what it finds guides the next one.  Of several processes most would have
 * nothing to do.  They solve, beside the batch, the complete mappings of the frontier that have the least
 * bounds.  What they find is kept until a batch asks for it, and is then judged by the bounds of that
 * time: the search does not notice.  What is never asked for was in vain.  (Speculative computation, as
 * in parallel best-first search: Burton, Parallel Computing 2, 1985.) */
#ifndef AMOGET_AHEAD_H
#define AMOGET_AHEAD_H

#include "amoget/search/answer.h"

/* Errors: PEPA_ENOMEM. */
PepaStatus ahead_new(Search *search, PepaError *err);
void ahead_free(Search *search);

/* Answers search->asked[0 .. count-1], whose mappings and durations are there.  Collective.
 * Errors: as answer_find; answers then have what was found. */
PepaStatus ahead_answer(Search *search, PepaError *err);

#endif
