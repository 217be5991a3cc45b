/* How far some processes are apart wherever all are placed: a bound of a message that every placement
 * has to send.
 *
 * Groups that are connected hold together all hosts in use: two of these are linked where a group, or
 * two groups that talk, is on both.  Links along which an exchange takes less than a time join hosts
 * to sets (single linkage).  If no set has places for all processes, some link takes that long or
 * longer.  It is one between groups, and the exchange takes twice as long; or it is in a group, and
 * the messages of this group are at least as slow as one of these links. */
#ifndef TAAG_PREDICT_APART_H
#define TAAG_PREDICT_APART_H

#include "grid/taag/predict/costs.h"

typedef struct {
    double exchange; /* seconds of a message between groups on such a link; 0: one host is enough */
    double pass;     /* the least of a message within a group on such a link */
} Apart;

/* hosts^2 log hosts.  Errors: PEPA_ENOMEM. */
PepaStatus apart_find(Apart *out, const Costs *costs, int32_t processes, PepaError *err);

#endif
