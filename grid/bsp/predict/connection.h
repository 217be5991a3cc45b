/* Connections of TCP that have been idle: how much later data leaves because only so much of it may be
 * under way before an answer.
 *
 * The congestion window is halved for each retransmission timeout in which it is not used, down to a
 * restart window (RFC 2861; RFC 5681, sec. 4.1, goes there at once).  In slow start it grows by what is
 * acknowledged: it doubles with each round trip (RFC 5681, sec. 3.1).  It does not grow while less than
 * half of it is used.  bsp_begin leaves it at what it warms connections up with (grid/bsp/tuning.h). */
#ifndef GRID_BSP_PREDICT_CONNECTION_H
#define GRID_BSP_PREDICT_CONNECTION_H

#include "grid/bsp/predict/placement.h"

typedef struct {
    double window; /* bytes, when it was used last */
    double used;   /* when that was, seconds */
} Connection;

typedef struct {
    double byte;       /* seconds */
    double round_trip; /* seconds */
    double restart;    /* window, bytes > 0 */
} Path;

/* Between two processes when the program begins. */
Connection connection_new(const Placement *where);
/* Seconds until the last of `bytes` leaves that are sent at the time `at`, and the window after that.
 * Longer than bytes x path->byte by a whole number of round trips, less what the link does in these. */
double connection_send(Connection *c, const Path *path, double bytes, double at);

#endif
