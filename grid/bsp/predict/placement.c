/* Speeds and barriers of processes on a machine. */
#include "grid/bsp/predict/placement.h"

#include <math.h>

#include "base/mem.h"

bool placement_new(Placement *where, const AmogetMachine *machine, const Platform *platform,
                   int32_t processes)
{
    *where = (Placement){.machine = machine, .platform = platform, .processes = processes};
    return mem_new_zeroed(where->at, processes) && mem_new_zeroed(where->second, processes);
}

void placement_free(Placement *where)
{
    mem_free_all(where->at, where->second);
    *where = (Placement){0};
}

double placement_second(const Placement *where, int32_t process)
{
    const AmogetMachine *m = where->machine;
    const int32_t at = where->at[process];
    return where->platform->unit * amoget_time(m, at) / amoget_availability(m, at);
}

double placement_crowd(const Placement *where, int32_t process, int32_t sharers)
{
    return fmax((double)sharers / amoget_cores(where->machine, where->at[process]), 1);
}

static int32_t sharers_of(const Placement *where, int32_t process)
{
    int32_t count = 0;
    for (int32_t p = 0; p < where->processes; p++)
        count += where->at[p] == where->at[process];
    return count;
}

double placement_latency(const Placement *where, int32_t p, int32_t q)
{
    const double seconds = amoget_latency(where->machine, where->at[p], where->at[q]);
    return where->at[p] == where->at[q] && isnan(seconds) ? 0 : seconds;
}

static double longest(const Placement *where)
{
    double most = 0;
    for (int32_t p = 0; p < where->processes; p++)
        for (int32_t q = 0; q < p; q++)
            most = fmax(most, placement_latency(where, p, q));
    return most;
}

void placement_update(Placement *where)
{
    where->slowest = 0;
    for (int32_t p = 0; p < where->processes; p++) {
        const double crowd = placement_crowd(where, p, sharers_of(where, p));
        where->second[p] = placement_second(where, p);
        where->slowest = fmax(where->slowest, where->second[p] * crowd);
    }
    where->barrier = where->processes > 1 ? fmax(longest(where), where->platform->sync) : 0;
}
