#include "amoget/crew.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct {
    Task *task;
    void *user;
    int64_t count;
    atomic_llong next; /* the first task that nobody has taken */
} Job;

typedef struct {
    Job *job;
    int worker;
    pthread_t thread;
    int64_t failed; /* index of the task that failed; count: none */
    PepaStatus status;
    PepaError err;
} Hand;

/* Tasks are taken in order, and every task taken is finished: whatever the timing, all tasks before
 * the first that fails have been run. */
static void *work(void *argument)
{
    Hand *hand = argument;
    Job *job = hand->job;
    for (;;) {
        int64_t index = (int64_t)atomic_fetch_add(&job->next, 1);
        if (index >= job->count)
            return NULL;
        hand->status = job->task(job->user, index, hand->worker, &hand->err);
        if (hand->status != PEPA_OK) {
            hand->failed = index;
            atomic_store(&job->next, (long long)job->count);
            return NULL;
        }
    }
}

PepaStatus crew_run(int threads, int64_t count, Task *task, void *user, PepaError *err)
{
    Job job = {.task = task, .user = user, .count = count};
    Hand hands[MOST_THREADS];
    int hired = 1, most = threads < MOST_THREADS ? threads : MOST_THREADS;
    atomic_init(&job.next, 0);
    for (int w = 0; w < most; w++)
        hands[w] = (Hand){.job = &job, .worker = w, .failed = count};
    while (hired < most && hired < count &&
           pthread_create(&hands[hired].thread, NULL, work, &hands[hired]) == 0)
        hired++;
    (void)work(&hands[0]);
    const Hand *first = &hands[0];
    for (int w = 1; w < hired; w++) {
        (void)pthread_join(hands[w].thread, NULL);
        if (hands[w].failed < first->failed)
            first = &hands[w];
    }
    if (first->status != PEPA_OK && err)
        *err = first->err;
    return first->status;
}
