/* Measurements of processors and network, as a monitor writes them. */
#ifndef AMOGET_MEASUREMENTS_H
#define AMOGET_MEASUREMENTS_H

#include "amoget/machine/machine.h"
#include "base/diag.h"

#define MEASURE_MAX_AGE 300.0 /* seconds */

/* What texts before said, for those that follow; starts as {0}. */
typedef struct {
    struct Sample *samples;
    size_t count, cap;
    int32_t texts;
} Measured;
void measured_free(Measured *measured);

/* Give a machine the newest latencies, bandwidths, availabilities and times of a text of lines
 * "time,what,from,to,value"; blank lines, those that begin with `#`, and a first line that names
 * the fields are skipped.
 *   max_age  seconds, > 0: what was last measured longer ago than that before the newest line, or
 *            a newest line longer ago than that before `now`, gets a warning
 *   now      seconds since 1970, or 0: not known
 *   before   what is newer there counts, and what was measured at the same time in the other direction; in, out
 * Errors, the machine as it was: PEPA_ESYNTAX (a line is malformed), PEPA_EMODEL (a value cannot
 * be), both told in diags, PEPA_ENOMEM.  O(lines log lines). */
PepaStatus measure_apply(AmogetMachine *machine, const Source *source, double max_age, double now,
                         Measured *before, DiagList *diags);

#endif
