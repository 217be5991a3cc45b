/* Follows one trajectory. */
#include "ctmc/simulate/trajectory.h"

#include <math.h>

#define MOST_IN_ROW 1e6 /* immediate activities, beside those that move components on */

/* Without loops among immediate activities, as many happen in a row as components can move on. */
static double most_in_row(const System *s)
{
    double most = MOST_IN_ROW;
    for (int32_t i = 0; i < s->slot_count; i++)
        most +=
            fmax(1, (double)s->slots[i].copies) * s->components[s->slots[i].component].local_count;
    return most;
}

PepaStatus trajectory_new(Trajectory *out, const ChoicePlan *plan, const ObservePlan *observe,
                          double unit, PepaError *err)
{
    *out = (Trajectory){.only_timed = !plan->system->preempts && !observe->clocks && !(unit > 0),
                        .most_in_row = most_in_row(plan->system)};
    PepaStatus status = choices_new(&out->choices, plan, err);
    if (status == PEPA_OK)
        status = observer_new(&out->observer, observe, &out->choices, err);
    if (status == PEPA_OK && observe->clocks)
        status = clocks_new(&out->clocks, observe->clocks, &out->choices, err);
    if (status == PEPA_OK && unit > 0)
        status = thinning_new(&out->thinning, &out->choices, unit, err);
    if (status == PEPA_OK && unit > 0 && observe->clocks &&
        !mem_new(out->clocks.own, observe->clocks->activity_count))
        status = error_memory(err);
    if (status != PEPA_OK)
        trajectory_free(out);
    return status;
}

void trajectory_free(Trajectory *t)
{
    if (t->clocks.plan)
        clocks_free(&t->clocks);
    if (t->thinning.choices)
        thinning_free(&t->thinning);
    observer_free(&t->observer);
    choices_free(&t->choices);
}

static bool go_on(void *user, int64_t activities)
{
    (void)user, (void)activities;
    return false;
}
const TrajectoryWatch unwatched = {go_on, NULL};

static inline double draw_time(Trajectory *t)
{
    const double rate = choices_total(&t->choices);
    return rate > 0 ? t->time - log(stream_uniform(&t->stream)) / rate : HUGE_VAL;
}

static inline bool is_thinned(const Trajectory *t)
{
    return t->thinning.choices != NULL;
}

/* What is drawn beside times of exponential activities. */
static inline Stream *stream_of(Trajectory *t)
{
    return is_thinned(t) ? &t->thinning.pick : &t->stream;
}

/* In a vanishing state at once; else whichever is first, an exponential activity or a clock.  anew:
 * not only those events have other rates that the last activity changed. */
static void draw_next_of_all(Trajectory *t, bool anew)
{
    t->by_clock = false;
    t->next = t->time;
    if (choices_is_vanishing(&t->choices)) {
        t->in_row++;
        return;
    }
    t->in_row = 0;
    if (is_thinned(t))
        thinning_look(&t->thinning, t->time, anew || t->choices.precedence);
    const double clock = t->clocks.plan ? clocks_next(&t->clocks) : HUGE_VAL;
    t->next = is_thinned(t) ? thinning_next(&t->thinning, clock) : draw_time(t);
    t->by_clock = t->clocks.plan && clock <= t->next;
    if (t->by_clock)
        t->next = clock;
}

static inline void draw_next(Trajectory *t, bool anew)
{
    if (t->only_timed)
        t->next = draw_time(t);
    else
        draw_next_of_all(t, anew);
}

static void start_streams(Trajectory *t, uint64_t seed, uint64_t number)
{
    stream_start(&t->stream, seed, number);
    if (is_thinned(t))
        thinning_start(&t->thinning, seed, number);
    for (size_t a = 0; t->clocks.own && a < t->clocks.plan->activity_count; a++)
        thinning_durations(&t->clocks.own[a], seed, number, a);
}

void trajectory_start(Trajectory *t, uint64_t seed, uint64_t number)
{
    choices_reset(&t->choices);
    start_streams(t, seed, number);
    if (t->clocks.plan)
        clocks_start(&t->clocks, stream_of(t), 0);
    observer_look(&t->observer);
    observer_start(&t->observer, 0);
    t->time = 0;
    t->activities = t->in_row = 0;
    draw_next(t, true);
}

static TrajectoryEnd stuck(const Trajectory *t)
{
    return t->choices.no_memory ? TRAJECTORY_MEMORY : TRAJECTORY_STUCK;
}

TrajectoryEnd trajectory_look(Trajectory *t)
{
    observer_look(&t->observer);
    if (observer_ahead(&t->observer, *stream_of(t), (int64_t)t->most_in_row))
        return TRAJECTORY_THERE;
    return choices_stuck(&t->choices) ? stuck(t) : TRAJECTORY_TIMELESS;
}

/* One of the choices. */
static int32_t take_choice(Trajectory *t)
{
    if (!is_thinned(t) || choices_is_vanishing(&t->choices))
        return choices_take(&t->choices, stream_of(t));
    const int32_t event = thinning_take(&t->thinning);
    choices_take_event(&t->choices, &t->thinning.pick, event);
    return event;
}

static int32_t take_of_all(Trajectory *t)
{
    if (t->by_clock)
        return clocks_complete(&t->clocks, stream_of(t), t->time);
    const int32_t event = take_choice(t);
    if (t->clocks.plan)
        clocks_follow(&t->clocks, stream_of(t), t->time);
    return event;
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
        const int32_t event =
            t->only_timed ? choices_take(&t->choices, &t->stream) : take_of_all(t);
        t->event = event;
        if (choices_stuck(&t->choices))
            return stuck(t);
        if (integrals)
            observer_follow(&t->observer, event, t->time);
        draw_next(t, false);
        if ((double)t->in_row > t->most_in_row)
            return TRAJECTORY_TIMELESS;
        if (++t->activities % WATCH_EVERY == 0 && watch->stops(watch->user, WATCH_EVERY))
            return TRAJECTORY_STOPPED;
    }
    if (t->choices.no_memory)
        return TRAJECTORY_MEMORY;
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
    draw_next(t, true);
}
