/* How items go from unit to unit. */
#include "grid/flow.h"

#include <assert.h>
#include <math.h>

#include "grid/clock.h"
#include "grid/inlet.h"
#include "grid/shift.h"
#include "grid/turns.h"
#include "grid/unit.h"
#include "grid/watch.h"

/* Items on a pushed link that have not moved: one in each direction's time, so that a link of some
 * latency is as fast as one whose ends know of each other at once. */
enum { MOST_PUSHED = 2 };

/* ---- small questions ---------------------------------------------------------------------- */

static int is_frozen(const Run *run)
{
    return run->shift.phase != SHIFT_NONE;
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

/* Of an item, to the unit that has it or is to pass it on. */
static int say(Run *run, Saying saying, int32_t unit, int64_t item, double time)
{
    Head head = {.saying = (int32_t)saying,
                 .unit = unit,
                 .epoch = run->epoch,
                 .item = item,
                 .time = time};
    return wire_send(&run->wire, run->place[unit], &head, NULL) ? run_wire_failed(run) : 0;
}

/* ---- the sender's side -------------------------------------------------------------------- */

int flow_credit(Run *run, const Message *message)
{
    Unit *u = &run->unit[message->head.unit];
    assert(run_here(run, message->head.unit) && !u->credit);
    if (is_pushed(run)) {
        if (u->asked <= message->head.item)
            u->asked = message->head.item + 1;
        u->may_push = 1;
        return 0;
    }
    u->credit = 1;
    u->credit_time = run->settings->platform && run_same_clock(run, message->from)
                         ? message->head.time
                         : clock_now();
    return 0;
}

static int pass(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    Head head = {.saying = SAY_ITEM,
                 .unit = unit + 1,
                 .epoch = run->epoch,
                 .end = u->end,
                 .item = u->item,
                 .time = run->settings->platform
                             ? fmax(fmax(u->since, u->credit_time), run->resumed)
                             : clock_now()};
    u->state = UNIT_PASSING;
    u->credit = 0;
    u->pushed++;
    return wire_send(&run->wire, run->place[unit + 1], &head, &u->out) ? run_wire_failed(run) : 0;
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

int flow_moved(Run *run, const Message *message)
{
    int32_t unit = message->head.unit;
    Unit *u = &run->unit[unit];
    int same = run->settings->platform && run_same_clock(run, message->from);
    assert(run_here(run, unit) && u->pushed > 0);
    u->pushed--;
    u->may_push = 1;
    if (u->state == UNIT_PASSING && u->item == message->head.item)
        let_go(run, unit, same ? message->head.time : clock_now());
    return 0;
}

/* ---- the receiver's side ------------------------------------------------------------------ */

/* Seconds that the move into unit u takes; the process of the source or sink of a run without ends
 * is that of its neighbour, so nothing is nowhere. */
static double injected_move(const Run *run, int32_t u, double when)
{
    return grid_platform_move(run->settings->platform, run_time(run, when), u - 1,
                              run->unit[u].inlet.item, run->place[u - 1], run->place[u]);
}

int flow_item(Run *run, Message *message)
{
    int32_t unit = message->head.unit;
    Unit *u = &run->unit[unit];
    Inlet *inlet = &u->inlet;
    double now = clock_now();
    assert(run_here(run, unit));
    if (is_pushed(run) && !message->head.end)
        watch_item(run, message, now);
    if (message->head.item != u->item + 1)
        return inlet_wait(u, message, now);
    assert(inlet->state == INLET_OPEN || (is_pushed(run) && inlet->state == INLET_SHUT));
    buffer_swap(&inlet->body, &message->body);
    inlet->state = INLET_COMING;
    inlet->item = message->head.item;
    inlet->end = message->head.end;
    inlet->since = now;
    inlet->due =
        run->settings->platform && run_same_clock(run, message->from) ? message->head.time : now;
    if (inlet->end || is_pushed(run))
        return 0;
    double seconds = injected_move(run, unit, inlet->due);
    watch_move(run, unit, inlet->due, seconds);
    if (run_is_buffered(run, unit))
        inlet->due += seconds;
    else
        turns_clock(run, unit, inlet->due, seconds);
    return 0;
}

/* A credit for what the inlet can take. */
static int open(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    double since = run_is_buffered(run, unit) ? u->inlet.since : u->since;
    u->inlet.state = INLET_OPEN;
    return say(run, SAY_CREDIT, unit - 1, u->item + 1, fmax(since, run->resumed));
}

static int can_open(const Run *run, int32_t unit)
{
    const Unit *u = &run->unit[unit];
    return unit > 0 && u->inlet.state == INLET_SHUT && !u->end &&
           (run_is_buffered(run, unit) || u->state == UNIT_WAITING);
}

/* The item is in its place. */
static int arrive(Run *run, int32_t unit)
{
    Inlet *inlet = &run->unit[unit].inlet;
    inlet->state = INLET_FULL;
    return say(run, SAY_MOVED, unit - 1, inlet->item, inlet->due);
}

/* So is the one behind it, over a freeze. */
static int tell_behind(Run *run, int32_t unit)
{
    Behind *behind = &run->unit[unit].behind;
    behind->told = 1;
    return say(run, SAY_MOVED, unit - 1, behind->item, behind->since);
}

static void begin_taking(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    u->state = UNIT_TAKING;
    u->due = fmax(fmax(u->inlet.due, u->since), run->resumed);
    if (run->settings->platform && !u->inlet.end)
        turns_clock(run, unit, u->due,
                    grid_platform_take(run->settings->platform, run_time(run, u->due), unit - 1,
                                       u->inlet.item, run->wire.rank));
}

/* ---- work --------------------------------------------------------------------------------- */

/* Begin to work at `when`; the function is run at once, and counts for as long as it takes if that
 * is more than what is injected. */
static int work(Run *run, int32_t unit, double when)
{
    Unit *u = &run->unit[unit];
    const GridPlatform *platform = run->settings->platform;
    double took, alone, injected = 0, time = run_time(run, when);
    if (shift_started(run))
        return -1;
    u->state = UNIT_WORKING;
    if (unit_process(run, unit, &took))
        return -1;
    alone = took;
    if (platform) {
        int32_t there = run->settings->static_sharing ? stages_here(run) : 1, rank = run->wire.rank;
        injected = grid_platform_service(platform, time, unit - 1, u->item, rank, there);
        alone = grid_platform_service(platform, time, unit - 1, u->item, rank, 1);
        alone *= fmax(1, took / injected);
    }
    u->due = when + fmax(injected, took);
    turns_work_begins(run, when);
    watch_service(run, unit, u->due, alone);
    return 0;
}

static void finish_work(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    u->state = UNIT_READY;
    u->since = u->due;
    turns_work_ends(run, u->due);
}

/* The stream ends at the sink: process 0 is told what came out. */
static int done(Run *run)
{
    const Record *record = &run->record;
    GridReport report = {.items = record->count,
                         .seconds = record->last - record->first,
                         .throughput = record_throughput(record)};
    Head head = {.saying = SAY_DONE, .epoch = run->epoch};
    return wire_send_bytes(&run->wire, 0, &head, &report, sizeof report) ? run_wire_failed(run) : 0;
}

/* The item of unit u's inlet is its own from now on. */
static int begin(Run *run, int32_t unit, double now)
{
    Unit *u = &run->unit[unit];
    Inlet *inlet = &u->inlet;
    double when = u->state == UNIT_TAKING ? u->due : inlet->due;
    when = fmax(fmax(when, u->since), run->resumed);
    if (turns_needed(run, unit))
        when = fmax(when, run->free_since);
    if (!run->settings->platform)
        when = now;
    if (inlet->state == INLET_COMING && say(run, SAY_MOVED, unit - 1, inlet->item, when))
        return -1;
    buffer_swap(&inlet->body, &u->in);
    u->since = when;
    u->item = inlet->item;
    u->end = inlet->end;
    inlet_follow(u, when);
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

/* Is unit u's next item there, as far as time is concerned? */
static int is_there(const Run *run, int32_t unit, double now)
{
    const Unit *u = &run->unit[unit];
    if (run_is_buffered(run, unit))
        return u->state == UNIT_TAKING && u->due <= now;
    return u->state == UNIT_WAITING && (u->inlet.state == INLET_FULL ||
                                        (u->inlet.state == INLET_COMING && u->inlet.due <= now));
}

static double there_since(const Run *run, int32_t unit)
{
    const Unit *u = &run->unit[unit];
    return u->state == UNIT_TAKING ? u->due : u->inlet.due;
}

/* Begin with what is there; where the process has to be free for it, with what came first, and only
 * when nothing else is left to do: messages should be gone before a function keeps the process, and
 * what was due earlier, but is being told only now, should have its turn. */
static int begin_all(Run *run, double now, int idle)
{
    int32_t first = 0;
    int did = 0;
    for (int32_t u = 1; u < run->units; u++) {
        if (!run_here(run, u) || !is_there(run, u, now))
            continue;
        if (turns_needed(run, u)) {
            if (!first || there_since(run, u) < there_since(run, first))
                first = u;
            continue;
        }
        if (begin(run, u, now))
            return -1;
        did = 1;
    }
    if (!first || turns_full(run, now) || did || !idle)
        return did;
    return begin(run, first, now) ? -1 : 1;
}

/* What goes on in a freeze as well: what has begun ends. */
static int end_begun(Run *run, int32_t unit, double now)
{
    Unit *u = &run->unit[unit];
    if (u->state == UNIT_WORKING && u->due <= now) {
        finish_work(run, unit);
        return 1;
    }
    if (u->inlet.state == INLET_COMING && u->inlet.due <= now &&
        (run_is_buffered(run, unit) || is_frozen(run)))
        return arrive(run, unit) ? -1 : 1;
    if (u->behind.present && !u->behind.told && is_frozen(run))
        return tell_behind(run, unit) ? -1 : 1;
    /* while something large is leaving, MPI has to be called */
    if (u->state == UNIT_PASSING && u->asked > u->item && !run->wire.sending) {
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
    if (run_is_buffered(run, unit) && u->state == UNIT_WAITING && u->inlet.state == INLET_FULL) {
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
    int begun = is_frozen(run) ? 0 : begin_all(run, now, !did && !run->wire.local);
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
        if (u->inlet.state == INLET_COMING && u->inlet.due > now)
            next = fmin(next, u->inlet.due);
    }
    return next;
}

int flow_quiet(const Run *run)
{
    for (int32_t i = 0; i < run->units; i++) {
        const Unit *u = &run->unit[i];
        if (run_here(run, i) &&
            (u->state == UNIT_WORKING || u->state == UNIT_PASSING || u->pushed > 0 ||
             u->inlet.state == INLET_COMING || (u->behind.present && !u->behind.told)))
            return 0;
    }
    return 1;
}

void flow_renew(Run *run)
{
    for (int32_t i = 0; i < run->units; i++) {
        Unit *u = &run->unit[i];
        u->credit = u->may_push = 0;
        u->asked = 0;
        if (u->inlet.state == INLET_OPEN)
            u->inlet.state = INLET_SHUT;
        if (u->state == UNIT_TAKING)
            u->state = UNIT_WAITING;
    }
}
