/* A ranker's chains, and one call's work on them: threads, time, progress. */
#ifndef AMOGET_RANKER_H
#define AMOGET_RANKER_H

#include <stdatomic.h>

#include "amoget/model/chain_cache.h"
#include "amoget/search/agreement.h"
#include "amoget/search/solution_table.h"

struct AmogetRanker {
    const AmogetDescription *desc;
    int32_t stages, processors; /* as they were: they may not change */
    int64_t max_states;
    /* From so many stages on, a search begins with parts of `window` stages (seeds.h). */
    int32_t many_stages, window;
    size_t frontier_bytes; /* memory for the partial mappings yet to be looked at */
    double (*clock)(void); /* seconds: clock_seconds, but in tests of limits */
    ChainCache *caches;    /* one per thread */
    int cache_count, threads;
    Workers *workers; /* NULL: threads is at most 1 */
    /* What searches leave to later ones: cuts, and the best mapping. */
    struct Cut *cuts;
    int32_t cut_count; /* 0: there was no search yet */
    Shape cut_shape;   /* of the pipeline that they are about */
    AmogetSharing cut_sharing;
    int32_t leader[MOST_STAGES];
};

/* One call. */
typedef struct {
    AmogetRanker *ranker;
    AmogetSettings set;
    double start, told; /* seconds on the clock; told: when progress was last called */
    bool enough;        /* progress said so */
    AmogetProgress now;
    int64_t chains;      /* solved */
    Agreement agreement; /* with the processes that share the call; holds why to stop */
} Run;

PepaStatus run_start(Run *run, AmogetRanker *ranker, const AmogetSettings *set, const char *who,
                     PepaError *err);
double run_seconds(const Run *run);

/* Has the caller, or the time limit, had enough?  Worker 0 is the caller's thread: it calls
 * progress, now and then.  For tasks: processes may answer differently. */
bool run_stops(Run *run, int worker);
/* The same for what all processes do alike: collective. */
bool run_ends(Run *run);
/* Why: the time limit was reached, or the caller had enough. */
const char *run_end(const Run *run);
/* What to return then. */
PepaStatus run_stopped(Run *run, PepaError *err);

/* Solve a chain of this shape, at these durations, with a worker's cache; what the question says of
 * tolerance and stop is overwritten.  *info (or NULL): the chain. */
PepaStatus run_solve(Run *run, int worker, const Shape *shape, const double *seconds,
                     ChainQuestion question, ChainAnswer *answer, PepaChainInfo *info,
                     PepaError *err);
/* The workers for `count` solutions of whole pipelines; NULL: too few to share. */
Workers *run_workers(const Run *run, size_t count);

/* Say in err which mapping could not be solved. */
void run_blame(const Run *run, const int32_t *mapping, PepaError *err);
/* Say in err that no mapping was solved in time, and which one would have been first; listed: the
 * description lists it. */
void run_suggest(const Run *run, const int32_t *mapping, bool listed, PepaError *err);

#endif
