/* The mappings that a search begins with, and the first cuts. */
#ifndef AMOGET_SEEDS_H
#define AMOGET_SEEDS_H

#include "amoget/search/batch.h"

/* Solve some mappings that are likely to be good: all stages on one processor, stage by stage where
 * the bound is least, the best of those that the description lists, and the best mapping of the
 * search before.
 * A chain of ranker->many_stages or more takes seconds to solve.  Then the parts of ranker->window
 * stages come first: the time per item of a mapping is about the largest of those of its parts,
 * never less, and each part gives a cut.  The listed mappings are solved next, the best estimate
 * first, then the one that a local search by estimates finds.
 * With a time limit and few stages less the most promising mapping is solved before any cut of the
 * whole is made.  search->leader is then set from the start: what to suggest if that takes too
 * long.  Errors: as batch_solve. */
PepaStatus seed_search(Search *search, PepaError *err);

#endif
