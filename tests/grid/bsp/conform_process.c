/* Checks of processes and supersteps. */
#include "conform.h"

static void pid_in_range(void)
{
    EXPECT(bsp_pid() >= 0 && bsp_pid() < bsp_nprocs());
}

static void nprocs_stays(void)
{
    int before = bsp_nprocs();
    bsp_sync();
    EXPECT(bsp_nprocs() == before && before >= 1);
}

static void pid_stays(void)
{
    int before = bsp_pid();
    bsp_sync();
    EXPECT(bsp_pid() == before);
}

static void pids_differ(void)
{
    int seen[64] = {0}, one = 1, p = bsp_nprocs();
    bsp_push_reg(seen, sizeof seen);
    bsp_sync();
    for (int q = 0; q < p && p <= 64; q++)
        bsp_put(q, &one, seen, bsp_pid() * (int)sizeof one, sizeof one);
    bsp_pop_reg(seen);
    bsp_sync();
    for (int q = 0; q < p && p <= 64; q++)
        EXPECT(seen[q] == 1);
}

static void time_passes(void)
{
    double before = bsp_time();
    EXPECT(before >= 0);
    for (int i = 0; i < 100; i++)
        bsp_sync();
    EXPECT(bsp_nprocs() == 1 || bsp_time() > before);
}

static void time_is_seconds(void)
{
    /* A superstep on one machine takes far less than ten seconds, and time is not in milliseconds. */
    double before = bsp_time();
    bsp_sync();
    EXPECT(bsp_time() - before < 10);
    EXPECT(bsp_time() < 600);
}

static void empty_supersteps(void)
{
    for (int i = 0; i < 100; i++)
        bsp_sync();
    EXPECT(1);
}

/* Nobody passes a superstep before all have come to its end. */
static void sync_is_a_barrier(void)
{
    int count = 0, p = bsp_nprocs();
    bsp_push_reg(&count, sizeof count);
    bsp_sync();
    for (int round = 1; round <= 5; round++) {
        int sum = 0, got[64] = {0};
        count = round;
        for (int q = 0; q < p && q < 64; q++)
            bsp_get(q, &count, 0, &got[q], sizeof *got);
        bsp_sync();
        for (int q = 0; q < p && q < 64; q++)
            sum += got[q] == round;
        EXPECT(sum == (p < 64 ? p : 64));
    }
    bsp_pop_reg(&count);
}

const Check process_checks[] = {{"pid_in_range", pid_in_range},
                                {"nprocs_stays", nprocs_stays},
                                {"pid_stays", pid_stays},
                                {"pids_differ", pids_differ},
                                {"time_passes", time_passes},
                                {"time_is_seconds", time_is_seconds},
                                {"empty_supersteps", empty_supersteps},
                                {"sync_is_a_barrier", sync_is_a_barrier},
                                {0}};
