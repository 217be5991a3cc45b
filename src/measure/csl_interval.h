/* Means after a time by starting state, from one time to the next by uniformisation. */
#ifndef PEPA_MEASURE_CSL_INTERVAL_H
#define PEPA_MEASURE_CSL_INTERVAL_H

#include "measure/csl_private.h"

typedef struct {
    Csl *c;
    int32_t *active, count; /* the states that change */
    double rate;
    double *x, *next, *sum; /* n each; x: the means until now */
    double *integral;       /* n: of x over the time until now; or NULL */
    double size;            /* the largest |x| of all */
    double allowed;         /* that x may be off by truncation, so that the integral keeps to its tolerance, too */
    double change;          /* bound of the exact |P x - x| of the last step, in any state */
    double after;           /* steps after an interval for which x would have to stand as well */
    double off;             /* bound of what x is off now, in any state */
    double integral_off;    /* the same of the integral */
} CslRun;

/* Go on by so much time, > 0: uniformisation.  Errors: as csl_steps. */
PepaStatus csl_interval(CslRun *r, double time, PepaError *err);

#endif
