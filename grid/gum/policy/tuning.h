/* Tuned numbers of the policies.  Estimates, not measured, where nothing else is said. */
#ifndef GRID_GUM_POLICY_TUNING_H
#define GRID_GUM_POLICY_TUNING_H

/* How much a message that took longer, or less, than the latency known so far changes that.  A message
 * that arrives while its receiver computes waits for a slice to end. */
#define LONGER_WEIGHT  0.02
#define SHORTER_WEIGHT 1.0
/* What a message changes of the mean time that messages wait for their receivers. */
#define LATE_WEIGHT 0.05

/* Seconds: the back-off after the first NULL, its growth with each further one, and the longest. */
#define FIRST_PAUSE   0.0005
#define PAUSE_GROWTH  2.0
#define LONGEST_PAUSE 0.1

/* Milliseconds of latency from which clusters are apart: links within a site are shorter (Al Zain and
 * others 2007, table 2: 0.13 to 0.35 ms within Edinburgh and Munich, 2 ms and more between sites). */
#define APART 1e-3

/* `predicted`: by which factor another process has to end a spark sooner than who asks for it, to get it
 * instead; seconds of a task before one has run; seconds that asking takes where there is no latency; sparks
 * that a FISH leaves which is sent early; processes slower than the mean send such if their tasks are shorter
 * than asking takes, times this. */
#define SOONER       1.1
#define EARLY_LEAVES 1
#define EARLY_TASKS  16
#define UNKNOWN_TASK 0.01
#define HANDLING     50e-6
/* The same: tasks after which a process without sparks may have some, one that runs and one that is idle. */
#define BUSY_KEEPS 2.0
#define IDLE_KEEPS 20.0

#endif
