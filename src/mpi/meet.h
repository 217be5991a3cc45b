/* Processes that wait for each other for long. */
#ifndef PEPA_MPI_MEET_H
#define PEPA_MPI_MEET_H

#include <mpi.h>
#include <stddef.h>
#include <time.h>

/* Until all of them have called it, with naps: one may work meanwhile, with the cores of the others. */
static inline void meet(MPI_Comm comm)
{
    const long first = 50000, longest = 10000000; /* nanoseconds */
    struct timespec nap = {.tv_nsec = first};
    MPI_Request all;
    int ended = 0;
    MPI_Ibarrier(comm, &all);
    for (MPI_Test(&all, &ended, MPI_STATUS_IGNORE); !ended;
         MPI_Test(&all, &ended, MPI_STATUS_IGNORE)) {
        (void)nanosleep(&nap, NULL);
        nap.tv_nsec = 2 * nap.tv_nsec < longest ? 2 * nap.tv_nsec : longest;
    }
}

#endif
