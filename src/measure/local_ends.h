/* Components that may end in one or another of several sets of local states. */
#ifndef PEPA_MEASURE_LOCAL_ENDS_H
#define PEPA_MEASURE_LOCAL_ENDS_H

#include "base/error.h"
#include "parser/model.h"

/* *out: the local state that such a component of the system equation begins in, the first; -1: there is
 * none.  Activities count even if cooperation never lets them happen.  O(local states + activities).
 * PEPA_OK or PEPA_ENOMEM. */
PepaStatus local_ends(int32_t *out, const Model *model, PepaError *err);

#endif
