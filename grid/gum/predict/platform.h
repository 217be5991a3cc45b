/* The grid that a GUM program runs on: its processes, which of them are alike, and their clusters. */
#ifndef GRID_GUM_PREDICT_PLATFORM_H
#define GRID_GUM_PREDICT_PLATFORM_H

#include <stdbool.h>

#include <amoget_machine.h>

#include "grid/gum/policy/tables.h"

enum { MOST_GROUPS = 64 };

/* Processes that nothing tells apart: of one cluster, equally fast, as far from the main process. */
typedef struct {
    int32_t copies, cluster;
    double time;    /* seconds per unit */
    double latency; /* seconds, to the main process */
    double second;  /* seconds per byte to it */
} Group;

typedef struct {
    int32_t size;
    int32_t *processor; /* of a process: where it runs */
    double *time;       /* seconds per unit of work, of a process */
    double
        *latency;   /* size x size, seconds, one way; 0 within one processor if that is not given */
    double *second; /* size x size, seconds per byte */
    Tables tables;  /* speeds, clusters and the main process, as the run-time finds them */
    int32_t *members; /* of a cluster, how many processes */
    double *near;     /* clusters x clusters, seconds: means between two different processes */
    double *far;      /* of a cluster, seconds: mean from a process of it to any other */
    double mean;      /* between any two different processes, seconds */
    Group *group;     /* without the main process */
    int32_t groups;
    double speed; /* units per second, sum of all */
} Platform;

/* A process for each core of each processor in the description's order, the first `processes` of them;
 * 0: all.  A core of a processor does availability / time units a second.
 * Errors: PEPA_EMODEL (a latency is missing), PEPA_EARG (fewer than 1, or more than there are cores),
 * PEPA_ELIMIT (more than MOST_PROCESSES, or groups that cannot be joined to MOST_GROUPS), PEPA_ENOMEM.
 * platform_free is legal in any case. */
enum { MOST_PROCESSES = 2048 };
PepaStatus platform_new(Platform *out, const AmogetMachine *machine, int32_t processes,
                        PepaError *err);
/* After a change of times or latencies: clusters and the main process stay. */
PepaStatus platform_regroup(Platform *platform, PepaError *err);
/* The same with one more process like the first of that cluster that is not the main process, or like
 * that, and as near to it as its nearest other.  Errors: PEPA_ELIMIT, PEPA_ENOMEM. */
PepaStatus platform_grow(Platform *out, const Platform *platform, int32_t cluster, PepaError *err);
void platform_free(Platform *platform);
/* Whether nothing changes when the processes of both clusters, neither the main one's, change places, the first with the
 * first.  moved: scratch, one per process.  O(size x processes of a cluster). */
bool platform_alike(const Platform *platform, int32_t cluster, int32_t other, int32_t *moved);

static inline double platform_latency(const Platform *p, int32_t a, int32_t b)
{
    return p->latency[(int64_t)a * p->size + b];
}

/* Mean latency from one process of a cluster to another process of the other; of the same: others than itself.  0 where
 * there is none. */
static inline double platform_near(const Platform *p, int32_t from, int32_t to)
{
    return p->near[(int64_t)from * p->tables.clusters + to];
}

#endif
