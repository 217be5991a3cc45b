/* Time, and waiting that leaves the core to others. */
#include "grid/clock.h"

#include <math.h>
#include <time.h>

#ifdef SMPI_H
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#endif

#define FIRST_SLEEP 20e-6
#define MOST_SLEEP  500e-6
#define GROWTH      1.25

#ifdef SMPI_H
/* Simulated time.  What SMPI has in place of clock_gettime and nanosleep also asks the system how
 * much was computed, so as to let that take simulated time: for processes that mostly wait, half of
 * what a simulation costs.  Here (and with smpi/simulate-computation:no) functions take the time
 * that they sleep or charge, and a step in which something was done takes STEP, so that no process
 * goes on for ever at one point of time. */
#define STEP 1e-6

double clock_now(void)
{
    return simgrid_get_clock();
}

static void nap(double seconds)
{
    sg_actor_sleep_for(seconds);
}

static void pass_time(void)
{
    nap(STEP);
}
#else
double clock_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void nap(double seconds)
{
    struct timespec time = {.tv_nsec = (long)(1e9 * seconds) + 1}; /* some time, at least */
    (void)nanosleep(&time, NULL);
}

static void pass_time(void)
{
}
#endif

void backoff_reset(Backoff *backoff)
{
    backoff->sleep = FIRST_SLEEP;
    pass_time();
}

void backoff_wait(Backoff *backoff, double until)
{
    double left = until - clock_now(), sleep = fmin(backoff->sleep, left);
    backoff->sleep = fmin(backoff->sleep * GROWTH, MOST_SLEEP);
    if (sleep > 0)
        nap(sleep);
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
