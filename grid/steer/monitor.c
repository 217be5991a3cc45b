/* The monitor of a pipeline: machines, and the work of stages. */
#include "grid/steer/monitor.h"

#include <math.h>
#include <stdlib.h>

#include "grid/core/decimal.h"
#include "grid/steer/monitor_parts.h"

GridMonitor *grid_monitor_new(AmogetDescription *desc, const GridMonitorSettings *settings)
{
    GridMonitorSettings set = settings ? *settings : (GridMonitorSettings){0};
    GridMonitor *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->desc = desc;
    m->works.stages = amoget_stage_count(desc);
    m->adjust_work = set.adjust_work != 0;
    m->works.updated = -INFINITY;
    bool good = machines_new(&m->machines, amoget_machine(desc), set.window, set.max_age) == 0;
    m->works.machines = &m->machines;
    m->works.each = calloc((size_t)m->works.stages + 1, sizeof *m->works.each);
    good = good && m->works.each;
    for (int32_t i = 0; i < m->works.stages && good; i++) {
        StageWork *work = &m->works.each[i];
        *work = (StageWork){.work = amoget_work(desc, i),
                            .known = !m->adjust_work,
                            .output = -1,
                            .compared = -1};
        good = window_new(&work->services, m->machines.window, 0) == 0;
    }
    if (good)
        return m;
    grid_monitor_free(m);
    return NULL;
}

void grid_monitor_free(GridMonitor *m)
{
    if (!m)
        return;
    for (int32_t i = 0; m->works.each && i < m->works.stages; i++)
        window_free(&m->works.each[i].services);
    machines_free(&m->machines);
    free(m->works.each);
    free(m);
}

static void observe_service(GridMonitor *m, const GridSample *sample)
{
    if (sample->a < 0 || sample->a >= m->works.stages || !machines_has(&m->machines, sample->b))
        return;
    StageWork *work = &m->works.each[sample->a];
    /* where works are given, all that services take is the process's */
    const bool paused = m->adjust_work && sample->waited > MOSTLY_WAITED * sample->seconds;
    const double pause = paused ? fmin(sample->waited, MOST_WAITED * sample->seconds) : 0;
    const double seconds = sample->seconds - pause;
    window_add(&work->services, (Measurement){.time = sample->time,
                                              .value = seconds,
                                              .bytes = sample->bytes,
                                              .unit_time = m->machines.speeds[sample->b].unit_time,
                                              .process = sample->b});
    machines_service(&m->machines, sample->b, sample->time,
                     work->known ? seconds / work->work : NAN, pause / work->work);
}

void grid_monitor_observe(GridMonitor *m, const GridSample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!sample_is_valid(&samples[i]))
            continue;
        if (samples[i].kind == GRID_SERVICE)
            observe_service(m, &samples[i]);
        else
            machines_observe(&m->machines, &samples[i]);
    }
}

void grid_monitor_count_whole(GridMonitor *m, int whole)
{
    machines_count_whole(&m->machines, whole != 0);
    m->works.whole = whole != 0;
}

static PepaStatus publish_work(GridMonitor *m, PepaError *err)
{
    AmogetDescription *desc = m->desc;
    PepaStatus status = PEPA_OK;
    for (int32_t i = 0; i < m->works.stages && status == PEPA_OK; i++) {
        const StageWork *work = &m->works.each[i];
        if (work->output < 0)
            continue;
        status = amoget_set_work(desc, i, number_in_range(work->work), err);
        if (status == PEPA_OK)
            status = amoget_set_output(desc, i, fmin(work->output, number_in_range(INFINITY)), err);
    }
    return status;
}

PepaStatus grid_monitor_update(GridMonitor *m, double time, PepaError *err)
{
    PepaStatus status = machines_estimate(&m->machines, m->adjust_work, err);
    if (status != PEPA_OK)
        return status;
    if (m->adjust_work) {
        stage_work_update(&m->works);
        status = publish_work(m, err);
    }
    if (status != PEPA_OK)
        return status;
    m->works.updated = time;
    return machines_publish(&m->machines, err);
}

int grid_monitor_write(GridMonitor *m, double epoch, FILE *to)
{
    char work[DECIMAL_SIZE], output[DECIMAL_SIZE];
    int any = machines_write(&m->machines, epoch, to);
    for (int32_t i = 0; any && i < m->works.stages; i++)
        if (m->works.each[i].output >= 0)
            (void)fprintf(to, "# stage %s: work %s output %s\n", amoget_stage_name(m->desc, i),
                          decimal_text(m->works.each[i].work, DECIMAL_EXACT, work),
                          decimal_text(m->works.each[i].output, DECIMAL_EXACT, output));
    return ferror(to) ? -1 : 0;
}
