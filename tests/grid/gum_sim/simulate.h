/* A discrete-event simulation of a GUM program on a grid, for tests of predictions and policies: it
 * knows nothing of PEPA, and follows each message.
 *
 * Processes run tasks from their own pools, the newest first, and give away the oldest.  A message
 * takes the latency of its link; a process that runs a task looks at messages when a slice ends, and
 * handling one takes it so much longer.  Who has less than its watermark asks as the policy says, one
 * FISH at a time, and pauses after a NULL.  Every message brings the sender's table of loads.  A task
 * makes its sparks when it begins, and waits for none.  Under `predicted` tasks run twice as in the run-time;
 * the one that is not first runs on to its end. */
#ifndef TESTS_GRID_GUM_SIM_SIMULATE_H
#define TESTS_GRID_GUM_SIM_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

#include "grid/gum/policy/policy.h"

typedef struct {
    int32_t size;
    const double *time;    /* seconds per unit, by process */
    const double *latency; /* size x size, seconds */
} SimGrid;

/* Tasks: 0 is the main program; the children of task i are first[i] .. first[i + 1] - 1. */
typedef struct {
    int32_t tasks;
    const double *work; /* own work, units */
    const int32_t *first;
    double message, slice; /* units, as in profiles */
    bool pure;             /* tasks that make no sparks may run on two processes */
} SimProgram;

typedef struct {
    Policy policy;
    int32_t mark; /* for policy_watermark; 0: a process asks when it has nothing to do */
    uint64_t seed;
} SimPolicy;

typedef struct {
    double makespan;   /* until the last result is at the main process */
    double efficiency; /* work / (makespan x sum of speeds) */
    int64_t messages, taken, twice;
    int32_t main; /* the process that the main program ran on */
} SimResult;

/* 0; -1: out of memory. */
int simulate(const SimGrid *grid, const SimProgram *program, const SimPolicy *policy,
             SimResult *out);

#endif
