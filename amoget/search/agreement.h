/* What the processes that share a call agree on: failures, limits, and who does which task.
 *
 * All processes run the same search, with the same numbers: what they share is the solving of
 * chains.  So they come to the same collectives as long as nothing goes wrong in one of them alone,
 * and as long as all that a clock decides is decided by all.  There is one collective for both: each
 * says whether it has failed, and why it wants to stop.  A process that fails between two of these
 * says so at its next one, wherever that is; the others hear of it at theirs, and all fail.  What
 * follows it, the taking of tasks and the sums of what they have found, cannot fail.
 *
 * A process that is alone agrees with itself, at no cost. */
#ifndef AMOGET_AGREEMENT_H
#define AMOGET_AGREEMENT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "amoget/search/tasks.h"
#include "pepa_shared.h"

typedef struct {
    const PepaProcesses *processes; /* NULL: this one is alone */
    pthread_mutex_t lock;           /* of what threads ask of them */
    atomic_int stopped;             /* PEPA_OK, or why to stop: PEPA_ECANCEL, PEPA_ELIMIT (time) */
    bool ends;                      /* whether all stop, as last agreed on */
    int32_t fresh;                  /* so many looks need not ask again */
    PepaStatus failed;              /* in some process, outside tasks: from then on, in all */
    PepaError failure;
    bool dealt; /* tasks are numbered on from `begun`, the first of those at hand */
    int64_t begun;
    bool few;      /* each process has one of them, or none */
    int64_t taken; /* of them, by this process */
} Agreement;

/* processes: NULL, one, or incomplete: this one is alone. */
void agreement_begin(Agreement *agreement, const PepaProcesses *processes);

/* Collective: the failure of the first process that has one, with its message, or else `status`, which
 * may be what stops all of them. */
PepaStatus agreement_on(Agreement *agreement, PepaStatus status, PepaError *err);
/* Collective: does any process say so, or has one failed? */
bool agreement_any(Agreement *agreement, bool mine);
/* Collective, but right after tasks, when there is nothing new to tell: does any process want to stop,
 * or has one failed? */
bool agreement_ends(Agreement *agreement);

/* Collective: as tasks_run, each task in one of the processes; all return the same failure. */
PepaStatus agreement_tasks(Agreement *agreement, Workers *workers, int32_t count, Task *task,
                           void *user, PepaError *err);
/* As agreement_tasks, for no task at all. */
void agreement_nothing_new(Agreement *agreement);
/* Collective, after what all have agreed on: what tasks have put into x where they were done, with 0
 * everywhere else. */
void agreement_sum(const Agreement *agreement, double *x, int64_t n);

/* Called now and then by a thread that works on a task: others may wait for an answer. */
void agreement_poll(Agreement *agreement);

#endif
