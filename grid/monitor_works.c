/* The works of stages: what a service took / the pace of its process then. */
#include <math.h>

#include "grid/monitor_parts.h"

/* A service belongs to the pace that its process had then: new ones to that of now; and if the
 * process has turned out to have changed, to that also of those that came since it did.  Where it
 * may have been one or the other, a service does not count. */
static void assign_paces(GridMonitor *m, GridWork *work)
{
    for (int32_t i = 0; i < work->services.count; i++) {
        GridValue *service = series_at(&work->services, i);
        const GridPace *pace = &m->paces[service->where];
        if (service->time >= pace->since && (pace->turned || service->time > m->updated))
            service->pace = pace->pace;
        else if (pace->turned && service->time > pace->until)
            service->pace = NAN;
    }
}

/* The work as seen on process j, or elsewhere. */
static GridEstimate work_seen(const GridMonitor *m, const GridWork *work, int32_t j, bool there)
{
    int32_t count = 0;
    for (int32_t i = 0; i < work->services.count; i++) {
        const GridValue *service = series_at(&work->services, i);
        if ((service->where == j) == there && !isnan(service->pace))
            m->room[count++] = service->value / service->pace;
    }
    return count > 0 ? estimate_of(m->room, count) : (GridEstimate){0};
}

/* Process j needs `times` as long for a unit of work as was thought, and always has. */
static void correct_pace(GridMonitor *m, int32_t j, double times)
{
    m->paces[j].calibration *= times;
    m->paces[j].pace *= times;
    for (int32_t i = 0; i < m->stages; i++)
        for (int32_t k = 0; k < m->works[i].services.count; k++) {
            GridValue *service = series_at(&m->works[i].services, k);
            if (service->where == j)
                service->pace *= times;
        }
}

/* A stage that has come from elsewhere does the same work here.  If it seems to be twice as much,
 * or half, and chance does not explain that, and it stays so while probes had time to show a change
 * of the process, then the pace of here is not what it was thought to be, against that of
 * elsewhere.  Once per coming: later it can be the work that changes.  Smaller differences are left
 * alone: to correct by what is half chance would lead astray step by step. */
static void compare_processes(GridMonitor *m, GridWork *work)
{
    enum { LEAST_COMPARED = 20, SUSPICIONS = 4 };
    const double errors = 4, least = log(2);
    if (work->services.count == 0)
        return;
    int32_t here = series_at(&work->services, work->services.count - 1)->where;
    if (here == work->compared)
        return;
    GridEstimate now = work_seen(m, work, here, true), then = work_seen(m, work, here, false);
    if (now.count < LEAST_COMPARED)
        return;
    double ratio = log(now.mean / then.mean);
    bool differ = then.count >= LEAST_COMPARED &&
                  fabs(ratio) > fmax(least, errors * hypot(now.error, then.error));
    work->suspicions = differ ? work->suspicions + 1 : 0;
    if (work->suspicions == SUSPICIONS)
        correct_pace(m, here, exp(ratio));
    if (!differ || work->suspicions == SUSPICIONS)
        work->compared = here;
    if (work->compared == here)
        work->suspicions = 0;
}

static void measure_work(GridMonitor *m, GridWork *work)
{
    int32_t count = 0;
    double bytes = 0;
    for (int32_t i = series_recent(&work->services, m->max_age); i < work->services.count; i++) {
        const GridValue *service = series_at(&work->services, i);
        if (isnan(service->pace) || service->time > m->paces[service->where].suspected)
            continue;
        bytes += service->size;
        m->room[count++] = service->value / service->pace;
    }
    if (count < SERIES_LEAST)
        return;
    GridEstimate units = estimate_of(m->room, count);
    work->work = units.mean;
    work->error = units.error;
    work->known = true;
    work->output = bytes / count;
}

void works_update(GridMonitor *m)
{
    for (int32_t i = 0; i < m->stages; i++)
        assign_paces(m, &m->works[i]);
    for (int32_t i = 0; i < m->stages; i++)
        compare_processes(m, &m->works[i]);
    for (int32_t i = 0; i < m->stages; i++)
        measure_work(m, &m->works[i]);
}
