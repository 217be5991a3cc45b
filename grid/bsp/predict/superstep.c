/* The costs of a superstep, by process. */
#include "grid/bsp/predict/superstep.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

#define WORD 8.0 /* bytes */

bool superstep_new(Superstep *s, int32_t processes)
{
    *s = (Superstep){.processes = processes};
    return mem_new(s->compute, processes) && mem_new(s->communicate, processes) &&
           mem_new(s->received, processes);
}

void superstep_free(Superstep *s)
{
    mem_free_all(s->compute, s->communicate, s->received);
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
    for (int32_t p = 0; p < s->processes; p++) {
        s->communicate[p] = fmax(s->communicate[p], s->received[p]);
        s->compute[p] = work[p] * where->second[p];
    }
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
    return largest(trace_work(trace, step), s->processes) * largest(where->second, s->processes) +
           h * slowest + where->barrier;
}
