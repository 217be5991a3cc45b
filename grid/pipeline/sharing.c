/* Serial sharing: the stages of a process take turns. */
#include "grid/pipeline/sharing.h"

#include <math.h>

#include "grid/pipeline/injected.h"

int sharing_applies(const Run *run, int32_t unit)
{
    return !run->settings->static_sharing && run_is_stage(run, unit) && !run->unit[unit].input.end;
}

int sharing_is_full(const Run *run, double when)
{
    const GridPlatform *platform = run->settings->platform;
    int32_t cores = platform ? injected_cores(platform, run_time(run, when), run_rank(run)) : 1;
    return run->working >= cores;
}

/* When the activity ends that brings in the unit's next item. */
static double *due(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    return run_is_buffered(run, unit) ? &u->due : &u->input.due;
}

/* Is that activity going on here, with a clock that stops while the process works? */
static int has_clock(const Run *run, int32_t unit)
{
    const Unit *u = &run->unit[unit];
    return run->settings->platform && run_here(run, unit) && sharing_applies(run, unit) &&
           (run_is_buffered(run, unit) ? u->state == UNIT_TAKING
                                       : u->input.state == INPUT_ARRIVING);
}

static void stop(Run *run, int32_t unit, double left)
{
    Input *input = &run->unit[unit].input;
    input->stopped = 1;
    input->left = left;
    *due(run, unit) = HUGE_VAL;
}

void sharing_start_clock(Run *run, int32_t unit, double when, double seconds)
{
    run->unit[unit].input.stopped = 0;
    if (!has_clock(run, unit))
        *due(run, unit) = when + seconds;
    else if (sharing_is_full(run, when))
        stop(run, unit, seconds);
    else
        *due(run, unit) = fmax(when, run->free_since) + seconds;
}

void sharing_work_begins(Run *run, double when)
{
    run->working++;
    for (int32_t u = 1; sharing_is_full(run, when) && u < run->units; u++)
        if (has_clock(run, u) && !run->unit[u].input.stopped)
            stop(run, u, fmax(0, *due(run, u) - when));
}

void sharing_work_ends(Run *run, double when)
{
    if (sharing_is_full(run, when))
        run->free_since = when;
    run->working--;
    for (int32_t u = 1; !sharing_is_full(run, when) && u < run->units; u++)
        if (has_clock(run, u) && run->unit[u].input.stopped) {
            run->unit[u].input.stopped = 0;
            *due(run, u) = when + run->unit[u].input.left;
        }
}
