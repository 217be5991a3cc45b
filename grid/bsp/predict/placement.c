/* Speeds and barriers of processes on a machine. */
#include "grid/bsp/predict/placement.h"

#include <math.h>

#include "base/mem.h"

/* A link is short if it takes at most this share of the longest. */
#define SHORT 0.25

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

double placement_second(const Placement *where, int32_t process, int32_t sharers)
{
    const AmogetMachine *m = where->machine;
    const int32_t at = where->at[process];
    return where->platform->unit * amoget_time(m, at) / amoget_availability(m, at) *
           fmax((double)sharers / amoget_cores(m, at), 1);
}

static int32_t sharers_of(const Placement *where, int32_t process)
{
    int32_t count = 0;
    for (int32_t p = 0; p < where->processes; p++)
        count += where->at[p] == where->at[process];
    return count;
}

static double latency(const Placement *where, int32_t p, int32_t q)
{
    const double seconds = amoget_latency(where->machine, where->at[p], where->at[q]);
    return where->at[p] == where->at[q] && isnan(seconds) ? 0 : seconds;
}

static double longest(const Placement *where)
{
    double most = 0;
    for (int32_t p = 0; p < where->processes; p++)
        for (int32_t q = 0; q < p; q++)
            most = fmax(most, latency(where, p, q));
    return most;
}

/* The processes that short links connect to `first`; *within: the longest latency between two of
 * them.  member: scratch. */
static void join(const Placement *where, double most, int32_t first, int32_t *cluster,
                 int32_t *member, double *within)
{
    int32_t count = 1;
    member[0] = first;
    cluster[first] = first;
    for (int32_t k = 0; k < count; k++)
        for (int32_t p = 0; p < where->processes; p++)
            if (cluster[p] < 0 && latency(where, member[k], p) <= SHORT * most) {
                cluster[p] = first;
                member[count++] = p;
            }
    for (int32_t k = 0; k < count; k++)
        for (int32_t i = 0; i < k; i++)
            *within = fmax(*within, latency(where, member[k], member[i]));
}

static double barrier(const Placement *where)
{
    int32_t cluster[MOST_PROCESSES], member[MOST_PROCESSES], clusters = 0;
    const double most = longest(where), given = where->platform->sync;
    double within = 0;
    for (int32_t p = 0; p < where->processes; p++)
        cluster[p] = -1;
    for (int32_t p = 0; p < where->processes; p++)
        if (cluster[p] < 0) {
            clusters++;
            join(where, most, p, cluster, member, &within);
        }
    if (clusters > 1 && clusters < where->processes)
        return most + (isnan(given) ? 2 * within : given);
    return isnan(given) ? ceil(log2(where->processes)) * most : given; /* all alike */
}

void placement_update(Placement *where)
{
    for (int32_t p = 0; p < where->processes; p++)
        where->second[p] = placement_second(where, p, sharers_of(where, p));
    where->barrier = where->processes > 1 ? barrier(where) : 0;
}
