/* What things take when several threads share a sweep: the one table that schedules are planned by.
 *
 * The unit is a multiply-add of a sweep, that is, an entry of the matrix: half a nanosecond to one.
 * The values are estimates for x86-64.  Their test is the outcome: `make bench-threads` shows,
 * family by family, what two threads gain by the plans that they lead to.  They need not be exact,
 * since the clock decides in the end between a plan and one thread (run.c). */
#ifndef PEPA_SOLVERS_SCHEDULE_COSTS_H
#define PEPA_SOLVERS_SCHEDULE_COSTS_H

#define COST_ROW    2.0      /* a row, besides its entries */
#define COST_EDGE   8.0      /* an off-diagonal block, besides its runs */
#define COST_RUN    4.0      /* a run of one, or of a diagonal block, besides its entries */
#define COST_TASK   300.0    /* to take the next task: a contended atomic addition, and checks */
#define COST_OWN    30.0     /* the next of one's own tasks: checks alone */
#define COST_AHEAD  120.0    /* rows: to prefetch for the next of one's own tasks */
#define COST_TOLD   300.0    /* until another thread sees that a task is done: two cache misses */
#define COST_JUMP   400.0    /* rows: per task that one reads, misses where its rows begin */
#define COST_FETCH  1.5      /* rows: an entry that reads what another thread has just written */
#define COST_RECENT 150000.0 /* for how long that counts: then it has left the other's cache */
#define COST_BEGIN  10000.0  /* of a sweep by several threads: to wake them, and to wait for all */

/* Choices of a plan, and between it and one thread; estimates too.  What a plan must gain over
 * another; how much longer than the last a sweep may seem; what share of a time is clearly shorter;
 * tasks of a thread below which they are not joined; sweeps until the other is tried again. */
#define PLAN_BETTER   1.05
#define PACE_BELIEVED 1.25
#define PACE_CLEAR    0.8
enum { FEW_TASKS = 4, OFTEN = 4, RARELY = 64 };

#endif
