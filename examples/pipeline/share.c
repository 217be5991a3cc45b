/* Broadcasts that sleep while they wait, as a ranking on process 0 may take long. */
#include <time.h>

#include "images.h"

static void await(MPI_Request *request)
{
    const struct timespec pause = {.tv_nsec = 500000};
    int done = 0;
    while (MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
        (void)nanosleep(&pause, NULL);
}

void share_bytes(void *bytes, int size, MPI_Comm comm)
{
    MPI_Request request;
    if (MPI_Ibcast(bytes, size, MPI_BYTE, 0, comm, &request) == MPI_SUCCESS)
        await(&request);
}

int share_status(int status, MPI_Comm comm)
{
    int largest = status;
    MPI_Request request;
    if (MPI_Iallreduce(&status, &largest, 1, MPI_INT, MPI_MAX, comm, &request) == MPI_SUCCESS)
        await(&request);
    return largest;
}
