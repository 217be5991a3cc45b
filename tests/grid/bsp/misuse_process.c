/* Mistakes with processes and groups. */
#include "misuse.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void begin_twice(void)
{
    bsp_begin(2);
}

static void init_inside(void)
{
    bsp_init(begin_twice, 0, NULL);
}

static void end_while_others_sync(void)
{
    if (is(1))
        bsp_end();
    bsp_sync();
}

static void end_first_while_others_sync(void)
{
    if (is(0))
        bsp_end();
    bsp_sync();
}

static void exit_without_end(void)
{
    if (is(1))
        exit(0);
    bsp_sync();
}

/* No exit function runs. */
static void exit_at_once(void)
{
    if (is(1))
        _exit(0);
    bsp_sync();
}

static void exit_of_all(void)
{
    exit(0);
}

static void aborts(void)
{
    if (is(1))
        bsp_abort("gave up after %d of %s", 3, "them");
    bsp_sync();
}

static void is_killed(void)
{
    bsp_sync();
    bsp_sync();
    if (is(1))
        (void)raise(SIGKILL);
    bsp_sync();
}

static void is_killed_first(void)
{
    if (is(0))
        (void)raise(SIGSEGV);
    bsp_sync();
}

static void pop_group(void)
{
    bsp_pop_group();
}

static void group_negative(void)
{
    bsp_push_group(-3);
}

static void groups_too_deep(void)
{
    for (int i = 0; i < 9; i++)
        bsp_push_group(0);
}

static void end_in_group(void)
{
    bsp_push_group(0);
    bsp_push_group(0);
    bsp_pop_group();
    bsp_push_group(0);
    bsp_end();
}

/* The others leave their groups. */
static void end_in_group_of_one(void)
{
    bsp_push_group(bsp_pid() % 2);
    if (is(0))
        bsp_end();
    bsp_pop_group();
    bsp_sync();
}

static void sync_and_push_group(void)
{
    if (is(0))
        bsp_push_group(0);
    bsp_sync();
}

/* Process 0 has left the group in which the others end a superstep. */
static void left_group(void)
{
    bsp_push_group(0);
    if (is(0))
        bsp_pop_group();
    bsp_sync_group();
}

static void left_one_of_two_groups(void)
{
    bsp_push_group(0);
    bsp_push_group(bsp_pid() / 2);
    if (is(1))
        bsp_pop_group();
    bsp_sync_group();
}

static void sync_while_others_are_in_group(void)
{
    bsp_push_group(0);
    if (is(0))
        bsp_sync();
    bsp_sync_group();
}

static void leave_group_and_end(void)
{
    bsp_pop_group();
    bsp_end();
}

static void end_while_others_are_in_group(void)
{
    bsp_push_group(0);
    if (is(1))
        leave_group_and_end();
    bsp_sync_group();
}

/* The others wait already. */
static void end_late_while_others_are_in_group(void)
{
    bsp_push_group(0);
    if (is(1)) {
        (void)sleep(1);
        leave_group_and_end();
    }
    bsp_sync_group();
}

static void push_while_others_are_in_group(void)
{
    bsp_push_group(0);
    if (is(0))
        bsp_pop_group();
    if (is(0))
        bsp_push_group(0);
    bsp_sync_group();
}

/* The group of the others goes on without them for a while. */
static void left_while_group_is_late(void)
{
    bsp_push_group(bsp_pid() / 2);
    if (bsp_pid() / 2 == 1)
        (void)sleep(1);
    if (is(1))
        bsp_pop_group();
    bsp_sync_group();
}

const Misuse misuse_process[] = {
    MISUSE(begin_twice),
    MISUSE(init_inside),
    MISUSE(end_while_others_sync),
    MISUSE(end_first_while_others_sync),
    MISUSE(exit_without_end),
    MISUSE(exit_at_once),
    MISUSE(exit_of_all),
    MISUSE(aborts),
    MISUSE(is_killed),
    MISUSE(is_killed_first),
    MISUSE(pop_group),
    MISUSE(group_negative),
    MISUSE(end_in_group),
    MISUSE(end_in_group_of_one),
    MISUSE(groups_too_deep),
    MISUSE(sync_and_push_group),
    MISUSE(left_group),
    MISUSE(left_one_of_two_groups),
    MISUSE(sync_while_others_are_in_group),
    MISUSE(end_while_others_are_in_group),
    MISUSE(end_late_while_others_are_in_group),
    MISUSE(push_while_others_are_in_group),
    MISUSE(left_while_group_is_late),
    {NULL, NULL},
};
