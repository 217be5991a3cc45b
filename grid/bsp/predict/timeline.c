/* The times of processes, by recurrence over supersteps. */
#include "grid/bsp/predict/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "grid/bsp/tuning.h"

/* Data that follows a first message. */
typedef struct {
    int32_t from, to;
    double ready;   /* when the receiver has the first message */
    double sent;    /* when the last byte leaves */
    double seconds; /* of its bytes on the link */
} Rest;

typedef struct {
    const Trace *trace;
    const Placement *where;
    double *now;     /* by process: when it began the superstep */
    double *arrived; /* by process: when it is at the end of its computation */
    double *next;    /* by process: when it has all that it waits for */
    double *busy;    /* by process: until when it sends, or receives */
    Rest *rest;
    size_t rests, rest_cap;
} Timeline;

static int by_ready(const void *a, const void *b)
{
    const Rest *x = a, *y = b;
    return (x->ready > y->ready) - (x->ready < y->ready);
}

static int by_sent(const void *a, const void *b)
{
    const Rest *x = a, *y = b;
    return (x->sent > y->sent) - (x->sent < y->sent);
}

/* First messages, which all send to all at once; what is left of data. */
static bool send_firsts(Timeline *l, int64_t step)
{
    const TraceStep *now = &l->trace->step[step];
    const Placement *w = l->where;
    for (int32_t p = 0; p < w->processes; p++) {
        l->next[p] = l->arrived[p] + (w->processes > 1 ? w->platform->sync : 0);
        for (int32_t q = 0; q < w->processes; q++)
            l->next[p] = fmax(l->next[p], l->arrived[q] + placement_latency(w, p, q));
    }
    l->rests = 0;
    for (size_t i = now->first; i < now->first + now->count; i++) {
        const TraceSend *send = &l->trace->send[i];
        const double per_byte = superstep_byte_time(w, send);
        const double first = fmin(send->bytes, FIRST_MESSAGE) * per_byte;
        const double ready =
            l->arrived[send->from] + first + placement_latency(w, send->from, send->to);
        l->next[send->to] = fmax(l->next[send->to], ready);
        if (send->bytes <= FIRST_MESSAGE)
            continue;
        if (!mem_grow(l->rest, l->rest_cap, l->rests + 1))
            return false;
        l->rest[l->rests++] = (Rest){.from = send->from,
                                     .to = send->to,
                                     .ready = fmax(ready, l->arrived[send->to]),
                                     .seconds = (send->bytes - FIRST_MESSAGE) * per_byte};
    }
    return true;
}

/* One after another from each sender, then to each receiver; a process goes on when its own data and
 * that of others is there. */
static void send_rests(Timeline *l)
{
    const Placement *w = l->where;
    const size_t bytes = (size_t)w->processes * sizeof *l->busy;
    if (l->rests == 0)
        return;
    memset(l->busy, 0, bytes);
    qsort(l->rest, l->rests, sizeof *l->rest, by_ready);
    for (size_t i = 0; i < l->rests; i++) {
        Rest *r = &l->rest[i];
        r->sent = fmax(l->busy[r->from], r->ready) + r->seconds;
        l->busy[r->from] = r->sent;
    }
    memset(l->busy, 0, bytes);
    qsort(l->rest, l->rests, sizeof *l->rest, by_sent);
    for (size_t i = 0; i < l->rests; i++) {
        const Rest *r = &l->rest[i];
        const double there = r->sent + placement_latency(w, r->from, r->to);
        l->busy[r->to] = fmax(l->busy[r->to] + r->seconds, there);
        l->next[r->to] = fmax(l->next[r->to], l->busy[r->to]);
        l->next[r->from] = fmax(l->next[r->from], l->busy[r->to]);
    }
}

static double latest(const Timeline *l)
{
    double most = 0;
    for (int32_t p = 0; p < l->where->processes; p++)
        most = fmax(most, l->now[p]);
    return most;
}

static bool follow(Timeline *l, int64_t step)
{
    const double *work = trace_work(l->trace, step);
    for (int32_t p = 0; p < l->where->processes; p++)
        l->arrived[p] = l->now[p] + work[p] * l->where->second[p];
    if (!send_firsts(l, step))
        return false;
    send_rests(l);
    memcpy(l->now, l->next, (size_t)l->where->processes * sizeof *l->now);
    return true;
}

PepaStatus timeline_run(const Trace *trace, const Placement *where, double *each, double *out,
                        PepaError *err)
{
    const int32_t n = where->processes;
    Timeline l = {.trace = trace, .where = where};
    bool ok = mem_new_zeroed(l.now, n) && mem_new(l.arrived, n) && mem_new(l.next, n) &&
              mem_new(l.busy, n);
    double before = 0;
    for (int64_t i = 0; i < trace->steps && ok; i++) {
        ok = follow(&l, i);
        if (each)
            each[i] = latest(&l) - before;
        before = latest(&l);
    }
    mem_free_all(l.now, l.arrived, l.next, l.busy, l.rest);
    if (!ok)
        return error_memory(err);
    *out = before;
    return PEPA_OK;
}
