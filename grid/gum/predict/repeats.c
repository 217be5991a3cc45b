/* Mean numbers of idle processes and of tasks that are not begun again, step by step. */
#include "grid/gum/predict/repeats.h"

#include <math.h>
#include <stdbool.h>

typedef struct {
    const TailGroup *group;
    int32_t groups;
    const Life *life;
    double step;
    double hit[REPEAT_GROUPS]
              [REPEAT_POINTS]; /* by f: of the tasks left for it, the share begun again */
    double left[REPEAT_GROUPS][REPEAT_POINTS]; /* by g: Q */
    int from[REPEAT_GROUPS]
            [REPEAT_GROUPS]; /* by f and g: the first step in which f begins tasks of g again */
} Course;

/* As if the run-time had no lengths of tasks, and expected of one that as much again as it has run is left, or
 * what is missing to the mean (predicted_gain): a repeat pays, for a process more than twice as fast, once the
 * task has run for two latencies over 1 - 2 t_f / t_g. */
static double pays_from(const TailGroup *f, const TailGroup *g, const Life *life)
{
    const double ratio = f->time / g->time, trip = 2 * f->gone;
    if (ratio >= 0.5)
        return HUGE_VAL;
    return trip < life->mean * g->time * (0.5 - ratio) ? 0 : trip / (1 - 2 * ratio);
}

static int first_step(const Course *c, int32_t f, int32_t g)
{
    const double from = pays_from(&c->group[f], &c->group[g], c->life);
    int k = 0;
    while (k < REPEAT_POINTS && !(c->group[g].pure > 0 && k * c->step >= from))
        k++;
    return k;
}

static bool repeats(const Course *c, int32_t f, int32_t g, int k)
{
    return k >= c->from[f][g];
}

/* Tasks that run there when the sparks end. */
static double tasks_of(const TailGroup *g)
{
    return g->copies * g->busy;
}

/* P(a task of g, begun again by f in step b, is not done by either after step k, or, `own` false, that
 * the repeat is not). */
static double lasts(const Course *c, int32_t f, int32_t g, int b, int k, bool own)
{
    const TailGroup *from = &c->group[f];
    const double begun = (b + 0.5) * c->step;
    return life_both(c->life, (own ? k : b) * c->step / c->group[g].time,
                     (k * c->step - begun - from->gone) / from->time);
}

/* Of f, how many have nothing to do at step k. */
static double idle(const Course *c, int32_t f, int k)
{
    const TailGroup *it = &c->group[f];
    double busy = tasks_of(it) * life_left(c->life, k * c->step / it->time);
    for (int b = 0; b < k; b++)
        for (int32_t g = 0; g < c->groups && c->hit[f][b] > 0; g++)
            if (repeats(c, f, g, b))
                busy += c->hit[f][b] * c->left[g][b] * tasks_of(&c->group[g]) * c->group[g].pure *
                        lasts(c, f, g, b, k, false);
    return fmax(0, it->copies - busy);
}

/* Repeats that f begins in step k, over the tasks that are left for it. */
static double hits(const Course *c, int32_t f, int k)
{
    const TailGroup *it = &c->group[f];
    double asked = 0, fit = 0;
    for (int32_t g = 0; g < c->groups; g++)
        if (c->group[g].time > it->time) {
            const double run =
                tasks_of(&c->group[g]) * life_left(c->life, k * c->step / c->group[g].time);
            asked += run;
            fit += repeats(c, f, g, k) ? run * c->group[g].pure * c->left[g][k] : 0;
        }
    if (!(fit > 0))
        return 0;
    const double search = it->ask + it->hop * (asked / fit - 1);
    return fmin(1, idle(c, f, k) * -expm1(-c->step / search) / fit);
}

/* Q after step k; where several groups would begin more than all, each begins its share. */
static void go_on(Course *c, int k)
{
    double most = 1;
    for (int32_t g = 0; g < c->groups; g++) {
        double sum = 0;
        for (int32_t f = 0; f < c->groups; f++)
            sum += repeats(c, f, g, k) ? c->hit[f][k] : 0;
        c->left[g][k + 1] = sum;
        most = fmax(most, sum);
    }
    for (int32_t f = 0; f < c->groups; f++)
        c->hit[f][k] /= most;
    for (int32_t g = 0; g < c->groups; g++)
        c->left[g][k + 1] = c->left[g][k] * (1 - c->left[g][k + 1] / most);
}

static double not_done(const Course *c, int32_t g, int k)
{
    const TailGroup *it = &c->group[g];
    const double left = life_left(c->life, k * c->step / it->time);
    double again = left * c->left[g][k];
    for (int32_t f = 0; f < c->groups && it->pure > 0; f++)
        for (int b = 0; b < k; b++)
            if (c->hit[f][b] > 0 && repeats(c, f, g, b))
                again += c->hit[f][b] * c->left[g][b] * lasts(c, f, g, b, k, true);
    return (1 - it->pure) * left + it->pure * again;
}

void repeats_of(const TailGroup *group, int32_t groups, const Life *life, double step, Repeats *out)
{
    Course c = {.group = group, .groups = groups, .life = life, .step = step};
    for (int32_t g = 0; g < groups; g++) {
        c.left[g][0] = 1;
        for (int32_t f = 0; f < groups; f++)
            c.from[f][g] = first_step(&c, f, g);
    }
    for (int k = 0; k < REPEAT_POINTS; k++) {
        for (int32_t f = 0; f < groups; f++)
            c.hit[f][k] = hits(&c, f, k);
        if (k + 1 < REPEAT_POINTS)
            go_on(&c, k);
        for (int32_t g = 0; g < groups; g++)
            out->not_done[g][k] = not_done(&c, g, k);
    }
}
