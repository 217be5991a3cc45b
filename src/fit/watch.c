/* Progress of a fit. */
#include "fit/watch.h"

#include "base/clock.h"

Watch watch_begin(const PepaSettings *set, const char *phase, double all)
{
    const double now = clock_seconds();
    return (Watch){.set = set, .phase = phase, .all = all, .began = now, .last = now};
}

bool watch_stops(Watch *w)
{
    if (w->stopped || !w->set->progress)
        return w->stopped;
    const double now = clock_seconds(), seconds = now - w->began;
    if (now - w->last < 0.1)
        return false;
    w->last = now;
    const double done = (double)w->count;
    const bool known = w->all > 0 && w->count > 0;
    const PepaProgress told = {.phase = w->phase,
                               .count = w->count,
                               .measure = w->all,
                               .seconds = seconds,
                               .left = known ? seconds * (w->all - done) / done : -1};
    return w->stopped = w->set->progress(w->set->user, &told) != 0;
}
