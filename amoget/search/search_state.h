/* What the parts of a search for the best mapping share. */
#ifndef AMOGET_SEARCH_STATE_H
#define AMOGET_SEARCH_STATE_H

#include "amoget/search/bound.h"
#include "amoget/search/frontier.h"
#include "amoget/search/ranker.h"
#include "amoget/search/symmetry.h"
#include "amoget/search/tuning.h"

/* The chain of a part of the pipeline, and the cut that it gives. */
typedef struct {
    int32_t first, count; /* the stages it is about */
    uint64_t turns;       /* that it holds for, see bound.h */
    double time, bound;   /* the chain's, and the cut's */
    double slope[MOST_ACTIVITIES];
} Step;

/* Parts that are looked at before the whole; the whole without turns, and with them. */
enum { MOST_STEPS = LEFT_OUT + 1 + 2 };

/* What was found out about a mapping: its time per item, or that it takes too long. */
typedef struct {
    enum { OPEN, SOLVED, RULED_OUT } state;
    double time;
    bool whole; /* the time is that of the mapping's own chain, not that of the last step */
    PepaChainInfo chain;
    int32_t steps;
    Step step[MOST_STEPS];
} Answer;

typedef struct {
    int32_t mapping[MOST_STAGES];
    double seconds[MOST_ACTIVITIES]; /* of its activities */
    bool ahead;                      /* it was not asked for yet: that it fails does not matter */
    Answer answer;
} Inquiry;

typedef struct {
    SolutionTable solved; /* every mapping tried */
    double pruned;        /* mappings ruled out by bounds, or for which another one stands */
    /* No mapping takes less time per item; that of the best one if it is proved. */
    double least;
    bool optimal;
} Found;

/* What processes have found out that no batch has asked for yet (ahead.h). */
typedef struct {
    Inquiry *kept;   /* MOST_KEPT; NULL: one process */
    double *numbers; /* MOST_TASKS answers, for the sum over all processes */
    int32_t next;    /* the one that is given up next */
} Ahead;

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
    double bound[MOST_BATCH];
    Inquiry asked[MOST_BATCH];
    Ahead ahead;
} Search;

#endif
