/* What is seen of a run, and that its processes are there. */
#include "grid/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/clock.h"
#include "grid/guard.h"
#include "grid/probe.h"
#include "grid/shift.h"

/* Samples that are kept from one report to the next, of one thing and in all; pings come besides.
 * Reports come a few times a second, and what looks at them keeps a few dozen of each. */
enum { MOST_OF_A_KIND = 16, MOST_SAMPLES = 512 };

#define LONGEST_BEAT  0.5
#define SHORTEST_BEAT 0.1
/* A probe of a millisecond per so many seconds takes less than half a hundredth of them. */
#define LEAST_PROBE_PERIOD 0.25

static size_t samples_room(const Run *run)
{
    return MOST_SAMPLES + 4 * (size_t)run->wire.size;
}

int watch_prepare(Run *run)
{
    Watch *watch = &run->watch;
    size_t size = (size_t)run->wire.size;
    watch->samples = calloc(samples_room(run), sizeof *watch->samples);
    watch->heard = calloc(size, sizeof *watch->heard);
    watch->silent = calloc(size, sizeof *watch->silent);
    watch->offset = calloc(size, sizeof *watch->offset);
    watch->shortest = calloc(size, sizeof *watch->shortest);
    return watch->samples && watch->heard && watch->silent && watch->offset && watch->shortest ? 0
                                                                                               : -1;
}

void watch_meet(Run *run)
{
    Watch *watch = &run->watch;
    watch->pinged = run->wire.rank;
    for (int32_t p = 0; p < run->wire.size; p++) {
        watch->offset[p] = run_same_clock(run, p) ? 0 : NAN;
        watch->shortest[p] = HUGE_VAL;
    }
}

void watch_begin(Run *run)
{
    Watch *watch = &run->watch;
    int first = run->wire.rank == 0;
    double now = clock_now(), beat = fmin(LONGEST_BEAT, run->patience / 4);
    if (run->period > 0)
        beat = fmin(beat, fmax(SHORTEST_BEAT, run->period / 2));
    watch->beat = beat;
    watch->probe_period = fmax(run->period, LEAST_PROBE_PERIOD);
    watch->next_report = run->wire.size > 1 || run->period > 0 ? now + beat : HUGE_VAL;
    watch->next_alive = first && run->wire.size > 1 ? now + run->patience / 4 : HUGE_VAL;
    watch->next_probe = run->period > 0 ? now : HUGE_VAL;
    watch->looked = -HUGE_VAL; /* messages may have been here for any time */
    watch->next_ping =
        run->period > 0 && run->wire.size > 1 && !run->settings->platform ? now + beat : HUGE_VAL;
    watch->next_decision =
        run->controller && run->controller->decide ? now + run->period : HUGE_VAL;
    for (int32_t p = 0; p < run->wire.size; p++)
        watch->heard[p] = now;
    watch->doubted = -1;
}

void watch_close(Run *run)
{
    free(run->watch.samples);
    free(run->watch.heard);
    free(run->watch.silent);
    free(run->watch.offset);
    free(run->watch.shortest);
}

/* ---- samples ------------------------------------------------------------------------------ */

static void add(Run *run, GridSampleKind kind, int32_t a, int32_t b, double bytes, double seconds,
                double when)
{
    Watch *watch = &run->watch;
    if (run->period > 0 && watch->count < samples_room(run) && seconds > 0)
        watch->samples[watch->count++] =
            (GridSample){kind, a, b, bytes, seconds, when - run->start};
}

void watch_service(Run *run, int32_t unit, double when, double seconds)
{
    Unit *u = &run->unit[unit];
    const GridPlatform *platform = run->settings->platform;
    double bytes =
        platform ? grid_platform_bytes(platform, when - run->start, unit) : (double)u->out.size;
    if (u->service_samples++ < MOST_OF_A_KIND && run->watch.count < MOST_SAMPLES)
        add(run, GRID_SERVICE, unit - 1, run->wire.rank, bytes, seconds, when);
}

void watch_move(Run *run, int32_t unit, double when, double seconds)
{
    Unit *u = &run->unit[unit];
    const GridPlatform *platform = run->settings->platform;
    double bytes = grid_platform_bytes(platform, when - run->start, unit - 1);
    if (u->move_samples++ < MOST_OF_A_KIND && run->watch.count < MOST_SAMPLES)
        add(run, GRID_MOVE, run->place[unit - 1], run->wire.rank, bytes, seconds, when);
}

/* ---- messages and clocks ------------------------------------------------------------------ */

/* What is here may have come at any time since all that was here had been looked at.  How long ago
 * that is, of something that was under way for `seconds` at most. */
static double unseen(const Run *run, double now, double seconds)
{
    return fmin(now - run->watch.looked, seconds);
}

