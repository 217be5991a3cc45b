/* What is kept of a solution over sets, and what it goes on from: PepaKeeping by states. */
#ifndef PEPA_MEASURE_KEEP_H
#define PEPA_MEASURE_KEEP_H

#include "ctmc/diagram/diagram.h"
#include "pepa_shared.h"
#include "solvers/solver.h"

typedef struct {
    const PepaKeeping *keeping;     /* borrowed; NULL: nothing is kept */
    const Diagram *diagram;         /* borrowed: states are those of its own upper states */
    const PepaProcesses *processes; /* borrowed; NULL: this one is alone */
    Keeper keeper;
} Keep;

/* Sets it up.  NULL if nothing is to be kept; else good as long as *keep stays where it is. */
const Keeper *keep_init(Keep *keep, const PepaKeeping *keeping, const Diagram *diagram,
                        const PepaProcesses *processes);

/* pi as it was kept: *loaded tells whether there is anything to go on from.  Errors: PEPA_EIO. */
PepaStatus keep_load(const Keep *keep, double *pi, bool *loaded, PepaError *err);

#endif
