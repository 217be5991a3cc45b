/* Whether a sweep goes by its plan or by one thread. */
#include <criterion/criterion.h>

#include "solvers/schedule/schedule.h"

enum { TASKS = 3 };

typedef struct {
    int done[TASKS], alone;
} Seen;

static void do_task(void *user, int32_t task, int32_t worker)
{
    cr_expect_eq(worker, 0);
    ((Seen *)user)->done[task]++;
}

static void do_all(void *user)
{
    Seen *seen = user;
    seen->alone++;
    for (int32_t task = 0; task < TASKS; task++)
        seen->done[task]++;
}

/* By one thread, the caller, so that nothing depends on others. */
static const Plan plan = {.threads = 1,
                          .tasks = TASKS,
                          .order = (int32_t[]){2, 0, 1},
                          .before = (uint64_t[TASKS]){0},
                          .after = (uint64_t[TASKS]){0}};

static bool sweep(Runner *runner, int32_t kind)
{
    Seen seen = {0};
    const Sweeping sweeping = {.task = do_task, .alone = do_all, .user = &seen};
    bool together = runner_sweep(runner, kind, false, &sweeping);
    for (int32_t task = 0; task < TASKS; task++)
        cr_expect_eq(seen.done[task], 1);
    cr_expect_eq(seen.alone, !together);
    return together;
}

Test(runner, no_plan_is_followed_where_there_is_none)
{
    Runner runner = {0};
    for (int k = 0; k < 3; k++)
        cr_expect_not(sweep(&runner, 0));
}

/* The first sweep may be the only one. */
Test(runner, tries_the_plan_first_and_then_one_thread)
{
    Runner runner = {0};
    cr_assert(runner_follow(&runner, &plan));
    for (int32_t kind = 0; kind < 2; kind++) {
        cr_expect(sweep(&runner, kind));
        cr_expect_not(sweep(&runner, kind));
    }
}

Test(runner, goes_on_as_was_quicker_and_tries_the_other_kind_in_the_end)
{
    for (int together = 0; together < 2; together++) {
        Runner runner = {0};
        cr_assert(runner_follow(&runner, &plan));
        const double quick = 1e8, slow = 1e9; /* seconds: longer than any sweep of this test */
        runner.pace[0] = (Pace){together ? slow : quick, together ? quick : slow, 0, 2};
        cr_expect_eq(sweep(&runner, 0), together);
        cr_expect_eq(sweep(&runner, 0), together);
        cr_expect_eq(sweep(&runner, 0), !together, "a trial of the other kind");
    }
}
