/* One replication of RESTART: a trajectory that is split where it comes nearer to a rare event.
 *
 * Importance is cut by levels.  When a trajectory rises over level i, R_i - 1 retrials begin in the
 * same state, which go on by themselves until they fall below level i again, or time is over; the
 * trajectory itself goes on in any case, and is split each time that it rises.  What is seen in a
 * state that is over levels 1 .. i, and not over i + 1, counts 1 / (R_1 ... R_i): the mean is that of
 * a trajectory that is not split, at every time, whatever levels and numbers are, and however many
 * levels are crossed at once.
 * Sources: Villen-Altamirano, Villen-Altamirano, RESTART, in Queueing, Performance and Control in ATM
 * (ITC 13), 1991, and European J. of Operational Research 221 (2012). */
#ifndef PEPA_MEASURE_RARE_RUN_H
#define PEPA_MEASURE_RARE_RUN_H

#include "measure/simulation.h"

/* Importance is looked at in bins: 0 below `least`, RARE_BINS from 0 on. */
enum { RARE_BINS = 1024, RARE_LEVELS = 128 };

typedef struct {
    double least;
    int32_t count;
    int32_t bin[RARE_LEVELS], split[RARE_LEVELS]; /* level i is bin[i] and above; R_i */
    double weight[RARE_LEVELS + 1];               /* of what is over i levels */
    uint8_t level[RARE_BINS + 1];                 /* per bin: over how many levels it is */
} RareLevels;

/* No levels yet. */
void rare_levels_clear(RareLevels *levels, double least);
/* One more, above the others. */
void rare_levels_add(RareLevels *levels, int32_t bin, int32_t split);

typedef struct {
    const double *time; /* points; NULL: the mean over time from `begin` to `horizon` */
    size_t points;
    double begin, horizon; /* before `begin` nothing is counted */
    const RareLevels *levels;
    uint64_t seed;
    int64_t activities; /* at most, of one replication */
} RareJob;

typedef struct {
    double time, since;
    int32_t birth, level, bin;
    int64_t count; /* of trials that begin so */
} RareTrial;

typedef struct {
    Trajectory t; /* observes the predicate and its importance */
    RareTrial now, *stack;
    int64_t *cells; /* of the stack: a state each */
    size_t depth, cap, cells_cap;
    double *observed; /* per point: the estimate of this replication */
    size_t points;
    /* Of all replications since rare_runner_clear, by bin. */
    double *dwell;   /* time there, weighted */
    int64_t *rose;   /* how often a trial came to this bin or above: differences */
    double *nearest; /* the least importance that was seen in it */
    double path;     /* time from below all levels to the event, summed over its beginnings; */
    int64_t events;  /* how many */
    bool was;
} RareRunner; /* starts as {0} */

/* observe: of two values.  Errors: PEPA_ENOMEM. */
PepaStatus rare_runner_new(RareRunner *out, const Simulation *s, const ObservePlan *observe,
                           size_t points, PepaError *err);
void rare_runner_free(RareRunner *runner);
void rare_runner_clear(RareRunner *runner);
/* Replication `number`, which has that stream: runner->observed. */
TrajectoryEnd rare_run(RareRunner *runner, const RareJob *job, uint64_t number,
                       const TrajectoryWatch *watch);

#endif
