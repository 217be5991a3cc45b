/* Time, and waiting that sleeps instead of spinning: other processes get the core. */
#ifndef GRID_CORE_CLOCK_H
#define GRID_CORE_CLOCK_H

#include <mpi.h>

/* Seconds on a monotonic clock; the same clock for all processes of a machine. */
double clock_now(void);

/* Sleeps between two looks at MPI, which cannot wake a process: longer each time, up to half a
 * millisecond; within collectives, up to a tenth of one. */
typedef struct {
    double sleep, most; /* seconds: of the next, of the longest */
} Backoff;
void backoff_reset(Backoff *backoff);
/* For collectives. */
void backoff_reset_in_turn(Backoff *backoff);
/* Sleep, but not past `until` (HUGE_VAL: no limit). */
void backoff_wait(Backoff *backoff, double until);

/* Wait for a request with such sleeps: MPI_Wait spins.  Returns MPI's error code. */
int clock_await(MPI_Request *request);
/* The same without sleeping, so that it ends when the message is there; other processes get the core
 * between two looks.  For measuring. */
int clock_await_at_once(MPI_Request *request);
/* The same for one of `count` requests, some of which are not MPI_REQUEST_NULL: its index. */
int clock_await_any(int count, MPI_Request *requests, int *index);

#endif
