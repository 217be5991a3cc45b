/* Linear equations over transient states by elimination without subtractions, for measure/leave. */
#ifndef PEPA_MEASURE_LEAVE_ELIMINATE_H
#define PEPA_MEASURE_LEAVE_ELIMINATE_H

#include "measure/rate_rows.h"

/* The states that are left, and what is known of the others; see measure/leave.h. */
typedef struct {
    const RateRows *rates;
    const PepaSettings *set;
    int64_t memory;    /* bytes that there are; 0: no limit */
    const char *whose; /* numbers these are, for messages */
    int32_t n;
    const int32_t *state, *place;               /* per row: its state; per state: its row, or -1 */
    const double *boundary, *earn, *earn_error; /* per state; the last two may be NULL */
    double boundary_error;
} LeaveRows;

/* Whether it is to be tried: there are at most 2,000 rows, and memory for them. */
bool leave_eliminates(int32_t n, int64_t memory);
/* The answer, and a bound of its error, however rarely the states are left.
 *   value, error  per state: within only; replaced where error is larger than that of this answer
 * Errors: PEPA_ENOCONV, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus leave_eliminate(const LeaveRows *rows, double *value, double *error, PepaError *err);

#endif
