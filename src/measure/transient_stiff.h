/* Distributions and measures of stiff chains, by uniformisation first and then by Laguerre series. */
#ifndef PEPA_MEASURE_TRANSIENT_STIFF_H
#define PEPA_MEASURE_TRANSIENT_STIFF_H

#include "measure/expression.h"
#include "measure/transient_steps.h"

/* Where measures go; functionals from time 0 are summed here if they are accumulated. */
typedef struct Output Output;
struct Output {
    const Expressions *measures;
    int32_t functionals, items;
    double *mean, *total, *value; /* functionals; the same, up to now; items x times */
    /* The same measures for a job of their own, at the first of the times. */
    PepaStatus (*early)(const TransientJob *job, const Output *output, bool accumulated,
                        TransientFound *found, PepaError *err);
};

/* Whether the run may be long enough for series: then stiff_run finds out. */
bool stiff_suits(const Run *run);

/* All of the run's times, from x the initial state.
 *   output  NULL: no measures, and task is for the last time only
 *   task    for times that uniformisation comes to, and, with measures, for `point` the number of
 *           times as well: only to keep what is accumulated
 *   *done   false: nothing is reported; one sequence of steps for all times is likely to be better
 * Errors: as transient_measures. */
PepaStatus stiff_run(Run *run, Output *output, TransientTask *task, void *user, bool *done,
                     PepaError *err);

#endif
