/* Work in simulated time: the platform has the hosts' speeds. */
#include <simgrid/actor.h>
#include <smpi/smpi.h>

#include "tests/grid/bsp/supersteps.h"

void work(double flops)
{
    smpi_execute_flops(flops);
}
