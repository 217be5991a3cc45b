/* Follows one trajectory. */
#include "ctmc/simulate/trajectory.h"

#include <math.h>

PepaStatus trajectory_new(Trajectory *out, const ChoicePlan *plan, const ObservePlan *observe,
                          PepaError *err)
{
    *out = (Trajectory){0};
    PepaStatus status = choices_new(&out->choices, plan, err);
    if (status == PEPA_OK)
        status = observer_new(&out->observer, observe, &out->choices, err);
    if (status != PEPA_OK)
        trajectory_free(out);
    return status;
}

void trajectory_free(Trajectory *t)
{
    observer_free(&t->observer);
    choices_free(&t->choices);
}

static bool go_on(void *user, int64_t activities)
{
    (void)user, (void)activities;
    return false;
}
const TrajectoryWatch unwatched = {go_on, NULL};

static void draw_next(Trajectory *t)
{
    const double rate = choices_total(&t->choices);
    t->next = rate > 0 ? t->time - log(stream_uniform(&t->stream)) / rate : HUGE_VAL;
}

void trajectory_start(Trajectory *t, uint64_t seed, uint64_t number)
{
    stream_start(&t->stream, seed, number);
    choices_reset(&t->choices);
    observer_look(&t->observer);
    observer_start(&t->observer, 0);
    t->time = 0;
    t->activities = 0;
    draw_next(t);
}

static TrajectoryEnd stuck(const Trajectory *t)
{
    return t->choices.no_memory ? TRAJECTORY_MEMORY : TRAJECTORY_STUCK;
}

TrajectoryEnd trajectory_until(Trajectory *t, double time, bool integrals, int64_t most,
                               const TrajectoryWatch *watch)
{
    if (choices_stuck(&t->choices))
        return stuck(t);
    while (t->next <= time) {
        if (t->activities >= most)
            return TRAJECTORY_LIMIT;
        t->time = t->next;
        const int32_t event = choices_take(&t->choices, &t->stream);
        t->event = event;
        if (choices_stuck(&t->choices))
            return stuck(t);
        if (integrals)
            observer_follow(&t->observer, event, t->time);
        draw_next(t);
        if (++t->activities % WATCH_EVERY == 0 && watch->stops(watch->user, WATCH_EVERY))
            return TRAJECTORY_STOPPED;
    }
    t->time = time;
    return TRAJECTORY_THERE;
}

TrajectoryEnd trajectory_step(Trajectory *t, int64_t most, const TrajectoryWatch *watch)
{
    if (t->activities >= most)
        return TRAJECTORY_LIMIT;
    const TrajectoryEnd end = trajectory_until(t, t->next, true, t->activities + 1, watch);
    return end == TRAJECTORY_LIMIT ? TRAJECTORY_THERE : end; /* another one at the same time */
}

void trajectory_go(Trajectory *t, const int64_t *cells, double time)
{
    choices_go(&t->choices, cells);
    observer_look(&t->observer);
    observer_start(&t->observer, time);
    t->time = time;
    draw_next(t);
}
