/* A chain that begins in several states, as one that begins in a state of its own, the origin: it has the
 * last number, and leads to each of those states at a rate equal to its probability, so that it is left
 * after one unit of time in the mean.  Where the chain ends, and how often, is the same. */
#ifndef PEPA_MEASURE_ORIGIN_H
#define PEPA_MEASURE_ORIGIN_H

#include "ctmc/chain.h"

/* *out borrows from the chain, which has rows and is not spread; where that begins in one state they are the same.
 *   memory  bytes that may be taken; 0: no limit
 * Errors: PEPA_ELIMIT, PEPA_ENOMEM; free is legal then.  O(states + transitions), unless they are the same. */
PepaStatus origin_add(Chain *out, const Chain *chain, int64_t memory, PepaError *err);
void origin_free(Chain *out, const Chain *chain);

#endif
