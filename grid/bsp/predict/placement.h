/* Where the processes of a program are on a machine, and what follows from that for all supersteps:
 * how fast each computes, and how long the end of a superstep takes at the least: each process tells
 * each other at once that it has arrived, so that it is the longest latency in use. */
#ifndef GRID_BSP_PREDICT_PLACEMENT_H
#define GRID_BSP_PREDICT_PLACEMENT_H

#include <amoget_machine.h>
#include <stdbool.h>

#include "grid/bsp/predict/trace.h"

/* What is known of the machine beside its description, at most PLATFORM_MOST each: what is computed from them stays
 * finite. */
#define PLATFORM_MOST 1e30
typedef struct {
    double unit; /* units of work that a second of the recorded run counts for */
    double word; /* seconds per 8 bytes that a process sends or receives, wherever to */
    double sync; /* seconds that the end of a superstep takes even where latencies are shorter */
    /* The bytes that a connection has under way after a long pause; 0: pauses change nothing */
    double window;
    /* Each two processes have a link of their own; otherwise each process has one, to all */
    bool separate_links;
} Platform;

typedef struct {
    const AmogetMachine *machine; /* borrowed */
    const Platform *platform;     /* borrowed */
    int32_t processes;
    int32_t *at; /* processors, by process */
    double *
        second; /* by process: how long it takes for what took a second in the recorded run, if it has a core */
    double slowest; /* the longest of these, if all processes of its processor compute */
    double barrier; /* seconds */
} Placement;

/* Memory for so many processes, at most MOST_PROCESSES.  False: out of memory (free is legal). */
bool placement_new(Placement *where, const AmogetMachine *machine, const Platform *platform,
                   int32_t processes);
void placement_free(Placement *where);
/* All that follows from `at`.  Latencies between all processors in use are given.
 * O(processes^2). */
void placement_update(Placement *where);

/* The latency between two processes, seconds; within a processor, where none is given, 0. */
double placement_latency(const Placement *where, int32_t p, int32_t q);
/* How long a process takes for what took a second in the recorded run, where it is. */
double placement_second(const Placement *where, int32_t process);
/* How many times as long it takes if so many processes compute there: they share the cores. */
double placement_crowd(const Placement *where, int32_t process, int32_t sharers);

#endif
