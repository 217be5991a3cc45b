/* What the parts of a search for the best mapping share. */
#ifndef AMOGET_SEARCH_STATE_H
#define AMOGET_SEARCH_STATE_H

#include "amoget/search/bound.h"
#include "amoget/search/frontier.h"
#include "amoget/search/ranker.h"
#include "amoget/search/symmetry.h"
#include "amoget/search/tuning.h"

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
    SolutionTable solved; /* every mapping tried */
    double pruned;        /* mappings ruled out by bounds, or for which another one stands */
    /* No mapping takes less time per item; that of the best one if it is proved. */
    double least;
    bool optimal;
} Found;

typedef struct {
    Run *run;
    const Symmetry *symmetry;
    Costs costs;
    Bounds bounds;
    Frontier frontier;
    Found *found;
    double *best; /* top entries: the least times, ascending; +inf where there are none */
    size_t top;
    int32_t leader[MOST_STAGES]; /* the best mapping, or the first one to be solved */
    bool plain;                  /* mappings are solved, and no cuts derived */
    bool local;                  /* those being solved are of the local search */
    /* The batch: `count` mappings, at most `batch`. */
    int32_t count, batch;
    int32_t mapping[MOST_BATCH][MOST_STAGES];
    double bound[MOST_BATCH], seconds[MOST_BATCH][MOST_ACTIVITIES];
    Answer answer[MOST_BATCH];
} Search;

#endif
