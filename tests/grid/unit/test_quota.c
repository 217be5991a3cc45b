/* A process whose share of a processor is limited works at full speed and pauses. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* affinity */
#endif
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "grid/machine/waits.h"
#include "grid/steer/agreement.h"
#include "virtual.h"

/* ---- waiting for a processor ---------------------------------------------------------------- */

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    cr_assert_eq(clock_gettime(clock, &now), 0);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void work_until(double end)
{
    while (seconds_of(CLOCK_MONOTONIC) < end)
        ;
}

static void *compete(void *end)
{
    work_until(*(const double *)end);
    return NULL;
}

/* Two threads have one processor: what one of them does not run, it waits.  One that sleeps waits
 * for something else. */
Test(quota, a_thread_is_told_what_it_waits)
{
    int file = waits_open();
    if (file < 0)
        cr_skip_test("this system does not tell");
    cpu_set_t before, one;
    cr_assert_eq(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (size_t k = 0, found = 0; k < CPU_SETSIZE && !found; k++)
        if (CPU_ISSET(k, &before)) {
            CPU_SET(k, &one);
            found = 1;
        }
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    double begin = seconds_of(CLOCK_MONOTONIC), ran = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    double waited = waits_so_far(file), end = begin + 0.3;
    pthread_t other;
    cr_assert_eq(pthread_create(&other, NULL, compete, &end), 0);
    work_until(end);
    cr_assert_eq(pthread_join(other, NULL), 0);
    double wall = seconds_of(CLOCK_MONOTONIC) - begin;
    double missing = wall - (seconds_of(CLOCK_THREAD_CPUTIME_ID) - ran);
    waited = waits_so_far(file) - waited;
    cr_expect_gt(missing, 0.2 * wall, "the other thread ran as well");
    /* where the tests themselves have a quota, Linux forgets some of its pauses */
    cr_expect(waited > missing / 3 && waited < missing + 0.1 * wall, "waited %g of %g s", waited,
              missing);

    waited = waits_so_far(file);
    (void)nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    cr_expect_lt(waits_so_far(file) - waited, 0.05);
    waits_close(file);
    cr_expect_eq(waits_so_far(-1), 0);
}

/* ---- agreement ------------------------------------------------------------------------------ */

static bool see(Agreement *a, int decisions, double seen, double predicted)
{
    bool changed = false;
    for (int k = 0; k < decisions; k++)
        changed |= agreement_see(a, seen, predicted);
    return changed;
}

Test(quota, pauses_count_where_a_run_is_slow_for_long)
{
    Agreement a = {0};
    cr_expect_not(see(&a, 2, 9, 30), "two decisions can be chance");
    cr_expect_not(see(&a, 1, 25, 30));
    cr_expect_not(see(&a, 2, 9, 30), "they are to be in a row");
    cr_expect(see(&a, 1, 9, 30));
    cr_expect(a.whole);
    cr_expect_not(see(&a, 9, 9, 9), "it agrees now");
    cr_expect_not(see(&a, 2, 30, 15));
    cr_expect(see(&a, 1, 30, 15), "they were disturbances");
    cr_expect_not(a.whole);
}

Test(quota, few_items_tell_nothing)
{
    Agreement a = {0};
    cr_expect_not(see(&a, 19, 0.5, 2));
    cr_expect(see(&a, 1, 0.5, 2), "40 are enough");
}

Test(quota, what_a_mapping_gave_before_is_what_it_is_compared_with)
{
    Agreement a = {0};
    cr_expect_not(see(&a, 5, 45, 30), "durations that hardly vary: half more than the model says");
    cr_expect(see(&a, 3, 30, 30), "a third has gone");
    a = (Agreement){0};
    cr_expect_not(see(&a, 5, 45, 30));
    agreement_moved(&a);
    cr_expect_not(see(&a, 9, 30, 30), "another mapping has another ratio");
    agreement_moved(&a);
    cr_expect_not(see(&a, 1, 0, 30), "the move itself");
    cr_expect_not(see(&a, 2, 0, 30));
}

/* ---- the monitor ---------------------------------------------------------------------------- */

/* A hundred services of stage 0 on process 0, every tenth of which takes 40 times as long and waits
 * for so many of these; probes are as at first. */
static GridMonitor *see_services(AmogetDescription *desc, int measured, int waited)
{
    GridMonitor *monitor = grid_monitor_new(desc, &(GridMonitorSettings){.adjust_work = measured});
    for (int k = 0; k < 100; k++) {
        int factor = k % 10 == 0 ? 40 : 1;
        if (k % 10 == 0)
            see_probe(monitor, 0.1 * k, 0, 1e-3);
        if (k == 60) /* the first ones made the work known */
            update(monitor, 0.1 * k);
        grid_monitor_observe(monitor,
                             &(GridSample){.kind = GRID_SERVICE,
                                           .a = 0,
                                           .b = 0,
                                           .bytes = 1,
                                           .seconds = 0.2 * factor,
                                           .time = 0.1 * k,
                                           .waited = factor > 1 ? 0.2 * waited : 0},
                             1);
    }
    update(monitor, 10);
    return monitor;
}

/* Where works are given, all that a service takes is its process's; a process that gives each of its
 * services a quarter of the time is four times slower at once. */
Test(quota, given_works_count_what_services_wait)
{
    AmogetDescription *desc = make_description(1, 1);
    GridMonitor *monitor = grid_monitor_new(desc, NULL);
    for (int k = 0; k < 40; k++)
        grid_monitor_observe(monitor,
                             &(GridSample){.kind = GRID_SERVICE,
                                           .seconds = 0.8,
                                           .time = 0.1 * k,
                                           .waited = 0.6},
                             1);
    update(monitor, 4);
    expect_near(pace_of(desc, 0), 0.8, 1e-9);
    grid_monitor_free(monitor);
    amoget_free(desc);
}

/* What services wait lowers the process's speed once it counts; what they take beyond that is the
 * work of their stage. */
Test(quota, waiting_is_the_process_and_the_rest_is_the_work)
{
    for (int waited = 39; waited >= 0; waited -= 39) {
        AmogetDescription *desc = make_description(1, 1);
        GridMonitor *monitor = see_services(desc, 1, waited);
        double pace = pace_of(desc, 0), service = pace * amoget_work(desc, 0);
        expect_near(service, 0.2, 0.01);
        int32_t mapping[] = {0};
        double share[] = {0, 1, 0};
        double error = grid_monitor_error(monitor, mapping, share, NULL, NULL);
        grid_monitor_count_whole(monitor, 1);
        update(monitor, 10);
        expect_near(pace_of(desc, 0) * amoget_work(desc, 0), 0.2 * 4.9, 0.2); /* (9 + 40) / 10 */
        expect_near(pace_of(desc, 0), waited > 0 ? 4.9 * pace : pace, 0.2);
        cr_expect_gt(grid_monitor_error(monitor, mapping, share, NULL, NULL), 1.5 * error);
        grid_monitor_count_whole(monitor, 0);
        update(monitor, 10);
        expect_near(pace_of(desc, 0) * amoget_work(desc, 0), 0.2, 0.01);
        grid_monitor_free(monitor);
        amoget_free(desc);
    }
}

/* ---- in a run ------------------------------------------------------------------------------- */

/* A process in use gets a fifth of its processor.  Within eight decisions nothing runs there, and
 * nothing returns, though its probes are as quick as ever. */
static void limit(uint64_t seed, GridMonitorSettings how)
{
    GridReschedulerSettings set = grid_rescheduler_default();
    Virtual v = virtual_new(three_equal_stages(), three_equal_stages(), &how, &set);
    v.noise = (Noise){100 * seed, 0.1, 0};
    v.probe_noise = (Noise){100 * seed + 1, 0.05, 0};
    v.waits_are_told = how.adjust_work;
    v.period = 5;
    for (uint64_t k = 0; k < 8 + seed % 5; k++)
        (void)virtual_period(&v);
    v.limited = v.mapping[seed % 3];
    (void)amoget_set_availability(amoget_machine(v.truth), v.limited, 0.2, NULL);
    cr_expect_lt(virtual_now(&v), 0.5 * virtual_best(&v), "it has slowed down");
    int moves = 0;
    for (int k = 0; k < 30; k++) {
        moves += virtual_period(&v);
        bool good = virtual_now(&v) >= 0.9 * virtual_best(&v);
        cr_expect(good || k < 8, "works %s, seed %d: %.2f of the best after %d decisions",
                  how.adjust_work ? "measured" : "given", (int)seed,
                  virtual_now(&v) / virtual_best(&v), k + 1);
    }
    cr_expect_leq(moves, 3, "%d moves", moves);
    virtual_free(&v);
}

Test(quota, stages_leave_a_process_that_pauses)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        limit(seed, (GridMonitorSettings){0});
        limit(seed, (GridMonitorSettings){.adjust_work = 1});
    }
}
