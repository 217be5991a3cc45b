/* Processes that exit before gum_init.
 *
 * Where gumrun has started the program, each process meets the others once: in gum_init, or when it exits before that,
 * which may be right if all do. */
#include "grid/gum/absent.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include "grid/core/clock.h"
#include "grid/core/guard.h"
#include "grid/gum/context.h"

#ifdef SMPI_H
void absent_meet(const char *call)
{
    (void)call;
}
#else
enum { BEGINNER, LEAVER, WORDS, SECONDS = 3 };

/* The first process that begins, and that leaves (INT_MAX: none).  Returns this one. */
static int meet(int begins, int first[WORDS])
{
    int mine[WORDS] = {INT_MAX, INT_MAX}, rank;
    MPI_Request request;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine[begins ? BEGINNER : LEAVER] = rank;
    (void)MPI_Iallreduce(mine, first, WORDS, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &request);
    (void)clock_await(&request);
    return rank;
}

void absent_meet(const char *call)
{
    int first[WORDS];
    if (!guard_begun())
        return;
    const int rank = meet(1, first);
    if (first[LEAVER] == INT_MAX)
        return;
    if (rank != first[BEGINNER])
        (void)sleep(SECONDS); /* that one ends all */
    context_stop(call, "process %d exits without gum_init", first[LEAVER]);
}

static void leave(void)
{
    int begun = 0, first[WORDS];
    (void)MPI_Initialized(&begun);
    if (gum_now || begun || !guard_is_self())
        return;
    (void)MPI_Init(NULL, NULL);
    (void)meet(0, first);
    if (first[BEGINNER] != INT_MAX) {
        (void)sleep(SECONDS);
        context_stop("gum_init", "this process exits without it");
    }
    (void)MPI_Finalize();
}

static void __attribute__((constructor)) start(void)
{
    if (guard_begin("gum"))
        (void)atexit(leave);
}
#endif
