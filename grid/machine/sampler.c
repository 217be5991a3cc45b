/* The sampler: what one process measures of itself and its links. */
#include "grid/machine/sampler.h"

#include <math.h>
#include <stdlib.h>

#include "grid/core/clock.h"
#include "grid/core/liveness.h"
#include "grid/machine/probe.h"
#include "grid/machine/tuning.h"
#include "grid/machine/waits.h"

typedef struct {
    double sent; /* by the clock of the process that asks */
} Ping;

typedef struct {
    int64_t late;         /* nanoseconds that the ping may have waited for the answer */
    double sent, replied; /* the ping's; when, by the clock of the process that answers */
} Pong;

typedef struct {
    int64_t progress;
} Report;

/* ---- life --------------------------------------------------------------------------------- */

static size_t capacity(const Sampler *sampler)
{
    return MOST_SAMPLES + 4 * (size_t)sampler->session->transport.size;
}

int sampler_new(Sampler *sampler, Session *session, const GridPlatform *platform, int32_t streams)
{
    *sampler = (Sampler){.session = session, .platform = platform, .streams = streams, .waits = -1};
    sampler->samples = calloc(capacity(sampler), sizeof *sampler->samples);
    sampler->taken = calloc((size_t)streams, sizeof *sampler->taken);
    sampler->pinged = session->transport.rank;
    sampler->next_report = sampler->next_probe = sampler->next_ping = HUGE_VAL;
    return sampler->samples && sampler->taken ? 0 : -1;
}

void sampler_free(Sampler *sampler)
{
    free(sampler->samples);
    free(sampler->taken);
    waits_close(sampler->waits);
}

double sampler_period(double decision_period)
{
    return fmax(SHORTEST_PERIOD, decision_period / 2);
}

void sampler_start(Sampler *sampler, double period, double probe_period)
{
    double now = clock_now();
    sampler->period = period;
    sampler->probe_period = probe_period;
    sampler->next_report = now + period;
    sampler->next_probe = now;
    if (!sampler->platform)
        sampler->waits = waits_open();
    if (sampler->session->transport.size > 1 && !sampler->platform)
        sampler->next_ping = now + period;
}

/* ---- samples ------------------------------------------------------------------------------ */

double sampler_waited(const Sampler *sampler)
{
    return waits_so_far(sampler->waits);
}

void sampler_worked(Sampler *sampler, double when)
{
    sampler->worked = when;
}

void sampler_add(Sampler *sampler, GridSample sample)
{
    if (!sampler->active || sampler->count >= capacity(sampler) || !(sample.seconds > 0))
        return;
    sample.time -= sampler->session->start;
    sampler->samples[sampler->count++] = sample;
}

void sampler_offer(Sampler *sampler, int32_t stream, GridSample sample)
{
    if (sampler->taken[stream]++ < MOST_OF_A_STREAM && sampler->count < MOST_SAMPLES)
        sampler_add(sampler, sample);
}

/* A message that was under way for at most `seconds` may have arrived at any time since this
 * process last found none: for how long may it have waited here? */
static double waited(const Sampler *sampler, double now, double seconds)
{
    return fmin(now - sampler->session->looked, seconds);
}

/* Is that little enough?  A process that waits looks every half millisecond. */
static int is_negligible(double late, double seconds)
{
    return late <= fmax(NEGLIGIBLE, NEGLIGIBLE_SHARE * seconds);
}

double sampler_transit(const Sampler *sampler, int32_t from, double sent, double now)
{
    const Session *session = sampler->session;
    double seconds = now - sent - session->peers.offset[from];
    if (from == session->transport.rank)
        return sampler->worked > sent ? NAN : seconds;
    double late = waited(sampler, now, seconds);
    return seconds > 0 && is_negligible(late, seconds) ? seconds - late / 2 : NAN;
}

/* ---- pings -------------------------------------------------------------------------------- */

