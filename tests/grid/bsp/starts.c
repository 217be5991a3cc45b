/* How programs start and end: starts CASE. */
#include <bsp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What only process 0 knows before bsp_begin. */
static int wanted;

static void in_turn(const char *what)
{
    for (int q = 0; q < bsp_nprocs(); q++) {
        if (q == bsp_pid())
            printf("%s %d of %d\n", what, q, bsp_nprocs());
        bsp_sync();
    }
}

static void part(void)
{
    bsp_begin(wanted);
    in_turn("process");
    bsp_end();
}

/* Statements of process 0 before and after the parallel part, which is in a function. */
static int init(int argc, char **argv)
{
    bsp_put(99, NULL, NULL, 0, 0); /* nothing, anywhere */
    bsp_init(part, argc, argv);
    printf("how many of %d?\n", bsp_nprocs());
    if (scanf("%d", &wanted) != 1)
        wanted = 1;
    part();
    printf("done, %d still\n", bsp_nprocs());
    return 3;
}

/* A main with bsp_begin first. */
static int begin(int count)
{
    bsp_begin(count);
    in_turn("process");
    bsp_end();
    return 0;
}

static int hosts(void)
{
    char name[64] = "";
    bsp_begin(bsp_nprocs());
    (void)gethostname(name, sizeof name - 1);
    printf("process %d of %d on %s\n", bsp_pid(), bsp_nprocs(), name);
    bsp_end();
    return 0;
}

/* Supersteps for a minute: the link to some process is cut. */
static int syncs(void)
{
    bsp_begin(bsp_nprocs());
    for (int i = 0; i < 60000; i++) {
        bsp_sync();
        if (i == 100 && bsp_pid() == 0)
            printf("syncing\n");
        (void)fflush(stdout);
        (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    bsp_end();
    return 0;
}

/* Process 2 ends in the middle of supersteps. */
static void killed(void)
{
    bsp_begin(bsp_nprocs());
    for (int step = 0;; step++) {
        if (step == 100 && bsp_pid() == 2)
            (void)raise(SIGKILL);
        bsp_sync();
    }
}

/* Before any call of BSPlib: process 1, as mpirun numbers it. */
static int is_second(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    return rank && atoi(rank) == 1;
}

/* Process 1 gets a signal in the middle, which it has not asked for. */
static int signalled(int number)
{
    bsp_begin(bsp_nprocs());
    bsp_sync();
    if (bsp_pid() == 1)
        (void)raise(number);
    bsp_sync();
    bsp_end();
    return 0;
}

/* Long lines, and pieces of lines, of all processes at the same time. */
static int lines(void)
{
    enum { LENGTH = 20000 };
    bsp_begin(bsp_nprocs());
    for (int line = 0; line < 3; line++) {
        for (int i = 0; i < LENGTH; i++) {
            (void)putchar('a' + bsp_pid());
            if (i % 1000 == 0)
                (void)fflush(stdout);
        }
        (void)putchar('\n');
    }
    printf("[%d] no newline", bsp_pid());
    bsp_end();
    return 0;
}

/* malloc finds what was written into free blocks, and aborts, with its lock held. */
static int break_heap(void)
{
    enum { BLOCKS = 40 };
    char *volatile block[BLOCKS];
    bsp_begin(bsp_nprocs());
    bsp_sync();
    for (int i = 0; i < BLOCKS; i++)
        block[i] = malloc(2000);
    for (int i = 0; i < BLOCKS; i += 2)
        free(block[i]);
    for (int i = 0; i < BLOCKS && bsp_pid() == 1; i += 2)
        memset(block[i], 'A', 64);
    for (int i = 0; i < BLOCKS; i += 2)
        block[i] = malloc(1500);
    bsp_sync();
    bsp_end();
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const int number = argc > 2 ? atoi(argv[2]) : 0;
    if (strcmp(what, "signal_first") == 0 && is_second())
        (void)raise(number);
    if (strcmp(what, "return_first") == 0 && is_second())
        return number;
    if (strcmp(what, "return") == 0)
        return number;
    if (strcmp(what, "signal_first") == 0 || strcmp(what, "return_first") == 0)
        return begin(bsp_nprocs());
    if (strcmp(what, "signal") == 0)
        return signalled(number);
    if (strcmp(what, "lines") == 0)
        return lines();
    if (strcmp(what, "heap") == 0)
        return break_heap();
    if (strcmp(what, "init") == 0)
        return init(argc, argv);
    if (strcmp(what, "syncs") == 0)
        return syncs();
    if (strcmp(what, "hosts") == 0)
        return hosts();
    if (strcmp(what, "killed") == 0)
        killed();
    if (strcmp(what, "fewer") == 0)
        return begin(2);
    if (strcmp(what, "more") == 0)
        return begin(100);
    if (strcmp(what, "nothing") == 0)
        return bsp_nprocs() > 0 ? 0 : 1; /* and no bsp_begin */
    if (strcmp(what, "status") == 0) {
        (void)begin(bsp_nprocs());
        return 7;
    }
    if (strcmp(what, "arguments") == 0) {
        bsp_begin(1);
        for (int i = 2; i < argc; i++)
            printf("<%s>", argv[i]);
        printf("\n");
        bsp_end();
        return 0;
    }
    if (strcmp(what, "wait") == 0) { /* for a signal */
        bsp_begin(bsp_nprocs());
        if (bsp_pid() == 0) {
            printf("waiting\n");
            (void)fflush(stdout);
            (void)sleep(60);
        }
        bsp_sync();
        bsp_end();
    }
    return 0;
}
