/* The flow of items from unit to unit. */
#include "grid/pipeline/flow.h"

#include <assert.h>
#include <math.h>

#include "grid/core/clock.h"
#include "grid/pipeline/injected.h"
#include "grid/pipeline/input.h"
#include "grid/pipeline/sampling.h"
#include "grid/pipeline/sharing.h"
#include "grid/pipeline/tuning.h"
#include "grid/pipeline/unit.h"

/* ---- state -------------------------------------------------------------------------------- */

static int is_frozen(const Run *run)
{
    return run->remap.phase != REMAP_NONE;
}

static int32_t stages_here(const Run *run)
{
    int32_t count = 0;
    for (int32_t u = 1; u < run->units - 1; u++)
        count += run_here(run, u);
    return count;
}

static int is_pushed(const Run *run)
{
    return !run->settings->platform;
}

/* Tell a unit's process about an item. */
static int say(Run *run, int32_t tag, int32_t unit, int64_t item, double time)
{
    Fields fields = {.unit = unit,
                     .epoch = run->epoch,
                     .frozen = is_frozen(run),
                     .item = item,
                     .time = time};
    return run_send(run, run->place[unit], tag, &fields, NULL);
}

/* ---- the sender's side -------------------------------------------------------------------- */

int flow_credit(Run *run, int32_t from, const Fields *fields)
{
    Unit *u = &run->unit[fields->unit];
    assert(run_here(run, fields->unit) && !u->credit);
    if (is_pushed(run)) {
        if (u->credited <= fields->item)
            u->credited = fields->item + 1;
        u->may_push = 1;
        return 0;
    }
    u->credit = 1;
    u->credit_time =
        run->settings->platform && run_same_clock(run, from) ? fields->time : clock_now();
    return 0;
}

static int pass(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    Fields fields = {.unit = unit + 1,
                     .epoch = run->epoch,
                     .end = u->end,
                     .item = u->item,
                     .time = run->settings->platform
                                 ? fmax(fmax(u->since, u->credit_time), run->resumed)
                                 : clock_now()};
    u->state = UNIT_SENDING;
    u->credit = 0;
    u->pushed++;
    return run_send(run, run->place[unit + 1], TAG_ITEM, &fields, &u->out);
}

static int can_pass(const Run *run, int32_t unit)
{
    const Unit *u = &run->unit[unit];
    if (u->state != UNIT_READY)
        return 0;
    return is_pushed(run) ? u->may_push && u->pushed < MOST_PUSHED : u->credit;
}

/* The unit has passed its item on. */
static void let_go(Run *run, int32_t unit, double when)
{
    Unit *u = &run->unit[unit];
    u->state = u->end ? UNIT_FINISHED : UNIT_WAITING;
    u->since = when;
    if (unit == 0)
        u->item++;
}

int flow_moved(Run *run, int32_t from, const Fields *fields)
{
    int32_t unit = fields->unit;
    Unit *u = &run->unit[unit];
    int same = run->settings->platform && run_same_clock(run, from);
    assert(run_here(run, unit) && u->pushed > 0);
    u->pushed--;
    u->may_push = !fields->frozen;
    if (u->state == UNIT_SENDING && u->item == fields->item)
        let_go(run, unit, same ? fields->time : clock_now());
    return 0;
}

/* ---- the receiver's side ------------------------------------------------------------------ */

/* Seconds that the move into unit u takes. */
static double move_time(const Run *run, int32_t u, double when)
{
    return injected_move(run->settings->platform, run_time(run, when), u - 1,
                         run->unit[u].input.item, run->place[u - 1], run->place[u]);
}

int flow_item(Run *run, const Fields *fields, Message *message)
{
    int32_t unit = fields->unit;
    Unit *u = &run->unit[unit];
    Input *input = &u->input;
    double now = clock_now();
    assert(run_here(run, unit));
    if (is_pushed(run) && !fields->end)
        sampling_item(run, message->from, fields, message->body.size, now);
    if (fields->item != u->item + 1) {
        input_queue(u, fields->item, fields->end, &message->body, now);
        return 0;
    }
    assert(input->state == INPUT_OPEN || (is_pushed(run) && input->state == INPUT_CLOSED));
    buffer_swap(&input->body, &message->body);
    input->state = INPUT_ARRIVING;
    input->item = fields->item;
    input->end = fields->end;
    input->since = now;
    input->due = run->settings->platform && run_same_clock(run, message->from) ? fields->time : now;
    if (input->end || is_pushed(run))
        return 0;
    double seconds = move_time(run, unit, input->due);
    sampling_move(run, unit, input->due, seconds);
    if (run_is_buffered(run, unit))
        input->due += seconds;
    else
        sharing_start_clock(run, unit, input->due, seconds);
    return 0;
}

