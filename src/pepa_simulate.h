/* What a model does, by simulation: estimates with confidence intervals, at a cost that does not
 * depend on how many states there are, nor on how many copies a component has.
 *
 *   double time[] = {1, 2, 5};  PepaEstimate x[3];
 *   PepaSimulation how = {.time = time, .count = 3, .runs = 1000, .seed = 1};
 *   if (pepa_simulate_measures(model, measures, &how, NULL, x, NULL, &err) == PEPA_OK)
 *       printf("%g after 5, between %g and %g\n", x[2].value, x[2].low, x[2].high);
 *
 * Trajectories are exact: they have the distribution that the chain has, or, where activities have
 * durations such as det(d), that of the generalised semi-Markov process.  The same seed gives the same
 * bytes, whatever the number of threads. */
#ifndef PEPA_SIMULATE_H
#define PEPA_SIMULATE_H

#include "pepa_passage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All-zero but for the times, or for `steady`, means the defaults. */
typedef struct {
    const double *time; /* count of them, ascending, finite, >= 0; not used if steady */
    size_t count;
    int steady;   /* non-zero: in the long run, in place of times */
    int64_t runs; /* independent replications, at least 2; 0: 1,000, or as many as the width needs.
                   * Steady: long runs; 0: 32; of a single one, batch means are taken */
    double relative_width; /* go on until every interval is its value +- at most this share of it:
                            * half of high - low; `runs` are then the most.  0: not asked for */
    double confidence;     /* of the intervals, each by itself; 0: 0.95 */
    uint64_t seed;
    int64_t events; /* at most, in all; 0: 10^10.  Steady without relative_width: a tenth of them is
                     * aimed at, and 0 stands for 10^8 */
    uint64_t reserved[8];
} PepaSimulation;

typedef struct {
    double value, low, high; /* NaN where the measure has no value, as 0 / 0 */
} PepaEstimate;

typedef struct {
    int64_t runs, events;
    double length;  /* steady: of each run, in the model's time */
    double warm_up; /* steady: what was left out at the beginning of each */
    double width;   /* half of the widest interval, as a share of its value */
    double seconds;
    double tail; /* rare events: Hill's index of the values of runs, the least; 0: not known */
    /* Steady: the measure that was seen in the fewest visits, if in fewer than 30, and in how many; at times: the
     * first whose interval is a point as no run has seen anything of it, and 0; else -1. */
    int32_t seldom;
    int32_t visits;
    /* Steady: a local state of the model, in which a component begins that may end in one or another of
     * several sets of local states; NULL: none does.  What depends on where it ends has one observation
     * from each run, and where few of them end may not have been met. */
    const char *ends;
    uint64_t reserved[5];
} PepaSimulationInfo;

/* out[j x measures + i]: measure i at time[j], or its only row if steady.
 *
 * At times: of independent replications, with intervals by Student's t (ratios and other measures
 * that are not linear: linearised at the means); a single probability has Wilson's interval.
 * What happens by immediate activities has its rate from the next activity of each run; where some
 * activities have durations, it has none, nor have these: NaN.
 * Steady: of long runs whose beginnings are left out as MSER says; each run's mean over time is an
 * observation.  A model with several bottom components thus has the mean over where it ends.
 * Of what is seen in fewer than 1,000 visits the interval is as wide as their number makes it; with fewer
 * than 30 all the events allowed are used.
 * Findings of states go to set->derive.diagnose; set->derive.separate_copies simulates every copy by
 * itself; set->threads are used.
 * Errors: PEPA_EARG; PEPA_EMODEL (in a state that was reached: as pepa_chain_derive), PEPA_ELIMIT
 * (the runs or events allowed do not suffice), PEPA_ENOMEM, PEPA_ECANCEL (progress: phase
 * "simulate", `count` the events so far, `measure` the same as `width` below, 0 before it is known).  info may be NULL. */
PEPA_API PepaStatus pepa_simulate_measures(const PepaModel *model, const PepaMeasures *measures,
                                           const PepaSimulation *how, const PepaSettings *set,
                                           PepaEstimate *out, PepaSimulationInfo *info,
                                           PepaError *err);

