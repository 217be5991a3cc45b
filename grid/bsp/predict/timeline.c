/* The times of processes, by events.
 *
 * Processes are at most one superstep apart, since each waits for all: of two supersteps the state is kept. */
#include "grid/bsp/predict/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/mem.h"
#include "grid/bsp/predict/connection.h"
#include "grid/bsp/predict/flows.h"
#include "grid/bsp/tuning.h"

/* A process begins to compute; it has what all sent; it has its answers.  A flow begins to come, and ends on a link,
 * or a process has computed on its processor, which is a link to it. */
typedef enum { COMPUTES, MEETS, PASSES, COMES, ENDS } EventKind;

typedef struct {
    double at;
    uint64_t number; /* of events at the same time the older one comes first */
    EventKind kind;
    int64_t which; /* the process, the link, or the flow's send */
    int64_t step;
    uint32_t version; /* of the link */
} Event;

/* What a process waits for: how many things, and when the last of those that are known comes. */
typedef struct {
    int64_t count;
    double until;
} Wait;

typedef struct {
    Wait *all, *answers; /* by process */
    size_t *first;       /* by process and one more: its sends */
    int32_t passed;
    double end; /* of those that have passed */
} Step;

typedef struct {
    const Trace *trace;
    const Placement *where;
    double *each;
    Step step[2];
    int64_t entered;        /* supersteps that some process has begun */
    Link *link;             /* those of senders, then those of receivers, then processors */
    Connection *connection; /* processes x processes, from and to; NULL: windows stay as they are */
    Event *event;           /* a heap */
    size_t events, event_cap;
    uint64_t number;
    double before; /* the end of the last superstep that all have passed */
    bool failed;   /* out of memory */
} Timeline;

/* ---- events ---------------------------------------------------------------------------------- */

static bool event_before(const void *a, const void *b)
{
    const Event *x = a, *y = b;
    return x->at < y->at || (x->at == y->at && x->number < y->number);
}

static void add(Timeline *l, Event event)
{
    if (!mem_grow(l->event, l->event_cap, l->events + 1)) {
        l->failed = true;
        return;
    }
    event.number = l->number++;
    heap_add(l->event, &l->events, sizeof event, &event, event_before);
}

static Event take_first(Timeline *l)
{
    const Event first = l->event[0];
    heap_drop(l->event, &l->events, sizeof first, event_before);
    return first;
}

/* ---- links ----------------------------------------------------------------------------------- */

static int64_t senders(const Placement *w)
{
    return w->processes * (w->platform->separate_links ? (int64_t)w->processes : 1);
}

static int64_t links(const Placement *w)
{
    return 2 * senders(w) + amoget_processor_count(w->machine);
}

/* Of a process, or of two. */
static int64_t link_of(const Timeline *l, const TraceSend *send, bool receives)
{
    const Placement *w = l->where;
    const int64_t first = receives ? senders(w) : 0;
    if (w->platform->separate_links)
        return first + send->from * (int64_t)w->processes + send->to;
    return first + (receives ? send->to : send->from);
}

static void expect_end(Timeline *l, int64_t which)
{
    const Link *link = &l->link[which];
    if (link->count > 0)
        add(l,
            (Event){.at = link_next(link), .kind = ENDS, .which = which, .version = link->version});
}

/* How much later the last byte leaves because of the connection's window. */
static double delay(Timeline *l, const TraceSend *send, double seconds, double at)
{
    const Placement *w = l->where;
    const Path path = {.byte = seconds / send->bytes,
                       .round_trip = 2 * placement_latency(w, send->from, send->to),
                       .restart = w->platform->window};
    if (!l->connection)
        return 0;
    return connection_send(&l->connection[send->from * w->processes + send->to], &path, send->bytes,
                           at) -
           seconds;
}

/* On one of its links. */
static void begin_on(Timeline *l, int64_t link, Flow flow, double seconds, double at)
{
    if (!link_begin(&l->link[link], at, seconds, flow))
        l->failed = true;
    else
        expect_end(l, link);
}

/* Its first byte is there. */
static void begin_flow(Timeline *l, size_t which, int64_t step, double at)
{
    const TraceSend *send = &l->trace->send[which];
    const double seconds = send->bytes * superstep_byte_time(l->where, send);
    Flow flow = {.send = which, .step = step, .later = delay(l, send, seconds, at)};
    begin_on(l, link_of(l, send, false), flow, seconds, at);
    flow.later = 0;
    begin_on(l, link_of(l, send, true), flow, seconds, at);
}

/* ---- processes ------------------------------------------------------------------------------- */

static bool keeps_sender(const TraceSend *send)
{
    return send->bytes > AT_ONCE_MOST;
}

static Wait *wait_of(Step *step, bool reply, int32_t process)
{
    return reply ? &step->answers[process] : &step->all[process];
}

/* Something that a process waits for in a superstep comes at the time `at`. */
static void comes(Timeline *l, int64_t step, bool reply, int32_t process, double at)
{
    Wait *wait = wait_of(&l->step[step % 2], reply, process);
    wait->until = fmax(wait->until, at);
    if (--wait->count == 0)
        add(l, (Event){.at = wait->until,
                       .kind = reply ? PASSES : MEETS,
                       .which = process,
                       .step = step});
}

