#include "base/workers.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct {
    WorkTask *task;
    void *user;
    int32_t count;
    atomic_int next; /* the first task that nobody has taken */
} Job;

typedef struct {
    Job *job;
    int32_t worker;
    pthread_t thread;
} Member;

static void *work(void *argument)
{
    const Member *member = argument;
    Job *job = member->job;
    for (;;) {
        int32_t index = atomic_fetch_add(&job->next, 1);
        if (index >= job->count)
            return NULL;
        job->task(job->user, index, member->worker);
    }
}

void workers_run(int32_t threads, int32_t count, WorkTask *task, void *user)
{
    Job job = {.task = task, .user = user, .count = count};
    Member members[MOST_WORKERS];
    int32_t most = threads < MOST_WORKERS ? threads : MOST_WORKERS, hired = 1;
    atomic_init(&job.next, 0);
    members[0] = (Member){.job = &job, .worker = 0};
    for (; hired < most && hired < count; hired++) {
        members[hired] = (Member){.job = &job, .worker = hired};
        if (pthread_create(&members[hired].thread, NULL, work, &members[hired]) != 0)
            break;
    }
    (void)work(&members[0]);
    for (int32_t i = 1; i < hired; i++)
        (void)pthread_join(members[i].thread, NULL);
}
