/* Tasks on several threads. */
#ifndef PEPA_BASE_WORKERS_H
#define PEPA_BASE_WORKERS_H

#include <stdint.h>

enum { MOST_WORKERS = 64 }; /* whatever is asked for */

/* One of many tasks: `index` says which, `worker` (0 .. threads-1) whose memory to use. */
typedef void WorkTask(void *user, int32_t index, int32_t worker);

/* Run tasks 0 .. count-1 on at most `threads` threads, the caller's among them, and return when all
 * are done.  Where threads cannot be had, fewer do. */
void workers_run(int32_t threads, int32_t count, WorkTask *task, void *user);

#endif
