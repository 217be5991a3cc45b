/* Passage times by simulation. */
#ifndef PEPA_MEASURE_SIMULATE_PASSAGE_H
#define PEPA_MEASURE_SIMULATE_PASSAGE_H

#include "measure/passage_follow.h"
#include "measure/samples.h"

/* What is to be known of the durations: quantiles of these shares, 0 < share < 1. */
typedef struct {
    const double *share;
    size_t count;
} PassageWanted;

/* From the initial state: job->runs trajectories of one passage each, or fewer once all intervals, of
 * the mean and of the quantiles, are as narrow as asked for.  Trajectory r has stream r.
 * Else, in the long run: job->runs trajectories, 2 or more, without their beginnings, which double in
 * length until the intervals are narrow, or PASSAGES passages began after the beginning, or the
 * activities are used up.  A passage counts if it begins in that time; it is followed to its end,
 * however late, so that long ones are not missing.  What is left out is found as simulate_steady does,
 * from how many passages begin in each bin of time, and from the sum of how long they take.
 *   out  sorted; owned by the caller in any case
 * Errors: PEPA_EARG (no passage begins, since nothing happens any more), PEPA_ELIMIT, PEPA_EMODEL
 * (diags), PEPA_ENOMEM, PEPA_ECANCEL. */
enum { PASSAGES = 100000 };
PepaStatus simulate_passages(const PassagePlan *plan, const SimulationJob *job,
                             const PassageWanted *wanted, Samples *out, SimulationFound *found,
                             DiagList *diags, PepaError *err);

#endif