/* The first process begins a superstep: what each will wait for. */
static void enter(Timeline *l, int64_t number)
{
    const TraceStep *now = &l->trace->step[number];
    Step *step = &l->step[number % 2];
    const int32_t n = l->where->processes;
    size_t i = now->first;
    for (int32_t p = 0; p < n; p++) {
        step->all[p] = (Wait){.count = n};
        step->answers[p] = (Wait){.count = 1};
    }
    for (int32_t p = 0; p < n; p++) {
        step->first[p] = i;
        for (; i < now->first + now->count && l->trace->send[i].from == p; i++) {
            const TraceSend *send = &l->trace->send[i];
            wait_of(step, send->reply, send->to)->count += 2; /* it has two links */
            if (keeps_sender(send))
                wait_of(step, send->reply, p)->count++;
        }
    }
    step->first[n] = i;
    step->passed = 0;
    step->end = 0;
    l->entered = number + 1;
}

static void begin_step(Timeline *l, int32_t p, int64_t step, double at)
{
    if (step == l->trace->steps)
        return;
    if (step == l->entered)
        enter(l, step);
    add(l, (Event){.at = at, .kind = COMPUTES, .which = p, .step = step});
}

/* Its data, or its answers, begin to leave.  Returns what the library takes for them. */
static double send_all(Timeline *l, int32_t p, int64_t step, bool reply, double at)
{
    const Step *now = &l->step[step % 2];
    double bytes = 0;
    for (size_t i = now->first[p]; i < now->first[p + 1]; i++)
        if (l->trace->send[i].reply == reply) {
            const TraceSend *send = &l->trace->send[i];
            add(l, (Event){.at = at + placement_latency(l->where, p, send->to),
                           .kind = COMES,
                           .which = (int64_t)i,
                           .step = step});
            bytes += send->bytes;
        }
    return superstep_library_time(l->where, bytes);
}

static void compute(Timeline *l, int32_t p, int64_t step, double at)
{
    const Placement *w = l->where;
    const double seconds = trace_work(l->trace, step)[p] * w->second[p];
    begin_on(l, 2 * senders(w) + w->at[p], (Flow){.send = (size_t)p, .step = step}, seconds, at);
}

/* It has computed. */
static void arrive(Timeline *l, int32_t p, int64_t step, double at)
{
    const Placement *w = l->where;
    const double library = send_all(l, p, step, false, at);
    for (int32_t q = 0; q < w->processes; q++)
        if (q != p)
            comes(l, step, false, q, at + placement_latency(w, p, q));
    comes(l, step, false, p, at + fmax(library, w->processes > 1 ? w->platform->sync : 0));
}

static void pass(Timeline *l, int32_t p, int64_t number, double at)
{
    Step *step = &l->step[number % 2];
    step->end = fmax(step->end, at);
    if (++step->passed == l->where->processes) {
        if (l->each)
            l->each[number] = step->end - l->before;
        l->before = step->end;
    }
    begin_step(l, p, number + 1, at);
}

/* A flow ends on one link; all of it is there when it has ended on both. */
static void end_flow(Timeline *l, int64_t which, double at)
{
    const Flow flow = link_end(&l->link[which], at);
    expect_end(l, which);
    if (which >= 2 * senders(l->where)) {
        arrive(l, (int32_t)flow.send, flow.step, at);
        return;
    }
    const TraceSend *send = &l->trace->send[flow.send];
    const double end = at + flow.later;
    if (which < senders(l->where) && keeps_sender(send))
        comes(l, flow.step, send->reply, send->from, end);
    comes(l, flow.step, send->reply, send->to, end);
}

static void happen(Timeline *l, const Event *event)
{
    const int64_t which = event->which;
    switch (event->kind) {
    case COMPUTES:
        compute(l, (int32_t)which, event->step, event->at);
        return;
    case MEETS:
        comes(l, event->step, true, (int32_t)which,
              event->at + send_all(l, (int32_t)which, event->step, true, event->at));
        return;
    case PASSES:
        pass(l, (int32_t)which, event->step, event->at);
        return;
    case COMES:
        begin_flow(l, (size_t)which, event->step, event->at);
        return;
    case ENDS:
        if (event->version == l->link[which].version)
            end_flow(l, which, event->at);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void begin(Timeline *l)
{
    const int64_t n = l->where->processes;
    l->failed = !mem_new_zeroed(l->link, links(l->where));
    for (int64_t i = 0; i < links(l->where) && !l->failed; i++)
        l->link[i].width = 1;
    for (int32_t q = 0; q < amoget_processor_count(l->where->machine) && !l->failed; q++)
        l->link[2 * senders(l->where) + q].width = amoget_cores(l->where->machine, q);
    for (int i = 0; i < 2; i++)
        l->failed = l->failed || !mem_new(l->step[i].all, n) || !mem_new(l->step[i].answers, n) ||
                    !mem_new(l->step[i].first, n + 1);
    if (l->failed || l->where->platform->window <= 0)
        return;
    if (!mem_new(l->connection, n * n)) {
        l->failed = true;
        return;
    }
    for (int64_t i = 0; i < n * n; i++)
        l->connection[i] = connection_new(l->where);
}

static void end(Timeline *l)
{
    for (int64_t i = 0; i < links(l->where) && l->link; i++)
        link_free(&l->link[i]);
    for (int i = 0; i < 2; i++)
        mem_free_all(l->step[i].all, l->step[i].answers, l->step[i].first);
    mem_free_all(l->link, l->connection, l->event);
}

PepaStatus timeline_run(const Trace *trace, const Placement *where, double *each, double *out,
                        PepaError *err)
{
    Timeline l = {.trace = trace, .where = where, .each = each};
    begin(&l);
    for (int32_t p = 0; p < where->processes && !l.failed; p++)
        begin_step(&l, p, 0, 0);
    while (l.events > 0 && !l.failed) {
        const Event event = take_first(&l);
        happen(&l, &event);
    }
    end(&l);
    if (l.failed)
        return error_memory(err);
    *out = l.before;
    return PEPA_OK;
}
