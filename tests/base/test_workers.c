/* Tasks on threads that stay: every task once, by a worker of its own, whether they sleep or not.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

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

/* Threads of this process that run, or could if they had a processor; -1: the system does not tell.
 * After the name in brackets, a thread's line has its state: `R` for these. */
static int32_t awake(void)
{
    char path[300], line[400];
    int32_t count = 0;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *one; threads && (one = readdir(threads));) {
        (void)snprintf(path, sizeof path, "/proc/self/task/%s/stat", one->d_name);
        FILE *from = one->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (!from)
            continue;
        size_t length = fread(line, 1, sizeof line - 1, from);
        line[length] = '\0';
        const char *name_end = strrchr(line, ')');
        count += name_end && strncmp(name_end, ") R", 3) == 0;
        (void)fclose(from);
    }
    if (threads)
        (void)closedir(threads);
    return threads ? count : -1;
}

/* Wait, however long it takes, until of all threads but this one at most `others` are awake. */
static void await_sleep(int32_t others)
{
    while (awake() > 1 + others)
        (void)sched_yield();
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
            await_sleep(round ? 0 : most / 2);
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
                await_sleep(0);
            workers_run(workers, threads, meet, arrived);
            cr_assert_eq(atomic_load(&arrived[0]), threads);
        }
        workers_free(workers);
    }
    cr_assert_eq(workers_ready(NULL, 5), 1);
}

/* ---- rest ----------------------------------------------------------------------------------- */

/* The first task ends when nobody else is awake. */
static void linger(void *user, int32_t index, int32_t worker)
{
    (void)user;
    (void)worker;
    if (index == 0)
        await_sleep(0);
}

/* Neither those who have nothing to do, nor who waits for the last task, keep a processor busy: who
 * never slept would keep this test from its end. */
Test(workers, rest, .timeout = 60)
{
    Workers *workers = workers_new(4);
    cr_assert_not_null(workers);
    for (int i = 0; i < 5; i++)
        workers_run(workers, 4, linger, NULL);
    await_sleep(0);
    workers_free(workers);
}
