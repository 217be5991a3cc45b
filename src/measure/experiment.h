/* Measures in the long run at many points of a chain's rates, several points at a time. */
#ifndef PEPA_MEASURE_EXPERIMENT_H
#define PEPA_MEASURE_EXPERIMENT_H

#include "measure/expression.h"
#include "pepa_shared.h"

typedef struct {
    const Chain *chain;
    const RateValues *base; /* values of the rates that do not vary */
    const Expressions *measures;
    const PepaSettings *set; /* complete; no evidence is written */
    const int32_t *rate;     /* rates of the model that vary, and their values: points x rates */
    int32_t rates;
    const double *point;
    int64_t points;
    const int64_t *row; /* per point: where its measures go */
    const PepaProcesses
        *processes; /* that take the chunks in turn, and of which each has those that
                                     * it took; NULL: this one takes all */
    /* Per row, out: how its point ended, if it is not solved; NULL: the first failure ends all. */
    PepaStatus *status;
    int64_t done, all; /* for progress: points before these, and in all */
    double start;      /* on the clock */
} ExperimentJob;

typedef struct {
    int64_t failed;     /* the first point that could not be solved; -1: none */
    int64_t iterations; /* of all points */
    double residual;    /* the largest */
} ExperimentFound;

/* Whether a failure is one of its point, so that others may be solved all the same. */
bool experiment_of_point(PepaStatus status);

/* value[row[k] x items + i]: measure i at point k; NaN where it has none.
 *   apart  per point, out: whether its chain has another structure, because a functional rate is
 *          switched on or off there; it is left out then
 * Points are divided into chunks of consecutive ones.  The first of a chunk is solved without a
 * guess, each other from the one before it.  Chunks depend on the number of points only, so results
 * do not depend on threads.  Threads that no chunk needs work within solutions.
 * Errors: PEPA_EMODEL (a rate would not be finite and > 0); those of longrun_solve and
 * expressions_values; for a point, found->failed says which, and all before it are solved; with job->status all
 * others are, if the failure is one of its point, and it has no values. */
PepaStatus experiment_points(const ExperimentJob *job, double *value, uint8_t *apart,
                             ExperimentFound *found, PepaError *err);

#endif
