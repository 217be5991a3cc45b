/* Tasks that can fail: each is run once, and the first failure is the one reported. */
#include <criterion/criterion.h>
#include <stdatomic.h>

#include "amoget/search/tasks.h"

typedef struct {
    atomic_int done[1000], in_use[8];
    int32_t bad; /* this one and all from bad + 3 on fail; -1: none */
} Work;

static PepaStatus task(void *user, int32_t index, int32_t worker, PepaError *err)
{
    Work *work = user;
    cr_assert_eq(atomic_fetch_add(&work->in_use[worker], 1), 0, "two tasks share a worker");
    atomic_fetch_add(&work->done[index], 1);
    atomic_fetch_sub(&work->in_use[worker], 1);
    if (work->bad >= 0 && (index == work->bad || index >= work->bad + 3))
        return error_set(err, PEPA_ENOCONV, "task %d", (int)index);
    return PEPA_OK;
}

Test(tasks, every_task_is_done_once_whatever_the_number_of_threads)
{
    for (int threads = 1; threads <= 8; threads++) {
        static Work work;
        work = (Work){.bad = -1};
        Workers *workers = workers_new(threads);
        cr_assert_eq(tasks_run(workers, 1000, task, &work, NULL), PEPA_OK);
        workers_free(workers);
        for (int i = 0; i < 1000; i++)
            cr_assert_eq(work.done[i], 1);
    }
}

Test(tasks, of_several_failures_the_first_is_told)
{
    for (int threads = 1; threads <= 8; threads++) {
        static Work work;
        PepaError err = {0};
        work = (Work){.bad = 400};
        Workers *workers = workers_new(threads);
        cr_assert_eq(tasks_run(workers, 1000, task, &work, &err), PEPA_ENOCONV);
        workers_free(workers);
        cr_assert_str_eq(err.message, "task 400");
        for (int i = 0; i <= 400; i++)
            cr_assert_eq(work.done[i], 1);
        cr_assert_eq(work.done[999], 0);
    }
}

Test(tasks, nothing_to_do)
{
    static Work work;
    cr_assert_eq(tasks_run(NULL, 0, task, &work, NULL), PEPA_OK);
}
