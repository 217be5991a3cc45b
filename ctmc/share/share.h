/* A diagram's states shared by processes.
 *
 * Upper states are cut into chunks (graph.h), and each process owns some (partition.h); it keeps
 * copies of the upper states of others that have edges into its own.  A chunk reads what it would
 * read in a sweep of one process, of this sweep or of the one before, so the number of processes
 * changes no digit.  Copies that are only read after they were swept pass: they have a place from
 * some steps before the first that reads them to the last, which is then given to others.  A process sweeps its chunks one by one, in an order in which it does not wait
 * long (order.h), as soon as it has what a chunk reads, and sends it to those that copy it. */
#ifndef PEPA_CTMC_SHARE_SHARE_H
#define PEPA_CTMC_SHARE_SHARE_H

#include "ctmc/share/order.h"
#include "pepa_shared.h"

/* What a process does in a sweep, one after the other: it sweeps a chunk of its own, which it then
 * sends; or it begins to receive one. */
typedef struct {
    int32_t first, count; /* own: which of the own upper states; count 0: another's */
    int32_t *need;        /* own: steps that must have been received */
    int32_t need_count;
    PepaExchange exchange; /* of no partner if nobody copies it */
} ShareStep;

typedef struct {
    Diagram part; /* borrows the diagram; Diagram.own and .place are as this process has them */
    int32_t copies, kept; /* upper states of others; those that do not pass */
    int32_t *copy;        /* first what is kept, ascending, then what passes, ascending */
    int64_t own, all;     /* states: own ones; with the copies, which follow them in vectors */
    int64_t swept;        /* in sweeps, in which what passes shares places */
    int64_t *at;          /* per own upper state, then copy: where its states begin in sweeps */
    bool passes;          /* something does, in one of the processes */
    PepaExchange states, kept_states; /* of all that is copied; of what is kept */
    int32_t steps;
    ShareStep *step;
} DiagramShare;

/* Every process finds the same shares.  O(edges x log chunks), and the plan (plan.h).  False: memory
 * is out; to be freed in both cases. */
bool diagram_share_new(DiagramShare *out, const Diagram *diagram, int32_t process, ShareParts parts,
                       const ShareCosts *costs);
void diagram_share_free(DiagramShare *share);

#endif
