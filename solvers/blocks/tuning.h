/* Tuned numbers of sweeps over blocks.  Counts are sweeps of kanban 4, cluster 128, polling 14,
 * tandem 255 and pipeline 12, as `pepa solve MODEL --json` gives them; bench/families.awk makes
 * the models. `x: a b c d e` are the counts with x in its place. */
#ifndef PEPA_SOLVERS_BLOCKS_TUNING_H
#define PEPA_SOLVERS_BLOCKS_TUNING_H

/* Iterates that the extrapolation sees.  3: 71 34 11 35 26; 4: 72 34 12 21 28; 6: 68 32 14 24 21,
 * for two more vectors. */
enum { MOST_HISTORY = 4 };

/* First sweeps, whose convergence says nothing about later ones.
 * 3: 72 32 13 36 28; 7: 72 34 12 21 28; 15: 64 40 20 28 24. */
enum { SETTLING = 7 };

enum { PLAIN_WINDOW = 12 }; /* sweeps of a window without a history */

/* Sweeps left from which convergence counts as slow. 30: 72 38 12 21 32; 60: 72 34 12 21 28; 120:
 * 68 34 12 36 28.  Sweeps done before that can be said. */
enum { SLOW_SWEEPS = 60, TELLING_SWEEPS = 60 };

/* First sweeps after which processes look how far they are, although they wait for each other.  0:
 * polling 17 takes 15 instead of 12 sweeps. */
enum { LOOKING_SWEEPS = 16 };

/* Sweeps done before it is said how many are left from the sweeps themselves, and from their whole
 * history.  Of the models of bench/structures that were solved fastest by sweeps over sets, none is
 * left after 15, 19 or 23 sweeps because the last window and all sweeps so far call for more than
 * the matrix by rows costs; of those where other methods were 1.3 to 2 times as quick, half are. */
enum { FEW_SWEEPS = 15, MANY_SWEEPS = 40 };

/* Where it is slow for long: most sweeps from one iterate to the next, and damping of errors that
 * rotate.  None of these chains is that slow: 2, 8 and 16, or 0.7 and 1, give the same. */
enum { WIDEST = 8 };
#define DAMPED 0.7

/* Aggregation takes so much of a sweep, besides sweeps on the aggregated chain with so much for an
 * edge (in the unit of schedule/costs.h; measured on flexible 8 of bench/structures), and must gain
 * so much.  Without: 72 34 12 40 28; with: 72 34 12 21 28. */
#define AGGREGATION 0.5
#define COARSE_EDGE 1.2
#define JOIN_GAIN   1.2

/* On the aggregated chain.  50, 100 and 200: 72 34 - 21 -.  100, 30, 10 and 4, CPU seconds of
 * bench/structures: contention 60 4.5 3.9 3.1 1.7, flexible 8 9.4 7.4 6.7 8.0. */
enum { COARSE_SWEEPS = 10 };

/* Parts of a vector, entries of a cached chunk and sums side by side, which decide how sums are
 * rounded; takes of each thread in a loop over blocks.  Estimates, not measured. */
enum { PARTS = 64, CHUNK = 256, TAKES = 16 };

/* Runs of the next edge that are fetched before one is read.  Without: kanban 5 takes 1.06 times as
 * long, pipeline 14 and farm 35 as long. */
enum { FETCHED_RUNS = 8 };

/* States between two looks at messages.  Seconds of two processes on farm 80 without, with 4096 and
 * 16384, twice: 15.0 12.2 11.5, 14.1 11.2 10.7; kanban 6: 9.8 9.4 9.2, 10.0 9.2 9.2. */
enum { POLLED_STATES = 16384 };

/* Plans, see `make bench-threads`: the gain by whole blocks, for a thread, from which parts are not
 * tried; the gain from which a plan is followed; entries of a part, on average. */
#define PLAN_ENOUGH 0.85
#define PLAN_WORTH  1.15
enum { PART_ENTRIES = 500 };

#endif
