/* Tuned numbers of the choice of a method, and of what is said of an answer.  They are
 * estimates.  Their test is the outcome: `make bench` bounds the CPU seconds of each family. */
#ifndef PEPA_SOLVERS_TUNING_H
#define PEPA_SOLVERS_TUNING_H

/* Multiply-adds that an elimination may be expected to take, some 5e9 per second: before other
 * methods, for chains of few states; after sweeps, for some states; for nearly decomposable chains,
 * or after BiCGSTAB; as the last resort; and as LU factors, which take five times as long. */
#define QUICK_WORK      1e8
#define AFFORDABLE_WORK 6e9
#define BEARABLE_WORK   4e10
#define UTMOST_WORK     1e12
#define UTMOST_LU_WORK  3e11
/* The same in passes over the matrix, for chains like lines: an estimate.  An order of elimination
 * takes long where it is of no use: readers 150 and reentrant 60 of bench/structures, with at most
 * three entries a row, took 2.5 and 1.3 s of CPU with that trial, 1.3 and 0.65 s without. */
#define NARROW_PASSES 20.0
enum { FEW_STATES = 2000, SOME_STATES = 50000 };
/* The same where few states part the chain: the estimate before sweeps, which covers some 50,000 states of two
 * dimensions, and after BiCGSTAB; and how much more than that elimination may take.  Where it was up to 150 passes, for
 * 2,000 to 120,000 states of populations that stay long in one of two or three ways, elimination took 0.01 to 0.3 s, no more
 * than what BiCGSTAB took, whose answers were wrong by factors of up to 1,000.  Of 16 chains that BiCGSTAB does not
 * solve it was up to 218 passes where elimination took 0.05 to 1 s (games of three kinds of 181,000 states, 5.7 s
 * to 1.8 in all; towers of Hanoi, 2.9 to 0.6), and 19,000 and more in the others.  States up to which it is looked for
 * before sweeps.  Multiply-adds of the last front, of s states, with what is before it: FRONT_WORK s^3, an estimate.
 * States that are entered from more than MOST_OF_STATE sqrt(n) part nothing. */
#define PARTED_SOON  150.0
#define PARTED_LATER 1000.0
#define PARTED_MOST  4.0
enum { PARTED_STATES = 250000 };
/* Cycles of refining where elimination comes next: 400 passes, an estimate. */
enum { PARTED_CYCLES = 20 };
#define FRONT_WORK    10.0
#define MOST_OF_STATE 10.0

/* Incomplete factors.  Entries for one of the matrix: at most 3.3 in the first five chains of the
 * table of preconditioners in doc/numerics.md, where they pay, 4.9 and more in the other two.
 * Multiply-adds for a state, before factors without fill-in and after. */
#define LITTLE_FILL   4.8
#define LITTLE_EFFORT 25.0
#define SOME_EFFORT   160.0
/* ILU(0) is given up when, after so many steps, more than that seem to be left.  Of 103 models of
 * bench/structures, ILUT is the quicker with less than 25 multiply-adds for a state (pools 6 and
 * fractal 3, with 21 and 23: 1.8 and 2.6 times).  With more, ILU(0) is where it takes fewer steps
 * than some 20 + 0.7 for each of them: both take as long where it takes 40 of 30 (lots), 65 of 57
 * to 75 (crews), 45 of 65 (rework), half as long with 25 of 130 (circuits, classes), twice as long
 * with 320 of 90 (logship) or 470 of 38 (inhibitor).  It may hardly move for 20 steps and end after
 * 40 (savanna 50, dram 5), so that it is judged the later the dearer the others are: after half a
 * step for each multiply-add, 0.8 to 1.0 of the CPU time. */
#define TRIAL_STEPS      20.0
#define MORE_STEPS       30
#define STEPS_FOR_EFFORT 0.7
#define TRIAL_FOR_EFFORT 0.5

/* Residual from which multilevel begins from equal shares.  CPU s with 1e-3, and with its start
 * left as it is: blocking 79 2.9, 9.4; with 1e-3 and 1e-6: signals 64 21, 41. */
#define FAR_RESIDUAL 1e-3
/* What BiCGSTAB leaves when it is given up is a start for others from this residual on.  Cycles with
 * 0, and with 1e-5: paging 50 46, 25; migrate 40 27, 24; vacation 40 67, 62; with 1e-3: blocking 29 39,
 * 42. */
