/* A run of a pipeline from its start to its end, on one process. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/core/agree.h"
#include "grid/core/clock.h"
#include "grid/core/guard.h"
#include "grid/core/lifecycle.h"
#include "grid/core/liveness.h"
#include "grid/machine/link_probe.h"
#include "grid/pipeline/check.h"
#include "grid/pipeline/control.h"
#include "grid/pipeline/flow.h"
#include "grid/pipeline/remap.h"
#include "grid/pipeline/run.h"
#include "grid/pipeline/sampling.h"
#include "grid/pipeline/tuning.h"
#include "grid/pipeline/unit.h"

/* ---- what core calls ---------------------------------------------------------------------- */

/* Process 0: the last item is through the sink. */
static void accept_report(Run *run, const Message *message)
{
    GridReport told;
    memcpy(&told, message->body.bytes, sizeof told);
    run->report.items = told.items;
    run->report.seconds = told.seconds;
    run->report.throughput = told.throughput;
    session_stop(&run->session);
}

static int handle_fields(Run *run, const Fields *fields, Message *message)
{
    switch (message->head.tag) {
    case TAG_CREDIT:
        remap_catch_up(run, fields);
        return fields->epoch == run->epoch ? flow_credit(run, message->from, fields) : 0;
    case TAG_ITEM:
        return flow_item(run, fields, message);
    case TAG_MOVED:
        return flow_moved(run, message->from, fields);
    case TAG_STARTED:
        remap_catch_up(run, fields);
        remap_started(run, message->from, fields);
        return 0;
    case TAG_DONE:
        remap_catch_up(run, fields);
        accept_report(run, message);
        return 0;
    default:
        return remap_handle(run, fields, message);
    }
}

static int handle(void *self, Message *message)
{
    Run *run = self;
    Fields fields;
    int sampled = sampler_handle(&run->sampler, message);
    if (sampled)
        return sampled < 0 ? -1 : 0;
    if (message->head.tag == TAG_REPORT) {
        control_report(run, message);
        return 0;
    }
    head_read(&message->head, &fields, sizeof fields);
    return handle_fields(run, &fields, message);
}

static int step(void *self, double now)
{
    Run *run = self;
    int64_t through = run_here(run, run->units - 1) ? run->departures.count : -1;
    int flowed = flow_step(run, now);
    int moved = flowed < 0 ? -1 : remap_step(run);
    int sampled = moved < 0 ? -1 : sampler_step(&run->sampler, clock_now(), through);
    int decided = sampled < 0 ? -1 : control_step(run, clock_now());
    return decided < 0 ? -1 : flowed | moved | sampled | decided;
}

static double next(const void *self, double now)
{
    const Run *run = self;
    return fmin(flow_next(run, now), fmin(sampler_next(&run->sampler), control_next(run)));
}

static void finish(void *self)
{
    remap_end(self);
}

/* ---- from start to end -------------------------------------------------------------------- */

/* Memory, once the arguments are known to be good. */
static int prepare(Run *run)
{
    run->units = run->pipeline->stage_count + 2;
    size_t units = (size_t)run->units;
    run->place = calloc(units, sizeof *run->place);
    run->remap.place = calloc(units, sizeof *run->remap.place);
    run->mapping = calloc(units, sizeof *run->mapping);
    run->unit = calloc(units, sizeof *run->unit);
    if (session_prepare(&run->session))
        return -1;
    if (!run->place || !run->remap.place || !run->mapping || !run->unit ||
        sampler_new(&run->sampler, &run->session, run->settings->platform, sampling_streams(run)))
        return session_out_of_memory(&run->session);
    remap_places(run, run->settings->mapping, run->place);
    return 0;
}

static void release(Run *run)
{
    for (int32_t u = 0; run->unit && u < run->units; u++)
        unit_destroy(run, u);
    free(run->place);
    free(run->remap.place);
    free(run->mapping);
    free(run->unit);
    sampler_free(&run->sampler);
    session_close(&run->session);
}

/* Collective.  -1: some process has an error. */
static int agree(Run *run)
{
    Session *session = &run->session;
    const GridController *controller =
        run_rank(run) == 0 && run->settings ? run->settings->controller : NULL;
    int64_t fingerprint = session->error.code == GRID_OK ? check_fingerprint(run) : 0;
    if (agree_same(session, fingerprint,
                   "stages, mode, mapping or ends are not the same on all processes") ||
        agree_meet(session))
        return -1;
    run->controller = controller;
    run->period = controller ? controller->period : 0;
    return agree_start(session, run->settings->patience, &run->period);
}

/* Links are measured, and the units that are here exist. */
static int begin(Run *run)
{
    guard_note(session_process_name(&run->session, run_rank(run)).text);
    if (run->period > 0 && link_probe(&run->sampler))
        return -1;
    for (int32_t u = 0; u < run->units; u++)
        if (run_here(run, u) && unit_create(run, u))
            return -1;
    run->resumed = clock_now();
    for (int32_t u = 0; u < run->units; u++) {
        run->unit[u].since = run->unit[u].input.since = run->resumed;
        run->unit[u].item = u > 0 ? -1 : 0;
    }
    return 0;
}

static void carry_out(Run *run)
{
    Session *session = &run->session;
    check_arguments(run);
    if (session->error.code == GRID_OK)
        (void)prepare(run);
    if (agree(run))
        return;
    double period =
        liveness_period(session, run->period > 0 ? sampler_period(run->period) : HUGE_VAL);
    int failed = begin(run);
    if (run->period > 0)
        sampler_start(&run->sampler, period, fmax(run->period, LEAST_PROBE_PERIOD));
    control_start(run);
    session_run(session, period, failed);
}

int grid_run(MPI_Comm comm, const GridPipeline *pipeline, const GridSettings *settings,
             GridReport *report, GridError *err)
{
    Run run = {.pipeline = pipeline, .settings = settings};
    const Runtime runtime = {.self = &run,
                             .handle = handle,
                             .step = step,
                             .next = next,
                             .describe = units_of_process,
                             .finish = finish,
                             .result = &run.report,
                             .result_size = sizeof run.report};
    if (session_open(&run.session, comm, &runtime) == 0)
        carry_out(&run);
    release(&run);
    if (report)
        *report = run.report;
    if (err)
        *err = run.session.error;
    return run.session.error.code == GRID_OK ? 0 : -1;
}
