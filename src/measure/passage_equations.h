/* The linear equations of a passage time, y = P'y + start in flow form: by one process over the states where the
 * passage may be and from where it can end, by several over all states, the others being left at once and
 * for good. */
#ifndef PEPA_MEASURE_PASSAGE_EQUATIONS_H
#define PEPA_MEASURE_PASSAGE_EQUATIONS_H

#include "base/twofold.h"
#include "measure/flow_build.h"
#include "measure/passage_private.h"
#include "measure/spread_solve.h"

typedef struct {
    Passage *p;
    int32_t n;           /* rows */
    double *exit, *ends; /* per row: rates at which it is left, +inf where it takes no time; the passage ends */
    double *start;       /* per row: the probability that it begins there, if it can end */
    FlowOwner flow;      /* or, by processes: */
    SpreadFlow spread;
    SpreadSolve solve;
    SteadyJob job;
    /* Per row, what the chances of all jumps and of ends sum to: 1, but for their rounding.  Where
     * ends are rare, that is what tells how rare. */
    Twofold *whole;
    double *leave;  /* by one process, per row: the chance that it ends with a jump, or can never end after it */
    int64_t memory; /* that is left for methods; 0: no limit */
    bool lost;      /* some passage comes to where it cannot end */
} Equations;        /* starts as {.p = p}; stays where it is */

/* To be freed in every case.  Errors: PEPA_ELIMIT, PEPA_ENOMEM. */
PepaStatus equations_alone(Equations *q, PepaError *err);
/* The same by the processes that share the chain, which all call it, and agree. */
PepaStatus equations_together(Equations *q, PepaError *err);
void equations_free(Equations *q);

#endif
