/* The costs of a superstep, by process. */
#include "grid/bsp/predict/superstep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define WORD 8.0 /* bytes */

bool superstep_new(Superstep *s, int32_t processes)
{
    *s = (Superstep){.processes = processes};
    return mem_new(s->compute, processes) && mem_new(s->communicate, processes) &&
           mem_new(s->received, processes) && mem_new(s->sharer, processes);
}

void superstep_free(Superstep *s)
{
    mem_free_all(s->compute, s->communicate, s->received, s->sharer);
    *s = (Superstep){0};
}

double superstep_byte_time(const Placement *where, const TraceSend *send)
{
    const double wire =
        1 / amoget_bandwidth(where->machine, where->at[send->from], where->at[send->to]);
    return wire + where->platform->word / WORD;
}

double superstep_library_time(const Placement *where, double bytes)
{
    return bytes * where->platform->word / WORD;
}

static int by_processor(const void *a, const void *b)
{
    const Sharer *x = a, *y = b;
    return x->processor != y->processor
               ? (x->processor > y->processor) - (x->processor < y->processor)
               : (x->alone > y->alone) - (x->alone < y->alone);
}

/* When each has computed, if all begin at once: the shortest ends first, and then fewer share the cores. */
static void share_cores(Superstep *s, const double *work, const Placement *where)
{
    for (int32_t p = 0; p < s->processes; p++)
        s->sharer[p] = (Sharer){p, where->at[p], work[p] * where->second[p]};
    qsort(s->sharer, (size_t)s->processes, sizeof *s->sharer, by_processor);
    for (int32_t i = 0, j; i < s->processes; i = j) {
        double now = 0, done = 0;
        for (j = i; j < s->processes && s->sharer[j].processor == s->sharer[i].processor;)
            j++;
        for (int32_t k = i; k < j; k++) {
            const Sharer *it = &s->sharer[k];
            now += (it->alone - done) * placement_crowd(where, it->process, j - k);
            done = it->alone;
            s->compute[it->process] = now;
        }
    }
}

void superstep_cost(Superstep *s, const Trace *trace, int64_t step, const Placement *where)
{
    const TraceStep *now = &trace->step[step];
    const double *work = trace_work(trace, step);
    memset(s->communicate, 0, (size_t)s->processes * sizeof *s->communicate);
    memset(s->received, 0, (size_t)s->processes * sizeof *s->received);
    for (size_t i = now->first; i < now->first + now->count; i++) {
        const TraceSend *send = &trace->send[i];
        const double seconds = send->bytes * superstep_byte_time(where, send);
        s->communicate[send->from] += seconds;
        s->received[send->to] += seconds;
    }
    for (int32_t p = 0; p < s->processes; p++)
        s->communicate[p] = fmax(s->communicate[p], s->received[p]);
    share_cores(s, work, where);
    s->barrier = where->barrier;
}

static double largest(const double *x, int32_t n)
{
    double most = 0;
    for (int32_t i = 0; i < n; i++)
        most = fmax(most, x[i]);
    return most;
}

double superstep_unequal(const Superstep *s)
{
    return largest(s->compute, s->processes) + largest(s->communicate, s->processes) + s->barrier;
}

double superstep_equal(const Superstep *s, const Trace *trace, int64_t step, const Placement *where)
{
    const TraceStep *now = &trace->step[step];
    double slowest = 0, *sent = s->communicate;
    memset(sent, 0, (size_t)s->processes * sizeof *sent);
    memset(s->received, 0, (size_t)s->processes * sizeof *s->received);
    for (size_t i = now->first; i < now->first + now->count; i++) {
        const TraceSend *send = &trace->send[i];
        sent[send->from] += send->bytes;
        s->received[send->to] += send->bytes;
        slowest = fmax(slowest, superstep_byte_time(where, send));
    }
    const double h = fmax(largest(sent, s->processes), largest(s->received, s->processes));
    return largest(trace_work(trace, step), s->processes) * where->slowest + h * slowest +
           where->barrier;
}