/* Does it matter? */
static int is_seen(double late, double seconds)
{
    const double least = 0.75e-3, share = 0.1; /* who waits looks every half millisecond */
    return late <= fmax(least, share * seconds);
}

void watch_item(Run *run, const Message *message, double now)
{
    Unit *u = &run->unit[message->head.unit];
    double seconds = now - message->head.time - run->watch.offset[message->from], late = 0;
    if (message->from == run->wire.rank) {
        if (run->worked > message->head.time)
            return;
    } else {
        late = unseen(run, now, seconds);
        if (!(seconds > 0) || !is_seen(late, seconds))
            return;
    }
    if (u->move_samples++ < MOST_OF_A_KIND && run->watch.count < MOST_SAMPLES)
        add(run, GRID_MOVE, message->from, run->wire.rank, (double)message->body.size,
            seconds - late / 2, now);
}

void watch_ping(Run *run, int32_t a, int32_t b, double bytes, double when, double seconds)
{
    add(run, GRID_MOVE, a, b, bytes, seconds, when);
}

/* Processes take turns in being asked, so that links are known of that nothing moves over. */
static int ping(Run *run, double now)
{
    Watch *watch = &run->watch;
    do
        watch->pinged = (watch->pinged + 1) % run->wire.size;
    while (watch->pinged == run->wire.rank);
    watch->next_ping = now + watch->beat;
    Head head = {.saying = SAY_PING, .epoch = run->epoch, .time = clock_now()};
    return wire_send(&run->wire, watch->pinged, &head, NULL) ? run_wire_failed(run) : 0;
}

int watch_answer(Run *run, const Message *message)
{
    const double most = 1e6;
    double now = clock_now(), late = fmin(now - run->watch.looked, most);
    Head head = {.saying = SAY_PONG,
                 .epoch = run->epoch,
                 .item = (int64_t)(1e9 * late),
                 .time = message->head.time,
                 .spent = now};
    return wire_send(&run->wire, message->from, &head, NULL) ? run_wire_failed(run) : 0;
}

/* The shortest way there and back tells most about another process's clock (Mills, Internet time
 * synchronization, 1991); it is forgotten in time, as clocks drift and networks change. */
void watch_clock(Run *run, int32_t process, double offset, double round)
{
    const double forget = 1.02;
    Watch *watch = &run->watch;
    if (run_same_clock(run, process))
        return;
    if (round > watch->shortest[process]) {
        watch->shortest[process] *= forget;
        return;
    }
    watch->shortest[process] = round;
    watch->offset[process] = offset;
}

void watch_pong(Run *run, const Message *message)
{
    const Head *head = &message->head;
    double now = clock_now(), whole = now - head->time;
    double here = unseen(run, now, whole), there = 1e-9 * (double)head->item;
    if (!(run->period > 0) || !is_seen(here, whole) || !is_seen(there, whole))
        return;
    there = fmin(there, whole - here);
    double round = whole - (here + there) / 2;
    watch_clock(run, message->from, head->time + round / 2 + there / 2 - head->spent, round);
    watch_ping(run, run->wire.rank, message->from, 0, now, round / 2);
}

/* ---- reports ------------------------------------------------------------------------------ */

void watch_heard(Run *run, int32_t from)
{
    const double forget = 0.98;
    double now = clock_now(), *silent = &run->watch.silent[from];
    *silent = fmax(forget * *silent, now - run->watch.heard[from]);
    run->watch.heard[from] = now;
}

/* Items through the sink if that is here, else -1; and the samples. */
static int report(Run *run)
{
    Watch *watch = &run->watch;
    Head head = {.saying = SAY_REPORT,
                 .epoch = run->epoch,
                 .item = run_here(run, run->units - 1) ? run->record.count : -1};
    int status = wire_send_bytes(&run->wire, 0, &head, watch->samples,
                                 watch->count * sizeof *watch->samples);
    watch->count = 0;
    for (int32_t i = 0; i < run->units; i++)
        run->unit[i].service_samples = run->unit[i].move_samples = 0;
    return status ? run_wire_failed(run) : 0;
}

int watch_report(Run *run, const Message *message)
{
    const GridController *controller = run->controller;
    GridSample *samples = (GridSample *)(void *)message->body.bytes; /* malloc aligns */
    size_t count = message->body.size / sizeof *samples;
    if (message->head.item > run->watch.done)
        run->watch.done = message->head.item;
    if (!controller || !controller->observe || count == 0)
        return 0;
    double begin = clock_now();
    controller->observe(controller->user, samples, count);
    run->ending.report.overhead += clock_now() - begin;
    return 0;
}

static void probe(Run *run, double now)
{
    const GridPlatform *platform = run->settings->platform;
    double seconds =
        platform ? grid_platform_probe(platform, now - run->start, run->wire.rank) : probe_work();
    run->worked = clock_now();
    add(run, GRID_PROBE, run->wire.rank, run->wire.rank, 0, seconds, now);
}

