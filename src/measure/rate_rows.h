/* The generator by rows, and reachability: for what goes through a chain state by state. */
#ifndef PEPA_MEASURE_RATE_ROWS_H
#define PEPA_MEASURE_RATE_ROWS_H

#include "measure/flow_build.h"

/* The rates by rows of Q, self-loops apart, and the sources of each state. */
typedef struct {
    int32_t n;
    int64_t *row, *in_row; /* n + 1 each */
    int32_t *col, *in;
    double *val;
    /* n each: the rates at which a state is left, and stays by a self-loop.  Those of immediate actions are no loops:
     * they say how often these happen on the way from there. */
    double *exit, *loop;
    int32_t
        unclear; /* an action with self-loops of either kind, which their rates do not tell; or -1 */
    double roundings; /* bound of the relative error of any of these sums, in units of 2^-53 */
} RateRows;           /* starts as {0} */

/* Rates of transitions count as exact.
 *   what   needs the rows, for the message
 *   *left  bytes of set->memory that chain, rows and some vectors leave; 0: no limit
 * Errors: PEPA_ELIMIT (set->memory), PEPA_ENOCONV (a sum overflows), PEPA_ENOMEM. */
PepaStatus rate_rows_new(RateRows *rows, const Chain *chain, const double *value,
                         const PepaSettings *set, const char *what, int64_t *left, PepaError *err);
void rate_rows_free(RateRows *rows);
double rate_rows_bytes(const Chain *chain);
/* The chain of jumps among some states, by rows, columns ascending; jumps starts as {0} and is freed
 * by the caller in any case.
 *   state, place  per row: its state; per state: its row, or -1
 * Errors: PEPA_ENOMEM. */
PepaStatus rate_rows_jumps(const RateRows *rows, const int32_t *state, const int32_t *place,
                           int32_t n, FlowOwner *jumps, PepaError *err);
/* Mark all states from which a marked one can be reached through states that `through` allows, the
 * first one among them; NULL: all.  stack: n */
void rate_rows_spread(const RateRows *rows, const uint8_t *through, int32_t *stack, uint8_t *mark);

#endif
