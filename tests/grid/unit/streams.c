#include "streams.h"

#include <stdio.h>

/* SplitMix64: Steele, Lea, Flood, OOPSLA 2014. */
double uniform(Noise *noise)
{
    uint64_t z = noise->state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

double noisy(Noise *noise, double mean)
{
    double factor = uniform(noise) < noise->outliers ? 20 : 1;
    if (noise->sigma < 0)
        return -mean * factor * log(uniform(noise));
    double radius = sqrt(-2 * log(uniform(noise)));
    double normal = radius * cos(2 * acos(-1) * uniform(noise));
    return mean * factor * exp(noise->sigma * normal - noise->sigma * noise->sigma / 2);
}

AmogetDescription *make_description(int32_t stages, int32_t processors)
{
    AmogetDescription *desc = NULL;
    cr_assert_eq(amoget_new(&desc, NULL), PEPA_OK);
    char name[20];
    for (int32_t i = 0; i < stages; i++) {
        (void)snprintf(name, sizeof name, "s%d", i + 1);
        cr_assert_eq(amoget_add_stage(desc, name, NULL), PEPA_OK);
        cr_assert_eq(amoget_set_work(desc, i, i + 1, NULL), PEPA_OK);
        cr_assert_eq(amoget_set_output(desc, i, 1e6 * (i + 1), NULL), PEPA_OK);
    }
    for (int32_t j = 0; j < processors; j++) {
        (void)snprintf(name, sizeof name, "p%d", j + 1);
        cr_assert_eq(amoget_add_processor(amoget_machine(desc), name, 0.1, NULL), PEPA_OK);
        cr_assert_eq(amoget_set_availability(amoget_machine(desc), j, 0.5, NULL), PEPA_OK);
    }
    cr_assert_eq(amoget_set_latency(amoget_machine(desc), AMOGET_DEFAULT, AMOGET_DEFAULT, 0.01,
                                    NULL),
                 PEPA_OK);
    cr_assert_eq(amoget_set_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 0.001, NULL),
                 PEPA_OK);
    cr_assert_eq(amoget_set_bandwidth(amoget_machine(desc), AMOGET_DEFAULT, AMOGET_DEFAULT, 1e8,
                                      NULL),
                 PEPA_OK);
    return desc;
}

void see_service(GridMonitor *monitor, double time, int32_t stage, int32_t process, double seconds,
                 double bytes)
{
    grid_monitor_observe(monitor,
                         &(GridSample){.kind = GRID_SERVICE,
                                       .a = stage,
                                       .b = process,
                                       .bytes = bytes,
                                       .seconds = seconds,
                                       .time = time},
                         1);
}

void see_move(GridMonitor *monitor, double time, int32_t a, int32_t b, double bytes, double seconds)
{
    grid_monitor_observe(monitor,
                         &(GridSample){.kind = GRID_TRANSFER,
                                       .a = a,
                                       .b = b,
                                       .bytes = bytes,
                                       .seconds = seconds,
                                       .time = time},
                         1);
}

void see_probe(GridMonitor *monitor, double time, int32_t process, double seconds)
{
    grid_monitor_observe(monitor,
                         &(GridSample){.kind = GRID_PROBE,
                                       .a = process,
                                       .seconds = seconds,
                                       .time = time},
                         1);
}

void update(GridMonitor *monitor, double time)
{
    PepaError err = {0};
    cr_assert_eq(grid_monitor_update(monitor, time, &err), PEPA_OK, "%s", err.message);
}

double pace_of(const AmogetDescription *desc, int32_t process)
{
    return desc->machine->time[process] / desc->machine->availability[process];
}

double latency_between(const AmogetDescription *desc, int32_t a, int32_t b)
{
    return desc->machine->latency.value[a * desc->machine->capacity + b];
}

double bandwidth_between(const AmogetDescription *desc, int32_t a, int32_t b)
{
    return desc->machine->bandwidth.value[a * desc->machine->capacity + b];
}
