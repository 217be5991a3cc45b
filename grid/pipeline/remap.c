/* Remapping: how stages move while the run goes on. */
#include "grid/pipeline/remap.h"

#include <assert.h>
#include <string.h>

#include "grid/core/clock.h"
#include "grid/core/guard.h"
#include "grid/pipeline/flow.h"
#include "grid/pipeline/parcel.h"

void remap_places(const Run *run, const int32_t *mapping, int32_t *place)
{
    int32_t stages = run->pipeline->stage_count;
    int32_t input = run->settings->input, output = run->settings->output;
    place[0] = input == AMOGET_NOWHERE ? mapping[0] : input;
    memcpy(place + 1, mapping, (size_t)stages * sizeof *mapping);
    place[stages + 1] = output == AMOGET_NOWHERE ? mapping[stages - 1] : output;
}

int remap_busy(const Run *run)
{
    return run->remap.phase != REMAP_NONE || run->remap.awaiting_start;
}

/* To all processes, this one as well; for the next epoch. */
static int tell_all(Run *run, int32_t tag, const void *bytes, size_t size)
{
    Fields fields = {.epoch = run->epoch + 1};
    Head head = head_new(tag, &fields, sizeof fields);
    return session_send_all(&run->session, &head, bytes, size, 1);
}

/* To process 0. */
static int tell(Run *run, int32_t tag)
{
    Fields fields = {.epoch = run->epoch + 1};
    return run_send(run, 0, tag, &fields, NULL);
}

/* ---- step by step ------------------------------------------------------------------------- */

int remap_begin(Run *run, const int32_t *mapping, double decided)
{
    Remap *remap = &run->remap;
    remap->quiet = remap->settled = 0;
    remap->decided = decided;
    remap->awaiting_start = run->epoch + 1;
    return tell_all(run, TAG_FREEZE, mapping, (size_t)run->pipeline->stage_count * sizeof *mapping);
}

static void freeze(Run *run, const Message *message)
{
    Remap *remap = &run->remap;
    memcpy(run->mapping, message->body.bytes, message->body.size);
    remap_places(run, run->mapping, remap->place);
    remap->phase = REMAP_FREEZING;
    remap->arriving = 0;
    for (int32_t u = 0; u < run->units; u++)
        remap->arriving += remap->place[u] == run_rank(run) && !run_here(run, u);
}

int remap_step(Run *run)
{
    if (run->remap.phase != REMAP_FREEZING || !flow_quiet(run))
        return 0;
    run->remap.phase = REMAP_QUIET;
    return tell(run, TAG_QUIET) ? -1 : 1;
}

static int settle(Run *run)
{
    if (run->remap.phase != REMAP_SETTLING || run->remap.arriving > 0)
        return 0;
    run->remap.phase = REMAP_SETTLED;
    return tell(run, TAG_SETTLED);
}

static int ship(Run *run)
{
    const int32_t *place = run->remap.place;
    GridBuffer parcel = {0};
    int status = 0;
    for (int32_t u = 0; u < run->units && !status; u++) {
        if (!run_here(run, u) || place[u] == run_rank(run))
            continue;
        Fields fields = {.unit = u, .epoch = run->epoch + 1};
        status = parcel_pack(run, u, &parcel);
        if (!status)
            status = run_send(run, place[u], TAG_UNIT, &fields, &parcel);
    }
    grid_buffer_free(&parcel);
    run->remap.phase = REMAP_SETTLING;
    return status ? status : settle(run);
}

static void resume(Run *run)
{
    run->epoch++;
    run->report.moves++;
    memcpy(run->place, run->remap.place, (size_t)run->units * sizeof *run->place);
    run->resumed = clock_now();
    run->remap.phase = REMAP_NONE;
    run->announce = 1;
    flow_renew(run);
    guard_note(session_process_name(&run->session, run_rank(run)).text);
}

void remap_catch_up(Run *run, const Fields *fields)
{
    if (run->remap.phase == REMAP_SETTLED && fields->epoch == run->epoch + 1)
        resume(run);
}

/* ---- the first start of work -------------------------------------------------------------- */

static void moved(Run *run, double when)
{
    const GridController *controller = run->controller;
    run->remap.awaiting_start = 0;
    if (!controller || !controller->moved)
        return;
    double begin = clock_now();
    controller->moved(controller->user, run_time(run, when), run->place + 1,
                      when - run->remap.decided);
    run->report.overhead += clock_now() - begin;
}

void remap_end(Run *run)
{
    if (run->remap.awaiting_start && run->remap.awaiting_start == run->epoch)
        moved(run, run->resumed);
}

void remap_started(Run *run, int32_t from, const Fields *fields)
{
    if (run->remap.awaiting_start == fields->epoch)
        moved(run, run_same_clock(run, from) ? fields->time : clock_now());
}

/* ---- messages ----------------------------------------------------------------------------- */

static int accept_unit(Run *run, const Fields *fields, const Message *message)
{
    assert(run->remap.phase == REMAP_QUIET || run->remap.phase == REMAP_SETTLING);
    run->remap.arriving--;
    return parcel_unpack(run, fields->unit, &message->body) ? -1 : settle(run);
}

int remap_handle(Run *run, const Fields *fields, const Message *message)
{
    Remap *remap = &run->remap;
    switch (message->head.tag) {
    case TAG_FREEZE:
        freeze(run, message);
        return 0;
    case TAG_QUIET:
        return ++remap->quiet == run_size(run) ? tell_all(run, TAG_SHIP, NULL, 0) : 0;
    case TAG_SHIP:
        return ship(run);
    case TAG_UNIT:
        return accept_unit(run, fields, message);
    case TAG_SETTLED:
        return ++remap->settled == run_size(run) ? tell_all(run, TAG_RESUME, NULL, 0) : 0;
    default:
        if (fields->epoch == run->epoch + 1) /* else another process's message came first */
            resume(run);
        return 0;
    }
}
