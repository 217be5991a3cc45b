/* A team of threads that runs tasks in parallel. */
#ifndef PEPA_BASE_WORKERS_H
#define PEPA_BASE_WORKERS_H

#include <stdint.h>

enum { MOST_WORKERS = 64 }; /* whatever number is requested */

/* One of many tasks: `index` says which, `worker` (0 .. threads-1) whose memory to use. */
typedef void WorkTask(void *user, int32_t index, int32_t worker);

/* The caller's thread and further ones, which begin with the first run that has work for them.
 * Between runs they wait: they spin for some hundred microseconds, then sleep. */
typedef struct Workers Workers;

/* At most `threads`, the caller's among them.  NULL: memory is out. */
Workers *workers_new(int32_t threads);
/* Not during a run.  NULL is legal. */
void workers_free(Workers *workers);

/* Run tasks 0 .. count-1, begun in this order, and return when all are done: what they have written
 * is then there for the caller.  If threads cannot be created, fewer run; workers NULL: the caller
 * alone.  Not from within a task of the same workers, and by one thread at a time. */
void workers_run(Workers *workers, int32_t count, WorkTask *task, void *user);

/* The number of threads of a run of `count` tasks: it may be smaller than requested.  Only if it is
 * `count` may these tasks wait for each other. */
int32_t workers_ready(Workers *workers, int32_t count);

/* One step of waiting for a running thread, after `waits` steps before it.  After some steps it
 * yields the processor, since other programs may need it. */
void workers_wait(int32_t waits);

#endif
