/* What uniform_step.c, uniform_build.c and uniform_rows.c share. */
#ifndef PEPA_MEASURE_UNIFORM_PRIVATE_H
#define PEPA_MEASURE_UNIFORM_PRIVATE_H

#include "measure/spread_flow.h"
#include "measure/uniform.h"

struct Uniform {
    const Chain *chain;
    const double *value;
    PassageEnd end;
    double *ends;   /* per state: the rate at which a passage ends; NULL: it does not */
    FlowOwner rows; /* of rates; on sets if they were asked for */
    FlowTeam *team;
    Operator *op; /* on sets */
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

/* The matrix of a chain that is stored by rows. */
PepaStatus uniform_new_rows(Uniform *u, const PepaSettings *set, PepaError *err);

#endif
