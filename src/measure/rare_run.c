/* Runs a trajectory and its retrials, depth first. */
#include "measure/rare_run.h"

#include <math.h>
#include <string.h>

enum { HOLDS, IMPORTANCE };

/* ---- levels ----------------------------------------------------------------------------------- */

void rare_levels_clear(RareLevels *l, double least)
{
    *l = (RareLevels){.least = least, .weight = {1}};
}

void rare_levels_add(RareLevels *l, int32_t bin, int32_t split)
{
    l->bin[l->count] = bin;
    l->split[l->count] = split;
    l->weight[l->count + 1] = l->weight[l->count] / split;
    l->count++;
    for (int32_t b = bin; b <= RARE_BINS; b++)
        l->level[b] = (uint8_t)l->count;
}

static int32_t bin_of(const RareLevels *l, double importance)
{
    if (importance >= 0)
        return RARE_BINS;
    const double bin = floor((importance - l->least) / -l->least * RARE_BINS);
    return bin > 0 ? (int32_t)fmin(bin, RARE_BINS - 1) : 0;
}

/* ---- life ------------------------------------------------------------------------------------- */

PepaStatus rare_runner_new(RareRunner *out, const Simulation *s, const ObservePlan *observe,
                           size_t points, PepaError *err)
{
    *out = (RareRunner){.points = points};
    if (!mem_new(out->observed, points) || !mem_new(out->dwell, RARE_BINS + 1) ||
        !mem_new(out->rose, RARE_BINS + 2) || !mem_new(out->nearest, RARE_BINS + 1))
        return error_memory(err);
    rare_runner_clear(out);
    return trajectory_new(&out->t, s->choices, observe, 0, err);
}

void rare_runner_free(RareRunner *r)
{
    if (r->t.choices.plan)
        trajectory_free(&r->t);
    mem_free_all(r->stack, r->cells, r->observed, r->dwell, r->rose, r->nearest);
    *r = (RareRunner){0};
}

void rare_runner_clear(RareRunner *r)
{
    memset(r->dwell, 0, (RARE_BINS + 1) * sizeof *r->dwell);
    memset(r->rose, 0, (RARE_BINS + 2) * sizeof *r->rose);
    for (int32_t b = 0; b <= RARE_BINS; b++)
        r->nearest[b] = HUGE_VAL;
    r->path = 0;
    r->events = 0;
}

/* ---- trials ----------------------------------------------------------------------------------- */

/* So many trials are to begin as the present one is, with this birth. */
static bool push(RareRunner *r, int32_t birth, int64_t count)
{
    const size_t cells = (size_t)r->t.choices.system->cell_count;
    if (!mem_grow(r->stack, r->cap, r->depth + 1) ||
        !mem_grow(r->cells, r->cells_cap, (r->depth + 1) * cells + 1))
        return false;
    RareTrial *trial = &r->stack[r->depth];
    *trial = r->now;
    trial->time = r->t.time;
    trial->birth = birth;
    trial->count = count;
    memcpy(r->cells + r->depth++ * cells, r->t.choices.cells, cells * sizeof *r->cells);
    return true;
}

/* The next trial; false: there is none. */
static bool pop(RareRunner *r)
{
    const size_t cells = (size_t)r->t.choices.system->cell_count;
    if (r->depth == 0)
        return false;
    RareTrial *trial = &r->stack[r->depth - 1];
    r->now = *trial;
    trajectory_go(&r->t, r->cells + (r->depth - 1) * cells, trial->time);
    r->was = r->t.observer.value[HOLDS] != 0;
    if (--trial->count == 0)
        r->depth--;
    return true;
}

/* The present trial has risen from one level to another: it waits until all retrials are done. */
static bool split(RareRunner *r, const RareLevels *l, int32_t from)
{
    int64_t before = 1;
    if (!push(r, r->now.birth, 1))
        return false;
    for (int32_t i = from; i < r->now.level; i++) {
        if (!push(r, i + 1, before * (l->split[i] - 1)))
            return false;
        before *= l->split[i];
    }
    return pop(r);
}

/* ---- what is seen ----------------------------------------------------------------------------- */

/* The present state lasts until `until`, or the horizon. */
static void visit(RareRunner *r, const RareJob *job, double until)
{
    const double weight = job->levels->weight[r->now.level], from = r->t.time;
    const double end = fmin(until, job->horizon), begin = fmax(from, job->begin);
    if (end > begin)
        r->dwell[r->now.bin] += weight * (end - begin);
    if (r->t.observer.value[HOLDS] == 0)
        return;
    if (!job->time) {
        r->observed[0] += end > begin ? weight * (end - begin) / (job->horizon - job->begin) : 0;
        return;
    }
    for (size_t j = 0; j < job->points; j++)
        if (job->time[j] >= from && (job->time[j] < until))
            r->observed[j] += weight;
}

/* Where an activity, or the start, has led. */
static void look(RareRunner *r, const RareJob *job)
{
    const double importance = r->t.observer.value[IMPORTANCE];
    const bool holds = r->t.observer.value[HOLDS] != 0;
    const int32_t bin = bin_of(job->levels, importance), last = r->now.bin;
    r->nearest[bin] = fmin(r->nearest[bin], importance);
    if (bin > last && r->t.time >= job->begin) {
        r->rose[last + 1]++;
        r->rose[bin + 1]--;
    }
    r->now.bin = bin;
    if (r->now.level == 0)
        r->now.since = r->t.time;
    if (holds && !r->was && r->t.time >= job->begin) {
        r->path += r->t.time - r->now.since;
        r->events++;
    }
    r->was = holds;
}

/* The present trial until its end, or until it is split; false: memory is out, or *end. */
static bool follow(RareRunner *r, const RareJob *job, const TrajectoryWatch *watch,
                   TrajectoryEnd *end)
{
    const RareLevels *l = job->levels;
    for (;;) {
        visit(r, job, r->t.next);
        if (r->t.next > job->horizon)
            return true;
        *end = trajectory_step(&r->t, job->activities, watch);
        if (*end != TRAJECTORY_THERE)
            return false;
        const int32_t level = r->now.level;
        look(r, job);
        r->now.level = l->level[r->now.bin];
        if (r->now.level < r->now.birth)
            return true;
        if (r->now.level > level && !split(r, l, level)) {
            *end = TRAJECTORY_MEMORY;
            return false;
        }
    }
}

TrajectoryEnd rare_run(RareRunner *r, const RareJob *job, uint64_t number,
                       const TrajectoryWatch *watch)
{
    TrajectoryEnd end = TRAJECTORY_THERE;
    memset(r->observed, 0, r->points * sizeof *r->observed);
    r->depth = 0;
    trajectory_start(&r->t, job->seed, number);
    if (choices_stuck(&r->t.choices))
        return trajectory_until(&r->t, 0, false, 0, watch);
    r->now = (RareTrial){.count = 1};
    r->was = true; /* what is so from the start is not reached */
    look(r, job);
    r->was = r->t.observer.value[HOLDS] != 0;
    r->now.level = job->levels->level[r->now.bin];
    if (r->now.level > 0 && !split(r, job->levels, 0))
        return TRAJECTORY_MEMORY;
    do {
        if (!follow(r, job, watch, &end))
            return end;
    } while (pop(r));
    return TRAJECTORY_THERE;
}
