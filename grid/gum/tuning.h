/* Tuned numbers of the run-time.  Those that say nothing of a measurement are estimates. */
#ifndef GRID_GUM_TUNING_H
#define GRID_GUM_TUNING_H

/* Seconds of tasks between two looks for messages, at most and at least, and how many times as long as a
 * look: 4% of the time of tasks is looks at most.  A look is two calls of MPI_Iprobe; with Open MPI 4.1.4
 * and two processes it takes 0.17 us.  Then until a thread yields to the event loop in any case. */
#define LOOK       10e-6
#define LEAST_LOOK 3e-6
#define LOOK_SHARE 25.0
#define SLICE      1e-3
/* Nanoseconds of tasks, as their weights say, between two looks at the clock, for LOOK; and the least weight, which
 * covers making the spark and forcing it, some ten nanoseconds. */
enum { BUDGET = 5000, LEAST_WEIGHT = 20 };

/* Seconds after a FISH in which a process looks for the answer without sleeping: over shared memory it
 * comes within ten microseconds; and on one core the other process runs only when this one sleeps. */
#define SPIN 25e-6
/* Data take that many latencies to come. */
#define FETCH_TRIPS 2.0
/* Data that come within this part of a task are waited for: what would be computed meanwhile is not worth what may be
 * lost when nobody else can take the task. */
#define SOON (1.0 / 16)

/* Seconds without anything to do after which process 0 asks whether anything goes on anywhere, and the
 * longest time until it asks again: each time that something does, twice as long. */
#define FIRST_QUIET   0.25
#define LONGEST_QUIET 4.0

/* Tasks of the mean of those that others ran: as many as show it, and few enough that those of the
 * beginning, which are the largest in divide and conquer, are forgotten. */
enum { RECENT = 20 };

/* Seconds of latency up to which processes are near: their latency is measured once more, alone. */
#define NEAR 5e-3
/* Seconds for which measured speeds and latencies hold for further runs: longer ones save some milliseconds and
 * round trips before each run, which between far clusters are most of its start, and see changes later. */
#define MEASURES_HOLD 60.0

/* Live threads of a process at most; bytes of their stacks, of which only what is used takes memory.
 * 8 MB is what main has on Linux. */
#define DEFAULT_THREADS 64
#define DEFAULT_STACK   8388608.0
#define LEAST_STACK     65536.0
/* Sparks that a process keeps. */
#define DEFAULT_SPARKS 1000000.0

/* Seconds.  Tasks that neither make nor force sparks nor poll keep their process from answering; a
 * process that is killed is noticed at once, by its guard. */
#define DEFAULT_GUM_PATIENCE 60.0

/* When nothing is said: the best in every row of both tables of doc/gum.md, or within chance of it, and
 * no slower on one machine. */
#define DEFAULT_POLICY POLICY_PREDICTED

#endif
