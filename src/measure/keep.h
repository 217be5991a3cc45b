/* What is kept of a solution, and what it goes on from: PepaKeeping by states. */
#ifndef PEPA_MEASURE_KEEP_H
#define PEPA_MEASURE_KEEP_H

#include "ctmc/diagram/diagram.h"
#include "pepa_shared.h"
#include "solvers/solver.h"

typedef struct {
    const PepaKeeping *keeping; /* borrowed; NULL: nothing is kept */
    int64_t states;
    const Diagram *part; /* borrowed: states are those of its own upper states; NULL: all */
    const PepaProcesses *processes; /* borrowed; NULL: this one is alone */
    double began, last;             /* on the clock: the solution; when it was kept, or began */
    Keeper keeper;
} Keep;

/* Sets it up for vectors of so many states, in the order of the chain; or, for a part, as its diagram
 * has them.  The solution begins.  NULL if nothing is to be kept; else good as long as *keep stays where
 * it is. */
const Keeper *keep_init(Keep *keep, const PepaKeeping *keeping, int64_t states);
const Keeper *keep_init_part(Keep *keep, const PepaKeeping *keeping, const Diagram *part,
                             const PepaProcesses *processes);

/* pi as it was kept: *loaded tells whether there is anything to go on from.  Errors: PEPA_EIO. */
PepaStatus keep_load(const Keep *keep, double *pi, bool *loaded, PepaError *err);

#endif
