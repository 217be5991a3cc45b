/* Tasks on threads that stay: every task once, by a worker of its own, whether they sleep or not.
 */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/workers.h"

enum { TASKS = 1000 };

typedef struct {
    int32_t threads;
    atomic_int busy[MOST_WORKERS];  /* tasks under way, per worker */
    atomic_int times[TASKS], wrong; /* how often each was run */
    int32_t plain[TASKS];           /* written without any care by whoever runs a task */
} Log;

static void note(void *user, int32_t index, int32_t worker)
{
    Log *log = user;
    if (worker < 0 || worker >= log->threads || index < 0 || index >= TASKS ||
        atomic_fetch_add(&log->busy[worker], 1) != 0) {
        atomic_fetch_add(&log->wrong, 1);
        return;
    }
    atomic_fetch_add(&log->times[index], 1);
    log->plain[index] += index;
    atomic_fetch_sub(&log->busy[worker], 1);
}

static void expect_run(Workers *workers, int32_t threads, int32_t count)
{
    static Log log;
    memset(&log, 0, sizeof log);
    log.threads = threads;
    for (int32_t run = 1; run <= 3; run++) {
        workers_run(workers, count, note, &log);
        for (int32_t i = 0; i < TASKS; i++) {
            cr_assert_eq(atomic_load(&log.times[i]), i < count ? run : 0, "task %d of %d", i,
                         count);
            cr_assert_eq(log.plain[i], i < count ? run * i : 0);
        }
    }
    cr_assert_eq(atomic_load(&log.wrong), 0);
}

static void sleep_for(int64_t microseconds)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}

Test(workers, every_task_once)
{
    static const int32_t threads[] = {1, 2, 3, 8, MOST_WORKERS, 1000, 0, -5};
    static const int32_t counts[] = {0, 1, 2, 3, 7, TASKS};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        Workers *workers = workers_new(threads[t]);
        int32_t most = threads[t] < 1 ? 1 : threads[t] < MOST_WORKERS ? threads[t] : MOST_WORKERS;
        cr_assert_not_null(workers);
        for (int round = 0; round < 3; round++) { /* at once; some awake; all asleep */
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                expect_run(workers, most, counts[c]);
            sleep_for(round ? 5000 : 50);
        }
        workers_free(workers);
    }
    expect_run(NULL, 1, TASKS);
    workers_free(NULL);
}

Test(workers, that_never_worked)
{
    Workers *workers = workers_new(4);
    cr_assert_not_null(workers);
    workers_free(workers);
}

/* ---- tasks that wait for each other ---------------------------------------------------------- */

static void meet(void *user, int32_t index, int32_t worker)
{
    atomic_int *arrived = user;
    (void)index;
    (void)worker;
    atomic_fetch_add(&arrived[0], 1);
    for (int32_t waits = 0; atomic_load(&arrived[0]) < atomic_load(&arrived[1]); waits++)
        workers_wait(waits);
}

Test(workers, tasks_may_meet)
{
    for (int32_t threads = 2; threads <= 8; threads++) {
        Workers *workers = workers_new(threads);
        cr_assert_not_null(workers);
        cr_assert_eq(workers_ready(workers, 1), 1);
        cr_assert_eq(workers_ready(workers, 100), threads);
        cr_assert_eq(workers_ready(workers, threads), threads);
        for (int32_t run = 0; run < 200; run++) {
            atomic_int arrived[2] = {0, threads};
            if (run % 50 == 49)
                sleep_for(2000);
            workers_run(workers, threads, meet, arrived);
            cr_assert_eq(atomic_load(&arrived[0]), threads);
        }
        workers_free(workers);
    }
    cr_assert_eq(workers_ready(NULL, 5), 1);
}

/* ---- rest ----------------------------------------------------------------------------------- */

static void linger(void *user, int32_t index, int32_t worker)
{
    (void)user;
    (void)worker;
    if (index == 0)
        sleep_for(30000);
}

/* Neither those who have nothing to do, nor who waits for the last task, keep a processor busy. */
Test(workers, rest)
{
    Workers *workers = workers_new(4);
    cr_assert_not_null(workers);
    workers_run(workers, 4, linger, NULL);
    clock_t before = clock();
    for (int i = 0; i < 5; i++)
        workers_run(workers, 4, linger, NULL);
    for (int i = 0; i < 5; i++)
        sleep_for(30000);
    double busy = (double)(clock() - before) / CLOCKS_PER_SEC;
    cr_expect_lt(busy, 0.1, "%g s of processor time in 0.3 s of waiting", busy);
    workers_free(workers);
}
