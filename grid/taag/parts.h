/* Long messages in parts, each by its own way, so that the links of all processes of a cluster work
 * at the same time. */
#ifndef GRID_TAAG_PARTS_H
#define GRID_TAAG_PARTS_H

#include "grid/taag/collect.h"

/* A message of `count` elements in parts.  In each cluster one process is the entry of a part; the
 * root is one only where it is alone.  Broadcast: the root sends each part to its entry in the own
 * cluster, this one to the entry in each other cluster, and each entry to all others of its
 * cluster.
 * Reduction: the other way.  Each process sends the bytes of the whole message once, and its share
 * once more for each other cluster. */
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
/* Entries: buffer = operation over the buffers of all clusters' entries, the same bits on all. */
int parts_across(const Parts *p, void *buffer, MPI_Op op);

#endif
