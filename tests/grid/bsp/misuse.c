/* Programs that make one mistake each: misuse NAME.  misuse.txt says what they must print. */
#include <bsp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *name;
    void (*run)(void); /* after bsp_begin and one superstep in which x and y were registered */
} Misuse;

static int x[4], y[4], size;
static void *pointer;

static int is(int pid)
{
    return bsp_pid() == pid;
}

/* ---- DRMA ----------------------------------------------------------------------------------- */

#define PUT(name, ...)                                                                             \
    static void put_##name(void)                                                                   \
    {                                                                                              \
        if (is(1))                                                                                 \
            bsp_put(__VA_ARGS__);                                                                  \
    }                                                                                              \
    static void hpput_##name(void)                                                                 \
    {                                                                                              \
        if (is(1))                                                                                 \
            bsp_hpput(__VA_ARGS__);                                                                \
    }
#define GET(name, ...)                                                                             \
    static void get_##name(void)                                                                   \
    {                                                                                              \
        if (is(1))                                                                                 \
            bsp_get(__VA_ARGS__);                                                                  \
    }                                                                                              \
    static void hpget_##name(void)                                                                 \
    {                                                                                              \
        if (is(1))                                                                                 \
            bsp_hpget(__VA_ARGS__);                                                                \
    }
static int local[4];
PUT(offset, 0, y, x, -4, 4)
PUT(size, 0, y, x, 0, -4)
PUT(beyond, 0, y, x, 13, 4)
PUT(far, 0, y, x, 2147483647, 2147483647)
PUT(unregistered, 0, y, local, 0, 4)
PUT(null, 0, y, NULL, 0, 4)
PUT(source, 0, NULL, x, 0, 4)
PUT(pid, bsp_nprocs(), y, x, 0, 4)
PUT(negative_pid, -1, y, x, 0, 4)
PUT(inside, 0, y, x + 1, 0, 4)
GET(offset, 0, x, -4, y, 4)
GET(size, 0, x, 0, y, -4)
GET(beyond, 0, x, 13, y, 4)
GET(unregistered, 0, local, 0, y, 4)
GET(null, 0, NULL, 0, y, 4)
GET(destination, 0, x, 0, NULL, 4)
GET(pid, bsp_nprocs(), x, 0, y, 4)
GET(negative_pid, -1, x, 0, y, 4)

/* After a put to the same registration, which is remembered. */
static void put_word_beyond(void)
{
    if (is(1)) {
        bsp_put(0, y, x, 0, 8);
        bsp_put(0, y, x, 12, 8);
    }
}

/* Puts of numbers at equal distances, until one is wrong. */
static void put_run(int first, int distance)
{
    for (int i = 0; i < 9 && is(1); i++)
        bsp_put(0, y, x, first + i * distance, 8);
}

static void put_run_beyond(void)
{
    put_run(0, 2);
}

static void put_run_below(void)
{
    put_run(8, -3);
}

static void put_to_null(void)
{
    bsp_push_reg(is(0) ? NULL : local, is(0) ? 0 : sizeof local);
    bsp_sync();
    if (is(1))
        bsp_put(0, y, local, 0, 4);
}

static void get_from_null(void)
{
    bsp_push_reg(is(0) ? NULL : local, is(0) ? 0 : sizeof local);
    bsp_sync();
    if (is(1))
        bsp_get(0, local, 0, y, 4);
}

static void put_too_soon(void)
{
    bsp_push_reg(local, sizeof local);
    bsp_put(0, y, local, 0, 4);
}

static void put_after_pop(void)
{
    bsp_pop_reg(x);
    bsp_sync();
    bsp_put(0, y, x, 0, 4);
}

static void push_negative(void)
{
    if (is(1))
        bsp_push_reg(local, -1);
}

static void push_null(void)
{
    if (is(1))
        bsp_push_reg(NULL, 4);
}

static void push_on_some(void)
{
    if (is(1))
        bsp_push_reg(local, 4);
    bsp_sync();
}

static void push_twice_on_one(void)
{
    bsp_push_reg(local, 4);
    if (is(0))
        bsp_push_reg(local, 4);
    bsp_sync();
}

static void pop_on_some(void)
{
    if (is(0))
        bsp_pop_reg(x);
    bsp_sync();
}

static void pop_unregistered(void)
{
    if (is(1))
        bsp_pop_reg(local);
}

static void pop_twice(void)
{
    bsp_pop_reg(x);
    bsp_pop_reg(x);
}

static void pop_different(void)
{
    bsp_pop_reg(is(0) ? x : y);
    bsp_sync();
}

