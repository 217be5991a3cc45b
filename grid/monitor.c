#include <math.h>
#include <stdlib.h>

#include "grid/monitor_parts.h"

enum { WINDOW = 61, LEAST_WINDOW = 8 };
static const double age = 60;

/* ---- from birth to death ------------------------------------------------------------------ */

static PepaStatus no_memory(PepaError *err)
{
    if (err) {
        *err = (PepaError){.code = PEPA_ENOMEM};
        (void)snprintf(err->message, sizeof err->message, "out of memory");
    }
    return PEPA_ENOMEM;
}

/* What the description says before anything was measured. */
static void begin(GridMonitor *m)
{
    for (int32_t j = 0; j < m->processes; j++)
        pace_begin(&m->paces[j], amoget_time(m->desc, j), amoget_availability(m->desc, j));
    for (int32_t i = 0; i < m->stages; i++)
        m->works[i].work = amoget_work(m->desc, i);
}

static bool make_parts(GridMonitor *m, int32_t window)
{
    m->works = calloc((size_t)m->stages + 1, sizeof *m->works);
    m->paces = calloc((size_t)m->processes + 1, sizeof *m->paces);
    m->unwritten = calloc((size_t)m->processes + 1, sizeof *m->unwritten);
    m->room = calloc(2 * (size_t)window, sizeof *m->room);
    bool good = links_new(&m->links, m->processes, window) == 0 && m->works && m->paces &&
                m->unwritten && m->room;
    for (int32_t i = 0; i < m->stages && good; i++) {
        m->works[i].known = !m->adjust_work;
        m->works[i].output = m->works[i].compared = -1;
        good = series_new(&m->works[i].services, window, 0) == 0;
    }
    for (int32_t j = 0; j < m->processes && good; j++)
        good = pace_new(&m->paces[j], window) == 0;
    return good;
}

GridMonitor *grid_monitor_new(AmogetDescription *desc, const GridMonitorSettings *settings)
{
    GridMonitorSettings set = settings ? *settings : (GridMonitorSettings){0};
    GridMonitor *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->desc = desc;
    m->stages = amoget_stage_count(desc);
    m->processes = amoget_processor_count(desc);
    m->max_age = set.max_age > 0 ? set.max_age : age;
    m->adjust_work = set.adjust_work != 0;
    m->updated = -INFINITY;
    int32_t window = set.window > 0 ? set.window : WINDOW;
    if (!make_parts(m, window > LEAST_WINDOW ? window : LEAST_WINDOW)) {
        grid_monitor_free(m);
        return NULL;
    }
    begin(m);
    return m;
}

void grid_monitor_free(GridMonitor *m)
{
    if (!m)
        return;
    for (int32_t i = 0; m->works && i < m->stages; i++)
        series_free(&m->works[i].services);
    for (int32_t j = 0; m->paces && j < m->processes; j++)
        pace_free(&m->paces[j]);
    links_free(&m->links);
    free(m->works);
    free(m->paces);
    free(m->unwritten);
    free(m->room);
    free(m);
}

/* ---- observing ---------------------------------------------------------------------------- */

static bool is_process(const GridMonitor *m, int32_t process)
{
    return process >= 0 && process < m->processes;
}

static bool is_duration(double seconds)
{
    return seconds > 0 && isfinite(seconds);
}

static void observe_service(GridMonitor *m, const GridSample *sample)
{
    if (sample->a < 0 || sample->a >= m->stages || !is_process(m, sample->b))
        return;
    GridWork *work = &m->works[sample->a];
    GridPace *pace = &m->paces[sample->b];
    series_add(&work->services, (GridValue){.time = sample->time,
                                            .value = sample->seconds,
                                            .size = sample->bytes,
                                            .pace = pace->pace,
                                            .where = sample->b});
    if (work->known)
        pace_service(pace, sample->time, sample->seconds / work->work);
    m->unwritten[sample->b] = true;
}

static void observe_move(GridMonitor *m, const GridSample *sample)
{
    GridValue move = {.time = sample->time, .value = sample->seconds, .size = sample->bytes};
    if (is_process(m, sample->a) && is_process(m, sample->b) &&
        links_move(&m->links, m->desc, sample->a, sample->b, move) != 0)
        m->no_memory = true;
}

static void observe_probe(GridMonitor *m, const GridSample *sample)
{
    if (!is_process(m, sample->a))
        return;
    pace_probe(&m->paces[sample->a], sample->time, sample->seconds);
    m->unwritten[sample->a] = true;
}

void grid_monitor_observe(GridMonitor *m, const GridSample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const GridSample *sample = &samples[i];
        if (!is_duration(sample->seconds) || !isfinite(sample->time) || !(sample->bytes >= 0) ||
            !isfinite(sample->bytes))
            continue;
        if (sample->kind == GRID_SERVICE)
            observe_service(m, sample);
        else if (sample->kind == GRID_MOVE)
            observe_move(m, sample);
        else if (sample->kind == GRID_PROBE)
            observe_probe(m, sample);
    }
}

/* ---- bringing up to date ------------------------------------------------------------------ */

static PepaStatus set_pace(GridMonitor *m, int32_t j, PepaError *err)
{
    const GridPace *pace = &m->paces[j];
    double time = number_in_range(fmin(pace->time, pace->pace));
    double share = fmin(number_in_range(time / pace->pace), 1);
    PepaStatus status = amoget_set_time(m->desc, j, time, err);
    return status == PEPA_OK ? amoget_set_availability(m->desc, j, share, err) : status;
}

static PepaStatus set_works(GridMonitor *m, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (int32_t i = 0; i < m->stages && status == PEPA_OK; i++) {
        const GridWork *work = &m->works[i];
        if (work->output < 0)
            continue;
        status = amoget_set_work(m->desc, i, number_in_range(work->work), err);
        if (status == PEPA_OK)
            status =
                amoget_set_output(m->desc, i, fmin(work->output, number_in_range(INFINITY)), err);
    }
    return status;
}

PepaStatus grid_monitor_update(GridMonitor *m, double time, PepaError *err)
{
    bool lost = m->no_memory;
    m->no_memory = false;
    PepaStatus status = links_update(&m->links, m->desc, m->max_age, m->room, err);
    for (int32_t j = 0; j < m->processes && status == PEPA_OK; j++)
        pace_update(&m->paces[j], m->adjust_work, m->max_age, m->room);
    if (status == PEPA_OK && m->adjust_work)
        works_update(m);
    for (int32_t j = 0; j < m->processes && status == PEPA_OK; j++)
        if (m->paces[j].measured)
            status = set_pace(m, j, err);
    if (status == PEPA_OK && m->adjust_work)
        status = set_works(m, err);
    if (status == PEPA_OK)
        m->updated = time;
    return status == PEPA_OK && lost ? no_memory(err) : status;
}
