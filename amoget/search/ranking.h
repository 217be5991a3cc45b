/* From times to a ranking. */
#ifndef AMOGET_RANKING_H
#define AMOGET_RANKING_H

#include "amoget/search/symmetry.h"

/* One mapping to be ranked. */
typedef struct {
    const int32_t *mapping; /* borrowed */
    double time;            /* per item */
    double stands_for;
    const PepaChainInfo *chain; /* borrowed */
    int64_t order; /* of tied ones with equally many processors; equal: lexicographic */
} Candidate;

/* Sort, find ties, and make the entries of a ranking from the first `top` (0: all) of `count`
 * candidates, all memory its own.  Times that differ by less than 1e-9 of the least of them tie. */
PepaStatus rank_candidates(AmogetRanking **out, Candidate *candidates, size_t count, int32_t stages,
                           size_t top, PepaError *err);

#endif
