/* Probabilities of rare events, by RESTART. */
#ifndef PEPA_MEASURE_SIMULATE_RARE_H
#define PEPA_MEASURE_SIMULATE_RARE_H

#include "measure/rare_run.h"

/* Errors: PEPA_EARG: an item of the query is not one probability. */
PepaStatus rare_check(const Simulation *s, PepaError *err);

/* out[j]: item `item`, the probability of a predicate, at job->time[j], or out[0] in the long run.
 *
 * Levels are chosen by pilot runs: from the share of time above each importance, as far as it is
 * known, such that about as much is seen at each level; then with these levels, which lead further
 * up, until the event is seen often.  They are chosen once: the replications that estimates come
 * from are others, independent of each other and of the pilot, so that estimates at times have no
 * bias.
 *
 * In the long run each replication begins in the initial state, and the first part of it is left
 * out: as much as the importance takes to settle, by MSER, or four times as long as the way from
 * below all levels to the event takes, whichever is more; what is used is at least nine times as
 * long, and as long as a plain trajectory of 8,192 activities; if job->width > 0, as one of 512.
 *
 * job->runs replications, or, if job->width > 0, as many as it takes until every interval is as
 * narrow: those of rare_interval.h, since few observations may make up the sum; no interval is
 * taken to be narrow before there are 256 of them, and (sum of x)^2 / (sum of x^2) is EFFECTIVE.
 *   found->activities  in: those of measures before this one, which are of job->activities, too; out: these and
 *                      those of this one
 *   levels  out: those that were used
 * Errors: PEPA_ELIMIT (the event is not reached, or the activities do not suffice), PEPA_EMODEL,
 * PEPA_ENOMEM, PEPA_ECANCEL. */
enum { RARE_EFFECTIVE = 30 };
PepaStatus simulate_rare(Simulation *s, const SimulationJob *job, int32_t item, Estimate *out,
                         SimulationFound *found, RareLevels *levels, double *nearest,
                         PepaError *err);

#endif
