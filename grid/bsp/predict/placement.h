/* Where the processes of a program are on a machine, and what follows from that for all supersteps:
 * how fast each computes, and how long the barrier at the end of a superstep takes at the least.
 *
 * Processes whose links are short form a cluster: those that links of at most a quarter of the longest
 * latency in use connect.  Within one cluster of m processes each of ceil(log2 m) rounds of messages
 * doubles who has been heard of.  Several clusters: all tell one process of their cluster, these
 * exchange messages, and tell theirs: two short latencies and a long one.  Where no link is short, all are
 * alike, and count as one cluster.
 * Source: D. Hensgen, R. Finkel, U. Manber, Two algorithms for barrier synchronization, 1988. */
#ifndef GRID_BSP_PREDICT_PLACEMENT_H
#define GRID_BSP_PREDICT_PLACEMENT_H

#include <amoget_machine.h>
#include <stdbool.h>

#include "grid/bsp/predict/trace.h"

/* What is known of the machine beside its description. */
typedef struct {
    double unit; /* units of work that a second of the recorded run counts for */
    double word; /* seconds per 8 bytes that a process sends or receives, wherever to */
    double sync; /* seconds of a barrier within a cluster; NAN: by latencies */
} Platform;

typedef struct {
    const AmogetMachine *machine; /* borrowed */
    const Platform *platform;     /* borrowed */
    int32_t processes;
    int32_t *at;    /* processors, by process */
    double *second; /* by process: how long it takes for what took a second in the recorded run */
    double barrier; /* seconds */
} Placement;

/* Memory for so many processes, at most MOST_PROCESSES.  False: out of memory (free is legal). */
bool placement_new(Placement *where, const AmogetMachine *machine, const Platform *platform,
                   int32_t processes);
void placement_free(Placement *where);
/* All that follows from `at`.  Latencies between all processors in use are given.
 * O(processes^2). */
void placement_update(Placement *where);

/* How long a process takes for what took a second in the recorded run, where it is, if so many
 * processes are there: those that share a processor with fewer cores share its cores. */
double placement_second(const Placement *where, int32_t process, int32_t sharers);

#endif
