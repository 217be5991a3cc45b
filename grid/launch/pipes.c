/* Pipes for what a program prints, and files in memory for what mpirun does. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2, memfd_create */
#endif
#include "grid/launch/pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static int open_pipe(int *ends)
{
    return pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 ? 0 : -1;
}

/* Another description of the file for the writer: each end has a place of its own in it. */
static int open_file(int *ends)
{
    char path[32];
    ends[0] = memfd_create("output", MFD_CLOEXEC);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    ends[1] = ends[0] < 0 ? -1 : open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    return ends[1] >= 0 ? 0 : -1;
}

/* Room for so many descriptors, as far as the system allows it. */
static void allow_descriptors(int count)
{
    struct rlimit most;
    if (getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur < (rlim_t)count) {
        most.rlim_cur = (rlim_t)count < most.rlim_max ? (rlim_t)count : most.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &most);
    }
}

void pipes_free(Pipes *pipes)
{
    for (int i = 0; i < pipes->count; i++) {
        if (pipes->each[i].from >= 0)
            (void)close(pipes->each[i].from);
        if (pipes->end[i] >= 0)
            (void)close(pipes->end[i]);
    }
    free(pipes->each);
    free(pipes->end);
}

int pipes_open(Pipes *pipes, const Launch *what)
{
    enum { SPARE = 64 };
    const bool here = command_is_here(what), own = what->prefix && here;
    const int count = own ? 2 * what->processes : what->prefix ? 2 : what->output ? 0 : 1;
    const int first = own ? count + SPARE : 0;
    allow_descriptors(first + count);
    *pipes = (Pipes){0, calloc((size_t)count + 1, sizeof *pipes->each),
                     malloc(((size_t)count + 1) * sizeof *pipes->end)};
    while (pipes->each && pipes->end && pipes->count < count) {
        const int i = pipes->count;
        int ends[2];
        if (here ? open_pipe(ends) : open_file(ends))
            return -1;
        pipes->each[i] = (Stream){.from = ends[0],
                                  .to = i % 2 == 0 ? STDOUT_FILENO : STDERR_FILENO,
                                  .prefix = what->prefix,
                                  .grows = !here,
                                  .process = own ? 1 + (size_t)i / 2 : 0};
        pipes->end[i] = ends[1];
        pipes->count++;
        if (own) {
            pipes->end[i] = fcntl(ends[1], F_DUPFD_CLOEXEC, first + i);
            (void)close(ends[1]);
            if (pipes->end[i] != first + i) {
                errno = pipes->end[i] >= 0 ? EBUSY : EMFILE;
                return -1;
            }
        }
    }
    return pipes->each && pipes->end ? 0 : -1;
}
