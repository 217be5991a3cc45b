/* What the collectives share: waiting that sleeps, buffers for elements of any datatype, and
 * messages down and up a tree.  MPI's codes are returned. */
#ifndef GRID_TAAG_COLLECT_H
#define GRID_TAAG_COLLECT_H

#include <stddef.h>

#include "grid/taag/plan.h"

/* MPI's tags on the communicator of a plan: one for each kind of message, so that steps of a
 * collective do not mix.  Messages with one tag between two processes arrive in order, so that
 * collectives do not mix either. */
enum { TAG_DOWN = 1, TAG_UP, TAG_ACROSS, TAG_NEAR };

/* Children in a cluster: many for short messages, where each step costs a latency; few for long
 * ones, where each child costs the whole transfer.  Bytes from which on messages are long; these go
 * in segments, which a process passes on while the next ones arrive, at most so many.  Estimates
 * from latencies of 0.2 ms at 10 to 100 MB/s: bytes in flight are 2 to 20 KB. */
enum { SHORT_FAN = 8, LONG_FAN = 2, LONG = 32 << 10, SEGMENT = 64 << 10, MOST_SEGMENTS = 256 };

/* Wait for all of them, sleeping between looks. */
int await_all(int count, MPI_Request *requests);

/* `count` elements that the library allocates: at[0] is the first.  -1: out of memory. */
typedef struct {
    void *block;
    char *at;
} Elements;
int elements_new(Elements *out, int64_t count, MPI_Datatype type);
void elements_free(Elements *elements);
/* Element number `index` of a buffer. */
const void *element_at(const void *buffer, int64_t index, MPI_Datatype type);
/* Copy elements within this process; the types have the same signature. */
int elements_copy(const Plan *plan, const void *from, int from_count, MPI_Datatype from_type,
                  void *to, int to_count, MPI_Datatype to_type);

/* From the tops of the trees to all.  `root`: tree_of; the type's signature is the same on all. */
int send_down(const Plan *plan, int root, void *buffer, int count, MPI_Datatype type);
/* buffer of each top = operation over all below, for operations that commute.  Buffers of other
 * processes are spoilt. */
int combine_up(const Plan *plan, int root, void *buffer, int count, MPI_Datatype type, MPI_Op op);
/* The blocks of all to the root, in the order of ranks.  sendbuf == MPI_IN_PLACE at the root: its
 * block is there already. */
int gather_up(const Plan *plan, const void *sendbuf, int sendcount, MPI_Datatype sendtype,
              void *recvbuf, int recvcount, MPI_Datatype recvtype, int root);

/* The same error for MPI's code; MPI_ERR_NO_MEM is ours. */
int collect_ended(const char *call, int code);

#endif
