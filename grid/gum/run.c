/* The life of a GUM program: begin, runs, end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/core/clock.h"
#include "grid/core/guard.h"
#include "grid/core/lifecycle.h"
#include "grid/core/liveness.h"
#include "grid/core/program.h"
#include "grid/gum/absent.h"
#include "grid/gum/activity.h"
#include "grid/gum/context.h"
#include "grid/gum/data.h"
#include "grid/gum/evaluate.h"
#include "grid/gum/files.h"
#include "grid/gum/gum.h"
#include "grid/gum/loop.h"
#include "grid/gum/meet.h"
#include "grid/gum/open.h"
#include "grid/gum/overflow.h"
#include "grid/gum/report.h"
#include "grid/gum/steal.h"
#include "grid/gum/stuck.h"
#include "grid/gum/tuning.h"
#include "grid/gum/values.h"

/* ---- the program --------------------------------------------------------------------------------- */

static void note_self(const Gum *gum)
{
    char text[128];
    Peer self = peers_self();
    (void)snprintf(text, sizeof text, "gum: process %d of %d on %.64s", gum->pid, gum->processes,
                   self.host);
    guard_note(text);
}

static void describe(const void *self, int32_t process, char *out, size_t size)
{
    (void)self;
    (void)process;
    if (size > 0)
        out[0] = '\0';
}

static void finish(void *self)
{
    (void)self;
}

/* Messages of GUM's own, and what does not change from run to run. */
static void open_program(Gum *gum, const char *call)
{
    const Runtime runtime = {gum,      loop_handle, loop_step,    loop_next,
                             describe, finish,      &gum->result, sizeof gum->result};
    const size_t n = (size_t)gum->processes;
    if (session_open(&gum->session, MPI_COMM_WORLD, &runtime))
        context_stop(call, "%s", gum->session.error.message);
    gum->measured = -INFINITY;
    gum->latency = calloc(n * n, sizeof *gum->latency);
    gum->speeds = calloc(2 * n, sizeof *gum->speeds);
    if (!gum->latency || !gum->speeds || open_new(gum) ||
        latencies_new(&gum->talks, gum->session.transport.comm, gum->pid, gum->processes))
        context_stop(call, "out of memory");
}

static void close_program(Gum *gum)
{
    session_close(&gum->session);
    for (int32_t i = 0; i < gum->type_count; i++)
        free(gum->types[i]);
    free(gum->types);
    free(gum->latency);
    free(gum->speeds);
    open_free(gum);
    latencies_free(&gum->talks);
    gum->types = NULL;
    gum->latency = gum->speeds = NULL;
    gum->type_count = gum->type_capacity = 0;
    gum->phase = PHASE_AFTER;
}

void gum_init(int *argc, char ***argv)
{
    static const char call[] = "gum_init";
    int begun = 0;
    if (gum_now)
        context_stop(call, "called a second time");
    Gum *gum = calloc(1, sizeof *gum);
    if (!gum)
        context_stop(call, "out of memory");
    (void)MPI_Initialized(&begun);
    if (!begun) {
#ifndef SMPI_H
        grid_guard(); /* a simulated process cannot fork */
#endif
        (void)MPI_Init(argc, argv);
        gum->finalize = 1;
    }
    (void)MPI_Comm_size(MPI_COMM_WORLD, &gum->processes);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &gum->pid);
    gum->phase = PHASE_READY;
    gum_now = gum;
    note_self(gum);
    guard_unfinished("gum_end was not called");
    absent_meet(call);
    open_program(gum, call);
    overflow_watch();
}

static Gum *ready(const char *call)
{
    if (!gum_now)
        context_stop(call, "called before gum_init");
    return gum_now;
}

/* Not within a run, nor after the end. */
static Gum *outside(const char *call)
{
    Gum *gum = ready(call);
    if (gum->phase == PHASE_RUNNING) {
        if (gum->threads.current || gum->escape)
            context_fail(call, GRID_EARG, "called within gum_run");
        context_stop(call, "called within gum_run");
    }
    if (gum->phase == PHASE_AFTER)
        context_stop(call, "called after gum_end");
    return gum;
}

static const char *problem_of(const GumTask *task)
{
    if (!task)
        return "the task is NULL";
    if (!task->name || !*task->name)
        return "the task has no name";
    if (!task->run)
        return "the task has no function";
    if (!task->argument.pack != !task->argument.unpack ||
        !task->result.pack != !task->result.unpack)
        return "a value has only one of pack and unpack";
    return NULL;
}

