/* The life of a BSP program: its start, its end, who takes part. */
#include <limits.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/bsp/bsp.h"
#include "grid/bsp/context.h"
#include "grid/bsp/superstep.h"
#include "grid/core/clock.h"
#include "grid/core/guard.h"
#include "grid/core/peers.h"
#include "grid/core/program.h"

/* ---- MPI ------------------------------------------------------------------------------------ */

static void finalize(void)
{
    if (bsp_now->finalize)
        (void)MPI_Finalize();
    bsp_now->finalize = 0;
}

/* Each process meets the others once: in bsp_begin, or when it exits before that.  So those that
 * begin do not wait for one that never does. */
enum { WANTED, BEGINNER, LEAVER, WORDS };

/* `least`: the number of processes that process 0 wants, which alone may know; the first process
 * that begins, and that leaves (INT_MAX: none). */
static void meet_first(const Bsp *bsp, int begins, int maxprocs, int least[WORDS])
{
    int mine[WORDS] = {INT_MAX, INT_MAX, INT_MAX};
    MPI_Request request;
    mine[begins ? BEGINNER : LEAVER] = bsp->pid;
    if (begins && bsp->pid == 0)
        mine[WANTED] = maxprocs;
    (void)MPI_Iallreduce(mine, least, WORDS, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &request);
    (void)clock_await(&request);
}

static void note_self(const Bsp *bsp, int count)
{
    char text[128];
    Peer self = peers_self();
    (void)snprintf(text, sizeof text, "bsp: process %d of %d on %.64s", bsp->pid, count, self.host);
    guard_note(text);
}

#ifndef SMPI_H
/* The program exits before bsp_begin, which may be right if all processes do. */
static void leave_unbegun(const Bsp *bsp)
{
    int least[WORDS], finalized = 0;
    (void)MPI_Finalized(&finalized);
    if (!bsp->finalize || finalized)
        return;
    (void)fflush(stdout); /* the others may end this process */
    meet_first(bsp, 0, 0, least);
    if (least[BEGINNER] != INT_MAX)
        context_fail_all("bsp_begin", least[BEGINNER], "this process exits without bsp_begin");
    guard_unfinished(NULL);
    finalize();
}

/* The program exits. */
static void leave(void)
{
    if (!guard_is_self())
        return;
    if (bsp_now->phase == PHASE_INSIDE)
        context_fail("bsp_end", "this process exits without bsp_end");
    if (bsp_now->phase == PHASE_INIT)
        context_fail("bsp_begin", "this process exits without bsp_begin, after bsp_init");
    if (bsp_now->phase != PHASE_AFTER)
        leave_unbegun(bsp_now);
}

static Bsp *ready(const char *call);

/* The program exits without any call, here at least: it joins the others, and leaves them. */
static void leave_uncalled(void)
{
    int begun = 0;
    if (bsp_now || !guard_is_self())
        return;
    (void)MPI_Initialized(&begun);
    if (!begun)
        (void)ready("bsp_begin"); /* whose exit function comes next */
}

static void set_mpi(void)
{
    /* Processes that wait give the core to others at each look: measured with more processes
     * than cores, the start takes a third of the time so, and messages a fifth. */
    (void)setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    /* Windows over TCP: Open MPI 4.1.4 takes this component, which then makes none. */
    (void)setenv("OMPI_MCA_osc", "^rdma", 0);
}

/* Before main, so that a process is named that is killed before its first call, and one that exits before it
 * does not keep the others waiting. */
static void __attribute__((constructor)) start(void)
{
    if (!getenv(GUARD_STARTED))
        return;
    set_mpi();
    if (guard_begin("bsp"))
        (void)atexit(leave_uncalled);
}
#endif

/* The context, with MPI ready. */
static Bsp *ready(const char *call)
{
    int begun = 0;
    if (bsp_now)
        return bsp_now;
    Bsp *bsp = context_allocate(call, 1, sizeof *bsp);
    (void)MPI_Initialized(&begun);
    if (!begun) {
#ifndef SMPI_H
        set_mpi();
        grid_guard();
#endif
        (void)MPI_Init(NULL, NULL);
        bsp->finalize = 1;
    }
    (void)MPI_Comm_size(MPI_COMM_WORLD, &bsp->available);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &bsp->pid);
