/* Calls of the user's functions. */
#include "grid/pipeline/unit.h"

#include <math.h>

#include "grid/core/clock.h"

const GridStage *unit_stage(const Run *run, int32_t unit)
{
    return &run->pipeline->stages[unit - 1];
}

/* A function of the user's returned `code` for an item. */
static int refused(Run *run, int32_t unit, int code)
{
    return session_fail(&run->session, GRID_EUSER,
                        "%s failed on item %lld with %d, on rank %d (%s)",
                        unit_name(run, unit).text, (long long)run->unit[unit].item, code,
                        run_rank(run), run->session.peers.each[run_rank(run)].host);
}

int unit_cannot(Run *run, int32_t unit, const char *what, int code)
{
    return session_fail(&run->session, GRID_EUSER, "%s could not %s its state: %d, on rank %d (%s)",
                        unit_name(run, unit).text, what, code, run_rank(run),
                        run->session.peers.each[run_rank(run)].host);
}

/* ---- life --------------------------------------------------------------------------------- */

int unit_create(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    if (!run_is_stage(run, unit))
        return 0;
    if (unit_stage(run, unit)->create) {
        u->data = unit_stage(run, unit)->create(run->pipeline->user);
        if (!u->data)
            return unit_cannot(run, unit, "create", -1);
    }
    u->made = 1;
    return 0;
}

void unit_destroy(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    if (u->made && unit_stage(run, unit)->destroy)
        unit_stage(run, unit)->destroy(u->data);
    u->data = NULL;
    u->made = 0;
    grid_buffer_free(&u->in);
    grid_buffer_free(&u->out);
    grid_buffer_free(&u->input.body);
    grid_buffer_free(&u->queued.body);
}

/* ---- work --------------------------------------------------------------------------------- */

int unit_source(Run *run)
{
    Unit *u = &run->unit[0];
    u->out.size = 0;
    int answer = run->pipeline->source(run->pipeline->user, u->item, &u->out);
    sampler_worked(&run->sampler, clock_now());
    if (answer < 0)
        return refused(run, 0, answer);
    u->end = answer == 0;
    if (u->end)
        u->out.size = 0;
    return 0;
}

int unit_process(Run *run, int32_t unit, double *seconds, double *waited)
{
    Unit *u = &run->unit[unit];
    u->out.size = 0;
    double waited_before = sampler_waited(&run->sampler), begin = clock_now();
    int answer = unit_stage(run, unit)->process(u->data, u->item, &u->in, &u->out);
    double end = clock_now();
    sampler_worked(&run->sampler, end);
    *seconds = end - begin;
    *waited = fmin(sampler_waited(&run->sampler) - waited_before, *seconds);
    return answer ? refused(run, unit, answer) : 0;
}

int unit_sink(Run *run)
{
    Unit *u = &run->unit[run->units - 1];
    int answer = run->pipeline->sink(run->pipeline->user, u->item, &u->in);
    double end = clock_now();
    sampler_worked(&run->sampler, end);
    if (answer)
        return refused(run, run->units - 1, answer);
    departures_add(&run->departures, run_time(run, end));
    return 0;
}
