/* What the collectives share: waiting that sleeps, buffers for elements of any datatype, and
 * messages down and up a tree.  MPI's codes are returned. */
#ifndef GRID_TAAG_COLLECT_H
#define GRID_TAAG_COLLECT_H

#include <stddef.h>

#include "grid/taag/plan.h"

/* MPI's tags on the communicator of a plan: one for each kind of message, so that steps of a
 * collective do not mix.  Messages with one tag between two processes arrive in order, so that
 * collectives do not mix either.  Part number k of a message (parts.h) has TAG_PART + k. */
enum { TAG_DOWN = 1, TAG_UP, TAG_ACROSS, TAG_NEAR, TAG_PART };

/* Children in a cluster: short messages cost a latency for each level of the tree.  Bytes from
 * which on blocks of a gathering or an all-to-all go straight to their process. */
enum { FAN = 8, LONG = 32 << 10 };

/* Wait for all of them, sleeping between looks. */
int await_all(int count, MPI_Request *requests);
/* Likewise for one or more: `which` has the numbers of those that have ended. */
int await_some(int count, MPI_Request *requests, int *ended, int *which);

/* `count` elements that the library allocates: at[0] is the first.  -1: out of memory. */
typedef struct {
    void *block;
    char *at;
} Elements;
int elements_new(Elements *out, int64_t count, MPI_Datatype type);
void elements_free(Elements *elements);
/* Element number `index` of a buffer. */
const void *element_at(const void *buffer, int64_t index, MPI_Datatype type);
/* A type of MPI's own, whose elements follow each other without gaps. */
int is_gapless(MPI_Datatype type);
/* Copy elements within this process; the types have the same signature. */
int elements_copy(const Plan *plan, const void *from, int from_count, MPI_Datatype from_type,
                  void *to, int to_count, MPI_Datatype to_type);

/* out = block 0 op block 1 op ..., of `count` elements each. */
int elements_fold(const Plan *plan, const void *blocks, int number, void *out, int count,
                  MPI_Datatype type, MPI_Op op);

/* From the tops of the trees to all.  `root`: tree_of; the type's signature is the same on all. */
int send_down(const Plan *plan, int root, void *buffer, int count, MPI_Datatype type);
/* buffer of each top = operation over all below, for operations that commute.  Buffers of other
 * processes are spoilt. */
int combine_up(const Plan *plan, int root, void *buffer, int count, MPI_Datatype type, MPI_Op op);
/* The blocks of all to the root, in the order of ranks.  sendbuf == MPI_IN_PLACE at the root: its
 * block is there already. */
int gather_up(const Plan *plan, const void *sendbuf, int sendcount, MPI_Datatype sendtype,
              void *recvbuf, int recvcount, MPI_Datatype recvtype, int root);

/* Is there anything wrong with a count and a type, or with a buffer of these where MPI_IN_PLACE is
 * not allowed?  An error code of taag.h. */
int collect_check(const char *call, int count, MPI_Datatype type);
int collect_check_buffer(const char *call, const void *buffer, int count, MPI_Datatype type);

/* What a call returns for MPI's code. */
int collect_ended(const char *call, int code);

#endif
