/* What the files of lumping share. */
#ifndef PEPA_MEASURE_LUMP_PRIVATE_H
#define PEPA_MEASURE_LUMP_PRIVATE_H

#include <math.h>

#include "ctmc/operator.h"
#include "measure/partition.h"

/* A sum with the error of its additions, whose value is sum + less: exact but for some roundings of
 * the result.  Source: Neumaier, Z. Angew. Math. Mech. 54 (1974). */
typedef struct {
    double sum, less;
} Sum;

static inline void sum_add(Sum *s, double x)
{
    const double t = s->sum + x;
    s->less += fabs(s->sum) >= fabs(x) ? s->sum - t + x : x - t + s->sum;
    s->sum = t;
}
static inline double sum_value(const Sum *s)
{
    return s->sum + s->less;
}

/* The coarsest refinement of *p that is ordinarily lumpable: from all states of a block the rates
 * into any other block are the same.
 *   at   values of the chain's rates
 *   set  complete: progress
 * O(transitions x log n); 12 bytes per transition and 66 per state of scratch.
 * Errors: PEPA_ENOMEM, PEPA_ECANCEL; *p is then some partition.
 * Source: Derisavi, Hermanns, Sanders, Inf. Process. Lett. 87 (2003); Valmari, Franceschinis,
 * TACAS 2010. */
PepaStatus lump_refine(Partition *p, const Chain *chain, const RateValues *at,
                       const PepaSettings *set, PepaError *err);

/* The rates between blocks, by rows; without those within a block. */
typedef struct {
    int32_t n;
    int64_t *row;    /* n + 1 */
    int32_t *target; /* per entry: the block, ascending within a row */
    double *rate;    /* that of the block's smallest state */
    int32_t *action; /* of the model: one that contributes to it */
    int32_t *first;  /* per block: its smallest state */
    int32_t *block;  /* per state: its block; blocks are numbered by their smallest states */
    double spread;   /* (max - min) / max over the states of a block, at most, of any entry */
} Quotient;          /* starts as {0} */

/* From the transitions of the chain and the partition alone, whatever made it.  What is said of all
 * states of a block is checked for each: the error is PEPA_ENOCONV if it does not hold to within
 * SAME_WEIGHT and the rounding of a sum.
 *   memory  bytes that it may take for transitions between blocks, 32 for each; 0: no limit
 * O(transitions); 33 bytes per block of scratch.  Other errors: PEPA_ELIMIT, PEPA_ENOMEM. */
PepaStatus quotient_new(Quotient *q, const Partition *p, const Chain *chain, const RateValues *at,
                        int64_t memory, PepaError *err);
void quotient_free(Quotient *q);

#endif
