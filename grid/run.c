/* A run from its beginning to its end, on one process. */
#include <math.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "grid/agree.h"
#include "grid/clock.h"
#include "grid/flow.h"
#include "grid/guard.h"
#include "grid/probe.h"
#include "grid/shift.h"
#include "grid/unit.h"
#include "grid/watch.h"

/* ---- the loop ----------------------------------------------------------------------------- */

static int handle(Run *run, Message *message)
{
    const Head *head = &message->head;
    watch_heard(run, message->from);
    switch ((Saying)head->saying) {
    case SAY_CREDIT:
        if (shift_catch_up(run, message))
            return -1;
        return head->epoch == run->epoch ? flow_credit(run, message) : 0;
    case SAY_ITEM:
        return flow_item(run, message);
    case SAY_MOVED:
        return flow_moved(run, message);
    case SAY_STARTED:
        return shift_catch_up(run, message) ? -1 : shift_handle(run, message);
    case SAY_REPORT:
        return watch_report(run, message);
    case SAY_ALIVE:
        return 0;
    case SAY_PING:
        return watch_answer(run, message);
    case SAY_PONG:
        watch_pong(run, message);
        return 0;
    case SAY_DONE:
        if (shift_catch_up(run, message))
            return -1;
        run_accept_report(run, message);
        return 0;
    case SAY_FAILED:
        run_stop(run, (const GridError *)(const void *)message->body.bytes);
        return 0;
    case SAY_STOP:
        run_accept_ending(run, message);
        return 0;
    default:
        return shift_handle(run, message);
    }
}

/* After an error here: wait for process 0 to end the run. */
static int wait_for_ending(Run *run)
{
    Message *message = NULL;
    if (wire_progress(&run->wire) || wire_receive(&run->wire, &message))
        return -1;
    if (!message)
        return 0;
    watch_heard(run, message->from);
    if (message->head.saying == SAY_STOP)
        run_accept_ending(run, message);
    wire_release(&run->wire, message);
    return 1;
}

/* All that has arrived, all that is due.  1: something was done. */
static int step(Run *run, double *now)
{
    Message *message = NULL;
    int did = 0, looks = 0;
    /* Open MPI looks at the network after it has said that there is nothing: only twice nothing is
     * nothing. */
    while (looks < 2) {
        if (wire_receive(&run->wire, &message))
            return run_wire_failed(run);
        looks = message ? 0 : looks + 1;
        if (!message)
            continue;
        int status = handle(run, message);
        wire_release(&run->wire, message);
        if (status || run->stopped)
            return status;
        did = 1;
    }
    *now = run->watch.looked = clock_now();
    if (wire_progress(&run->wire))
        return run_wire_failed(run);
    int flowed = flow_step(run, *now);
    int shifted = flowed < 0 ? -1 : shift_step(run);
    int watched = shifted < 0 ? -1 : watch_step(run, clock_now());
    return watched < 0 ? -1 : did | flowed | shifted | watched;
}

static double next_timer(const Run *run, double now)
{
    return fmin(flow_next(run, now), watch_next(run));
}

static void loop(Run *run)
{
    Backoff backoff;
    backoff_reset(&backoff);
    while (!run->stopped) {
        double now = clock_now(), next = HUGE_VAL;
        int did;
        if (run->ending.error.code == GRID_OK) {
            did = step(run, &now);
            if (did < 0)
                run_give_in(run);
            else
                next = next_timer(run, now);
        } else {
            did = wait_for_ending(run);
            if (did < 0 || now - run->watch.heard[0] > run->patience) {
                run->lost = 1;
                run->stopped = 1;
            }
        }
        if (did)
            backoff_reset(&backoff);
        else
            backoff_wait(&backoff, next);
    }
}

/* ---- from beginning to end ---------------------------------------------------------------- */

