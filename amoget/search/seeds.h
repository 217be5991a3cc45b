/* The mappings that a search begins with, and the first cuts. */
#ifndef AMOGET_SEEDS_H
#define AMOGET_SEEDS_H

#include "amoget/search/batch.h"

/* Solve some mappings that are likely to be good: all stages on one processor, stage by stage where
 * the bound is least, the best of those that the description lists, and the best mapping of the
 * search before.
 * A chain of ranker->many_stages or more takes seconds to solve.  Then the parts of ranker->window
 * stages come first: the time per item of a mapping is about the largest of those of its parts,
 * never less, and each part gives a cut.  A local search by estimates finds a mapping.
 * With a time limit and chains that may be slow beside it, an answer comes first: the listed
 * mappings of many stages, the best estimate first, and the one found by estimates; of fewer
 * stages, the most promising mapping.  Such an answer gives no cuts before those that are quickly
 * found.
 * search->leader is set from the start: what to suggest if there is no time for any.
 * Errors: as batch_solve. */
PepaStatus seed_search(Search *search, PepaError *err);

#endif