/* A credit for what the input can take. */
static int open(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    double since = run_is_buffered(run, unit) ? u->input.since : u->since;
    u->input.state = INPUT_OPEN;
    return say(run, TAG_CREDIT, unit - 1, u->item + 1, fmax(since, run->resumed));
}

static int can_open(const Run *run, int32_t unit)
{
    const Unit *u = &run->unit[unit];
    return unit > 0 && u->input.state == INPUT_CLOSED && !u->end &&
           (run_is_buffered(run, unit) || u->state == UNIT_WAITING);
}

/* The item is in the input buffer. */
static int arrive(Run *run, int32_t unit)
{
    Input *input = &run->unit[unit].input;
    input->state = INPUT_FULL;
    return say(run, TAG_MOVED, unit - 1, input->item, input->due);
}

/* During a freeze, so is the queued one. */
static int tell_queued(Run *run, int32_t unit)
{
    Queued *queued = &run->unit[unit].queued;
    queued->told = 1;
    return say(run, TAG_MOVED, unit - 1, queued->item, queued->since);
}

static void begin_taking(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    u->state = UNIT_TAKING;
    u->due = fmax(fmax(u->input.due, u->since), run->resumed);
    if (run->settings->platform && !u->input.end)
        sharing_start_clock(run, unit, u->due,
                            injected_take(run->settings->platform, run_time(run, u->due), unit - 1,
                                          u->input.item, run_rank(run)));
}

/* ---- work --------------------------------------------------------------------------------- */

/* The first start of work in an epoch: process 0 is told. */
static int announce_start(Run *run)
{
    if (!run->announce)
        return 0;
    run->announce = 0;
    Fields fields = {.epoch = run->epoch, .time = clock_now()};
    return run_send(run, 0, TAG_STARTED, &fields, NULL);
}

/* Begin to work at `when`.  The function is run at once.  With injected times the work takes the
 * injected time, or the function's if that is longer. */
static int work(Run *run, int32_t unit, double when)
{
    Unit *u = &run->unit[unit];
    const GridPlatform *platform = run->settings->platform;
    double took, waited, alone, injected = 0, time = run_time(run, when);
    if (announce_start(run))
        return -1;
    u->state = UNIT_WORKING;
    if (unit_process(run, unit, &took, &waited))
        return -1;
    alone = took;
    if (platform) {
        int32_t there = run->settings->static_sharing ? stages_here(run) : 1, rank = run_rank(run);
        injected = injected_service(platform, time, unit - 1, u->item, rank, there);
        alone = injected_service(platform, time, unit - 1, u->item, rank, 1);
        alone *= fmax(1, took / injected);
    }
    u->due = when + fmax(injected, took);
    sharing_work_begins(run, when);
    sampling_service(run, unit, u->due, alone, waited);
    return 0;
}

static void finish_work(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    u->state = UNIT_READY;
    u->since = u->due;
    sharing_work_ends(run, u->due);
}

/* The stream ends at the sink: process 0 is told the result. */
static int done(Run *run)
{
    const Departures *departures = &run->departures;
    GridReport report = {.items = departures->count,
                         .seconds = departures->last - departures->first,
                         .throughput = departures_throughput(departures)};
    Fields fields = {.epoch = run->epoch};
    Head head = head_new(TAG_DONE, &fields, sizeof fields);
    return session_send_bytes(&run->session, 0, &head, &report, sizeof report);
}

/* Unit u takes the item of its input and begins with it. */
static int begin(Run *run, int32_t unit, double now)
{
    Unit *u = &run->unit[unit];
    Input *input = &u->input;
    double when = u->state == UNIT_TAKING ? u->due : input->due;
    when = fmax(fmax(when, u->since), run->resumed);
    if (sharing_applies(run, unit))
        when = fmax(when, run->free_since);
    if (!run->settings->platform)
        when = now;
    if (input->state == INPUT_ARRIVING && say(run, TAG_MOVED, unit - 1, input->item, when))
        return -1;
    buffer_swap(&input->body, &u->in);
    u->since = when;
    u->item = input->item;
    u->end = input->end;
    input_advance(u, when);
    if (unit == run->units - 1) {
        u->state = u->end ? UNIT_FINISHED : UNIT_WAITING;
        return u->end ? done(run) : unit_sink(run);
    }
    if (!u->end)
        return work(run, unit, when);
    u->state = UNIT_READY;
    u->out.size = 0;
    return 0;
}

/* ---- steps -------------------------------------------------------------------------------- */

