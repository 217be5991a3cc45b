/* Lower bounds of timelines. */
#include "grid/bsp/predict/soonest.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

bool soonest_new(Soonest *s, int32_t processes, int32_t processors)
{
    const int64_t n = processes;
    *s = (Soonest){.processors = processors};
    return mem_new(s->latency, n * n) && mem_new(s->now, n) && mem_new(s->met, n) &&
           mem_new(s->passed, n) && mem_new(s->first, n) && mem_new(s->received, n) &&
           mem_new(s->sent, n) && mem_new(s->begun, processors) && mem_new(s->done, processors) &&
           mem_new(s->one, processors);
}

void soonest_free(Soonest *s)
{
    mem_free_all(s->latency, s->now, s->met, s->passed, s->first, s->received, s->sent, s->begun,
                 s->done, s->one);
    *s = (Soonest){0};
}

static bool both_placed(const Placement *w, int32_t p, int32_t q)
{
    return w->at[p] >= 0 && w->at[q] >= 0;
}

static void set_latencies(Soonest *s, const Placement *w)
{
    const int32_t n = w->processes;
    for (int32_t p = 0; p < n; p++)
        for (int32_t q = 0; q < n; q++)
            s->latency[p * (int64_t)n + q] =
                p != q && both_placed(w, p, q) ? placement_latency(w, p, q) : 0;
}

static double seconds_of(const Placement *w, const TraceSend *send)
{
    return both_placed(w, send->from, send->to) ? send->bytes * superstep_byte_time(w, send)
                                                : superstep_library_time(w, send->bytes);
}

/* What is sent at once, or in answer: by whom at `from`, so that its receivers are there at `to` at the soonest. */
static void transfer(Soonest *s, const Trace *trace, const TraceStep *now, const Placement *w,
                     bool reply, const double *from, double *to)
{
    const int32_t n = w->processes;
    for (int32_t p = 0; p < n; p++) {
        s->first[p] = HUGE_VAL;
        s->received[p] = s->sent[p] = 0;
    }
    for (size_t i = now->first; i < now->first + now->count; i++) {
        const TraceSend *send = &trace->send[i];
        if (send->reply != reply)
            continue;
        const double comes = from[send->from] + s->latency[send->from * (int64_t)n + send->to];
        const double seconds = seconds_of(w, send);
        to[send->to] = fmax(to[send->to], comes + seconds);
        s->first[send->to] = fmin(s->first[send->to], comes);
        s->received[send->to] += seconds;
        s->sent[send->from] += send->bytes;
    }
    for (int32_t p = 0; p < n; p++) {
        to[p] = fmax(to[p], from[p] + superstep_library_time(w, s->sent[p]));
        if (s->received[p] > 0 && !w->platform->separate_links)
            to[p] = fmax(to[p], s->first[p] + s->received[p]);
    }
}

/* Its processes begin at s->now, and have so much work in all. */
static void share_cores(Soonest *s, const Placement *w, const double *work)
{
    for (int32_t q = 0; q < s->processors; q++) {
        s->begun[q] = HUGE_VAL;
        s->done[q] = 0;
        s->one[q] = -1;
    }
    for (int32_t p = 0; p < w->processes; p++) {
        const int32_t q = w->at[p];
        if (q < 0)
            continue;
        s->one[q] = p;
        s->begun[q] = fmin(s->begun[q], s->now[p]);
        s->done[q] += work[p] * w->second[p] / amoget_cores(w->machine, q);
    }
    for (int32_t q = 0; q < s->processors; q++)
        s->done[q] += s->begun[q];
}

/* Whoever is the last of a processor: what it sends has come nowhere else before. */
static void await_last(Soonest *s, const Placement *w)
{
    for (int32_t q = 0; q < s->processors; q++)
        for (int32_t p = 0; p < w->processes && s->one[q] >= 0; p++) {
            const int64_t row = s->one[q] * (int64_t)w->processes;
            s->met[p] = fmax(s->met[p], s->done[q] + (w->at[p] == q ? 0 : s->latency[row + p]));
        }
}

double soonest_end(Soonest *s, const Trace *trace, const Placement *where)
{
    const int32_t n = where->processes;
    const double sync = n > 1 ? where->platform->sync : 0;
    double last = 0;
    set_latencies(s, where);
    memset(s->now, 0, (size_t)n * sizeof *s->now);
    for (int64_t i = 0; i < trace->steps; i++) {
        const TraceStep *now = &trace->step[i];
        const double *work = trace_work(trace, i);
        share_cores(s, where, work);
        for (int32_t p = 0; p < n; p++)
            s->now[p] += work[p] * where->second[p];
        for (int32_t p = 0; p < n; p++) {
            s->met[p] = s->now[p] + sync;
            for (int32_t q = 0; q < n; q++)
                s->met[p] = fmax(s->met[p], s->now[q] + s->latency[q * (int64_t)n + p]);
        }
        await_last(s, where);
        transfer(s, trace, now, where, false, s->now, s->met);
        memcpy(s->passed, s->met, (size_t)n * sizeof *s->passed);
        transfer(s, trace, now, where, true, s->met, s->passed);
        memcpy(s->now, s->passed, (size_t)n * sizeof *s->now);
    }
    for (int32_t p = 0; p < n; p++)
        last = fmax(last, s->now[p]);
    return last;
}
