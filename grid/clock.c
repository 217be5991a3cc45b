/* Time, and waiting that leaves the core to others. */
#include "grid/clock.h"

#include <math.h>
#include <time.h>

#define FIRST_SLEEP 20e-6
#define MOST_SLEEP  500e-6
#define GROWTH      1.25

double clock_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void backoff_reset(Backoff *backoff)
{
    backoff->sleep = FIRST_SLEEP;
}

void backoff_wait(Backoff *backoff, double until)
{
    double left = until - clock_now(), sleep = fmin(backoff->sleep, left);
    backoff->sleep = fmin(backoff->sleep * GROWTH, MOST_SLEEP);
    if (!(sleep > 0))
        return;
    struct timespec time = {.tv_nsec = (long)(1e9 * sleep) + 1}; /* some time, at least */
    (void)nanosleep(&time, NULL);
}

int clock_await(MPI_Request *request)
{
    Backoff backoff;
    backoff_reset(&backoff);
    for (;;) {
        int done = 0, status = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS || done)
            return status;
        backoff_wait(&backoff, HUGE_VAL);
    }
}