/* Processes are asked in turn, so that idle links are measured as well. */
static int ping(Sampler *sampler, double now)
{
    const Transport *t = &sampler->session->transport;
    do
        sampler->pinged = (sampler->pinged + 1) % t->size;
    while (sampler->pinged == t->rank);
    sampler->next_ping = now + sampler->period;
    Ping fields = {.sent = clock_now()};
    Head head = head_new(TAG_PING, &fields, sizeof fields);
    return session_send(sampler->session, sampler->pinged, &head, NULL);
}

static int answer(Sampler *sampler, const Message *message)
{
    const double most = 1e6;
    double now = clock_now(), late = fmin(now - sampler->session->looked, most);
    Ping asked;
    head_read(&message->head, &asked, sizeof asked);
    Pong fields = {.late = (int64_t)(1e9 * late), .sent = asked.sent, .replied = now};
    Head head = head_new(TAG_PONG, &fields, sizeof fields);
    return session_send(sampler->session, message->from, &head, NULL);
}

/* The answer: the round trip without the waiting at both ends, and the difference of clocks. */
static void learn(Sampler *sampler, const Message *message)
{
    Session *session = sampler->session;
    Pong pong;
    head_read(&message->head, &pong, sizeof pong);
    double now = clock_now(), whole = now - pong.sent;
    double here = waited(sampler, now, whole), there = 1e-9 * (double)pong.late;
    if (!sampler->active || !is_negligible(here, whole) || !is_negligible(there, whole))
        return;
    there = fmin(there, whole - here);
    double round_trip = whole - (here + there) / 2;
    double offset = pong.sent + round_trip / 2 + there / 2 - pong.replied;
    peers_learn_offset(&session->peers, message->from, offset, round_trip);
    sampler_add(sampler, (GridSample){.kind = GRID_TRANSFER,
                                      .a = session->transport.rank,
                                      .b = message->from,
                                      .seconds = round_trip / 2,
                                      .time = now});
}

int sampler_handle(Sampler *sampler, const Message *message)
{
    if (message->head.tag == TAG_PING)
        return answer(sampler, message) ? -1 : 1;
    if (message->head.tag != TAG_PONG)
        return 0;
    learn(sampler, message);
    return 1;
}

/* ---- probes and reports ------------------------------------------------------------------- */

static void probe(Sampler *sampler, double now)
{
    const Session *session = sampler->session;
    int32_t rank = session->transport.rank;
    double seconds = sampler->platform
                         ? grid_platform_work(sampler->platform, now - session->start, rank, 1, 1)
                         : probe_work();
    sampler_worked(sampler, clock_now());
    sampler_add(sampler, (GridSample){.kind = GRID_PROBE,
                                      .a = rank,
                                      .b = rank,
                                      .seconds = seconds,
                                      .time = now});
}

static int report(Sampler *sampler, double now, int64_t progress)
{
    Report fields = {.progress = progress};
    Head head = head_new(TAG_REPORT, &fields, sizeof fields);
    int status = session_send_bytes(sampler->session, 0, &head, sampler->samples,
                                    sampler->count * sizeof *sampler->samples);
    liveness_sent(sampler->session, now);
    sampler->count = 0;
    for (int32_t i = 0; i < sampler->streams; i++)
        sampler->taken[i] = 0;
    return status;
}

const GridSample *sampler_report(const Message *message, int64_t *progress, size_t *count)
{
    Report fields;
    head_read(&message->head, &fields, sizeof fields);
    *progress = fields.progress;
    *count = message->body.size / sizeof(GridSample);
    return (const GridSample *)(const void *)message->body.bytes; /* malloc aligns */
}

int sampler_step(Sampler *sampler, double now, int64_t progress)
{
    int did = 0;
    if (now >= sampler->next_probe) {
        probe(sampler, now);
        sampler->next_probe = now + sampler->probe_period;
        did = 1;
    }
    if (now >= sampler->next_report) {
        sampler->next_report = now + sampler->period;
        if (report(sampler, now, progress))
            return -1;
        did = 1;
    }
    if (now >= sampler->next_ping) {
        if (ping(sampler, now))
            return -1;
        did = 1;
    }
    return did;
}

double sampler_next(const Sampler *sampler)
{
    return fmin(fmin(sampler->next_report, sampler->next_probe), sampler->next_ping);
}
