/* Whether a run has come to the long run. */
#include "measure/transient_settled.h"

#include <math.h>

#include "measure/longrun.h"

/* Of the flow that is out of balance, which solvers are asked for at most. */
#define LEAST_TOLERANCE 1e-14

/* The tolerance with which what is out of balance adds up to a share of the error.
 *   flow  out of all states */
static double tolerance(const Run *r, double flow, double length)
{
    const double needed = r->job->error / 8 / (length * flow);
    return fmin(r->job->set->solve.tolerance, fmax(needed, LEAST_TOLERANCE));
}

/* p: the long run, solved for to this tolerance. */
static PepaStatus solve(const Run *r, double to, double *p, PepaError *err)
{
    const Chain *c = r->job->chain;
    PepaSettings set = *r->job->set;
    LongRun *run = NULL;
    set.solve = (PepaSolve){.tolerance = to};
    set.evidence = NULL;
    PepaStatus status = longrun_check_memory(c, &set, err);
    if (status == PEPA_OK)
        status = longrun_new(&run, c, steady_form(c), err);
    if (status == PEPA_OK)
        status = longrun_solve(run, r->job->at, &set, p, NULL, err);
    longrun_free(run);
    return status;
}

PepaStatus transient_settle(Run *r, double length, double little, bool *settled, PepaError *err)
{
    const double to = tolerance(r, uniform_flow(r->uniform, r->x), length);
    PepaStatus status = solve(r, to, r->sum, err);
    *settled = false;
    if (status != PEPA_OK)
        return status == PEPA_ECANCEL ? status : PEPA_OK;
    double apart = 0, drift;
    const double allowed = fmax(r->job->error / 4, r->error_now);
    for (size_t i = 0; i < transient_states(r); i++)
        apart += fabs(r->x[i] - r->sum[i]);
    status = uniform_drift(r->uniform, r->job->set, r->sum, &drift, err);
    if (status != PEPA_OK)
        return status == PEPA_ELIMIT ? PEPA_OK : status;
    drift *= length;
    *settled = apart <= allowed && drift <= fmax(allowed, little);
    if (*settled) {
        double *x = r->x;
        r->x = r->sum;
        r->sum = x;
        r->rests = true;
        r->error_now += apart + drift;
    }
    return PEPA_OK;
}
