/* What experiments share: the values of the rates that vary, and how processes end together. */
#ifndef PEPA_API_EXPERIMENT_AXES_H
#define PEPA_API_EXPERIMENT_AXES_H

#include "api/handles.h"
#include "pepa_experiment.h"

/* A rate that varies. */
typedef struct {
    const PepaVary *vary;
    int32_t rate;    /* of the model */
    bool structural; /* a chain has one value of it only */
    int64_t stride;  /* points from one value to the next */
} Axis;

typedef struct {
    Axis *axis;
    int32_t count;
    int64_t points;
} Axes; /* starts as {0} */

/* Whether `what` is complete.  Errors: PEPA_EARG. */
PepaStatus experiment_check(const PepaExperiment *what, PepaError *err);
/* Errors: PEPA_EARG (no such rate, no values, too many points), PEPA_ENOMEM. */
PepaStatus axes_new(Axes *out, const Model *model, const PepaExperiment *what, PepaError *err);
void axes_free(Axes *axes);
double axis_value(const Axis *axis, int64_t row);

/* All processes end as the one does that fails first: the least `order`, >= 0, and of these the
 * first process.  The message, and *failed, are those of this one.  NULL: there is one. */
PepaStatus experiment_settle(const PepaProcesses *processes, PepaStatus status, double order,
                             int64_t *failed, PepaError *err);
/* Each of n numbers becomes the sum of those of all processes. */
void experiment_sum(const PepaProcesses *processes, double *x, size_t n);

/* Points that failed while others are solved all the same; starts as {status of all points or NULL}. */
typedef struct {
    PepaStatus *status; /* the caller's, per point; NULL: the first failure ends an experiment */
    int64_t row;        /* the first point that failed, if err.code says that there is one */
    PepaError err;      /* why */
} Failures;

/* Whether an experiment goes on after a failure at this row and perhaps later ones. */
bool failures_note(Failures *failures, int64_t row, const PepaError *err);
/* How an experiment that went on ends, by all processes alike.
 *   solved  out, if a point failed: how many of all points did not
 *   failed  out: the first that failed */
PepaStatus failures_end(const Failures *failures, const PepaProcesses *processes, int64_t points,
                        int64_t *solved, int64_t *failed, PepaError *err);

#endif