static void pop_in_different_orders(void)
{
    bsp_pop_reg(is(0) ? x : y);
    bsp_pop_reg(is(0) ? y : x);
    bsp_sync();
}

static void push_and_pop_in_different_orders(void)
{
    if (is(0)) {
        bsp_push_reg(local, 4);
        bsp_pop_reg(x);
    } else {
        bsp_pop_reg(x);
        bsp_push_reg(local, 4);
    }
    bsp_sync();
}

static void pop_null_never_registered(void)
{
    bsp_pop_reg(NULL);
    bsp_sync();
}

static void pop_null_of_others(void)
{
    bsp_push_reg(is(0) ? NULL : local, 0);
    bsp_push_reg(is(0) ? local : NULL, 0);
    bsp_pop_reg(NULL);
    bsp_sync();
}

static void pop_null_instead(void)
{
    bsp_pop_reg(is(0) ? x : NULL);
    bsp_sync();
}

/* ---- BSMP ----------------------------------------------------------------------------------- */

static void tagsize_null(void)
{
    if (is(1))
        bsp_set_tagsize(NULL);
}

static void tagsize_negative(void)
{
    size = -1;
    if (is(1))
        bsp_set_tagsize(&size);
}

static void tagsize_differs(void)
{
    size = is(0) ? 4 : 8;
    bsp_set_tagsize(&size);
    bsp_sync();
}

static void tagsize_on_some(void)
{
    size = 4;
    if (is(1))
        bsp_set_tagsize(&size);
    bsp_sync();
}

static void tagsize_more_often_on_some(void)
{
    size = 0;
    if (is(1))
        bsp_set_tagsize(&size);
    bsp_sync();
}

static void tags_of(int bytes)
{
    size = bytes;
    bsp_set_tagsize(&size);
    bsp_sync();
}

static void tagsize_twice_on_one(void)
{
    tags_of(4);
    for (int i = is(0) ? 0 : 1; i < 2; i++) {
        size = 4;
        bsp_set_tagsize(&size);
    }
    bsp_sync();
}

static void send_pid(void)
{
    if (is(1))
        bsp_send(bsp_nprocs(), NULL, NULL, 0);
}

static void send_negative_pid(void)
{
    if (is(1))
        bsp_send(-1, NULL, NULL, 0);
}

static void send_negative(void)
{
    if (is(1))
        bsp_send(0, NULL, x, -1);
}

static void send_null(void)
{
    if (is(1))
        bsp_send(0, NULL, NULL, 4);
}

static void send_null_tag(void)
{
    tags_of(4);
    if (is(1))
        bsp_send(0, NULL, x, 4);
}

static void qsize_null(void)
{
    if (is(1))
        bsp_qsize(NULL, &size);
}

static void qsize_null_bytes(void)
{
    if (is(1))
        bsp_qsize(&size, NULL);
}

static void get_tag_null_status(void)
{
    if (is(1))
        bsp_get_tag(NULL, x);
}

static void get_tag_null(void)
{
    tags_of(4);
    bsp_send(1, x, NULL, 0);
    bsp_sync();
    if (is(1))
        bsp_get_tag(&size, NULL);
}

static void move_nothing(void)
{
    if (is(1))
        bsp_move(x, 4);
}

static void move_negative(void)
{
    bsp_send(bsp_pid(), NULL, x, 4);
    bsp_sync();
    if (is(1))
        bsp_move(x, -4);
}

static void move_null(void)
{
    bsp_send(bsp_pid(), NULL, x, 4);
    bsp_sync();
    if (is(1))
        bsp_move(NULL, 4);
}

static void hpmove_null_tag(void)
{
    if (is(1))
        (void)bsp_hpmove(NULL, &pointer);
}

static void hpmove_null_payload(void)
{
    if (is(1))
        (void)bsp_hpmove(&pointer, NULL);
}

/* ---- processes ------------------------------------------------------------------------------ */

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

#define MISUSE(name)                                                                               \
    {                                                                                              \
#name, name                                                                                \
    }
