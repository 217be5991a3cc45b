/* The samples of a pipeline. */
#include "grid/pipeline/sampling.h"

#include <math.h>

#include "grid/pipeline/injected.h"

/* The services of unit u are stream 2 u, the moves into it stream 2 u + 1. */
int32_t sampling_streams(const Run *run)
{
    return 2 * run->units;
}

void sampling_service(Run *run, int32_t unit, double when, double seconds, double waited)
{
    const GridPlatform *platform = run->settings->platform;
    double bytes = platform ? injected_bytes(platform, run_time(run, when), unit)
                            : (double)run->unit[unit].out.size;
    sampler_offer(&run->sampler, 2 * unit,
                  (GridSample){GRID_SERVICE, unit - 1, run_rank(run), bytes, seconds, when,
                               waited});
}

void sampling_move(Run *run, int32_t unit, double when, double seconds)
{
    double bytes = injected_bytes(run->settings->platform, run_time(run, when), unit - 1);
    sampler_offer(&run->sampler, 2 * unit + 1,
                  (GridSample){.kind = GRID_TRANSFER,
                               .a = run->place[unit - 1],
                               .b = run_rank(run),
                               .bytes = bytes,
                               .seconds = seconds,
                               .time = when});
}

void sampling_item(Run *run, int32_t from, const Fields *fields, size_t bytes, double now)
{
    double seconds = sampler_transit(&run->sampler, from, fields->time, now);
    if (!isnan(seconds))
        sampler_offer(&run->sampler, 2 * fields->unit + 1,
                      (GridSample){.kind = GRID_TRANSFER,
                                   .a = from,
                                   .b = run_rank(run),
                                   .bytes = (double)bytes,
                                   .seconds = seconds,
                                   .time = now});
}