/* Memory, once the arguments are known to be good. */
static int prepare(Run *run)
{
    run->units = run->pipeline->stage_count + 2;
    size_t units = (size_t)run->units;
    run->place = calloc(units, sizeof *run->place);
    run->shift.place = calloc(units, sizeof *run->shift.place);
    run->mapping = calloc(units, sizeof *run->mapping);
    run->unit = calloc(units, sizeof *run->unit);
    run->peer = calloc((size_t)run->wire.size, sizeof *run->peer);
    if (!run->place || !run->shift.place || !run->mapping || !run->unit || !run->peer ||
        watch_prepare(run) || wire_prepare(&run->wire))
        return run_fail(run, GRID_ENOMEM, "out of memory on rank %d", run->wire.rank);
    shift_places(run, run->settings->mapping, run->place);
    return 0;
}

static void release(Run *run)
{
    for (int32_t u = 0; run->unit && u < run->units; u++)
        unit_destroy(run, u);
    free(run->place);
    free(run->shift.place);
    free(run->mapping);
    free(run->unit);
    free(run->peer);
    watch_close(run);
    wire_close(&run->wire, run->lost);
}

/* With injected times, what the platform says of the links from here. */
static void injected_links(Run *run)
{
    const double sizes[2] = {1, 65536};
    int32_t a = run->wire.rank;
    for (int32_t b = 0; b < run->wire.size; b++)
        for (int k = 0; k < 2; k++)
            watch_ping(run, a, b, sizes[k], run->start,
                       grid_platform_ping(run->settings->platform, 0, a, b, sizes[k]));
}

static int begin(Run *run)
{
    guard_note(run_process_words(run, run->wire.rank).text);
    watch_meet(run);
    if (run->period > 0 && run->settings->platform)
        injected_links(run);
    else if (run->period > 0 && probe_links(run))
        return -1;
    for (int32_t u = 0; u < run->units; u++)
        if (run_here(run, u) && unit_create(run, u))
            return -1;
    run->resumed = clock_now();
    for (int32_t u = 0; u < run->units; u++) {
        run->unit[u].since = run->unit[u].inlet.since = run->resumed;
        run->unit[u].item = u > 0 ? -1 : 0;
    }
    return 0;
}

/* From agreement to the last message. */
static void carry_out(Run *run)
{
    agree_check(run);
    if (run->ending.error.code == GRID_OK)
        (void)prepare(run);
    if (agree_all(run))
        return;
    int begun = begin(run);
    watch_begin(run);
    if (begun)
        run_give_in(run);
    loop(run);
    if (run->lost)
        return;
    int drained = wire_drain(&run->wire, clock_now() + run->patience);
    if (drained < 0)
        (void)run_wire_failed(run);
    else if (drained == 0)
        (void)run_fail(run, GRID_ELOST, "not all processes came to the end of the run in %g s",
                       run->patience);
    run->lost = drained != 1;
}

int grid_run(MPI_Comm comm, const GridPipeline *pipeline, const GridSettings *settings,
             GridReport *report, GridError *err)
{
    Run run = {.pipeline = pipeline, .settings = settings};
    int slack = prctl(PR_GET_TIMERSLACK);
    (void)prctl(PR_SET_TIMERSLACK, 1UL); /* nanoseconds: the default is 50 us */
    run.wire.comm = MPI_COMM_NULL;
    if (wire_open(&run.wire, comm))
        (void)run_wire_failed(&run);
    else
        carry_out(&run);
    release(&run);
    if (slack > 0)
        (void)prctl(PR_SET_TIMERSLACK, (unsigned long)slack);
    if (report)
        *report = run.ending.report;
    if (err)
        *err = run.ending.error;
    return run.ending.error.code == GRID_OK ? 0 : -1;
}

int grid_finish(MPI_Comm comm, const GridError *err)
{
    enum { SECONDS = 30 };
    int rank = 0;
    if (err->code != GRID_ELOST) {
        (void)MPI_Finalize();
        return err->code != GRID_OK;
    }
    (void)MPI_Comm_rank(comm, &rank);
    if (rank != err->speaker)
        (void)sleep(SECONDS);
    (void)MPI_Abort(comm, 1);
    return 1;
}
