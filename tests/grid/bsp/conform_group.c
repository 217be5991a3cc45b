/* Checks of groups. */
#include <stddef.h>
#include <unistd.h>

#include "conform.h"

/* One group for pids of each remainder modulo 2: nobody waits for the other group. */
static void group_of_parity(void)
{
    int p = bsp_nprocs(), x = -1, pid = bsp_pid(), next = (pid + 2) % p;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_push_group(pid % 2);
    if (p % 2 == 0) {
        bsp_put(next, &pid, &x, 0, sizeof x);
        bsp_sync_group();
        EXPECT(x == (pid + p - 2) % p);
    }
    bsp_pop_group();
    bsp_pop_reg(&x);
    bsp_sync();
}

/* What goes to another group waits for bsp_sync. */
static void others_wait(void)
{
    int x = -1, pid = bsp_pid(), p = bsp_nprocs(), got = -1, next = (pid + 1) % p, m, b;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_push_group(pid);
    bsp_put(next, &pid, &x, 0, sizeof x);
    bsp_get(next, &x, 0, &got, sizeof x);
    bsp_send(next, NULL, &pid, sizeof pid);
    bsp_sync_group();
    bsp_qsize(&m, &b);
    EXPECT(p == 1 ? x == 0 && got == -1 && m == 1 : x == -1 && got == -1 && m == 0);
    bsp_pop_group();
    bsp_sync();
    bsp_qsize(&m, &b);
    EXPECT(x == (pid + p - 1) % p && got == -1 && m == (p > 1));
    bsp_pop_reg(&x);
    bsp_sync();
}

/* A process that is late was in a group before: that is no mistake. */
static void late_after_group(void)
{
    bsp_push_group(0);
    bsp_sync_group();
    bsp_pop_group();
    if (bsp_pid() == 0)
        (void)sleep(1);
    bsp_sync();
}

/* Groups sync as often as each of them likes. */
static void groups_at_their_own_pace(void)
{
    int count = 0, got = -1, pid = bsp_pid();
    bsp_push_reg(&count, sizeof count);
    bsp_sync();
    bsp_push_group(pid % 3);
    for (int i = 0; i < 10 * (pid % 3); i++) {
        count++;
        bsp_get(pid, &count, 0, &got, sizeof count);
        bsp_sync_group();
        EXPECT(got == count);
    }
    bsp_pop_group();
    bsp_sync();
    EXPECT(count == 10 * (pid % 3));
    bsp_pop_reg(&count);
    bsp_sync();
}

static void groups_within_groups(void)
{
    int x = 0, one = 1, pid = bsp_pid();
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    for (int depth = 0; depth < 4; depth++)
        bsp_push_group(pid >> depth & 1); /* the same low bits as mine */
    bsp_put(pid, &one, &x, 0, sizeof x);
    bsp_sync_group();
    EXPECT(x == 1);
    for (int depth = 0; depth < 4; depth++)
        bsp_pop_group();
    bsp_pop_reg(&x);
    bsp_sync();
}

static void one_machine_is_one_group(void)
{
    int messages, bytes;
    bsp_push_group(BSP_BY_HOST);
    for (int q = 0; q < bsp_nprocs(); q++)
        bsp_send(q, NULL, NULL, 0);
    bsp_sync_group();
    bsp_qsize(&messages, &bytes);
    EXPECT(messages >= 1 && messages <= bsp_nprocs());
    bsp_pop_group();
    bsp_sync();
}

/* Processes of one machine are in one cluster. */
static void clusters_are_groups(void)
{
    int messages, bytes, host_size;
    bsp_push_group(BSP_BY_HOST);
    for (int q = 0; q < bsp_nprocs(); q++)
        bsp_send(q, NULL, NULL, 0);
    bsp_sync_group();
    bsp_qsize(&host_size, &bytes);
    bsp_pop_group();
    bsp_sync();
    bsp_push_group(BSP_BY_CLUSTER);
    for (int q = 0; q < bsp_nprocs(); q++)
        bsp_send(q, NULL, NULL, 0);
    bsp_sync_group();
    bsp_qsize(&messages, &bytes);
    EXPECT(messages >= host_size && messages <= bsp_nprocs());
    bsp_pop_group();
    bsp_sync();
    /* Of some processes, the others by a number. */
    bsp_push_group(bsp_pid() % 2 ? BSP_BY_CLUSTER : 7);
    bsp_sync_group();
    bsp_pop_group();
    bsp_sync();
}

const Check group_checks[] = {CHECK(group_of_parity),      CHECK(others_wait),
                              CHECK(late_after_group),     CHECK(groups_at_their_own_pace),
                              CHECK(groups_within_groups), CHECK(one_machine_is_one_group),
                              CHECK(clusters_are_groups),  {0}};
