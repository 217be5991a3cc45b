/* What flows into a process's states from those of others. */
#ifndef PEPA_MEASURE_SPREAD_COPIES_H
#define PEPA_MEASURE_SPREAD_COPIES_H

#include "measure/spread_rows.h"

/* Rows of what flows in from others, and the exchange that brings it.  All processes call it, and agree.
 * Errors: PEPA_ENOMEM. */
PepaStatus spread_connect(SpreadBuilding *building);

#endif
