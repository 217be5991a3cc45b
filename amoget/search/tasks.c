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
    int32_t count;
    const Taking *taking;
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

static void run_taken(void *user, int32_t index, int32_t worker)
{
    Job *job = user;
    (void)index;
    for (int64_t k = job->taking->next(job->taking->user); k < job->count;
         k = job->taking->next(job->taking->user))
        run_one(job, (int32_t)k, worker);
}

static PepaStatus first_failure(const Job *job, int32_t *index, PepaError *err)
{
    const Failure *first = NULL;
    for (int w = 0; w < MOST_WORKERS; w++)
        if (job->failure[w].status != PEPA_OK && (!first || job->failure[w].index < first->index))
            first = &job->failure[w];
    if (first && err)
        *err = first->err;
    *index = first ? first->index : job->count;
    return first ? first->status : PEPA_OK;
}

PepaStatus tasks_run(Workers *workers, int32_t count, Task *task, void *user, PepaError *err)
{
    Job job = {.task = task, .user = user, .count = count};
    int32_t first;
    atomic_init(&job.first, count);
    workers_run(workers, count, run_one, &job);
    return first_failure(&job, &first, err);
}

PepaStatus tasks_take(Workers *workers, int32_t count, const Taking *taking, Task *task, void *user,
                      int32_t *first, PepaError *err)
{
    Job job = {.task = task, .user = user, .count = count, .taking = taking};
    atomic_init(&job.first, count);
    workers_run(workers, workers_ready(workers, count), run_taken, &job);
    return first_failure(&job, first, err);
}
