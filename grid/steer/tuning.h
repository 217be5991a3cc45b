/* Tuned numbers of decisions: what the rescheduler does if nobody sets it (settings.h), and how it
 * estimates.  Counts are those of grid/machine/tuning.h: `late moves`, `noisy`, `false`.  What
 * has no numbers is an estimate, not measured. */
#ifndef GRID_STEER_TUNING_H
#define GRID_STEER_TUNING_H

/* The least gain of a move, and how many times its cost it must save: fewer moves against more of
 * the possible throughput. */
#define LEAST_GAIN 0.05
#define CAUTION    2.0

/* Standard errors that a gain exceeds: one in 160 mappings that are not better seems to be.  Fewer
 * move sooner, and more by chance.  1.25: 19 364, false 13; 2.5: 39 375,
 * false 12; 5: 75 355, false 12.  With exponential durations more is needed: doc/grid.md. */
#define CERTAINTY 2.5

/* The part of its earlier throughput below which the present mapping has fallen, so that no second
 * decision need confirm a move: a larger one answers sooner, and to more outliers.  A safe choice:
 * noisy is 15 187 with 0.35, 14 191 with 0.7 and 13 182 with 0.85. */
#define ALARM 0.7

/* Services of each stage that a move rests on: WINDOW_LEAST, as fewer give no estimate. */
enum { LEAST_SERVICES = 4 };

/* Seconds that a move must pay for itself in, where the number of items is not known; assumed
 * seconds of a first move.  A longer horizon and a lower cost make more moves. */
#define HORIZON    60.0
#define FIRST_COST 0.5

/* Seconds of a search, at most and at least, and share of the run's time for decisions.  The next
 * decision continues a search.  The least is enough for a local search, without a proof.  Longer
 * ones find better mappings, and process 0 does nothing else meanwhile.  With TIME_LIMIT and BUDGET
 * `bench/adapt.sh` gives 0.50% to 0.62% of a run for decisions and measuring (doc/grid.md); other
 * values were not measured. */
#define TIME_LIMIT 0.05
#define BUDGET     0.005
#define LEAST_TIME 2e-3

/* The most by which limits of time are lengthened, doubling at each decision that ran out of time,
 * and the factor at each that did not: a lower one forgets sooner, and runs out of time again. */
#define MOST_SLACK 64.0
#define LESS_SLACK 0.9

/* Decisions in a row and items at which what is seen is so small a part of what is predicted, for
 * pauses and the longest services to count: fewer see a limited share of a processor sooner, and take
 * more disturbances for one.  The throughput of 40 items with exponential durations has a standard
 * error of 16%. */
enum { APART_DECISIONS = 3, APART_ITEMS = 40 };
#define APART 0.7

/* Moves whose costs are kept: more have a smaller error, fewer follow changes. */
enum { MOVES_KEPT = 15 };

/* A process is corrected after a stage has moved there: services of the stage on it and elsewhere,
 * the factor and the standard errors by which their works differ, and how many updates in a row.
 * Smaller numbers correct sooner and correct what is chance; corrections by chance add up. */
enum { LEAST_COMPARED = 20, DIFFERENCES = 4 };
#define COMPARED_RATIO  2.0
#define COMPARED_ERRORS 4.0

#endif
