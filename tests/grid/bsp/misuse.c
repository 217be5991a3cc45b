/* misuse NAME: makes one mistake.  misuse.txt says what it must print. */
#include "misuse.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int x[4], y[4];

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

static void exits(void)
{
    exit(0);
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
        bsp_init(exits, argc, argv);
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

static void make(const Misuse *each, const char *name)
{
    for (; each->name; each++)
        if (strcmp(each->name, name) == 0)
            each->run();
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
    make(misuse_drma, name);
    make(misuse_bsmp, name);
    make(misuse_process, name);
    bsp_end();
    after(name);
    return 0;
}
