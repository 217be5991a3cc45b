/* Time, and waiting that sleeps instead of spinning. */
#include "grid/core/clock.h"

#include <math.h>
#include <sched.h>
#include <time.h>

#include "grid/core/tuning.h"

#ifdef SMPI_H
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#endif

#ifdef SMPI_H
/* Simulated time.  SMPI's clock_gettime and nanosleep measure the computation since the last call:
 * for processes that mostly wait that is half of the cost of a simulation.  Here (and with
 * smpi/simulate-computation:no) functions take the time that they sleep or charge.  A step in which
 * something was done takes STEP, so that no process stays at one point of time for ever. */
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

/* Looks take no simulated time: it would never pass. */
int clock_await_at_once(MPI_Request *request)
{
    return MPI_Wait(request, MPI_STATUS_IGNORE);
}

int clock_await_any(int count, MPI_Request *requests, int *index)
{
    return MPI_Waitany(count, requests, index, MPI_STATUS_IGNORE);
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
    struct timespec time = {.tv_nsec = (long)(1e9 * seconds) + 1}; /* never 0 */
    (void)nanosleep(&time, NULL);
}

static void pass_time(void)
{
}

int clock_await_at_once(MPI_Request *request)
{
    for (;;) {
        int done = 0, status = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS || done)
            return status;
        (void)sched_yield();
    }
}

int clock_await_any(int count, MPI_Request *requests, int *index)
{
    for (;;) {
        int done = 0, status = MPI_Testany(count, requests, index, &done, MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS || done)
            return status;
        (void)sched_yield();
    }
}
#endif

void backoff_reset(Backoff *backoff)
{
    *backoff = (Backoff){FIRST_SLEEP, MOST_SLEEP};
    pass_time();
}

void backoff_reset_in_turn(Backoff *backoff)
{
    *backoff = (Backoff){FIRST_SLEEP, TURN_SLEEP};
    pass_time();
}

void backoff_wait(Backoff *backoff, double until)
{
    double left = until - clock_now(), sleep = fmin(backoff->sleep, left);
    backoff->sleep = fmin(backoff->sleep * GROWTH, backoff->most);
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
