/* Time, and waiting that leaves the core to others. */
#ifndef GRID_CLOCK_H
#define GRID_CLOCK_H

#include <mpi.h>

/* Seconds on a clock that only goes forward; the same for all processes of a machine. */
double clock_now(void);

/* How long to sleep when there is nothing to do: longer each time, as MPI cannot wake a process
 * that sleeps. */
typedef struct {
    double sleep;
} Backoff;
void backoff_reset(Backoff *backoff);
/* Sleep, but not past `until`; HUGE_VAL: nothing is due. */
void backoff_wait(Backoff *backoff, double until);

/* Wait for a request that way: MPI's own waiting spins.  An MPI error class. */
int clock_await(MPI_Request *request);

#endif
