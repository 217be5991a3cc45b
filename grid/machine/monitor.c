/* The machine monitor. */
#include "grid/machine/monitor.h"

#include <math.h>
#include <stdlib.h>

#include "grid/core/decimal.h"
#include "grid/machine/tuning.h"

int machines_new(MachineMonitor *m, AmogetMachine *machine, int32_t window, double max_age)
{
    int32_t wanted = window > 0 ? window : WINDOW;
    *m = (MachineMonitor){.machine = machine,
                          .processes = amoget_processor_count(machine),
                          .window = wanted > LEAST_WINDOW ? wanted : LEAST_WINDOW,
                          .max_age = max_age > 0 ? max_age : DEFAULT_AGE};
    m->speeds = calloc((size_t)m->processes + 1, sizeof *m->speeds);
    m->unwritten = calloc((size_t)m->processes + 1, sizeof *m->unwritten);
    m->workspace = calloc(2 * (size_t)m->window, sizeof *m->workspace);
    bool good = links_new(&m->links, m->processes, m->window) == 0 && m->speeds && m->unwritten &&
                m->workspace;
    for (int32_t j = 0; j < m->processes && good; j++) {
        good = speed_new(&m->speeds[j], m->window) == 0;
        speed_start(&m->speeds[j], amoget_time(machine, j), amoget_availability(machine, j));
    }
    return good ? 0 : -1;
}

void machines_free(MachineMonitor *m)
{
    for (int32_t j = 0; m->speeds && j < m->processes; j++)
        speed_free(&m->speeds[j]);
    links_free(&m->links);
    free(m->speeds);
    free(m->unwritten);
    free(m->workspace);
}

/* ---- observing ---------------------------------------------------------------------------- */

bool machines_has(const MachineMonitor *m, int32_t process)
{
    return process >= 0 && process < m->processes;
}

bool sample_is_valid(const GridSample *sample)
{
    return sample->seconds > 0 && isfinite(sample->seconds) && isfinite(sample->time) &&
           sample->bytes >= 0 && isfinite(sample->bytes);
}

static void observe_transfer(MachineMonitor *m, const GridSample *sample)
{
    Measurement transfer = {.time = sample->time, .value = sample->seconds, .bytes = sample->bytes};
    if (machines_has(m, sample->a) && machines_has(m, sample->b) &&
        links_transfer(&m->links, m->machine, sample->a, sample->b, transfer) != 0)
        m->lost = true;
}

static void observe_probe(MachineMonitor *m, const GridSample *sample)
{
    if (!machines_has(m, sample->a))
        return;
    speed_probe(&m->speeds[sample->a], sample->time, sample->seconds);
    m->unwritten[sample->a] = true;
}

void machines_observe(MachineMonitor *m, const GridSample *sample)
{
    if (sample->kind == GRID_TRANSFER)
        observe_transfer(m, sample);
    else if (sample->kind == GRID_PROBE)
        observe_probe(m, sample);
}

void machines_service(MachineMonitor *m, int32_t process, double time, double seconds_per_unit,
                      double paused)
{
    if (!isnan(seconds_per_unit))
        speed_service(&m->speeds[process], time, seconds_per_unit, paused);
    m->unwritten[process] = true;
}

void machines_count_whole(MachineMonitor *m, bool whole)
{
    for (int32_t j = 0; j < m->processes; j++)
        m->speeds[j].whole = whole;
}

/* ---- estimating --------------------------------------------------------------------------- */

PepaStatus machines_estimate(MachineMonitor *m, bool work_measured, PepaError *err)
{
    PepaStatus status = links_update(&m->links, m->machine, m->max_age, m->workspace, err);
    for (int32_t j = 0; j < m->processes && status == PEPA_OK; j++)
        speed_update(&m->speeds[j], work_measured, m->max_age, m->workspace);
    return status;
}

/* The part of `time`, that of a wholly available process, in what the process needs. */
static double availability_of(const Speed *speed, double time)
{
    return fmin(number_in_range(time / speed_now(speed)), 1);
}

static PepaStatus publish_speed(MachineMonitor *m, int32_t j, PepaError *err)
{
    const Speed *speed = &m->speeds[j];
    double time = number_in_range(fmin(speed->time, speed_now(speed)));
    PepaStatus status = amoget_set_time(m->machine, j, time, err);
    if (status == PEPA_OK)
        status = amoget_set_availability(m->machine, j, availability_of(speed, time), err);
    return status;
}

PepaStatus machines_publish(MachineMonitor *m, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    bool lost = m->lost;
    m->lost = false;
    for (int32_t j = 0; j < m->processes && status == PEPA_OK; j++)
        if (m->speeds[j].measured)
            status = publish_speed(m, j, err);
    if (status != PEPA_OK || !lost)
        return status;
    if (err)
        *err = (PepaError){.code = PEPA_ENOMEM, .message = "out of memory"};
    return PEPA_ENOMEM;
}

/* ---- writing ------------------------------------------------------------------------------ */

static void write_line(FILE *to, double time, const char *what, const char *a, const char *b,
                       double value)
{
    char when[DECIMAL_SIZE], much[DECIMAL_SIZE];
    (void)fprintf(to, "%s,%s,%s,%s,%s\n", decimal_text(fmax(time, 0), DECIMAL_EXACT, when), what, a,
                  b, decimal_text(value, DECIMAL_EXACT, much));
}

static void write_process(MachineMonitor *m, int32_t j, double start, FILE *to)
{
    const Speed *speed = &m->speeds[j];
    const char *name = amoget_processor_name(m->machine, j);
    double seen = start + fmax(window_newest(&speed->services), window_newest(&speed->probes));
    char text[DECIMAL_SIZE];
    write_line(to, seen, "availability", name, "",
               availability_of(speed, fmin(speed->time, speed_now(speed))));
    if (speed_now(speed) < speed->time)
        (void)fprintf(to, "# %s is faster than described: time %s\n", name,
                      decimal_text(speed_now(speed), DECIMAL_EXACT, text));
    m->unwritten[j] = false;
}

static void write_link(const MachineMonitor *m, GridLink *link, double start, FILE *to)
{
    const char *a = amoget_processor_name(m->machine, link->a);
    const char *b = amoget_processor_name(m->machine, link->b);
    double seen = start + window_newest(&link->transfers);
    write_line(to, seen, "latency", a, b, number_in_range(link->latency));
    if (isfinite(link->bandwidth))
        write_line(to, seen, "bandwidth", a, b, number_in_range(link->bandwidth));
    link->unwritten = false;
}

int machines_write(MachineMonitor *m, double start, FILE *to)
{
    int any = 0;
    if (!m->has_header)
        (void)fputs("time,what,from,to,value\n", to);
    m->has_header = true;
    for (int32_t j = 0; j < m->processes; j++)
        if (m->unwritten[j] && m->speeds[j].measured) {
            write_process(m, j, start, to);
            any = 1;
        }
    for (GridLink *link = m->links.first; link; link = link->next)
        if (link->unwritten && !link->fresh) {
            write_link(m, link, start, to);
            any = 1;
        }
    return any;
}
