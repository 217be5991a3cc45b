/* Intervals that contain the exact value of a measure. */
#ifndef PEPA_MEASURE_ENCLOSURE_H
#define PEPA_MEASURE_ENCLOSURE_H

#include "measure/interval.h"
#include "measure/sensitivity.h"
#include "measure/spread_potential.h"

/* Whose measures: those of one process's chain; or of a view of a chain by rows that processes have explored
 * together, whose bottom components `bottom` of the view tells apart. */
typedef struct {
    const Chain *chain;
    Sensitivity *alone; /* of the chain; or NULL, and */
    SpreadPotential *together;
} Encloser;

/* X = pi r of the exact steady state pi, at the values of the activities' rates as doubles.  With any
 * vector h,
 *
 *     X = pi (r + Q h),   since pi Q = 0,   so that   min_s (r + Q h)_s  <=  X  <=  max_s (r + Q h)_s
 *
 * over the states of the bottom component.  The closer h is to the potential of X, the narrower that
 * is; it holds for any h, and for any pi that the potential is found with.  Each sum goes with a
 * bound of its rounding errors, in long double.
 *   pi         per state of the chain: about the steady state
 *   roundings  of reward->by_state: its relative error is at most so many times 2^-53
 *   *out       -inf .. +inf where numbers overflow
 * One linear solution, up to ten where jumps are rare; 40 bytes per state, 24
 * per term.  Processes that share the chain all call it, and agree: each sums up its own transitions, and the
 * least and the greatest sum are those of all.
 * Errors: PEPA_ENOMEM, PEPA_ELIMIT, PEPA_ECANCEL, those of chain_each_transition.  That no method
 * meets the tolerance is none: the interval is then wide. */
PepaStatus enclose(const Encloser *by, const RateValues *at, const PepaSettings *set,
                   const double *pi, const Reward *reward, double roundings, Interval *out,
                   PepaInfo *info, PepaError *err);

#endif
