/* Tasks that can fail, on the library's workers. */
#include "amoget/search/tasks.h"

#include <stdatomic.h>

/* What went wrong on one worker: the first of its tasks that failed. */
typedef struct {
    int32_t index;
    PepaStatus status; /* PEPA_OK: none failed */
    PepaError err;
} Failure;

typedef struct {
    Task *task;
    void *user;
    atomic_int first; /* the smallest index that failed so far; count: none */
    Failure failure[MOST_WORKERS];
} Job;

/* Tasks begin in the order of their numbers: none before the first failure is left out. */
static void run_one(void *user, int32_t index, int32_t worker)
{
    Job *job = user;
    Failure *mine = &job->failure[worker];
    int first = atomic_load(&job->first);
    if (index > first)
        return;
    mine->status = job->task(job->user, index, worker, &mine->err);
    if (mine->status == PEPA_OK)
        return;
    mine->index = index;
    while (index < first && !atomic_compare_exchange_weak(&job->first, &first, index))
        continue;
}

PepaStatus tasks_run(Workers *workers, int32_t count, Task *task, void *user, PepaError *err)
{
    Job job = {.task = task, .user = user};
    const Failure *first = NULL;
    atomic_init(&job.first, count);
    workers_run(workers, count, run_one, &job);
    for (int w = 0; w < MOST_WORKERS; w++)
        if (job.failure[w].status != PEPA_OK && (!first || job.failure[w].index < first->index))
            first = &job.failure[w];
    if (first && err)
        *err = first->err;
    return first ? first->status : PEPA_OK;
}
