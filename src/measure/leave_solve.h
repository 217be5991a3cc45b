/* The equations of leave.c, and their numerical solution: what vectors lack is found and added. */
#ifndef PEPA_MEASURE_LEAVE_SOLVE_H
#define PEPA_MEASURE_LEAVE_SOLVE_H

#include "base/twofold.h"
#include "measure/leave_job.h"
#include "solvers/direct/factors.h"

/* One vector of the equations' unknowns. */
typedef struct {
    Twofold *at; /* per row */
    /* c: per state, at the boundary and by time; and per row, for each visit.  Each may be NULL. */
    const double *boundary, *earn, *visit;
} Unknown;

typedef struct {
    const LeaveJob *job;
    int32_t *place, *state; /* per state: its row, or -1; per row: its state */
    int32_t n;
    int methods;     /* that are tried */
    FlowOwner flow;  /* A */
    Factors factors; /* of I - A, once they are wanted */
    enum { NO_FACTORS, HAS_FACTORS, REFUSED_FACTORS } has;
    FlowFactors *incomplete; /* of I - A; NULL: none yet */
    Unknown x, t;
    double *b, *weight, *part; /* part: 2 n */
    Twofold *kept;
    double least; /* of (t - A t) / weight */
} Leaving;

/* The equations of these states; `out` starts as {job}, and leaving_free frees it in any case.
 *   eliminates  elimination is to follow, if there are few states: one method is tried then
 * Errors: PEPA_ENOMEM. */
PepaStatus leaving_build(Leaving *out, const uint8_t *within, bool eliminates, PepaError *err);
void leaving_free(Leaving *l);

/* c + A u - u of a row, times the rate at which its state is left.  *off: a bound of its rounding
 * errors, those of the rates' sums among them. */
long double leaving_lack(const Leaving *l, const Unknown *u, int32_t row, long double *off);
/* Add to u what it lacks, as near as a method, 0 .. l->methods - 1, comes: each is tried where those
 * before it do not come near enough.  Errors: PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus leaving_improve(Leaving *l, Unknown *u, int method, double tolerance, PepaError *err);

#endif
