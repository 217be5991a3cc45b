/* What a process knows of the others: the tables of Grid-GUM2.
 *
 * PEStatic does not change in a run and is the same everywhere; PEDynamic, loads, comes with every
 * message, and of each process the newest entry counts; Communication is measured by each message.
 * No MPI here.
 *
 * Sources: Al Zain and others 2005, section 3 and figures 4 to 6; 2007, section 3.1. */
#ifndef GRID_GUM_POLICY_TABLES_H
#define GRID_GUM_POLICY_TABLES_H

#include <stdint.h>

#include "grid/gum/policy/lengths.h"

typedef struct {
    double speed;    /* > 0: MHz, or any other unit that is the same for all */
    int32_t cluster; /* from 0 */
} PeStatic;

/* As it is sent. */
typedef struct {
    double stamp; /* when, seconds since the run began on that process's clock; < 0: never heard */
    int32_t sparks;  /* in its pool */
    int32_t threads; /* runnable or blocked */
    double began;    /* when its task began that may run elsewhere as well; < 0: none may */
} PeDynamic;

typedef struct {
    double latency; /* seconds, one way */
    double least;   /* the shortest; 0: not measured yet */
    double stamp;   /* when it was last measured */
} Communication;

typedef struct {
    int32_t size, self, main, clusters;
    int32_t near;    /* other processes of the cluster of `self` */
    double task;     /* mean seconds of a task here; 0: not known yet */
    double late;     /* mean seconds that messages take longer than the shortest */
    int repeats;     /* tasks may run on two processes */
    Lengths lengths; /* of such tasks, as far as is known here, in seconds of the main process */
    PeStatic *fixed;
    PeDynamic *dynamic;
    Communication *communication;
} Tables;

/* Who may have a FISH: all, those of its origin's cluster, all others. */
typedef enum { REACH_ALL, REACH_NEAR, REACH_FAR } Reach;

/* Does process p lie there, seen from an origin? */
static inline int tables_reach(const Tables *tables, Reach reach, int32_t origin, int32_t p)
{
    const int near = tables->fixed[p].cluster == tables->fixed[origin].cluster;
    return reach == REACH_ALL || near == (reach == REACH_NEAR);
}

/* Arrays for so many processes: nothing known, latencies 0, one cluster, speeds 1.  0; -1: out of
 * memory (free is legal). */
int tables_new(Tables *tables, int32_t size, int32_t self);
void tables_free(Tables *tables);

/* Sparks and threads. */
static inline double tables_load(const Tables *tables, int32_t process)
{
    const PeDynamic *it = &tables->dynamic[process];
    return (double)it->sparks + (double)it->threads;
}
/* Speed / (1 + load): what a process offers to one more task. */
double tables_ratio(const Tables *tables, int32_t process);
/* The sum of all speeds. */
double tables_speed(const Tables *tables);
/* The sum of speeds of a cluster / the sum of (1 + load). */
double tables_cluster_ratio(const Tables *tables, int32_t cluster);
int32_t tables_cluster_size(const Tables *tables, int32_t cluster);

/* An entry that came with a message: the newer one stays.  Nobody else knows more of this process
 * than itself. */
void tables_hear(Tables *tables, int32_t process, const PeDynamic *entry);
/* Seconds on a process for what takes the main process one. */
static inline double tables_unit(const Tables *tables, int32_t process)
{
    return tables->fixed[tables->main].speed / tables->fixed[process].speed;
}
/* A task that may run twice had this work, seconds x speed. */
void tables_add_length(Tables *tables, double work);
/* Lengths of tasks as another process knows them: those of more tasks stay. */
void tables_learn(Tables *tables, const Lengths *lengths);
/* A message took so many seconds.  Shorter ones show the latency, longer ones waited for the receiver
 * to look; so what is longer counts little. */
void tables_measure(Tables *tables, int32_t process, double seconds, double now);

/* Clusters by latency, and the main process: the fastest of the cluster with the largest sum of
 * speeds, of equals the first.
 *   latency  size x size, symmetric, seconds
 *   apart    latencies from here on separate clusters; where a chain of shorter ones joins two
 *            processes, they are in one cluster */
void tables_divide(Tables *tables, const double *latency, double apart);

#endif
