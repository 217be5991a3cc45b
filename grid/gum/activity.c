/* What this process did over time, and the file that says it of all. */
#include "grid/gum/activity.h"

#include <stdlib.h>
#include <string.h>

#include "grid/core/agree.h"
#include "grid/core/clock.h"
#include "grid/gum/activity/activity.h"
#include "grid/gum/files.h"

struct Timeline {
    ActivityLog log;
    int64_t made, pruned, taken, given; /* of the counters, are in the log */
};

int activity_new(Gum *gum)
{
    gum->timeline = NULL;
    if (!gum->settings.activity)
        return 0;
    gum->timeline = calloc(1, sizeof *gum->timeline);
    if (!gum->timeline)
        return -1;
    activity_begin(&gum->timeline->log);
    return 0;
}

void activity_end(Gum *gum)
{
    free(gum->timeline);
    gum->timeline = NULL;
}

/* What a counter has counted since the last time. */
static double since(int64_t *before, int64_t now)
{
    double more = (double)(now - *before);
    *before = now;
    return more;
}

void activity_note(Gum *gum, double now, const double *what)
{
    struct Timeline *line = gum->timeline;
    const Counters *c = &gum->counters;
    const Threads *threads = &gum->threads;
    double from = gum->activity_since - gum->session.start, to = now - gum->session.start;
    from = from > 0 ? from : 0;
    to = to > from ? to : from;
    double length = to - from;
    int runs = what == &c->running;
    int32_t ready = threads->live - threads->blocked - runs;
    ActivityCell cell = {.runnable = ready > 0 ? ready * length : 0,
                         .blocked = threads->blocked * length,
                         .made = since(&line->made, c->made),
                         .pruned = since(&line->pruned, c->inlined),
                         .taken = since(&line->taken, c->taken),
                         .given = since(&line->given, c->given)};
    if (runs)
        cell.running = length;
    else if (what == &c->fetching)
        cell.fetching = length;
    else
        cell.idle = length;
    activity_add(&line->log, from, to, &cell);
}

/* ---- the file ------------------------------------------------------------------------------------- */

static int mpi(Gum *gum, int status, MPI_Request *request)
{
    if (status == MPI_SUCCESS)
        status = clock_await(request);
    return status == MPI_SUCCESS ? 0 : session_mpi_failed(&gum->session, status);
}

/* All have intervals of the same width. */
static int agree_on_width(Gum *gum)
{
    ActivityLog *log = &gum->timeline->log;
    MPI_Request request;
    double widest = 0;
    if (mpi(gum,
            MPI_Iallreduce(&log->width, &widest, 1, MPI_DOUBLE, MPI_MAX,
                           gum->session.transport.comm, &request),
            &request))
        return -1;
    activity_widen(log, widest);
    return 0;
}

/* Events after the end count in the last interval: sparks that came when the result was there. */
static void gather(const Activity *a, ActivityCell *cell)
{
    ActivityCell *last = &cell[a->intervals - 1];
    for (const ActivityCell *each = last + 1; each < cell + ACTIVITY_CELLS; each++) {
        last->made += each->made;
        last->pruned += each->pruned;
        last->taken += each->taken;
        last->given += each->given;
    }
}

/* What a process did in the last interval after the end, before it heard of it, is not of the run. */
static void cut(ActivityCell *cell, double length)
{
    double busy = cell->running + cell->fetching, keep = busy > length ? length / busy : 1;
    cell->running *= keep;
    cell->fetching *= keep;
    cell->runnable *= keep;
    cell->blocked *= keep;
}

/* What is left of an interval, up to the end of the run, is idle: processes count up to where they hear
 * of the end. */
static void fill(const Activity *a, int32_t k, ActivityCell *cell)
{
    double end = (k + 1) * a->width < a->makespan ? (k + 1) * a->width : a->makespan;
    double length = end - k * a->width;
    cut(cell, length);
    double idle = length - cell->running - cell->fetching;
    cell->idle = idle > 1e-9 * a->width ? idle : 0; /* not rounding */
}

static int write_file(Gum *gum, const Activity *activity)
{
    FILE *to = files_open(&file_of_activity);
    return files_close(gum, &file_of_activity, to, !to || activity_write(activity, to));
}

/* From the logs of all, which become rows without what is after the end. */
static int write_all(Gum *gum, ActivityCell *cells)
{
    Activity a = {.processes = gum->processes,
                  .makespan = gum->makespan > 0 ? gum->makespan : ACTIVITY_WIDTH,
                  .width = gum->timeline->log.width,
                  .cell = cells};
    a.intervals = activity_intervals(a.makespan, a.width);
    for (int32_t p = 0; p < a.processes; p++) {
        ActivityCell *to = cells + (size_t)p * (size_t)a.intervals;
        gather(&a, cells + (size_t)p * ACTIVITY_CELLS);
        memmove(to, cells + (size_t)p * ACTIVITY_CELLS, (size_t)a.intervals * sizeof *to);
        for (int32_t k = 0; k < a.intervals; k++)
            fill(&a, k, &to[k]);
    }
    (void)snprintf(a.program, sizeof a.program, "%.60s", gum->main_type->task.name);
    (void)snprintf(a.policy, sizeof a.policy, "%s", policy_text(gum->policy.name));
    return write_file(gum, &a);
}

int activity_report(Gum *gum)
{
    ActivityCell *cells = NULL;
    MPI_Request request;
    enum { BYTES = sizeof gum->timeline->log.cell };
    activity_note(gum, clock_now(), &gum->counters.idle);
    if (agree_on_width(gum))
        return -1;
    if (gum->pid == 0 && !(cells = calloc((size_t)gum->processes, BYTES)))
        (void)session_out_of_memory(&gum->session);
    int status = agree_same(&gum->session, 0, "");
    if (status == 0)
        status = mpi(gum,
                     MPI_Igather(gum->timeline->log.cell, BYTES, MPI_BYTE, cells, BYTES, MPI_BYTE,
                                 0, gum->session.transport.comm, &request),
                     &request);
    if (status == 0 && gum->pid == 0)
        status = write_all(gum, cells);
    free(cells);
    return agree_same(&gum->session, 0, "") ? -1 : status;
}
