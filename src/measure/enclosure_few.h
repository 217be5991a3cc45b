/* Intervals that contain the exact mean of a reward in a bottom component of few states, however rare its jumps are. */
#ifndef PEPA_MEASURE_ENCLOSURE_FEW_H
#define PEPA_MEASURE_ENCLOSURE_FEW_H

#include "measure/interval.h"
#include "measure/sensitivity.h"

/* Values of terms, and units of LDBL_EPSILON / 2 that each may be off, relative to itself; rewards, and units of
 * DBL_EPSILON / 2 that those by state may be off. */
typedef struct {
    const Chain *chain;
    const long double *value;
    const double *value_roundings;
    Reward reward;
    double reward_roundings;
} FewStates;

/* Whether elimination may be tried: at most 2,000 states of components, and memory for these; 0: no limit. */
bool enclose_few_may(const Chain *chain, int64_t memory);
/* Of component b.  Not narrower than before: *x stays.
 * Errors: PEPA_ENOMEM, PEPA_ECANCEL, those of chain_each_transition. */
PepaStatus enclose_few(const FewStates *few, int32_t b, const PepaSettings *set, Interval *x,
                       PepaError *err);

#endif