#define NEAR_RESIDUAL 1e-5
/* Iterations from which the error is some hundred times the residual; tolerances that one more
 * sweep may change. */
enum { SLOW_ITERATIONS = 5000, LARGE_DRIFT = 100 };
/* Part of flows of about the same size that one more sweep may change in an answer: for a caution, and
 * for refining.  Of 270 chains with rates from 1e-5 to 1e5 and further apart, a sweep of an answer of BiCGSTAB
 * changed 1e-2 and more where some flows were wrong altogether, 1e-3 where in the first digit.  Where it
 * changed less than 1e-6, 1 of 174 was off by more than 1e-3, 7 by more than 1e-5; less than 1e-7: 0 and 2
 * of 160; less than 1e-8: 0 and 1 of 145.  Answers of Gauss-Seidel were off by 0.5 to 2 times what a sweep
 * changed: it ends where sweeps converge soon. */
#define RARE_UNSETTLED 1e-3
#define RARE_SUSPECT   1e-7
#define RARE_SWEPT     1e-4
/* Sweeps go on for rare states as long as each changes at most this part of what the one before did. */
#define SWEPT_FALL 0.9
/* States with less are looked at for whether they may fill up: the logarithm of the least flow that counts, 2^-72.  What
 * is less than LEAST_FILLED tells nothing.  Steps: on tandem 300 of bench/families.awk one shows that nothing fills up, on cluster 60
 * and 150 by rows 7 and 11. */
enum { FILLING_STEPS = 64 };
#define LEVEL_SEEN     -49.9f
#define LEVEL_ROUNDING 1e-2f
#define LEAST_FILLED   1e-90
/* Tolerances that groups of states may be from balance, of the tolerance of auto, which is a hundredth of the caller's.  Of
 * 800 chains with known answers the largest error that 1e4 let pass was 9 times what the imbalance said. */
#define LARGE_IMBALANCE 1e3

/* Potentials that are wanted flat everywhere, from BiCGSTAB: a criterion from which the caller does
 * better by taking what is left for a problem of its own than LU factors by going on (browsers 50 of
 * bench/structures: 0.6 s of CPU; 13 s).  An estimate. */
#define WORTH_ANOTHER 1e-4
/* Of states that processes share, up to which one of them refines rare ones: some 5 s. */
#define RARE_GATHERED 1e6
/* States that are censored one by one, n^3/3 multiply-adds: before sweeps, after them, and where nothing else does, in some
 * seconds. */
enum { FEW_CENSORED = 60, SOME_CENSORED = 600, MANY_CENSORED = 2000 };

/* Stall rules.  Sweeps.  Of 87 models of bench/structures those that Gauss-Seidel solves soonest
 * one by one called for 50 to 110 more after 6 or 8 sweeps and took 12 to 89 in all; those that
 * called for more were solved 1.1 to 60 times as fast otherwise (most 2 to 5 times).  {14, 25}:
 * 1.04 in the median, 1.25 at most (polling 4); two were slower here, by 1.07.  BiCGSTAB may hardly
 * move for long and then end in ten steps: after 40 steps with ilut the trend of policing 20 and
 * retrial 20 of bench/structures, which took 60 and 100 more, called for 250 and 7,000.  {40, 120},
 * CPU s: policing 20 17, here 3.3.  On nearly decomposable chains BiCGSTAB converges soon (7 to 44
 * steps with ilut: lru, ring, byzantine) or hardly at all (149 to 1,175: inhibitor, migrate,
 * paging, blocks).  Others: estimates. */
#define SWEEPS_RULE      ((StallRule){6, 100})
#define STEPS_RULE       ((StallRule){80, 150})
#define SOON_RULE        ((StallRule){20, 40})
#define SOON_FULL_RULE   ((StallRule){40, 80})
#define ROUNDS_RULE      ((StallRule){20, 80})
#define CYCLES_RULE      ((StallRule){60, 300})
#define LONG_STEPS_RULE  ((StallRule){1000, 5000})
#define LONG_ROUNDS_RULE ((StallRule){600, 3000})
#define MANY_SWEEPS_RULE ((StallRule){1000, 20000})

#endif
