/* What leave.h and its solution need to know. */
#ifndef PEPA_MEASURE_LEAVE_JOB_H
#define PEPA_MEASURE_LEAVE_JOB_H

#include "measure/rate_rows.h"

typedef struct {
    const RateRows *rows;
    const PepaSettings *set; /* set->solve.tolerance: a proved error within it is no failure */
    int64_t memory;          /* bytes for methods; 0: no limit */
    double tolerance;        /* that the error of numbers of 1 or less is to be within */
    const char *whose;       /* equations these are, for messages: "an unbounded operator" */
    const char *advice;      /* what to do where the states are left too rarely */
} LeaveJob;

#endif
