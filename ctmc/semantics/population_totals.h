/* How many components each slot stands for, copies of composites being taken together. */
#ifndef PEPA_CTMC_SEMANTICS_POPULATION_TOTALS_H
#define PEPA_CTMC_SEMANTICS_POPULATION_TOTALS_H

#include "ctmc/system/system.h"

typedef struct {
    const System *system;
    double *total;  /* per slot: its components; 0: it is a copy of another.  The caller frees it */
    bool composite; /* some copies were taken together */
    bool apart;     /* none were, since some cooperate with each other */
} PopulationTotals;

/* False: memory is out. */
bool population_totals(PopulationTotals *out, const System *system);

#endif
