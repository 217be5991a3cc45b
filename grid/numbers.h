/* What a description says, number by number, told from the durations that follow from it: amoget.h
 * sets single numbers and answers with durations only.  A number is set to 1, and what that does to
 * a duration is the number; then it is set back. */
#ifndef GRID_NUMBERS_H
#define GRID_NUMBERS_H

#include <amoget.h>

/* Seconds per unit of work and availability of a process, and the works of all stages.  A number is
 * set back to what it was, to the last digit where it had at most 15; of more cores than stages as
 * many as stages are left.  O(stages^2).  Errors: PEPA_EARG (no stages), PEPA_EMODEL (the latency
 * within the process, or to an end, is missing), PEPA_ENOMEM. */
PepaStatus numbers_of_process(AmogetDescription *desc, int32_t process, double *time,
                              double *availability, double *works, PepaError *err);

/* Latency, and bandwidth (+inf: none, or none that matters), between a and b.  Both numbers of the
 * pair are the pair's own from now on, whatever default they came from.  O(stages^3).  Errors:
 * PEPA_EMODEL (as above; no item can ever move between the two), PEPA_ENOMEM: no change. */
PepaStatus numbers_of_pair(AmogetDescription *desc, int32_t a, int32_t b, double *latency,
                           double *bandwidth, PepaError *err);

/* The nearest number that a description can have. */
double number_in_range(double value);

#endif
