/* Serial sharing: the stages of a process take turns. */
#include "grid/turns.h"

#include <math.h>

int turns_needed(const Run *run, int32_t unit)
{
    return !run->settings->static_sharing && run_is_stage(run, unit) && !run->unit[unit].inlet.end;
}

int turns_full(const Run *run, double when)
{
    const GridPlatform *platform = run->settings->platform;
    int32_t cores =
        platform ? grid_platform_cores(platform, run_time(run, when), run->wire.rank) : 1;
    return run->working >= cores;
}

/* When the activity ends by which the unit's next item comes in. */
static double *due(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    return run_is_buffered(run, unit) ? &u->due : &u->inlet.due;
}

/* Is that activity going on here, and does its clock stand still while the process works? */
static int has_clock(const Run *run, int32_t unit)
{
    const Unit *u = &run->unit[unit];
    return run->settings->platform && run_here(run, unit) && turns_needed(run, unit) &&
           (run_is_buffered(run, unit) ? u->state == UNIT_TAKING : u->inlet.state == INLET_COMING);
}

static void stop(Run *run, int32_t unit, double left)
{
    Inlet *inlet = &run->unit[unit].inlet;
    inlet->stopped = 1;
    inlet->left = left;
    *due(run, unit) = HUGE_VAL;
}

void turns_clock(Run *run, int32_t unit, double when, double seconds)
{
    run->unit[unit].inlet.stopped = 0;
    if (!has_clock(run, unit))
        *due(run, unit) = when + seconds;
    else if (turns_full(run, when))
        stop(run, unit, seconds);
    else
        *due(run, unit) = fmax(when, run->free_since) + seconds;
}

void turns_work_begins(Run *run, double when)
{
    run->working++;
    for (int32_t u = 1; turns_full(run, when) && u < run->units; u++)
        if (has_clock(run, u) && !run->unit[u].inlet.stopped)
            stop(run, u, fmax(0, *due(run, u) - when));
}

void turns_work_ends(Run *run, double when)
{
    if (turns_full(run, when))
        run->free_since = when;
    run->working--;
    for (int32_t u = 1; !turns_full(run, when) && u < run->units; u++)
        if (has_clock(run, u) && run->unit[u].inlet.stopped) {
            run->unit[u].inlet.stopped = 0;
            *due(run, u) = when + run->unit[u].inlet.left;
        }
}
