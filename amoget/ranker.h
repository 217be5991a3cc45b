/* A ranker's chains, and one call's work on them: threads, time, progress. */
#ifndef AMOGET_RANKER_H
#define AMOGET_RANKER_H

#include <stdatomic.h>

#include "amoget/line.h"
#include "amoget/solved.h"

struct AmogetRanker {
    const AmogetDescription *desc;
    int32_t stages, processors; /* as they were: they may not change */
    int64_t max_states;
    PepaChainInfo info; /* of every mapping's chain */
    int32_t part;       /* stages of the parts that search looks at by themselves; 0: none */
    Line **lines;       /* two per thread, made when first needed: of all stages, of a part */
    int line_count;     /* threads */
    /* What searches leave to later ones: gradients (bounds_keep), and the best mapping. */
    double *slopes;
    int32_t slope_count; /* cuts; 0: there was no search yet */
    int32_t leader[MOST_STAGES];
};

/* One call. */
typedef struct {
    AmogetRanker *ranker;
    AmogetSettings set;
    double start, told; /* seconds on the clock; told: when progress was last called */
    AmogetProgress now;
    atomic_llong chains; /* solved */
    atomic_int stopped;  /* PEPA_OK, or why to stop: PEPA_ECANCEL, PEPA_ELIMIT (time) */
} Run;

PepaStatus run_start(Run *run, AmogetRanker *ranker, const AmogetSettings *set, const char *who,
                     PepaError *err);
double run_seconds(const Run *run);

/* Has the caller, or the time limit, had enough?  Worker 0 is the caller's thread: it calls
 * progress, now and then. */
bool run_stops(Run *run, int worker);
/* What to return then. */
PepaStatus run_stopped(Run *run, PepaError *err);

/* Solve for one mapping, given its durations, on a worker's chain; or for `part` stages of it. */
PepaStatus run_solve(Run *run, int worker, const double *seconds, bool shares, LineAnswer *answer,
                     PepaError *err);
PepaStatus run_solve_part(Run *run, int worker, const double *seconds, LineAnswer *answer,
                          PepaError *err);
/* Threads that `count` such solutions are worth. */
int run_threads(const Run *run, size_t count);

/* Say in err which mapping could not be solved. */
void run_blame(const Run *run, const int32_t *mapping, PepaError *err);

#endif
