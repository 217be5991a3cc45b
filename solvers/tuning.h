/* Tuned numbers of the choice of a method, and of what is said of an answer.  They are
 * estimates.  Their test is the outcome: `make bench` bounds the CPU seconds of each family. */
#ifndef PEPA_SOLVERS_TUNING_H
#define PEPA_SOLVERS_TUNING_H

/* Multiply-adds that an elimination may be expected to take, some 1e9 per second: before other
 * methods, for chains of few states; after sweeps, for some states; for nearly decomposable chains,
 * or after BiCGSTAB; as the last resort. */
#define QUICK_WORK      1e8
#define AFFORDABLE_WORK 3e9
#define BEARABLE_WORK   1e10
#define UTMOST_WORK     3e11
/* The same in passes, for chains of at most three entries a row.  A web server and 500 browsers,
 * where elimination fills up: CPU s with no limit 2.7, by multilevel 0.5. */
#define THIN_PASSES 100.0
enum { FEW_STATES = 2000, SOME_STATES = 50000 };

/* Sweeps left from which incomplete factors are tried, and from which acceleration is not. */
#define SLOW_LEFT     40
#define HOPELESS_LEFT 1000
/* Entries of incomplete factors for one of the matrix: 3.3 in the first five chains of the table of
 * preconditioners in doc/numerics.md, where they pay; 4.3 to five in the other two. */
#define LITTLE_FILL 4.0

/* Residual from which multilevel begins from equal shares.  CPU s with 1e-3, and with its start left
 * as it is: blocking 79 2.9, 9.4; with 1e-3 and 1e-6: signals 64 21, 41. */
#define FAR_RESIDUAL 1e-3
/* Iterations from which the error is some hundred times the residual; tolerances that one more
 * sweep may change. */
enum { SLOW_ITERATIONS = 5000, LARGE_DRIFT = 100 };

/* Stall rules.  Instructions of `pepa solve --explore explicit` of tandem 64, cluster 32, kanban 2,
 * polling 9 and pipeline 8, as ratios.  Sweeps.  {7, 12}: 1.9 2.1 1.4 2.1 1.8; {28, 50}: 1.6 1.9
 * 0.9 1.1 1.0.  Steps and rounds, half: 1.0, but kanban 3 is lost.  Steps {20, 80}, rounds {10,
 * 40}, CPU s of bench/structures: contention 90 6.3, here 3.3; classes 8 7.9, here 4.8; others at
 * most a tenth less.  Others: estimates. */
#define SWEEPS_RULE      ((StallRule){14, 25})
#define STEPS_RULE       ((StallRule){40, 120})
#define ROUNDS_RULE      ((StallRule){20, 80})
#define CYCLES_RULE      ((StallRule){60, 300})
#define LONG_STEPS_RULE  ((StallRule){1000, 5000})
#define LONG_ROUNDS_RULE ((StallRule){600, 3000})
#define MANY_SWEEPS_RULE ((StallRule){1000, 20000})

#endif
