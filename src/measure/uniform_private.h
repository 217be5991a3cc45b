/* What uniform_step.c and uniform_build.c share. */
#ifndef PEPA_MEASURE_UNIFORM_PRIVATE_H
#define PEPA_MEASURE_UNIFORM_PRIVATE_H

#include "measure/spread_flow.h"
#include "measure/uniform.h"

struct Uniform {
    const Chain *chain;
    const double *value;
    PassageEnd end;
    double *ends;   /* per state: the rate at which a passage ends; NULL: it does not */
    FlowOwner rows; /* of rates; or, on sets: */
    FlowTeam *team;
    Operator *op;
    double *exit; /* per state; that of rows, or its own */
    double rate;
    double most; /* roundings of the sums of a state: entries of a row, or rates that were added */
    bool stop;   /* of a shared chain */
    /* Of rows that processes share: the states in the order in which they have them, jumps, and flows
     * out of states. */
    SpreadOrder order;
    SpreadFlow jumps;
    double *out;
    uint8_t *ended; /* of end, by that order; or NULL */
};

#endif