#ifndef SMPI_H
    (void)atexit(leave);
#endif
    note_self(bsp, bsp->available);
    guard_unfinished("bsp_begin was not called");
    return bsp_now = bsp;
}

/* Before the first call MPI has to start, so that the process has a number to be named by. */
void context_outside(const char *call)
{
    (void)ready(call);
    context_fail(call, "called outside bsp_begin and bsp_end");
}

/* Wait for all processes, also those that take no part, without using a core. */
static void meet_all(void)
{
    MPI_Request request;
    (void)MPI_Ibarrier(MPI_COMM_WORLD, &request);
    (void)clock_await(&request);
}

/* ---- the start ------------------------------------------------------------------------------ */

void bsp_init(void (*spmd_part)(void), int argc, char *argv[])
{
    static const char call[] = "bsp_init";
    (void)argc, (void)argv;
    Bsp *bsp = ready(call);
    if (bsp->phase != PHASE_BEFORE)
        context_fail(call,
                     bsp->phase == PHASE_INIT ? "called a second time" : "called after bsp_begin");
    if (!spmd_part)
        context_fail(call, "the function is NULL");
    bsp->phase = PHASE_INIT;
    if (bsp->pid == 0)
        return;
    spmd_part();
    if (bsp->phase == PHASE_INIT)
        context_fail(call, "the function returned without bsp_begin");
    if (bsp->phase == PHASE_INSIDE)
        context_fail(call, "the function returned without bsp_end");
    exit(EXIT_SUCCESS);
}

static void prepare(Bsp *bsp, const char *call, MPI_Comm comm)
{
    size_t n = (size_t)bsp->nprocs;
    int *members = context_allocate(call, n, sizeof *members);
    for (int p = 0; p < bsp->nprocs; p++)
        members[p] = p;
    bsp->groups.each[0] = (Group){.members = members, .count = bsp->nprocs};
    bsp->groups.count = 1;
    bsp->copies_with = context_allocate(call, n, sizeof *bsp->copies_with);
    bsp->asked = context_allocate(call, n, sizeof *bsp->asked);
    bsp->given = context_allocate(call, n, sizeof *bsp->given);
    bsp->requests = context_allocate(call, n, sizeof *bsp->requests);
    if (registry_new(&bsp->registry, bsp->nprocs, bsp->pid))
        context_out_of_memory(call);
    const char *wanted = getenv("BSP_TRANSPORT");
    int status = transport_open(&bsp->transport, comm, wanted);
    if (status > 0)
        context_fail_all(call, 0,
                         "BSP_TRANSPORT=%s cannot be used here: there are messages, window, and "
                         "shared, on one machine whose processes may open each other's memory",
                         wanted);
    if (status < 0)
        context_out_of_memory(call);
}

static void begin_record(Bsp *bsp, const char *call, MPI_Comm comm)
{
    const char *error = NULL;
    MPI_Request request;
    FILE *file = bsp->pid == 0 ? record_open(&error) : NULL;
    int wanted = file != NULL;
    if (error)
        context_fail_all(call, 0, "cannot write the trace %s: %s", getenv("BSP_TRACE"), error);
    (void)MPI_Ibcast(&wanted, 1, MPI_INT, 0, comm, &request);
    (void)clock_await(&request);
    if (wanted && !record_begin(&bsp->record, file, bsp->nprocs, bsp->pid))
        context_out_of_memory(call);
}

