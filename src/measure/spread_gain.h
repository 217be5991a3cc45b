/* Where a chain by rows that processes have explored together leads to from its beginning, as a number. */
#ifndef PEPA_MEASURE_SPREAD_GAIN_H
#define PEPA_MEASURE_SPREAD_GAIN_H

#include "ctmc/chain.h"

/* g of the initial state, where (Q g)_s = 0 in each state that is left for ever, and g is a number in each bottom
 * component.  All processes call it, and agree.
 *   chain      tells apart its components, of which the initial state is in none
 *   value      per term: its exact rate, rounded to a double
 *   roundings  of each: its relative error, in units of 2^-53
 *   number     per component: >= 0, exact
 *   *error     out: of *gain, proved whatever the solver did
 * Four linear solutions; their matrix, 130 bytes per state.
 * Errors: PEPA_ENOCONV (no bound), PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus spread_gain(const Chain *chain, const double *value, double roundings,
                       const PepaSettings *set, const double *number, double *gain, double *error,
                       PepaError *err);

#endif