/* ---- rare events ------------------------------------------------------------------------------- */

/* Where trajectories were split: `count` levels, from the lowest on.  distance: how far the event is
 * from there, by what its predicate compares, as 3 for `Jobs >= 10` with 7; split: into how many. */
typedef struct {
    int32_t count;
    double *distance;
    int32_t *split;
    uint64_t reserved[4];
} PepaRareLevels;

/* The same estimates of measures `probability:{PREDICATE}`, and of no others, where the event is so
 * rare that plain trajectories do not see it: by importance splitting (RESTART).  Levels are chosen
 * by pilot runs, from the comparisons of the predicate; estimates at times have no bias, and in the
 * long run that of a beginning which is left out.
 *   how     relative_width: 0.1 where neither it nor runs is given, of 256 runs at least; events: 10^9 by
 *           default, of all measures and of pilot runs
 *   levels  one entry per measure, for pepa_rare_levels_free; or NULL
 *   info    length, warm_up, runs, width: the most of all measures
 * Intervals are corrected for the skewness of the values of runs, and for values larger than those
 * that were seen (Hall's transformation, Hill's index): they are wide where runs are few.
 * Models whose activities are immediate or have priorities are refused.
 * Errors: as pepa_simulate_measures; PEPA_ELIMIT also if pilot runs do not see the event. */
PEPA_API PepaStatus pepa_simulate_rare(const PepaModel *model, const PepaMeasures *measures,
                                       const PepaSimulation *how, const PepaSettings *set,
                                       PepaEstimate *out, PepaRareLevels *levels,
                                       PepaSimulationInfo *info, PepaError *err);
PEPA_API void pepa_rare_levels_free(PepaRareLevels *levels, int32_t count);

/* ---- passage times ---------------------------------------------------------------------------- */

/* All-zero means the defaults, no times and no quantiles. */
typedef struct {
    const double
        *time; /* count of them, ascending, finite, >= 0: where the distribution is wanted */
    size_t count;
    const double *share; /* shares of them, 0 < share < 1: which quantiles are wanted */
    size_t shares;
    int64_t runs;          /* passages from the initial state; 0: 10,000, or as many as the width
                            * needs.  In the long run: long runs, at least 2; 0: 32 */
    double relative_width; /* until the intervals of the mean and of the quantiles are so narrow; as
                            * in PepaSimulation */
    double confidence;     /* of the intervals, each by itself; 0: 0.95 */
    uint64_t seed;
    int64_t events; /* at most, in all; 0: 10^9 */
    uint64_t reserved[8];
} PepaPassageSampling;

typedef struct {
    PepaEstimate ends;           /* the share of passages that end */
    PepaEstimate mean, variance; /* +inf unless that is 1 */
    int64_t passages, runs, events;
    double length, warm_up; /* in the long run: of each run, and what of it was left out */
    double width;           /* half of the widest interval of mean and quantiles, as a share */
    double seconds;
    uint64_t reserved[8];
} PepaPassageSample;

/* The passages that pepa_passage_new has, by simulation.
 *   cdf       per time: the share that takes so long at most
 *   pdf       per time: the density, as a histogram has it, whose bins meet halfway between
 *             times; NaN if there is one time only
 *   quantile  per share: within which time so many end; its interval is between order statistics
 * Shares and quantiles have intervals that hold for any distribution; passages of one long run are
 * not taken to be independent.  Predicates are looked at where time passes, as in a chain.
 * Errors: PEPA_EARG, PEPA_EMODEL, PEPA_ELIMIT (too few passages, or one that did not end, within the
 * events allowed), PEPA_ENOMEM, PEPA_ECANCEL. */
PEPA_API PepaStatus pepa_simulate_passage(const PepaModel *model, const PepaPassageEnds *ends,
                                          const PepaPassageSampling *how, const PepaSettings *set,
                                          PepaEstimate *cdf, PepaEstimate *pdf,
                                          PepaEstimate *quantile, PepaPassageSample *out,
                                          PepaError *err);

#ifdef __cplusplus
}
#endif
#endif
