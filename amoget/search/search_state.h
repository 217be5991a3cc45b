/* What the parts of a search share.  Private to search.c, batch.c and climb.c. */
#ifndef AMOGET_SEARCHING_H
#define AMOGET_SEARCHING_H

#include "amoget/search/bound.h"
#include "amoget/search/frontier.h"
#include "amoget/search/search.h"

enum { BATCH = 8 /* mappings solved at a time */ };

/* Bounds of mappings that may tie with the best, to 9 digits and a little, do not rule them out. */
#define TIE_MARGIN 1e-8
/* What a new cut must raise the bound of its own mapping by to be worth its place, and by how much
 * a time must exceed the cutoff to rule a mapping out: more than a cut gives away for safety's sake
 * (SHARE_ERROR of bound.c, times the activities), so that its own mapping never passes it again. */
#define CUT_GAIN 2e-6

/* What was found out about a mapping: its time per item, or that it takes too long. */
typedef struct {
    enum { OPEN, SOLVED, RULED_OUT } state;
    double time;
    PepaChainInfo chain;
    struct {
        int32_t first, count; /* the stages it is about */
        uint64_t turns;       /* that it holds for, see bound.h */
        ChainAnswer answer;
    } cut[2];
    int32_t cuts;
} Answer;

typedef struct {
    Run *run;
    const Symmetry *symmetry;
    Costs costs;
    Bounds bounds;
    Frontier frontier;
    Found *found;
    double *best; /* top entries: the least times, ascending; +inf where there are none */
    size_t top;
    int32_t leader[MOST_STAGES]; /* the best mapping */
    bool climbing;
    /* The batch. */
    int32_t count;
    int32_t mapping[BATCH][MOST_STAGES];
    double bound[BATCH], seconds[BATCH][MOST_ACTIVITIES];
    Answer answer[BATCH];
} Search;

/* Beginnings with a larger bound need not be looked at. */
double search_cutoff(const Search *search);
double search_bound(Search *search, const int32_t *mapping, int32_t depth);

/* Is the mapping solved, or in the batch? */
bool batch_knows(const Search *search, const int32_t *mapping);
/* There is room. */
void batch_add(Search *search, const int32_t *mapping, double bound);
/* Keep the BATCH mappings with the least bounds, in order. */
void batch_offer(Search *search, const int32_t *mapping, double bound);
/* Solve the batch, and learn from it; at the time limit from what was solved until then. */
PepaStatus batch_solve(Search *search, PepaError *err);

/* Walk to a mapping that no neighbour beats.  Its cuts describe the region that matters. */
PepaStatus climb(Search *search, PepaError *err);

#endif
