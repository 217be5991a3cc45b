/* Measures while rates vary: parameter sweeps, in the long run by a chain, or by simulation.
 *
 *   double lambda[] = {0.5, 1, 2}, value[3];
 *   PepaVary vary = {"lambda", lambda, 3};  PepaExperiment what = {.vary = &vary, .count = 1};
 *   if (pepa_experiment_measures(chain, measures, &what, NULL, value, NULL, &err) == PEPA_OK)
 *       printf("%g at lambda = 2\n", value[2]);
 *
 * The chain is derived once, and points are solved side by side.  A simulation needs none. */
#ifndef PEPA_EXPERIMENT_H
#define PEPA_EXPERIMENT_H

#include "pepa_measure.h"
#include "pepa_shared.h"
#include "pepa_simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The values of one rate. */
typedef struct {
    const char *rate;
    const double *value; /* count of them, finite, at least one, in any order */
    size_t count;
} PepaVary;

/* Every combination of the values of all rates is a point; the last rate changes fastest. */
typedef struct {
    const PepaVary *vary; /* count of them, at least one, of different rates */
    size_t count;
    /* Processes that share the points, all of which call pepa_experiment_measures alike, and get the
     * same answer; NULL: this one is alone.  See pepa_shared.h. */
    const PepaProcesses *processes;
    /* Per point, out: how it ended.  A point that cannot be solved has NaN for its values then, and all
     * others are solved.  NULL: the first such point ends the experiment. */
    PepaStatus *status;
    uint64_t reserved[6];
} PepaExperiment;

typedef struct {
    int64_t points;     /* that were solved */
    int64_t failed;     /* a point that could not be solved, if there is one; -1 */
    int64_t derived;    /* how often a chain was derived: see below */
    int64_t iterations; /* of the methods that answered, over all points */
    double residual;    /* the largest of all points */
    double seconds;
    double derive_seconds; /* of these: to derive chains */
    /* By simulation, in place of derived, iterations and residual: */
    int64_t runs, events; /* the most runs of a point; the events of all */
    double width;         /* half of the widest interval, as a share of its value */
    double length;        /* steady: of each run, the longest of all points */
    uint64_t reserved[4];
} PepaExperimentInfo;

/* value[k x measures + i]: measure i in the long run at point k; NaN where it has none.
 *   chain  at its present rates, except for those that vary; it is not changed
 *   set    of the solution of each point, and of chains that are derived: max_states, explore and
 *          separate_copies should be those of `chain`.  warm_start is ignored and nothing is
 *          written to `evidence`.  progress is called by the caller's thread only: phase
 *          "experiment", `count` points done of `measure`
 *   info   may be NULL
 * Points that share a structure are solved on one chain, in chunks of consecutive points, each
 * point from the one before it in its chunk.  Chunks are spread over threads and do not depend on
 * their number, so neither does any digit.  A chain is derived anew, from the model's text, where a
 * rate decides a number of copies or depends on the state by its definition, once for each of its
 * values but the chain's own; and for each point at which a functional rate is switched on or off.
 * Errors: PEPA_EARG (no such rate, more than PEPA_MOST_POINTS points), and whatever the solution or
 * derivation of a point ends with, such as PEPA_EMODEL where a rate is not > 0.  Then info->failed
 * is such a point, the same whatever the number of threads, and `value` is unspecified.  With
 * experiment->status it is the first of all points that failed by PEPA_EMODEL, PEPA_ELIMIT or
 * PEPA_ENOCONV, and the values of the others are complete; any other failure ends the experiment.
 * Processes take points in turn, as threads do, or structures, where there are several.  They have the
 * digits of one process. */
#define PEPA_MOST_POINTS 10000000 /* of one experiment */
PEPA_API PepaStatus pepa_experiment_measures(const PepaChain *chain, const PepaMeasures *measures,
                                             const PepaExperiment *experiment,
                                             const PepaSettings *set, double *value,
                                             PepaExperimentInfo *info, PepaError *err);

/* The same by simulation, of models of any size, in the long run, as one time, or at times:
 * value[(k x times + j) x measures + i]: measure i at point k, at how->time[j].
 *   model  as it was read, except for the rates that vary; number of copies among them
 * Points have random numbers in common: the same seed, and for each replication the same random
 * points in time (thinning), so that the differences between points are known far better than from
 * simulations that are independent.  Each interval is that of pepa_simulate_measures for its point
 * alone.  Unless a relative width is asked for, runs of the long run are as long at all points, and
 * so long that they would take a tenth of the events at the pace of the first point's beginning.
 * progress as above.  Errors: those of pepa_simulate_measures and pepa_model_parse.  Digits depend
 * on the seed, but not on threads or processes, which take points in turn. */
PEPA_API PepaStatus pepa_experiment_simulate(const PepaModel *model, const PepaMeasures *measures,
                                             const PepaExperiment *experiment,
                                             const PepaSimulation *how, const PepaSettings *set,
                                             PepaEstimate *value, PepaExperimentInfo *info,
                                             PepaError *err);

#ifdef __cplusplus
}
#endif
#endif