static int32_t quick(size_t size)
{
    return size == 4 || size == 8 || size == 16 ? (int32_t)size : 0;
}

GumType gum_type(const GumTask *task)
{
    static const char call[] = "gum_type";
    enum { ALIGN = 16, FIRST = 8 };
    Gum *gum = outside(call);
    const char *problem = problem_of(task);
    if (problem)
        context_stop(call, "%s", problem);
    if (gum->type_count == gum->type_capacity) {
        int32_t capacity = gum->type_capacity > 0 ? 2 * gum->type_capacity : FIRST;
        Type **types = realloc(gum->types, (size_t)capacity * sizeof *types);
        if (!types)
            context_stop(call, "out of memory");
        gum->types = types;
        gum->type_capacity = capacity;
    }
    Type *type = calloc(1, sizeof *type);
    if (!type)
        context_stop(call, "out of memory");
    type->task = *task;
    type->result_at = (task->argument.size + ALIGN - 1) / ALIGN * ALIGN;
    type->weight = BUDGET + 1;
    type->quick_argument = task->argument.clear ? 0 : quick(task->argument.size);
    type->quick_result = quick(task->result.size);
    type->quick = type->quick_argument && type->quick_result;
    type->size = type->result_at + task->result.size;
    gum->types[gum->type_count] = type;
    return gum->type_count++;
}

void gum_pure(GumType type)
{
    static const char call[] = "gum_pure";
    const Gum *gum = outside(call);
    if (type < 0 || type >= gum->type_count)
        context_stop(call, "%d is no type of tasks: there are %d", (int)type, (int)gum->type_count);
    Type *its = gum->types[type];
    if (its->task.argument.pack || its->task.argument.clear)
        context_stop(call, "the argument of `%.60s` is not flat", its->task.name);
    its->pure = 1;
}

int gum_end(void)
{
    static const char call[] = "gum_end";
    Gum *gum = outside(call);
    GridError error = gum->first;
    if (!gum->session.lost)
        open_end(gum);
    guard_unfinished(NULL);
    if (error.code != GRID_OK && gum->pid == error.speaker) {
        (void)fflush(stdout);
        (void)fprintf(stderr, "gum: %s\n", error.message);
        (void)fflush(stderr);
    }
    close_program(gum);
    if (gum->finalize || error.code == GRID_ELOST)
        return grid_finish(MPI_COMM_WORLD, &error);
    return error.code != GRID_OK;
}

/* ---- a run --------------------------------------------------------------------------------------- */

/* Seconds between two looks at the clock that follow each other, the shortest of some. */
static double clock_cost(void)
{
    enum { TRIES = 9 };
    double least = HUGE_VAL;
    for (int i = 0; i < TRIES; i++) {
        double begun = clock_now();
        least = fmin(least, clock_now() - begun);
    }
    return least;
}

/* Seconds of tasks between two looks for messages, from what a look takes. */
static double look_every(Gum *gum)
{
    enum { TRIES = 9 };
    double least = HUGE_VAL;
    if (gum->processes == 1)
        return LOOK;
    for (int i = 0; i < TRIES; i++) {
        double begun = clock_now();
        (void)transport_waiting(&gum->session.transport);
        least = fmin(least, clock_now() - begun);
    }
    least -= gum->clock_cost;
    /* in simulated time it takes none */
    return least > 0 ? fmin(LOOK, fmax(LEAST_LOOK, LOOK_SHARE * least)) : LOOK;
}

static int prepare(Gum *gum, GumType type)
{
    enum { PRIME = 7919 };
    const Settings *settings = &gum->settings;
    if (gum->pid == 0 && (type < 0 || type >= gum->type_count))
        (void)session_fail(&gum->session, GRID_EARG,
                           "gum_run: %d is no type of tasks: there are %d", (int)type,
                           (int)gum->type_count);
    else if (gum->pid == 0)
        (void)files_probe(gum);
    gum->records = (Records){.pid = gum->pid};
    threads_init(&gum->threads, settings->threads, (size_t)settings->stack, evaluate_thread);
    gum->policy =
        (Policy){.name = (PolicyName)settings->policy,
                 .age_limit = settings->age_limit >= 0 ? settings->age_limit : gum->processes,
                 .weak_cluster_waits = settings->weak_waits};
    gum->chance = (uint64_t)gum->pid * PRIME;
    gum->fishing[0] = gum->fishing[1] = (Fishing){0};
    gum->given = (Given){0};
    gum->counters = (Counters){0};
    gum->budget = 0;
    gum->pauses = 0;
    gum->clock_cost = clock_cost();
    gum->sample = 0;
    gum->careful = settings->profile;
    gum->look_every = look_every(gum);
    gum->full = evaluate_budget(gum);
    gum->looks = 0;
    if (pool_grow(&gum->pool) || tables_new(&gum->tables, gum->processes, gum->pid) ||
        report_new(gum) || activity_new(gum))
        return session_out_of_memory(&gum->session);
    for (int32_t i = 0; i < gum->type_count; i++)
        gum->tables.repeats |= gum->types[i]->pure && settings->policy == POLICY_PREDICTED;
    return 0;
}

