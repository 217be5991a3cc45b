/* A diagram's states shared by processes.
 *
 * Upper states, in the order of a sweep, are cut into chunks of about the same work, and chunks are
 * dealt out: each process owns some, and keeps copies of the upper states of others that have edges
 * into its own.  A sweep goes through all chunks as one process would.  A process sweeps a chunk of
 * its own as soon as it has what the chunk reads, and sends it to those that copy it.  So the number
 * of processes changes no digit, and processes work at the same time as far as chunks do not need
 * each other.  The chunks are dealt out in one to several rounds: more rounds wait less, and copy
 * more. */
#ifndef PEPA_CTMC_DIAGRAM_SHARE_H
#define PEPA_CTMC_DIAGRAM_SHARE_H

#include "ctmc/diagram/diagram.h"
#include "pepa_shared.h"

/* One chunk, as one process sees it. */
typedef struct {
    int32_t first, count; /* own: which of the own upper states; count 0: another's */
    int32_t *need;        /* own: chunks of others that it reads */
    int32_t need_count;
    PepaExchange exchange; /* after it is swept: sent, or received; of no partner if nobody copies it */
} ShareChunk;

typedef struct {
    Diagram part; /* the diagram, with Diagram.own and .place as this process has them; borrows it */
    int32_t copies, *copy; /* upper states of others, ascending */
    int64_t own, all;      /* states: own ones; with the copies, which follow them in vectors */
    PepaExchange states;   /* of all that is copied */
    int32_t chunks;
    ShareChunk *chunk; /* in the order of a sweep */
} DiagramShare;

/* Every process finds the same shares.  O(edges x log chunks).  False: memory is out; to be freed in
 * both cases. */
bool diagram_share_new(DiagramShare *out, const Diagram *diagram, int32_t process, int32_t count);
void diagram_share_free(DiagramShare *share);

#endif
