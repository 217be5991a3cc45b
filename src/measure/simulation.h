/* Measures by simulation: a model made ready, and two ways to run it. */
#ifndef PEPA_MEASURE_SIMULATION_H
#define PEPA_MEASURE_SIMULATION_H

#include <stdatomic.h>

#include "base/workers.h"
#include "ctmc/simulate/trajectory.h"
#include "measure/estimate.h"

/* What trajectories share. */
typedef struct {
    Chain chain; /* its system and its rates; it has no states */
    Expressions *e;
    ChoicePlan *choices;
    ObservePlan *observe; /* of the functionals */
    ClockPlan *clocks;    /* NULL: no activity has one */
    EstimatePlan estimates;
    const PepaSettings *set;
} Simulation; /* starts as {0} */

/* The measures of a query; model, query, set: borrowed.  The initial state is looked at: what is
 * wrong with it goes to diags.  Errors: PEPA_EMODEL, PEPA_ELIMIT (system_new), PEPA_ENOMEM. */
PepaStatus simulation_new(Simulation *out, const Model *model, const Query *query,
                          const PepaSettings *set, DiagList *diags, PepaError *err);
void simulation_free(Simulation *simulation);

typedef struct {
    const double *time; /* count of them, ascending; in the long run: NULL */
    size_t count;
    int64_t runs; /* at most; at least 2 of runs over times, 1 in the long run */
    double confidence;
    double width;       /* asked for, as estimate_width; 0: none, then all runs are done */
    int64_t activities; /* at most, of all runs */
    uint64_t seed;
    double pace; /* > 0: points of an experiment have random numbers in common, and this of their
                  * simulation_pace: replications of one number have one coupling (thinning.h), and in the
                  * long run one length, unless a width is asked for */
} SimulationJob;

typedef struct {
    int64_t runs, activities;
    double length, warm_up; /* in the long run: of each run, in time, and what of it was left out */
    double width;           /* of the widest interval, as estimate_width */
    int32_t
        seldom; /* in the long run: the item that was seen most seldom, in fewer than SELDOM_FEW */
    int64_t visits; /* visits, which these are; at times: one that no run has seen, 0; -1: none */
    double tail;    /* of rare events: rare_sample_tail, the least of all times */
} SimulationFound;

/* How many activities there are in a unit of time at the beginning: of the first 8,192, by a stream
 * that no run has.  Errors: as simulate_times. */
enum { SIMULATION_PILOT = 8192 };
PepaStatus simulation_pace(Simulation *s, const SimulationJob *job, double *pace, DiagList *diags,
                           PepaError *err);

/* out[j x items + i]: measure i at time[j], from independent replications.
 *   job->width > 0: replications until all intervals are as narrow; they are looked at only when
 *   about as many have been done as the variance asks for, so that looking biases them little.
 * Replication r has stream r of the seed; sums are in the order of r: the number of threads changes
 * nothing.
 * Errors: PEPA_ELIMIT (PEPA_LIMIT_SIMULATION: runs or activities do not suffice), PEPA_EMODEL (a
 * state that was reached; diags), PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus simulate_times(Simulation *s, const SimulationJob *job, Estimate *out,
                          SimulationFound *found, DiagList *diags, PepaError *err);

/* out[i]: measure i in the long run: means over time of job->runs long runs, without their
 * beginnings.
 *
 * All runs have the same length, which grows, at most to twice of what it was, until the intervals are as
 * narrow as asked for, or, if that is not asked, a tenth of the activities is used; or all, as long as
 * something has been seen in fewer than SELDOM_FEW visits (seldom.h).  Time is cut into 512 to 1,024 bins.  What is
 * left out are the fewest first bins which make the standard error of the mean of the others about
 * as small as can be (MSER), of the mean series of all runs, the most of all functionals; runs are
 * too short where that is more than half of the bins.  With two runs or more, each run's mean is one
 * observation, so that models with several bottom components have honest intervals as well; of one
 * run, the means of 32 batches are.  Of each action, how many more activities there were than its rate said is
 * a martingale, which is 0 in the mean: observations are adjusted by these (control.h).  A run in which
 * nothing can happen any more counts with the state that it ends in.
 * Sources: White, Simulation 69 (1997), MSER; Law 2015, section 9.5.
 * Errors: as simulate_times; PEPA_ELIMIT also if the runs do not settle. */
PepaStatus simulate_steady(Simulation *s, const SimulationJob *job, Estimate *out,
                           SimulationFound *found, DiagList *diags, PepaError *err);

/* ---- for the two ways ------------------------------------------------------------------------- */

/* What observes the functionals, and behind them, if asked for, what control variates are made of.
 * Errors: PEPA_ENOMEM. */
PepaStatus simulation_observe(ObservePlan **out, const Simulation *s, bool controls,
                              PepaError *err);
/* A trajectory of the job.  Errors: PEPA_ENOMEM. */
PepaStatus simulation_trajectory(Trajectory *out, const Simulation *s, const ObservePlan *observe,
                                 const SimulationJob *job, PepaError *err);

/* Progress, and whether to stop, for all threads. */
typedef struct {
    const PepaSettings *set;
    double began, last;
    atomic_llong activities; /* so far */
    atomic_bool stop;
    double width; /* of the intervals when they were last looked at; 0: not yet */
} SimulationClock;

void simulation_clock_start(SimulationClock *clock, const PepaSettings *set);
/* The watch of a worker; only that of the caller's thread calls its progress. */
TrajectoryWatch simulation_watch(SimulationClock *clock, int32_t worker);

/* A worker has got to where a trajectory was to go: whether all are to stop. */
bool simulation_run_ends(SimulationClock *clock, int32_t worker, const Trajectory *trajectory);

/* Why trajectory `number` did not get to its end; it is followed again to see, as far as it came.
 * end: not TRAJECTORY_THERE. */
PepaStatus simulation_failed(Simulation *s, const SimulationJob *job, TrajectoryEnd end,
                             int64_t number, DiagList *diags, PepaError *err);
/* The limits do not suffice: of the widest of the intervals at `time`, HUGE_VAL: in the long run. */
PepaStatus simulation_too_wide(const Simulation *s, const SimulationJob *job,
                               const SimulationFound *found, const Estimate *estimates,
                               size_t count, PepaError *err);

#endif
