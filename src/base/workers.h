/* Tasks on several threads that stay. */
#ifndef PEPA_BASE_WORKERS_H
#define PEPA_BASE_WORKERS_H

#include <stdint.h>

enum { MOST_WORKERS = 64 }; /* whatever is asked for */

/* One of many tasks: `index` says which, `worker` (0 .. threads-1) whose memory to use. */
typedef void WorkTask(void *user, int32_t index, int32_t worker);

/* The caller's thread and further ones, which begin with the first run that has work for them.
 * Between runs they wait: for some hundred microseconds wide awake, then asleep. */
typedef struct Workers Workers;

/* At most `threads`, the caller's among them.  NULL: memory is out. */
Workers *workers_new(int32_t threads);
/* Not during a run.  NULL is legal. */
void workers_free(Workers *workers);

/* Run tasks 0 .. count-1, begun in this order, and return when all are done: what they have written
 * is then there for the caller.  Where threads cannot be had, fewer do; NULL: the caller alone.
 * Not from within a task of the same workers, and by one thread at a time. */
void workers_run(Workers *workers, int32_t count, WorkTask *task, void *user);

/* How many threads a run of `count` tasks has: it may be fewer than were asked for.  Only if it is
 * `count` may these tasks wait for each other. */
int32_t workers_ready(Workers *workers, int32_t count);

/* A step of waiting for another thread that works: `waits` says how many have gone before.  Soon
 * lets others have the processor, for there may be more threads than those. */
void workers_wait(int32_t waits);

#endif
