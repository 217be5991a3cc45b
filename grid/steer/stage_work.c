/* The work of stages, estimated from services. */
#include "grid/steer/stage_work.h"

#include <math.h>

#include "grid/steer/tuning.h"

/* The unit time that its process had at each service.  New services get the present one; so do all
 * since the change, if a change of the process was found.  Services between the last evidence
 * before the change and the change do not count: NAN. */
static void assign_unit_times(StageWorks *works, StageWork *work)
{
    for (int32_t i = 0; i < work->services.count; i++) {
        Measurement *service = window_at(&work->services, i);
        const Speed *speed = &works->machines->speeds[service->process];
        if (service->time >= speed->since && (speed->changed || service->time > works->updated))
            service->unit_time = speed->unit_time;
        else if (speed->changed && service->time > speed->until)
            service->unit_time = NAN;
    }
}

/* The work as estimated on process j, or on the others. */
static Estimate work_seen(const StageWorks *works, const StageWork *work, int32_t j, bool there)
{
    int32_t count = 0;
    for (int32_t i = 0; i < work->services.count; i++) {
        const Measurement *service = window_at(&work->services, i);
        if ((service->process == j) == there && !isnan(service->unit_time))
            works->machines->workspace[count++] = service->value / service->unit_time;
    }
    return count > 0 ? estimate_of(works->machines->workspace, count, works->whole) : (Estimate){0};
}

/* Process j needs `factor` times as long for a unit of work as was estimated, and always did. */
static void correct_speed(StageWorks *works, int32_t j, double factor)
{
    speed_correct(&works->machines->speeds[j], factor);
    for (int32_t i = 0; i < works->stages; i++)
        for (int32_t k = 0; k < works->each[i].services.count; k++) {
            Measurement *service = window_at(&works->each[i].services, k);
            if (service->process == j)
                service->unit_time *= factor;
        }
}

/* A stage that was moved here does the same work as before.  If its work seems to have doubled or
 * halved, chance does not explain that, and it stays so while probes had time to show a change of
 * the process, then the unit time of this process is corrected relative to the others.  This
 * happens once per move: later the work itself can change.  Smaller differences are ignored:
 * corrections that are partly chance would add up to an error. */
static void compare_processes(StageWorks *works, StageWork *work)
{
    if (work->services.count == 0)
        return;
    int32_t here = window_at(&work->services, work->services.count - 1)->process;
    if (here == work->compared)
        return;
    Estimate now = work_seen(works, work, here, true), then = work_seen(works, work, here, false);
    if (now.count < LEAST_COMPARED)
        return;
    double ratio = log(now.mean / then.mean);
    bool differ =
        then.count >= LEAST_COMPARED &&
        fabs(ratio) > fmax(log(COMPARED_RATIO), COMPARED_ERRORS * hypot(now.error, then.error));
    work->differences = differ ? work->differences + 1 : 0;
    if (work->differences == DIFFERENCES)
        correct_speed(works, here, exp(ratio));
    if (!differ || work->differences == DIFFERENCES)
        work->compared = here;
    if (work->compared == here)
        work->differences = 0;
}

static void measure_work(StageWorks *works, StageWork *work)
{
    const Speed *speeds = works->machines->speeds;
    int32_t count = 0;
    double bytes = 0;
    int32_t oldest = window_recent(&work->services, works->machines->max_age);
    for (int32_t i = oldest; i < work->services.count; i++) {
        const Measurement *service = window_at(&work->services, i);
        if (isnan(service->unit_time) || service->time > speeds[service->process].suspected)
            continue;
        bytes += service->bytes;
        works->machines->workspace[count++] = service->value / service->unit_time;
    }
    if (count < WINDOW_LEAST)
        return;
    Estimate units = estimate_of(works->machines->workspace, count, works->whole);
    work->work = units.mean;
    work->error = units.error;
    work->known = true;
    work->output = bytes / count;
}

void stage_work_update(StageWorks *works)
{
    for (int32_t i = 0; i < works->stages; i++)
        assign_unit_times(works, &works->each[i]);
    for (int32_t i = 0; i < works->stages; i++)
        compare_processes(works, &works->each[i]);
    for (int32_t i = 0; i < works->stages; i++)
        measure_work(works, &works->each[i]);
}
