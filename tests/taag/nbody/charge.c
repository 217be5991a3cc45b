/* Forces in simulated time: each pair of particles takes a number of operations on its host.
 *
 * SimGrid cannot know how long other machines compute, so what the program computes takes no
 * simulated time (simulate-computation:no) and this does instead.  NBODY_FLOPS: operations per
 * pair.  NBODY_CHARGE_ONLY: forces are not computed at all, since times do not depend on them:
 * particles fly straight on. */
#include <mpi.h>
#include <stdlib.h>

#include "../../../examples/nbody/nbody.h"

/* The linker (--wrap) makes the one of calls of forces_add, the other of its definition. */
void __wrap_forces_add(const Body *body, Vector *pull, int count, const Body *other, int others);
void __real_forces_add(const Body *body, Vector *pull, int count, const Body *other, int others);

void __wrap_forces_add(const Body *body, Vector *pull, int count, const Body *other, int others)
{
    const char *flops = getenv("NBODY_FLOPS");
    smpi_execute_flops((flops ? atof(flops) : 1) * count * others);
    if (!getenv("NBODY_CHARGE_ONLY"))
        __real_forces_add(body, pull, count, other, others);
}
