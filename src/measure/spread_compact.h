/* Compact rows of processes: of few different chances, 2 bytes say which one it is. */
#ifndef PEPA_MEASURE_SPREAD_COMPACT_H
#define PEPA_MEASURE_SPREAD_COMPACT_H

#include "measure/spread_rows.h"

/* Whether rows are to be compact if they can be. */
bool spread_tries_compact(const Chain *chain, PepaMatrixForm form);
/* Of the entries within processes, in rows: explicit in all processes if one has too many values.
 * Errors: PEPA_ELIMIT (they were to be compact), PEPA_ENOMEM. */
PepaStatus spread_agree_form(SpreadBuilding *building, PepaMatrixForm form);

#endif
