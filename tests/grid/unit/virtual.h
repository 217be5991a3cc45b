/* A pipeline that does not exist: its throughput is what libamoget says of its true description,
 * and what its processes see is drawn around that. */
#ifndef GRID_TESTS_VIRTUAL_H
#define GRID_TESTS_VIRTUAL_H

#include "grid/steer/rescheduler.h"
#include "streams.h"

typedef struct {
    AmogetDescription *truth, *known; /* known: what monitor and rescheduler work on */
    AmogetRanker *ranker;             /* of the truth */
    GridMonitor *monitor;
    GridRescheduler *rescheduler;
    GridController controller;
    Noise noise, probe_noise;
    int32_t mapping[MOST_STAGES];
    double time, period, move_cost, done;
    int32_t limited;     /* a process whose availability is a quota's: it works at full speed, and
                          * sometimes pauses; -1: none */
    bool waits_are_told; /* samples say what a service waited */
} Virtual;

/* Three stages of work 1 and four processors of 0.1 s per unit: 8.4 ms to move an item. */
AmogetDescription *three_equal_stages(void);

/* Both descriptions become the virtual pipeline's. */
Virtual virtual_new(AmogetDescription *truth, AmogetDescription *known,
                    const GridMonitorSettings *monitor, const GridReschedulerSettings *settings);
/* Three equal stages, each on a processor of its own, known as they are. */
Virtual virtual_three(const GridReschedulerSettings *settings);
void virtual_free(Virtual *v);
/* Work for a period, then decide.  Returns 1 if stages have moved. */
int virtual_period(Virtual *v);
/* True throughputs: as it is, and of the best mapping. */
double virtual_now(const Virtual *v);
double virtual_best(const Virtual *v);

#endif
