/* The state of a BSP program on this process, and the end of a program that makes a mistake. */
#include "grid/bsp/context.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "grid/core/guard.h"

Bsp *bsp_now;
unsigned bsp_reach;
Outbox *bsp_out;

void context_stop(void)
{
    int begun = 0, ended = 0;
    (void)fflush(stdout);
    (void)MPI_Initialized(&begun);
    (void)MPI_Finalized(&ended);
    guard_unfinished(NULL);
    if (bsp_now)
        bsp_now->phase = PHASE_AFTER; /* exit functions have nothing to say */
    if (begun && !ended)
        (void)MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    _exit(EXIT_FAILURE);
}

/* One write: lines of several processes do not mix. */
static void say(const char *call, const char *format, va_list arguments)
{
    char what[400], where[80] = "";
    (void)vsnprintf(what, sizeof what, format, arguments);
    if (bsp_now && bsp_now->phase == PHASE_INSIDE) {
        (void)snprintf(where, sizeof where, "process %d, superstep %d: ", bsp_now->pid,
                       bsp_now->superstep);
    } else if (bsp_now) {
        (void)snprintf(where, sizeof where, "process %d, %s: ", bsp_now->pid,
                       bsp_now->phase == PHASE_AFTER ? "after bsp_end" : "before bsp_begin");
    }
    (void)fprintf(stderr, "%s: %s%s\n", call, where, what);
    (void)fflush(stderr);
}

void context_fail(const char *call, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(call, format, arguments);
    va_end(arguments);
    context_stop();
}

void context_fail_all(const char *call, int speaker, const char *format, ...)
{
    enum { SECONDS = 3 };
    va_list arguments;
    if (bsp_now->pid != speaker)
        (void)sleep(SECONDS); /* the speaker ends all processes, unless it has not come so far */
    va_start(arguments, format);
    say(call, format, arguments);
    va_end(arguments);
    context_stop();
}

void context_out_of_memory(const char *call)
{
    context_fail(call, "out of memory");
}

void *context_allocate(const char *call, size_t count, size_t size)
{
    void *array = calloc(count > 0 ? count : 1, size);
    if (!array)
        context_out_of_memory(call);
    return array;
}

void context_reserve(const char *call, void **array, size_t *capacity, size_t count, size_t size)
{
    size_t room = *capacity * 2 > count ? *capacity * 2 : count;
    if (count <= *capacity)
        return;
    void *grown = room <= SIZE_MAX / size ? realloc(*array, room * size) : NULL;
    if (!grown)
        context_out_of_memory(call);
    *array = grown;
    *capacity = room;
}
