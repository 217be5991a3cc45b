/* Waiting for a processor, as Linux counts it: the second number of a thread's schedstat is the
 * nanoseconds that it spent on queues of processors (Documentation/scheduler/sched-stats.rst). */
#include "grid/machine/waits.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int waits_open(void)
{
#ifdef SMPI_H
    return -1; /* time is simulated */
#else
    return open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
#endif
}

void waits_close(int file)
{
    if (file >= 0)
        (void)close(file);
}

double waits_so_far(int file)
{
    char text[128], *ran;
    ssize_t length = file >= 0 ? pread(file, text, sizeof text - 1, 0) : 0;
    if (length <= 0)
        return 0;
    text[length] = '\0';
    (void)strtoull(text, &ran, 10);
    return 1e-9 * (double)strtoull(ran, NULL, 10);
}
