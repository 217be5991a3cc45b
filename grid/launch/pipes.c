/* Pipes for what a program prints. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2 */
#endif
#include "grid/launch/pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static int open_pipe(int *ends)
{
    return pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 ? 0 : -1;
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
    const bool own = what->prefix && command_is_here(what);
    const int count = own ? 2 * what->processes : what->prefix ? 2 : what->output ? 0 : 1;
    const int first = own ? count + SPARE : 0;
    allow_descriptors(first + count);
    *pipes = (Pipes){0, calloc((size_t)count + 1, sizeof *pipes->each),
                     malloc(((size_t)count + 1) * sizeof *pipes->end)};
    while (pipes->each && pipes->end && pipes->count < count) {
        const int i = pipes->count;
        int ends[2];
        if (open_pipe(ends))
            return -1;
        pipes->each[i] = (Stream){.from = ends[0],
                                  .to = i % 2 == 0 ? STDOUT_FILENO : STDERR_FILENO,
                                  .prefix = what->prefix,
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
