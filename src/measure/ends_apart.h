/* Where a chain ends, of few transient states: differences of what it is worth to be in them, however rarely they are left. */
#ifndef PEPA_MEASURE_ENDS_APART_H
#define PEPA_MEASURE_ENDS_APART_H

#include "measure/rate_rows.h"

/* Starts as {0}. */
typedef struct {
    int32_t n;               /* components, and transient states after them; 0: nothing was found */
    int32_t *place;          /* per state of the chain: its component, or itself */
    long double *difference; /* n x n: g of column less g of row */
} EndsApart;

/* Whether there are few enough of both, and memory for them; 0: no limit. */
bool ends_apart_may(const Chain *chain, int64_t memory);
/* g is number[k] in component k.  The caller frees *out in any case.  Cost: (2/3) n^3 multiply-adds.
 * Errors: PEPA_ENOCONV (numbers overflow), PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus ends_apart(EndsApart *out, const RateRows *rows, const Chain *chain,
                      const double *number, const PepaSettings *set, PepaError *err);
void ends_apart_free(EndsApart *a);

/* g_to - g_from */
static inline double ends_apart_gain(const EndsApart *a, int64_t from, int64_t to)
{
    return (double)a->difference[(size_t)a->place[from] * (size_t)a->n + (size_t)a->place[to]];
}

#endif
