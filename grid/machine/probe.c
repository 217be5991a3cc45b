/* A probe of this process's speed. */
#include "grid/machine/probe.h"

#include "grid/core/clock.h"
#include "grid/machine/tuning.h"

double probe_work(void)
{
    volatile double result; /* keeps the work from being optimised away */
    double begin = clock_now(), x = 1;
    /* each step needs the last one's result: bound by the latency of arithmetic, not by memory */
    for (int i = 0; i < PROBE_STEPS; i++)
        x = 0.5 * x + 1.25;
    result = x;
    (void)result;
    return clock_now() - begin;
}
