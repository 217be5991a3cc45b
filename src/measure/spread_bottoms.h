/* The bottom components of a chain by rows that processes have explored together. */
#ifndef PEPA_MEASURE_SPREAD_BOTTOMS_H
#define PEPA_MEASURE_SPREAD_BOTTOMS_H

#include "measure/spread_flow.h"

typedef struct {
    int32_t count; /* of them, in all processes */
    int32_t *of;   /* per place of this process's run: its component, or -1: it is left for ever */
} SpreadBottoms;   /* starts as {0} */

/* All of them at once.  All processes call it, and agree.
 * O(entries x some), 30 bytes per state and 21 per copy.  Errors: PEPA_ENOMEM. */
PepaStatus spread_bottoms_new(SpreadBottoms *out, const SpreadFlow *flow, PepaError *err);
void spread_bottoms_free(SpreadBottoms *bottoms);

/* The components of the order's chain, per place, where it tells them per own state.  All processes call it, and agree.
 *   of       out: as of SpreadBottoms
 *   scratch  per place
 * Errors: PEPA_ENOMEM. */
PepaStatus spread_bottoms_bring(const SpreadOrder *order, int32_t *of, double *scratch,
                                PepaError *err);

/* processes->sum or processes->largest of many numbers, some thousands at a time. */
typedef void SpreadReduce(void *user, double *x, int32_t n);
void spread_reduce(const PepaProcesses *processes, SpreadReduce *reduce, double *x, int64_t count);

#endif
