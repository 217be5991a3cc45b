/* Long messages in parts, each by its own way, so that the links of all processes of a cluster work at
 * the same time. */
#ifndef GRID_TAAG_RINGS_H
#define GRID_TAAG_RINGS_H

#include "grid/taag/collect.h"

/* A message of `count` elements in parts; in each cluster, one process is the entry of a part, and
 * the processes of a cluster except the root form a ring.  Broadcast: the root sends each part to
 * its entry in the own cluster, this one sends it to the entry in each other cluster, and from the
 * entries it goes round the rings.  Reduction: the other way.  A process sends each element once,
 * and an entry its parts once more for each other cluster; the root sends each element once. */
typedef struct {
    const Plan *plan;
    int root; /* -1: none; entries have no parent */
    int parts;
    int64_t count, each; /* elements in all, in a part */
    MPI_Datatype type;
} Parts;

/* Whether a message of so many bytes is long enough; the same on all processes. */
int parts_suit(const Plan *plan, int64_t bytes);
/* In one part: without a root, the entries are the leaders of the clusters. */
Parts parts_one(const Plan *plan, int64_t count, MPI_Datatype type);
Parts parts_of(const Plan *plan, int root, int64_t count, MPI_Datatype type);

/* From the root, or from the entries, to all. */
int parts_down(const Parts *p, void *buffer);
/* buffer = operation over all at the root, or over the cluster at entries, for operations that
 * commute; by an order that does not depend on time.  Buffers of other processes are spoilt. */
int parts_up(const Parts *p, void *buffer, MPI_Op op);
/* Entries: buffer = operation over the buffers of all clusters' entries, with the same bits on all. */
int parts_across(const Parts *p, void *buffer, MPI_Op op);

#endif
