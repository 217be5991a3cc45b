/* Memory that runs out within the library: taag_faults MAPPING, a file for as many processes as
 * there are.  Linked with an allocator that fails on demand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault/memory.h"
#include "taag.h"

enum { COUNT = 5000 };
static int rank, size, bad;
static char *mapping;
static int *from, *to;

static void expect(int good, const char *what, long k)
{
    if (good)
        return;
    bad++;
    (void)fprintf(stderr, "FAILED on rank %d of %d: %s, allocation %ld: %s\n", rank, size, what, k,
                  TAAG_Error_message());
}

/* The same result on all processes; it is returned. */
static int agreed(int status, const char *what, long k)
{
    int least, most;
    MPI_Allreduce(&status, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&status, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect(least == most, what, k);
    return most;
}

/* One process has no memory: all processes must say so, and then begin as if nothing had
 * happened. */
static void begin_without_memory(int victim)
{
    int over = 0, failed = 0;
    for (long k = 1; !over; k++) {
        int flag = TAAG_TRUE;
        mem_fail_at(rank == victim ? k : 0, false);
        int status = TAAG_Init(mapping);
        over = rank == victim && mem_allocations() < k;
        mem_fail_at(0, false);
        MPI_Bcast(&over, 1, MPI_INT, victim, MPI_COMM_WORLD);
        status = agreed(status, "TAAG_Init differs", k);
        failed += status == TAAG_ERR_MEMORY;
        expect(status == TAAG_SUCCESS || (!over && status == TAAG_ERR_MEMORY), "TAAG_Init", k);
        expect(status == TAAG_SUCCESS || strstr(TAAG_Error_message(), "out of memory"), "words", k);
        expect(TAAG_Initialized(&flag) == TAAG_SUCCESS && flag == (status == TAAG_SUCCESS),
               "TAAG_Initialized", k);
        if (status == TAAG_SUCCESS)
            expect(TAAG_Free() == TAAG_SUCCESS, "TAAG_Free", k);
    }
    expect(failed > 10, "so few allocations", failed);
}

/* ---- on one process ------------------------------------------------------------------------- */

static int broadcast(MPI_Comm comm, int count)
{
    return TAAG_Bcast(to, count, MPI_INT, 0, comm);
}

static int reduce(MPI_Comm comm, int count)
{
    return TAAG_Reduce(from, to, count, MPI_INT, MPI_SUM, 0, comm);
}

static int allreduce(MPI_Comm comm, int count)
{
    return TAAG_Allreduce(from, to, count, MPI_INT, MPI_SUM, comm);
}

static int gather(MPI_Comm comm, int count)
{
    return TAAG_Gather(from, count, MPI_INT, to, count, MPI_INT, 0, comm);
}

static int alltoall(MPI_Comm comm, int count)
{
    return TAAG_Alltoall(from, count, MPI_INT, to, count, MPI_INT, comm);
}

static int barrier(MPI_Comm comm, int count)
{
    (void)count;
    return TAAG_Barrier(comm);
}

typedef int Run(MPI_Comm comm, int count);

/* On a communicator without a plan, so that this is made too. */
static void run_without_memory(Run *run, int count)
{
    int over = 0, failed = 0;
    for (long k = 1; !over; k++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        mem_fail_at(k, false);
        int status = run(comm, count);
        over = mem_allocations() < k;
        mem_fail_at(0, false);
        failed += status == TAAG_ERR_MEMORY;
        expect(status == (over ? TAAG_SUCCESS : TAAG_ERR_MEMORY), "a collective", k);
        expect(run(comm, count) == TAAG_SUCCESS, "the same once more", k);
        MPI_Comm_free(&comm);
    }
    expect(failed > 3, "so few allocations", failed);
}

static void collectives_without_memory(void)
{
    static Run *const runs[] = {broadcast, reduce, allreduce, gather, alltoall, barrier};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        run_without_memory(runs[i], 1);
        run_without_memory(runs[i], COUNT);
    }
}

int main(int argc, char **argv)
{
    int all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    from = calloc(COUNT, sizeof *from);
    to = calloc(COUNT, sizeof *to);
    if (argc != 2 || !from || !to)
        MPI_Abort(MPI_COMM_WORLD, 2);
    mapping = argv[1];
    begin_without_memory(size - 1);
    begin_without_memory(0);
    expect(TAAG_Init(mapping) == TAAG_SUCCESS, "TAAG_Init", 0);
    collectives_without_memory();
    expect(TAAG_Free() == TAAG_SUCCESS, "TAAG_Free", 0);
    MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    free(from);
    free(to);
    MPI_Finalize();
    return all > 0;
}
