/* How the mapping changes while the run goes on. */
#include "grid/shift.h"

#include <assert.h>
#include <string.h>

#include "grid/clock.h"
#include "grid/flow.h"
#include "grid/guard.h"
#include "grid/unit.h"

void shift_places(const Run *run, const int32_t *mapping, int32_t *place)
{
    int32_t stages = run->pipeline->stage_count;
    int32_t input = run->settings->input, output = run->settings->output;
    place[0] = input == AMOGET_NOWHERE ? mapping[0] : input;
    memcpy(place + 1, mapping, (size_t)stages * sizeof *mapping);
    place[stages + 1] = output == AMOGET_NOWHERE ? mapping[stages - 1] : output;
}

int shift_busy(const Run *run)
{
    return run->shift.phase != SHIFT_NONE || run->shift.awaiting_start;
}

/* To everybody, this process as well. */
static int say_all(Run *run, Saying saying, int32_t epoch, const void *bytes, size_t size)
{
    Head head = {.saying = (int32_t)saying, .epoch = epoch};
    return wire_send_all(&run->wire, &head, bytes, size, 1) ? run_wire_failed(run) : 0;
}

static int tell(Run *run, Saying saying, int32_t epoch, double time)
{
    Head head = {.saying = (int32_t)saying, .epoch = epoch, .time = time};
    return wire_send(&run->wire, 0, &head, NULL) ? run_wire_failed(run) : 0;
}

/* ---- step by step ------------------------------------------------------------------------- */

int shift_begin(Run *run, const int32_t *mapping, double decided)
{
    Shift *shift = &run->shift;
    shift->quiet = shift->settled = 0;
    shift->decided = decided;
    shift->awaiting_start = run->epoch + 1;
    return say_all(run, SAY_FREEZE, run->epoch + 1, mapping,
                   (size_t)run->pipeline->stage_count * sizeof *mapping);
}

static void freeze(Run *run, const Message *message)
{
    Shift *shift = &run->shift;
    memcpy(run->mapping, message->body.bytes, message->body.size);
    shift_places(run, run->mapping, shift->place);
    shift->phase = SHIFT_FREEZING;
    shift->arriving = 0;
    for (int32_t u = 0; u < run->units; u++)
        shift->arriving += shift->place[u] == run->wire.rank && !run_here(run, u);
}

int shift_step(Run *run)
{
    if (run->shift.phase != SHIFT_FREEZING || !flow_quiet(run))
        return 0;
    run->shift.phase = SHIFT_QUIET;
    return tell(run, SAY_QUIET, run->epoch + 1, 0) ? -1 : 1;
}

static int settle(Run *run)
{
    if (run->shift.phase != SHIFT_SETTLING || run->shift.arriving > 0)
        return 0;
    run->shift.phase = SHIFT_SETTLED;
    return tell(run, SAY_SETTLED, run->epoch + 1, 0);
}

static int ship(Run *run)
{
    const int32_t *place = run->shift.place;
    GridBuffer parcel = {0};
    int status = 0;
    for (int32_t u = 0; u < run->units && !status; u++) {
        if (!run_here(run, u) || place[u] == run->wire.rank)
            continue;
        Head head = {.saying = SAY_UNIT, .unit = u, .epoch = run->epoch + 1};
        status = unit_pack(run, u, &parcel);
        if (!status && wire_send(&run->wire, place[u], &head, &parcel))
            status = run_wire_failed(run);
    }
    grid_buffer_free(&parcel);
    run->shift.phase = SHIFT_SETTLING;
    return status ? status : settle(run);
}

static int resume(Run *run)
{
    run->epoch++;
    run->ending.report.moves++;
    memcpy(run->place, run->shift.place, (size_t)run->units * sizeof *run->place);
    run->resumed = clock_now();
    run->shift.phase = SHIFT_NONE;
    run->shift.announce = 1;
    flow_renew(run);
    guard_note(run_process_words(run, run->wire.rank).text);
    return 0;
}

int shift_catch_up(Run *run, const Message *message)
{
    return run->shift.phase == SHIFT_SETTLED && message->head.epoch == run->epoch + 1 ? resume(run)
                                                                                      : 0;
}

/* ---- the first start of work -------------------------------------------------------------- */

int shift_started(Run *run)
{
    if (!run->shift.announce)
        return 0;
    run->shift.announce = 0;
    return tell(run, SAY_STARTED, run->epoch, clock_now());
}

static void moved(Run *run, double when)
{
    const GridController *controller = run->controller;
    run->shift.awaiting_start = 0;
    if (!controller || !controller->moved)
        return;
    double begin = clock_now();
    controller->moved(controller->user, when - run->start, run->place + 1,
                      when - run->shift.decided);
    run->ending.report.overhead += clock_now() - begin;
}

void shift_end(Run *run)
{
    if (run->shift.awaiting_start && run->shift.awaiting_start == run->epoch)
        moved(run, run->resumed);
}

/* ---- what is heard ------------------------------------------------------------------------ */

int shift_handle(Run *run, const Message *message)
{
    Shift *shift = &run->shift;
    switch ((Saying)message->head.saying) {
    case SAY_FREEZE:
        freeze(run, message);
        return 0;
    case SAY_QUIET:
        return ++shift->quiet == run->wire.size ? say_all(run, SAY_SHIP, run->epoch + 1, NULL, 0)
                                                : 0;
    case SAY_SHIP:
        return ship(run);
    case SAY_UNIT:
        assert(shift->phase == SHIFT_QUIET || shift->phase == SHIFT_SETTLING);
        shift->arriving--;
        return unit_unpack(run, message->head.unit, &message->body) ? -1 : settle(run);
    case SAY_SETTLED:
        return ++shift->settled == run->wire.size
                   ? say_all(run, SAY_RESUME, run->epoch + 1, NULL, 0)
                   : 0;
    case SAY_RESUME:
        return message->head.epoch == run->epoch + 1 ? resume(run) : 0;
    default:
        if (shift->awaiting_start == message->head.epoch)
            moved(run, run_same_clock(run, message->from) ? message->head.time : clock_now());
        return 0;
    }
}
