/* Tuned numbers of the multilevel method.  Counts are iterations of tandem 255, cluster 128 and
 * polling 14, as `pepa solve MODEL --explore explicit --method multilevel --json` gives them;
 * bench/families.awk makes the models.  `x: a b c` are the counts with x in its place. */
#ifndef PEPA_SOLVERS_MULTILEVEL_TUNING_H
#define PEPA_SOLVERS_MULTILEVEL_TUNING_H

/* Cycles that find the shape of the solution: at most so many, until the residual is this small.
 * 1e-2: 20 28 29; 1e-3: 15 23 27; 1e-4: 14 21 26, after more cycles. */
enum { SHAPE_CYCLES = 12 };
#define SHAPE_NEAR 1e-3

/* The residual of a long chain is small long before its shape is right.  So W-cycles go on until one
 * moves no more than this share of probability.  Iterations of a closed network of 2,000 clients,
 * of 1,000 (rate of the server: a fifth of that of the clients), of three queues of 99 places at
 * load 0.9, of counted 200.  0.01: 31 30 35 28; 0.03: 34 30 35 27; 0.08: 70 31 40 27; V-cycles only:
 * lost, lost, 50 27. */
#define SHAPE_MOVED 0.03
/* Where GCR does not converge even so: the residual that cycles then have to reach, of that now. */
#define NEARER 0.1
/* Work on the groups' chain, of that on the chain, up to which a W-cycle goes there twice.  Four
 * states to a group make 0.25 to 0.4, but 0.6 on cluster 128, where it would not pay. */
#define AGAIN_WORK 0.4

/* Sweeps before the groups' share of a cycle, and after.  1: 19 25 35; 2: 15 23 27. */
enum { CYCLE_SWEEPS = 2 };

/* States that are eliminated.  30: 18 23 27; 100 and 300: 15 23 27. */
enum { COARSEST = 100 };

/* Strength of a pair, of the strongest that one of the two could be in.  0.6: 17 26 22; 0.8: 19 26 20; 0.95: 14 26 18; pairs
 * with a quarter of what flows through either and others where these are few: 17 24 27.  Cycles that refine 40 and 60 voters
 * of four opinions, and 35 of five: 32 58 27, 31 45 28, 42 56 24; 35 96 76. */
#define STRONG_PAIR 0.8

/* Steps of GCR on coarser levels: at first, and at most, as levels are made again.  First 2, 3 or
 * 5: 15 23 27.  They end when the residual is down to this share.  0.25: 15 23 27; 0.35: 17 24 27;
 * CPU s of the steps, 0.25, 0.35, 0.5: counted 200 1.42 1.36 1.28, blocking 59 0.50 0.46 0.47. */
enum { FIRST_STEPS = 3, MOST_STEPS = 6 };
#define STEP_FALL 0.35

/* A round on the finest level that leaves more of the residual than this calls for other levels. */
#define ROUND_FALL 0.25

/* Shares of groups that rare jumps join.  Multiply-adds that the elimination of their chain may
 * take; change and residual that are small; rounds after which they are given up, if each leaves
 * more of the residual than this.  Estimates. */
#define COUPLING_WORK 1e9
#define COUPLED       1e-10
/* The residual of the chain is at most some times the largest of a group. */
#define SHARE_OF_TOLERANCE 0.5
#define COUPLING_FALL      0.97
enum { COUPLING_IDLE = 10 };
/* Sweeps of a round, as long as each round leaves at most that of the residual.  Estimates. */
enum { COUPLING_SWEEPS = 4 };
#define SWEEPS_FALL 0.3
/* Multiply-adds for the states of a group, in passes over its entries, and states of a group, up to which
 * what is within it is found exactly: as much as some fifty cycles.  Groups of fewer states in the mean are
 * left to sweeps and cycles, as elimination begins anew for each.  Where a round leaves more than this of
 * the residual, cycles are next.  Estimates. */
#define INSIDE_PASSES 1000.0
enum { INSIDE_STATES = 20000, INSIDE_FEWEST = 16 };
#define INSIDE_FALL 0.3
/* Flow through a group, of all, below which it is not looked at: flows_lift may have made it. */
#define NEXT_TO_NOTHING 1e-60
/* Change and residual up to which cycles keep their groups, and rounds are accelerated: an estimate. */
#define NEARLY_RIGHT 1e-3

/* Refining: cycles at most; the first ones, as long as they change more than this part of flows of about the same size,
 * have groups of their own, or so many where it begins anew; others have new groups after each so many that leave more than this of the length of the
 * change, so often in a row at most.  It must not become so much longer at once; of what is added to a logarithm at most that
 * counts.  Estimates. */
enum { REFINING_CYCLES = 200, SHAPING_CYCLES = 3, ANEW_CYCLES = 20, REGROUPED = 8, REFINING_IDLE = 5 };
#define FAR_CHANGE    1e-2
#define REGROUP_FALL  0.3
#define WORSE_CHANGE  2.0
#define MOST_MIXED    5.0
/* What a cycle may change at the end of flows of about the same size; and of the distribution of time, which groups may be
 * off balance as well, in tolerances of auto, a hundredth of the caller's: where the first cycle changes more than the last of
 * these, and where it does not; but no less than so much. */
#define RARE_SETTLED  1e-7
#define TIME_MENDED   1.0
#define TIME_SETTLED  100.0
#define TIME_OFF      1e4
#define TIME_ROUNDING 1e-12
/* The same for sweeps, as long as each changes at most this part of what the one before did. */
enum { SWEEP_PASSES = 2 };
#define RARE_SETTLED_SWEEP 1e-4
#define REFINING_FALL      0.7
/* Where processes share the flow, which then has no cycles.  An estimate. */
enum { SWEEPS_DOWN = 200 };

/* The work of a cycle with fresh groups, and of a step with those that are kept, in passes over the
 * matrix; bytes of levels, for an entry and for a state.  Estimates. */
enum { CYCLE_PASSES = 20, STEP_PASSES = 12 };
#define LEVEL_ENTRY_BYTES 20.0
#define LEVEL_STATE_BYTES 88.0

#endif