/* Is unit u's next item here by now? */
static int is_here(const Run *run, int32_t unit, double now)
{
    const Unit *u = &run->unit[unit];
    if (run_is_buffered(run, unit))
        return u->state == UNIT_TAKING && u->due <= now;
    return u->state == UNIT_WAITING && (u->input.state == INPUT_FULL ||
                                        (u->input.state == INPUT_ARRIVING && u->input.due <= now));
}

static double here_since(const Run *run, int32_t unit)
{
    const Unit *u = &run->unit[unit];
    return u->state == UNIT_TAKING ? u->due : u->input.due;
}

/* Begin with all items that are here.  Where the process must be free, only with the one that came
 * first, and only when nothing else is left to do: messages should leave before a function occupies
 * the process, and an earlier item whose message has only just come should go first. */
static int begin_all(Run *run, double now, int idle)
{
    int32_t first = 0;
    int did = 0;
    for (int32_t u = 1; u < run->units; u++) {
        if (!run_here(run, u) || !is_here(run, u, now))
            continue;
        if (sharing_applies(run, u)) {
            if (!first || here_since(run, u) < here_since(run, first))
                first = u;
            continue;
        }
        if (begin(run, u, now))
            return -1;
        did = 1;
    }
    if (!first || sharing_is_full(run, now) || did || !idle)
        return did;
    return begin(run, first, now) ? -1 : 1;
}

/* What has begun ends, during a freeze as well. */
static int end_begun(Run *run, int32_t unit, double now)
{
    Unit *u = &run->unit[unit];
    if (u->state == UNIT_WORKING && u->due <= now) {
        finish_work(run, unit);
        return 1;
    }
    if (u->input.state == INPUT_ARRIVING && u->input.due <= now &&
        (run_is_buffered(run, unit) || is_frozen(run)))
        return arrive(run, unit) ? -1 : 1;
    if (u->queued.present && !u->queued.told && is_frozen(run))
        return tell_queued(run, unit) ? -1 : 1;
    /* while a large message is leaving, MPI must be called: no work yet */
    if (u->state == UNIT_SENDING && u->credited > u->item && !run->session.transport.sending) {
        let_go(run, unit, now);
        return 1;
    }
    return 0;
}

static int begin_next(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    if (unit == 0 && u->state == UNIT_WAITING) {
        if (unit_source(run))
            return -1;
        u->state = UNIT_READY;
        return 1;
    }
    if (run_is_buffered(run, unit) && u->state == UNIT_WAITING && u->input.state == INPUT_FULL) {
        begin_taking(run, unit);
        return 1;
    }
    if (can_pass(run, unit))
        return pass(run, unit) ? -1 : 1;
    if (can_open(run, unit))
        return open(run, unit) ? -1 : 1;
    return 0;
}

int flow_step(Run *run, double now)
{
    int did = 0;
    for (int32_t u = 0; u < run->units; u++) {
        if (!run_here(run, u))
            continue;
        int ended = end_begun(run, u, now);
        int begun = ended < 0 || is_frozen(run) ? 0 : begin_next(run, u);
        if (ended < 0 || begun < 0)
            return -1;
        did |= ended | begun;
    }
    int begun = is_frozen(run) ? 0 : begin_all(run, now, !did && !run->session.transport.local);
    return begun < 0 ? -1 : did | begun;
}

double flow_next(const Run *run, double now)
{
    double next = HUGE_VAL;
    for (int32_t i = 0; i < run->units; i++) {
        const Unit *u = &run->unit[i];
        if (!run_here(run, i))
            continue;
        if ((u->state == UNIT_WORKING || u->state == UNIT_TAKING) && u->due > now)
            next = fmin(next, u->due);
        if (u->input.state == INPUT_ARRIVING && u->input.due > now)
            next = fmin(next, u->input.due);
    }
    return next;
}

int flow_quiet(const Run *run)
{
    for (int32_t i = 0; i < run->units; i++) {
        const Unit *u = &run->unit[i];
        if (run_here(run, i) &&
            (u->state == UNIT_WORKING || u->state == UNIT_SENDING || u->pushed > 0 ||
             u->input.state == INPUT_ARRIVING || (u->queued.present && !u->queued.told)))
            return 0;
    }
    return 1;
}

void flow_renew(Run *run)
{
    for (int32_t i = 0; i < run->units; i++) {
        Unit *u = &run->unit[i];
        u->credit = u->may_push = 0;
        u->credited = 0;
        if (u->input.state == INPUT_OPEN)
            u->input.state = INPUT_CLOSED;
        if (u->state == UNIT_TAKING)
            u->state = UNIT_WAITING;
    }
}