void bsp_begin(int maxprocs)
{
    static const char call[] = "bsp_begin";
    int least[WORDS];
    MPI_Comm comm;
    Bsp *bsp = ready(call);
    if (bsp->phase == PHASE_INSIDE || bsp->phase == PHASE_AFTER)
        context_fail(call, "called a second time");
    guard_unfinished("bsp_begin did not return");
    meet_first(bsp, 1, maxprocs, least);
    if (least[LEAVER] != INT_MAX)
        context_fail_all(call, least[BEGINNER], "process %d exits without bsp_begin",
                         least[LEAVER]);
    const int count = least[WANTED];
    if (count <= 0)
        context_fail_all(call, 0, "%d processes: there must be at least 1", count);
    bsp->nprocs = count < bsp->available ? count : bsp->available;
    (void)MPI_Comm_split(MPI_COMM_WORLD, bsp->pid < bsp->nprocs, bsp->pid, &comm);
    if (bsp->pid >= bsp->nprocs) {
        meet_all();
        bsp->phase = PHASE_AFTER;
        guard_unfinished(NULL);
        (void)MPI_Comm_free(&comm);
        finalize();
        exit(EXIT_SUCCESS);
    }
    prepare(bsp, call, comm);
    note_self(bsp, bsp->nprocs);
    begin_record(bsp, call, comm);
    bsp->phase = PHASE_INSIDE;
    bsp_reach = (unsigned)bsp->nprocs;
    bsp_out = bsp->transport.out;
    guard_unfinished("bsp_end was not called");
    guard_step("superstep", bsp->superstep);
    bsp->start = clock_now();
}

/* ---- the end -------------------------------------------------------------------------------- */

/* An exit status, as of other commands. */
enum { NOT_WRITTEN = 5 };

static void release(Bsp *bsp)
{
    MPI_Comm comm = bsp->transport.comm;
    const char *error = record_end(&bsp->record, comm);
    if (error) { /* what the program has computed is right: it goes on */
        (void)fprintf(stderr, "bsp_end: there is no trace in %s: %s\n", getenv("BSP_TRACE"), error);
        guard_status(NOT_WRITTEN);
    }
    record_free(&bsp->record);
    transport_close(&bsp->transport);
    (void)MPI_Comm_free(&comm);
    registry_free(&bsp->registry);
    for (int p = 0; p < bsp->nprocs; p++)
        grid_buffer_free(&bsp->requests[p]);
    for (int i = 0; i < bsp->groups.count; i++)
        free(bsp->groups.each[i].members);
    free(bsp->requests);
    free(bsp->asked);
    free(bsp->copies);
    free(bsp->copies_with);
    free(bsp->given);
    free(bsp->gets);
    free(bsp->queue.each);
}

void bsp_end(void)
{
    static const char call[] = "bsp_end";
    Bsp *bsp = context_inside(call);
    const int groups = bsp->groups.count - 1;
    if (groups > 0)
        context_fail(call, "called in %d group%s: bsp_pop_group leaves %s", groups,
                     groups == 1 ? "" : "s", groups == 1 ? "it" : "one");
    superstep_end(bsp, call, CALL_END, &bsp->groups.each[0], 0);
    guard_unfinished(NULL);
    guard_step(NULL, 0);
    bsp_reach = 0;
    release(bsp);
    meet_all();
    bsp->phase = PHASE_AFTER;
    finalize();
}

void bsp_abort(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fflush(stdout);
    (void)vfprintf(stderr, format ? format : "bsp_abort", arguments);
    va_end(arguments);
    const size_t length = format ? strlen(format) : 0;
    if (length == 0 || format[length - 1] != '\n')
        (void)fputc('\n', stderr);
    (void)fflush(stderr);
    context_stop();
}

/* ---- questions ------------------------------------------------------------------------------ */

int bsp_nprocs(void)
{
    const Bsp *bsp = ready("bsp_nprocs");
    return bsp->nprocs > 0 ? bsp->nprocs : bsp->available;
}

int bsp_pid(void)
{
    return context_inside("bsp_pid")->pid;
}

double bsp_time(void)
{
    return clock_now() - context_inside("bsp_time")->start;
}

void bsp_sync(void)
{
    Bsp *bsp = context_inside("bsp_sync");
    superstep_end(bsp, "bsp_sync", CALL_SYNC, &bsp->groups.each[0], 0);
}
