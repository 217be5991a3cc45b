/* The controller's calls, on process 0. */
#include "grid/pipeline/control.h"

#include <math.h>
#include <string.h>

#include "grid/core/clock.h"
#include "grid/pipeline/remap.h"

void control_start(Run *run)
{
    int decides = run->controller && run->controller->decide;
    run->next_decision = decides ? clock_now() + run->period : HUGE_VAL;
}

void control_report(Run *run, const Message *message)
{
    const GridController *controller = run->controller;
    int64_t done;
    size_t count;
    const GridSample *samples = sampler_report(message, &done, &count);
    if (done > run->done)
        run->done = done;
    if (!controller || !controller->observe || count == 0)
        return;
    double begin = clock_now();
    controller->observe(controller->user, samples, count);
    run->report.overhead += clock_now() - begin;
}

/* A mapping as the controller gave it. */
static int check(Run *run, const int32_t *mapping)
{
    for (int32_t i = 0; i < run->pipeline->stage_count; i++)
        if (mapping[i] < 0 || mapping[i] >= run_size(run))
            return session_fail(&run->session, GRID_EARG,
                                "the controller maps %s to process %d: there are processes 0 to %d",
                                unit_name(run, i + 1).text, mapping[i], run_size(run) - 1);
    return 0;
}

static int decide(Run *run)
{
    const GridController *controller = run->controller;
    size_t size = (size_t)run->pipeline->stage_count * sizeof *run->mapping;
    memcpy(run->mapping, run->place + 1, size);
    double begin = clock_now();
    int answer =
        controller->decide(controller->user, run_time(run, begin), run->done, run->mapping);
    double end = clock_now();
    sampler_worked(&run->sampler, end);
    run->report.overhead += end - begin;
    run->next_decision = end + run->period;
    if (answer < 0)
        return session_fail(&run->session, GRID_EUSER, "the controller failed with %d", answer);
    if (answer == 0)
        return 0;
    if (check(run, run->mapping))
        return -1;
    return memcmp(run->mapping, run->place + 1, size) ? remap_begin(run, run->mapping, end) : 0;
}

int control_step(Run *run, double now)
{
    if (now < run->next_decision || remap_busy(run))
        return 0;
    return decide(run) ? -1 : 1;
}

double control_next(const Run *run)
{
    return remap_busy(run) ? HUGE_VAL : run->next_decision;
}
