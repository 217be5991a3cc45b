/* Runs in which memory gives out on one process.  The k-th allocation fails, for k = 1, 2, ... until the run does
 * without it: each run ends on all processes, with the same error or the right result, and leaves nothing behind. */
#include <gum.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../allocations.h"

enum { WORDS = 40, GIVEN = 4 };

typedef struct {
    int32_t n;
    GumRef data;
} Task;

static GumType tree_type, owned_type;

/* A number, as bytes that are owned; longer than a record's room. */
static void owned(const void *argument, void *result)
{
    const Task *task = argument;
    const int64_t *data = gum_fetch(task->data);
    GumBytes *out = result;
    for (int i = 0; i < 50; i++)
        gum_poll(); /* holds nothing of its own while it waits: a run that fails abandons its threads */
    int64_t *words = calloc(WORDS, sizeof *words);
    if (!words)
        gum_abort("no words");
    words[0] = data[task->n % WORDS];
    *out = (GumBytes){words, WORDS * sizeof *words};
}

static void tree(const void *argument, void *result)
{
    const Task *task = argument;
    Task less = *task;
    int64_t sum = 0, part;
    if (task->n > 0) {
        less.n--;
        GumFuture f = gum_par(tree_type, &less), g = gum_par(owned_type, task);
        gum_seq(tree_type, &less, &part);
        sum += part;
        gum_take(f, &part);
        sum += part;
        const GumBytes *words = gum_force(g);
        sum += *(const int64_t *)words->bytes;
        gum_free(g);
    }
    *(int64_t *)result = sum;
}

static void all(const void *argument, void *result)
{
    Task task = {.n = *(const int32_t *)argument};
    int64_t data[WORDS];
    for (int i = 0; i < WORDS; i++)
        data[i] = i;
    task.data = gum_publish(data, sizeof data);
    gum_seq(tree_type, &task, result);
}

/* Of the kind `owned`, one after the other, with time for another process to take each: what it takes it gives back
 * in messages. */
static void given(const void *argument, void *result)
{
    Task task = {.n = *(const int32_t *)argument};
    int64_t data[WORDS], sum = 0;
    for (int i = 0; i < WORDS; i++)
        data[i] = 1;
    task.data = gum_publish(data, sizeof data);
    for (int i = 0; i < GIVEN; i++) {
        GumFuture f = gum_par(owned_type, &task);
        const double until = MPI_Wtime() + 0.005;
        while (MPI_Wtime() < until)
            gum_poll();
        const GumBytes *words = gum_force(f);
        sum += *(const int64_t *)words->bytes;
        gum_free(f);
    }
    *(int64_t *)result = sum;
}

static int64_t expected(int32_t n)
{
    return n > 0 ? 2 * expected(n - 1) + n : 0;
}

/* Process 0's, on all. */
static int64_t of(int64_t value, int process)
{
    (void)MPI_Bcast(&value, 1, MPI_INT64_T, process, MPI_COMM_WORLD);
    return value;
}

/* How many allocations were made to fail; -1: something was wrong. */
static int64_t give_out(GumType type, int process, int32_t n, int64_t wanted)
{
    for (int64_t k = 1;; k++) {
        int64_t result = -1, before = allocations.held;
        allocations.calls = 0;
        allocations.first = gum_pid() == process ? k : 0;
        int status = gum_run(type, &n, &result);
        allocations.first = 0;
        int64_t made = of(allocations.calls, process), leaks = allocations.held - before, bad = 0;
        if (status != of(status, 0) || (status == GUM_OK && gum_pid() == 0 && result != wanted) ||
            (status != GUM_OK && !gum_error()[0]) || leaks != 0) {
            (void)fprintf(
                stderr,
                "process %d, allocation %lld of %d fails: status %d, %s; %lld; %lld blocks left\n",
                gum_pid(), (long long)k, process, status, gum_error(), (long long)result,
                (long long)leaks);
            bad = 1;
        }
        (void)MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
        if (bad)
            return -1;
        if (made < k)
            return k - 1;
    }
}

int main(int argc, char **argv)
{
    const GumValue bytes = GUM_BYTES;
    int32_t n = argc > 1 ? atoi(argv[1]) : 4;
    int64_t least = 1000000;
    gum_init(&argc, &argv);
    GumType type = gum_type(&(GumTask){"all", all, {.size = sizeof n}, {.size = sizeof(int64_t)}});
    GumType given_type =
        gum_type(&(GumTask){"given", given, {.size = sizeof n}, {.size = sizeof(int64_t)}});
    tree_type =
        gum_type(&(GumTask){"tree", tree, {.size = sizeof(Task)}, {.size = sizeof(int64_t)}});
    owned_type = gum_type(&(GumTask){"owned", owned, {.size = sizeof(Task)}, bytes});
    for (int process = 0; process < gum_processes(); process++) {
        int64_t tried = give_out(type, process, n, expected(n));
        int64_t more = give_out(given_type, process, n, GIVEN);
        least = tried < least ? tried : least;
        least = more < least ? more : least;
        if (gum_pid() == 0)
            printf("process %d: %lld allocations failed, one at a time\n", process,
                   (long long)(tried + more));
    }
    return gum_end() != 1 || least < 10; /* it tells of the runs that failed */
}