/* ---- decisions ---------------------------------------------------------------------------- */

/* A mapping as a controller gave it. */
static int check(Run *run, const int32_t *mapping)
{
    for (int32_t i = 0; i < run->pipeline->stage_count; i++)
        if (mapping[i] < 0 || mapping[i] >= run->wire.size)
            return run_fail(run, GRID_EARG,
                            "the controller maps %s to process %d: there are processes 0 to %d",
                            run_unit_words(run, i + 1).text, mapping[i], run->wire.size - 1);
    return 0;
}

static int decide(Run *run)
{
    const GridController *controller = run->controller;
    size_t size = (size_t)run->pipeline->stage_count * sizeof *run->mapping;
    memcpy(run->mapping, run->place + 1, size);
    double begin = clock_now();
    int answer =
        controller->decide(controller->user, begin - run->start, run->watch.done, run->mapping);
    double end = clock_now();
    run->worked = end;
    run->ending.report.overhead += end - begin;
    run->watch.next_decision = end + run->period;
    if (answer < 0)
        return run_fail(run, GRID_EUSER, "the controller failed with %d", answer);
    if (answer == 0)
        return 0;
    if (check(run, run->mapping))
        return -1;
    return memcmp(run->mapping, run->place + 1, size) ? shift_begin(run, run->mapping, end) : 0;
}

/* ---- who is there ------------------------------------------------------------------------- */

/* Whoever has been silent for too long; all that has arrived has been looked at. */
static int32_t missing(const Run *run, double now)
{
    if (run->wire.rank > 0)
        return now - run->watch.heard[0] > run->patience ? 0 : -1;
    for (int32_t p = 1; p < run->wire.size; p++)
        if (now - run->watch.heard[p] > run->patience)
            return p;
    return -1;
}

/* Process 0: should this process have been heard of by now, by what is usual? */
static int is_missed(const Run *run, int32_t process, double now)
{
    const double late = 1.5;
    const Watch *watch = &run->watch;
    return now - watch->heard[process] > late * fmax(watch->beat / 2, watch->silent[process]);
}

/* Is everybody missed on the other machine that this process is on?  Of one that is killed alone,
 * its guard tells. */
static int is_machine_missed(const Run *run, int32_t process, double now)
{
    const char *host = run->peer[process].host;
    if (strcmp(host, run->peer[0].host) == 0)
        return 0;
    for (int32_t p = 1; p < run->wire.size; p++)
        if (strcmp(host, run->peer[p].host) == 0 && !is_missed(run, p, now))
            return 0;
    return 1;
}

/* Process 0: the guard should know. */
static void doubt(Run *run, double now)
{
    Watch *watch = &run->watch;
    int32_t missed = -1;
    for (int32_t p = 1; p < run->wire.size && missed < 0; p++)
        if (is_missed(run, p, now) && is_machine_missed(run, p, now))
            missed = p;
    if (missed == watch->doubted)
        return;
    watch->doubted = missed;
    guard_doubt(missed >= 0 ? run_process_words(run, missed).text : NULL);
}

static int alive(Run *run)
{
    Head head = {.saying = SAY_ALIVE, .epoch = run->epoch};
    return wire_send_all(&run->wire, &head, NULL, 0, 0) ? run_wire_failed(run) : 0;
}

int watch_step(Run *run, double now)
{
    Watch *watch = &run->watch;
    int did = 0, status = 0;
    if (now >= watch->next_probe) {
        probe(run, now);
        watch->next_probe = now + watch->probe_period;
        did = 1;
    }
    if (now >= watch->next_report) {
        watch->next_report = now + watch->beat;
        status = report(run);
        did = 1;
    }
    if (!status && now >= watch->next_ping) {
        status = ping(run, now);
        did = 1;
    }
    if (!status && now >= watch->next_alive) {
        watch->next_alive = now + run->patience / 4;
        status = alive(run);
        did = 1;
    }
    if (!status && now >= watch->next_decision && !shift_busy(run)) {
        status = decide(run);
        did = 1;
    }
    if (run->wire.rank == 0)
        doubt(run, now);
    int32_t lost = status ? -1 : missing(run, now);
    if (lost >= 0) {
        /* of those that miss process 0, one has to say so */
        run_give_up(run, lost, lost == 0 ? 1 : 0);
        return -1;
    }
    return status ? -1 : did;
}

double watch_next(const Run *run)
{
    const Watch *watch = &run->watch;
    double next = fmin(fmin(watch->next_report, watch->next_alive),
                       fmin(watch->next_probe, watch->next_ping));
    return shift_busy(run) ? next : fmin(next, watch->next_decision);
}
