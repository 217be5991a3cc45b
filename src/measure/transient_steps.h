/* A run over a list of times: uniformisation from one to the next, in steps. */
#ifndef PEPA_MEASURE_TRANSIENT_STEPS_H
#define PEPA_MEASURE_TRANSIENT_STEPS_H

#include "measure/step_clock.h"
#include "measure/uniform.h"
#include "solvers/transient/poisson.h"

typedef struct {
    const Chain *chain;
    const RateValues *at;
    const PepaSettings *set; /* complete */
    const double *time;      /* count of them, ascending, finite, >= 0 */
    size_t count;
    double error; /* most of |computed - exact|_1 at any time, but for rounding; > 0 */
} TransientJob;

typedef struct {
    double error_bound; /* of |computed - exact|_1 at any time, rounding included; accumulated: of
                         * the time spent in the states */
    int64_t steps;      /* products of a vector with P */
    int64_t stationary; /* steps after which nothing can change by more than the error; -1: not
                         * seen */
    double rate;        /* of uniformisation */
    int64_t solves;     /* coefficients of Laguerre series, each a solution with LU factors; 0: by
                         * uniformisation alone */
} TransientFound;

typedef struct {
    const TransientJob *job;
    Uniform *uniform;
    StepClock clock;
    double *x, *next, *sum; /* one entry per state */
    double *by_state;       /* scratch in the order of the chain, where that is another; or NULL */
    double *integral;       /* the same, over the interval at hand; NULL: not wanted */
    double error;           /* that each interval may have, in each of two ways */
    double error_now;       /* bound of the error of x, at the time that has been reached */
    double change;          /* |x P - x|_1 of the last step */
    int64_t planned;        /* steps, of all intervals */
    bool rests;    /* x stands for all later distributions */
    int64_t after; /* steps after the interval at hand for which x would have to stand, too */
    TransientFound found;
} Run;

size_t transient_states(const Run *run);
/* One step; x and next are exchanged.  *change: |x P - x|_1. */
PepaStatus transient_step(Run *run, double weight, double *change, PepaError *err);
/* Of a distribution that `steps` steps and these weights lead to from an exact one. */
double transient_error(const Run *run, const PoissonWeights *w, int64_t steps, double stationary);
/* The same of the integral over `length`, of iterates that are off by `error` at most. */
double transient_error_over(const PoissonWeights *w, double rate, double length, double error);
/* Whether x may stand for all iterates of the steps that are left: the bound of the error that this
 * makes is small, or no larger than that of the rounding which the steps would add. */
bool transient_stands(const Run *run, int64_t left, double change);

/* About how many steps such an interval takes. */
int64_t transient_steps_of(const Run *run, double length);
/* x becomes the distribution `length` later; integral, if it is wanted, what was passed through. */
PepaStatus transient_interval(Run *run, double length, PepaError *err);

/* What to do at a time with what run->x and run->integral are. */
typedef PepaStatus TransientTask(void *user, const Run *run, size_t point, PepaError *err);
/* From time `now`, that of x, through all times from the one numbered `first` on. */
PepaStatus transient_go(Run *run, double now, size_t first, TransientTask *task, void *user,
                        PepaError *err);

#endif
