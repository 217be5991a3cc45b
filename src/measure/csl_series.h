/* Means after a long time by starting state. */
#ifndef PEPA_MEASURE_CSL_SERIES_H
#define PEPA_MEASURE_CSL_SERIES_H

#include "measure/csl_interval.h"

/* Go on by so much time, of many jumps: by uniformisation until what is fast has settled, then by
 * series, if they pay (series.h).  Errors: as csl_steps. */
PepaStatus csl_series(CslRun *r, double time, PepaError *err);

#endif
