/* How often the callback of the settings is asked, and what is left. */
#include "measure/step_clock.h"

#include "base/clock.h"
#include "solvers/internal.h"

StepClock step_clock_start(const PepaSettings *set)
{
    const double now = set->progress ? clock_seconds() : 0;
    return (StepClock){set, now, now, 0};
}

bool step_clock_stops(StepClock *clock, const Chain *chain, int64_t steps, int64_t planned)
{
    const PepaSettings *set = clock->set;
    clock->wait -= chain->transitions + chain->state_count;
    if (!set->progress || clock->wait > 0)
        return false;
    clock->wait = BETWEEN_READINGS;
    const double now = clock_seconds(), done = (double)steps, all = (double)planned;
    if (now - clock->last < 0.1)
        return false;
    clock->last = now;
    const double left = all > done && done > 0 ? (now - clock->began) * (all - done) / done : -1;
    return set->progress(set->user, &(PepaProgress){.phase = "transient",
                                                    .count = steps,
                                                    .measure = all,
                                                    .seconds = now - clock->began,
                                                    .left = left}) != 0;
}
