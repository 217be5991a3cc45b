/* The times of processes, by recurrence over supersteps. */
#include "grid/bsp/predict/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "grid/bsp/predict/connection.h"

/* What one process sends another. */
typedef struct {
    int32_t from, to;
    double ready; /* when its sender is at the end of its computation */
    double sent;  /* when the last byte leaves */
    double bytes;
    double seconds; /* of its bytes on the link */
} Load;

typedef struct {
    const Trace *trace;
    const Placement *where;
    double *now;            /* by process: when it began the superstep */
    double *arrived;        /* by process: when it is at the end of its computation */
    double *next;           /* by process: when it has all that it waits for */
    double *busy;           /* by link: until when bytes leave, or arrive */
    Connection *connection; /* processes x processes, from and to; NULL: windows stay as they are */
    Load *load;
    size_t loads, load_cap;
} Timeline;

static int64_t links(const Placement *w)
{
    return w->processes * (w->platform->separate_links ? (int64_t)w->processes : 1);
}

static int by_ready(const void *a, const void *b)
{
    const Load *x = a, *y = b;
    return (x->ready > y->ready) - (x->ready < y->ready);
}

static int by_sent(const void *a, const void *b)
{
    const Load *x = a, *y = b;
    return (x->sent > y->sent) - (x->sent < y->sent);
}

/* First messages, which all send to all at once; what there is of data. */
static bool send_firsts(Timeline *l, int64_t step)
{
    const TraceStep *now = &l->trace->step[step];
    const Placement *w = l->where;
    for (int32_t p = 0; p < w->processes; p++) {
        l->next[p] = l->arrived[p] + (w->processes > 1 ? w->platform->sync : 0);
        for (int32_t q = 0; q < w->processes; q++)
            if (q != p)
                l->next[p] = fmax(l->next[p], l->arrived[q] + placement_latency(w, p, q));
    }
    l->loads = 0;
    for (size_t i = now->first; i < now->first + now->count; i++) {
        const TraceSend *send = &l->trace->send[i];
        if (!mem_grow(l->load, l->load_cap, l->loads + 1))
            return false;
        l->load[l->loads++] = (Load){.from = send->from,
                                     .to = send->to,
                                     .ready = l->arrived[send->from],
                                     .bytes = send->bytes,
                                     .seconds = send->bytes * superstep_byte_time(w, send)};
    }
    return true;
}

/* Seconds until the last byte leaves, from the time `at`. */
static double leave(Timeline *l, const Load *load, double at)
{
    const Placement *w = l->where;
    const Path path = {.byte = load->seconds / load->bytes,
                       .round_trip = 2 * placement_latency(w, load->from, load->to),
                       .restart = w->platform->window};
    if (!l->connection)
        return load->seconds;
    return connection_send(&l->connection[load->from * w->processes + load->to], &path, load->bytes,
                           at);
}

/* Of a process, or of two. */
static double *link_of(const Timeline *l, int32_t process, const Load *load)
{
    const int32_t n = l->where->processes;
    return &l->busy[l->where->platform->separate_links ? load->from * n + load->to : process];
}

/* One after another over each link, from each sender, then to each receiver; a process goes on when
 * its own data has left and that of others is there. */
static void send_loads(Timeline *l)
{
    const Placement *w = l->where;
    const size_t bytes = (size_t)links(w) * sizeof *l->busy;
    if (l->loads == 0)
        return;
    memset(l->busy, 0, bytes);
    qsort(l->load, l->loads, sizeof *l->load, by_ready);
    for (size_t i = 0; i < l->loads; i++) {
        Load *load = &l->load[i];
        double *busy = link_of(l, load->from, load);
        const double start = fmax(*busy, load->ready);
        load->sent = start + leave(l, load, start);
        *busy = start + load->seconds; /* for more, others have the link */
        l->next[load->from] = fmax(l->next[load->from], load->sent);
    }
    memset(l->busy, 0, bytes);
    qsort(l->load, l->loads, sizeof *l->load, by_sent);
    for (size_t i = 0; i < l->loads; i++) {
        const Load *load = &l->load[i];
        const double there = load->sent + placement_latency(w, load->from, load->to);
        double *busy = link_of(l, load->to, load);
        *busy = fmax(*busy + load->seconds, there);
        l->next[load->to] = fmax(l->next[load->to], *busy);
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
    send_loads(l);
    memcpy(l->now, l->next, (size_t)l->where->processes * sizeof *l->now);
    return true;
}

/* False: out of memory. */
static bool begin(Timeline *l)
{
    const int64_t n = l->where->processes;
    if (!mem_new_zeroed(l->now, n) || !mem_new(l->arrived, n) || !mem_new(l->next, n) ||
        !mem_new(l->busy, links(l->where)))
        return false;
    if (l->where->platform->window <= 0)
        return true;
    if (!mem_new(l->connection, n * n))
        return false;
    for (int64_t i = 0; i < n * n; i++)
        l->connection[i] = connection_new(l->where);
    return true;
}

PepaStatus timeline_run(const Trace *trace, const Placement *where, double *each, double *out,
                        PepaError *err)
{
    Timeline l = {.trace = trace, .where = where};
    bool ok = begin(&l);
    double before = 0;
    for (int64_t i = 0; i < trace->steps && ok; i++) {
        ok = follow(&l, i);
        if (each)
            each[i] = latest(&l) - before;
        before = latest(&l);
    }
    mem_free_all(l.now, l.arrived, l.next, l.busy, l.connection, l.load);
    if (!ok)
        return error_memory(err);
    *out = before;
    return PEPA_OK;
}
