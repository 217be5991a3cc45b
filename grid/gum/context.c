/* The state of a GUM program on this process, and how a mistake ends it. */
#include "grid/gum/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "grid/core/clock.h"
#include "grid/core/guard.h"

Gum *gum_now;
Gum *gum_quick;

double context_elapsed(const Gum *gum)
{
    return clock_now() - gum->session.start;
}

void context_stop(const char *call, const char *format, ...)
{
    char what[400];
    int begun = 0, ended = 0;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    (void)fflush(stdout);
    (void)MPI_Initialized(&begun);
    (void)MPI_Finalized(&ended);
    if (gum_now)
        (void)fprintf(stderr, "%s: process %d: %s\n", call, gum_now->pid, what);
    else
        (void)fprintf(stderr, "%s: %s\n", call, what);
    (void)fflush(stderr);
    guard_unfinished(NULL);
    if (begun && !ended)
        (void)MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    _exit(EXIT_FAILURE);
}

void context_leave(Gum *gum)
{
    jmp_buf *escape = gum->escape;
    gum->failed = 1;
    gum->escape = NULL;
    if (gum->threads.current)
        threads_leave(&gum->threads);
    longjmp(*escape, 1);
}

void context_fail(const char *call, int code, const char *format, ...)
{
    Gum *gum = gum_now;
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (!gum || (!gum->threads.current && !gum->escape))
        context_stop(call, "%s", what);
    (void)session_fail(&gum->session, code, "%s: process %d: %s", call, gum->pid, what);
    context_leave(gum);
}

void context_out_of_memory(const char *call)
{
    context_fail(call, GRID_ENOMEM, "out of memory");
}

void context_outside(const char *call)
{
    Gum *gum = gum_now;
    if (!gum)
        context_stop(call, "called before gum_init");
    if (gum->escape)
        context_fail(call, GRID_EARG, "called in a function of a value, outside a task");
    context_stop(call, "called outside a task: gum_run begins tasks");
}