#define BOTH(name)                                                                                 \
    {#name, name},                                                                                 \
    {                                                                                              \
        "hp" #name, hp##name                                                                       \
    }
static const Misuse misuses[] = {
    BOTH(put_offset),
    BOTH(put_size),
    BOTH(put_beyond),
    BOTH(put_far),
    BOTH(put_unregistered),
    BOTH(put_null),
    BOTH(put_source),
    BOTH(put_pid),
    BOTH(put_negative_pid),
    BOTH(put_inside),
    BOTH(get_offset),
    BOTH(get_size),
    BOTH(get_beyond),
    BOTH(get_unregistered),
    BOTH(get_null),
    BOTH(get_destination),
    BOTH(get_pid),
    BOTH(get_negative_pid),
    MISUSE(put_word_beyond),
    MISUSE(put_run_beyond),
    MISUSE(put_run_below),
    MISUSE(put_to_null),
    MISUSE(get_from_null),
    MISUSE(put_too_soon),
    MISUSE(put_after_pop),
    MISUSE(push_negative),
    MISUSE(push_null),
    MISUSE(push_on_some),
    MISUSE(push_twice_on_one),
    MISUSE(pop_on_some),
    MISUSE(pop_unregistered),
    MISUSE(pop_twice),
    MISUSE(pop_different),
    MISUSE(pop_in_different_orders),
    MISUSE(push_and_pop_in_different_orders),
    MISUSE(pop_null_never_registered),
    MISUSE(pop_null_of_others),
    MISUSE(pop_null_instead),
    MISUSE(tagsize_null),
    MISUSE(tagsize_negative),
    MISUSE(tagsize_differs),
    MISUSE(tagsize_on_some),
    MISUSE(tagsize_more_often_on_some),
    MISUSE(tagsize_twice_on_one),
    MISUSE(send_pid),
    MISUSE(send_negative_pid),
    MISUSE(send_negative),
    MISUSE(send_null),
    MISUSE(send_null_tag),
    MISUSE(qsize_null),
    MISUSE(qsize_null_bytes),
    MISUSE(get_tag_null_status),
    MISUSE(get_tag_null),
    MISUSE(move_nothing),
    MISUSE(move_negative),
    MISUSE(move_null),
    MISUSE(hpmove_null_tag),
    MISUSE(hpmove_null_payload),
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
};

/* One process begins, after some time; the others exit. */
static void exits_before_begin(void (*how)(int))
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    (void)bsp_nprocs();
    if (rank && strcmp(rank, "1") != 0)
        how(0);
    (void)sleep(1);
    bsp_begin(bsp_nprocs());
}

/* Mistakes outside bsp_begin and bsp_end. */
static int outside(const char *name, int argc, char **argv)
{
    if (strcmp(name, "sync_before_begin") == 0)
        bsp_sync();
    else if (strcmp(name, "pid_before_begin") == 0)
        (void)bsp_pid();
    else if (strcmp(name, "time_before_begin") == 0)
        (void)bsp_time();
    else if (strcmp(name, "put_before_begin") == 0)
        bsp_put(0, x, y, 0, 4);
    else if (strcmp(name, "send_before_begin") == 0)
        bsp_send(0, NULL, NULL, 0);
    else if (strcmp(name, "push_before_begin") == 0)
        bsp_push_reg(x, 4);
    else if (strcmp(name, "end_before_begin") == 0)
        bsp_end();
    else if (strcmp(name, "begin_none") == 0)
        bsp_begin(0);
    else if (strcmp(name, "begin_negative") == 0)
        bsp_begin(-2);
    else if (strcmp(name, "init_null") == 0)
        bsp_init(NULL, argc, argv);
    else if (strcmp(name, "init_without_begin") == 0)
        bsp_init(exit_of_all, argc, argv);
    else if (strcmp(name, "exit_before_begin") == 0)
        exits_before_begin(exit);
    else if (strcmp(name, "exit_at_once_before_begin") == 0)
        exits_before_begin(_exit);
    else if (strcmp(name, "abort_before_begin") == 0)
        bsp_abort("not even begun");
    else
        return 0;
    return 1;
}

static void after(const char *name)
{
    if (strcmp(name, "sync_after_end") == 0)
        bsp_sync();
    else if (strcmp(name, "end_after_end") == 0)
        bsp_end();
    else if (strcmp(name, "begin_after_end") == 0)
        bsp_begin(1);
    else if (strcmp(name, "move_after_end") == 0)
        bsp_move(x, 4);
    else if (strcmp(name, "abort_after_end") == 0)
        bsp_abort("too late");
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (outside(name, argc, argv))
        return 0;
    bsp_begin(bsp_nprocs());
    bsp_push_reg(x, sizeof x);
    bsp_push_reg(y, sizeof y);
    bsp_sync();
    for (size_t i = 0; i < sizeof misuses / sizeof *misuses; i++)
        if (strcmp(misuses[i].name, name) == 0)
            misuses[i].run();
    bsp_end();
    after(name);
    return 0;
}
