/* The probe of a processor's speed in simulated time: its operations, at the speed of the host. */
#include <mpi.h>

#include "grid/core/clock.h"
#include "grid/machine/tuning.h"

/* The linker (--wrap) has calls of probe_work come here. */
double __wrap_probe_work(void);

double __wrap_probe_work(void)
{
    double begin = clock_now();
    smpi_execute_flops(2.0 * PROBE_STEPS);
    return clock_now() - begin;
}