/* The main task, which begins at once on the main process. */
static int begin_main(Gum *gum, GumType type, const void *argument)
{
    Type *its = gum->types[type];
    Record *record = record_new(&gum->records, its);
    if (!record) {
        value_clear(&its->task.argument, (void *)(uintptr_t)argument);
        return session_out_of_memory(&gum->session);
    }
    if (its->task.argument.size > 0)
        memcpy(record->data, argument, its->task.argument.size);
    record->owner = 0;
    record->state = RECORD_HELD;
    record->level = 0;
    record->path = 0;
    gum->main = record;
    gum->main_type = its;
    if (gum->tables.main != 0)
        return steal_give(gum, gum->tables.main, record);
    return threads_start(&gum->threads, record) ? 0 : session_out_of_memory(&gum->session);
}

/* All processes agree, and know each other.  0; -1: failed, and there is no run. */
static int meet_all(Gum *gum, GumType type)
{
    (void)session_prepare(&gum->session);
    if (open_meet(gum, type))
        return -1;
    if (prepare(gum, type) == 0 && !gum->settings.measures)
        meet(gum);
    if (open_begin(gum))
        return -1;
    if (!gum->settings.measures)
        return 0;
    if (meet_measure(gum) == 0)
        meet(gum);
    return open_begin(gum);
}

static void release(Gum *gum)
{
    records_free(&gum->records);
    pool_free(&gum->pool);
    threads_free(&gum->threads);
    tables_free(&gum->tables);
    data_free(gum);
    report_free(gum);
    activity_end(gum);
    gum->main = NULL;
}

int gum_run(GumType type, const void *argument, void *result)
{
    static const char call[] = "gum_run";
    enum { PERIOD = 1 };
    Gum *gum = outside(call);
    Session *session = &gum->session;
    int mine = gum->pid == 0 && type >= 0 && type < gum->type_count, begun = 0;
    if (mine) {
        const GumTask *task = &gum->types[type]->task;
        if ((!argument && task->argument.size > 0) || (!result && task->result.size > 0))
            context_stop(call, "the argument of `%.60s`, or the place for its result, is NULL",
                         task->name);
    }
    if (session->lost) { /* it would wait for the lost process for ever */
        if (mine)
            value_clear(&gum->types[type]->task.argument, (void *)(uintptr_t)argument);
        gum->error = session->error;
        return gum->error.code;
    }
    gum->phase = PHASE_RUNNING;
    gum->failed = 0;
    gum->main_result = result;
    if (meet_all(gum, type) == 0) {
        double period = liveness_period(session, PERIOD);
        begun = 1;
        report_start(gum);
        gum->activity_since = clock_now();
        stuck_begin(gum, gum->activity_since);
        int failed = gum->pid == 0 && begin_main(gum, type, argument);
        session_run(session, period, failed);
        if (session->error.code == GRID_OK)
            (void)report(gum);
        if (session->error.code == GRID_OK && gum->timeline)
            (void)activity_report(gum);
    }
    if (mine && !begun)
        value_clear(&gum->types[type]->task.argument, (void *)(uintptr_t)argument);
    gum->error = session->error;
    if (gum->error.code != GRID_OK)
        gum->measured = -INFINITY; /* perhaps it was not measured everywhere */
    if (gum->first.code == GRID_OK || gum->error.code == GRID_ELOST)
        gum->first = gum->error;
    session_release(session);
    release(gum);
    gum->phase = PHASE_READY;
    return gum->error.code;
}

const char *gum_error(void)
{
    return ready("gum_error")->error.message;
}

int gum_pid(void)
{
    return ready("gum_pid")->pid;
}

int gum_processes(void)
{
    return ready("gum_processes")->processes;
}

double gum_time(void)
{
    return context_elapsed(context_inside("gum_time"));
}
