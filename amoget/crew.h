/* Tasks on several threads, with results that do not depend on how many. */
#ifndef AMOGET_CREW_H
#define AMOGET_CREW_H

#include "base/error.h"

enum { MOST_THREADS = 64 }; /* that run at a time, whatever is asked for */

/* One task of many: `index` says which, `worker` (0 .. threads-1) whose memory to use. */
typedef PepaStatus Task(void *user, int64_t index, int worker, PepaError *err);

/* Run tasks 0 .. count-1 on at most `threads` threads, the caller's among them.  After a failure no
 * further tasks begin; of several failures the one with the smallest index is returned.  Where
 * threads cannot be had, fewer do. */
PepaStatus crew_run(int threads, int64_t count, Task *task, void *user, PepaError *err);

#endif
