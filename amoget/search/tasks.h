/* Tasks that can fail, on several threads, with results that do not depend on how many. */
#ifndef AMOGET_TASKS_H
#define AMOGET_TASKS_H

#include "base/error.h"
#include "base/workers.h"

/* One task of many: `index` says which, `worker` (0 .. threads-1) whose memory to use. */
typedef PepaStatus Task(void *user, int32_t index, int32_t worker, PepaError *err);

/* Run tasks 0 .. count-1 on `workers` (NULL: the caller's thread).  After a failure no further
 * tasks begin; of several failures the one with the smallest index is returned.  Every task before
 * that one has been run, whatever the timing. */
PepaStatus tasks_run(Workers *workers, int32_t count, Task *task, void *user, PepaError *err);

/* Where several processes take tasks in turn: the next number, ascending, by any thread. */
typedef struct {
    int64_t (*next)(void *user);
    void *user;
} Taking;

/* The same with those of tasks 0 .. count-1 that are taken here.  After a failure all that are left are
 * taken at once, and left alone.  *first: the smallest index that failed here; count: none. */
PepaStatus tasks_take(Workers *workers, int32_t count, const Taking *taking, Task *task, void *user,
                      int32_t *first, PepaError *err);

#endif
