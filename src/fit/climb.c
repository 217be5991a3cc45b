/* EM until it ends, from one start.
 *
 * Steps of EM become shorter and shorter by a ratio that is often close to 1.  So after two of them the logarithms of
 * all parameters go on as far as a geometric series would, and one more step from there is kept if its likelihood is
 * not less (Varadhan, Roland, "Simple and globally convergent methods for accelerating the convergence of any EM
 * algorithm", Scandinavian Journal of Statistics 35 (2008), third scheme). */
#include "fit/climb.h"

#include <math.h>

#include "fit/chain.h"
#include "fit/erlangs.h"
#include "fit/mixture.h"

#define CHAIN_WORK 50000.0 /* the most jumps that a chain may expect until the largest value */
#define FARTHEST   4096.0  /* of an extrapolation, in steps */

typedef struct {
    const Sample *sample;
    ChainEm em;  /* of a chain */
    double most; /* its rates at most */
    int64_t *steps;
} Climber;

/* The likelihood of *p, which becomes the next one. */
static double step(Climber *c, Phases *p)
{
    ++*c->steps;
    return p->family == PEPA_FIT_COX            ? chain_em_step(&c->em, p)
           : p->family == PEPA_FIT_HYPER_ERLANG ? erlangs_step(c->sample, p)
                                                : mixture_step(c->sample, p);
}

static void limit_rates(Phases *p, double most)
{
    for (int32_t i = 0; i < p->phases && p->family == PEPA_FIT_COX; i++)
        p->rate[i] = fmin(p->rate[i], most);
}

static int32_t parts_of(const Phases *p)
{
    return p->family == PEPA_FIT_HYPER_ERLANG ? p->branches : p->phases;
}

/* The change of a logarithm; 0: one that has none stays where it is. */
static double change(double from, double to)
{
    return from > 0 && to > 0 ? log(to / from) : 0;
}

/* A step, and how it differs from the one before; sums of squares over all parameters. */
typedef struct {
    double step, bend;
} Course;

static void follow(double first, double second, double third, Course *course)
{
    const double r = change(first, second), v = change(second, third) - r;
    course->step += r * r;
    course->bend += v * v;
}

static Course course_of(const Phases *first, const Phases *second, const Phases *third)
{
    Course course = {0, 0};
    for (int32_t i = 0; i < parts_of(first); i++) {
        follow(first->rate[i], second->rate[i], third->rate[i], &course);
        follow(first->share[i], second->share[i], third->share[i], &course);
    }
    return (Course){sqrt(course.step), sqrt(course.bend)};
}

static double go_on(double first, double second, double third, double length)
{
    const double r = change(first, second), v = change(second, third) - r;
    return third > 0 && first > 0 ? first * exp(length * (2 * r + length * v)) : third;
}

/* As far as `length` steps go if each differs from the one before as the second from the first: 1 is the second. */
static Phases ahead(const Phases *first, const Phases *second, const Phases *third, double length)
{
    Phases p = *third;
    double sum = 0;
    for (int32_t i = 0; i < parts_of(&p); i++) {
        p.rate[i] = go_on(first->rate[i], second->rate[i], third->rate[i], length);
        p.share[i] = go_on(first->share[i], second->share[i], third->share[i], length);
        sum += p.share[i];
    }
    for (int32_t i = 0; i < parts_of(&p); i++)
        p.share[i] /= sum;
    return p;
}

/* Two steps of EM, and one from what is ahead.  *value becomes the likelihood of a point that *p is no worse than;
 * returns how much larger that of the maximum is, about. */
static double cycle(Climber *c, Phases *p, double *value, double *farthest)
{
    const Phases first = *p;
    const double before = step(c, p);
    const Phases second = *p;
    *value = step(c, p);
    const double gain = fmax(*value - before, 0);
    const Course course = course_of(&first, &second, p);
    const double series = course.bend > 0 ? course.step / course.bend : 1;
    const double length = fmin(fmax(series, 1), *farthest);
    if (length > 1) {
        Phases tried = ahead(&first, &second, p, length);
        limit_rates(&tried, c->most);
        const double there = step(c, &tried);
        const int better = there >= *value;
        if (better) {
            *p = tried;
            *value = there;
        }
        *farthest = better && length >= *farthest ? fmin(4 * *farthest, FARTHEST)
                    : better                      ? *farthest
                                                  : fmax(*farthest / 4, 2);
    }
    return gain * fmax(series / 2, 1);
}

bool climb(const Sample *s, const Effort *effort, Phases *p, PepaFitCandidate *found)
{
    const double largest = s->time[s->count - 1];
    Climber c = {.sample = s, .most = CHAIN_WORK / largest, .steps = &found->iterations};
    double farthest = effort->tolerance > 0 ? 4 : 1, value = -INFINITY;
    bool ok = p->family != PEPA_FIT_COX || chain_em_new(&c.em, s, c.most);
    /* It may come from a sample whose limit is larger. */
    limit_rates(p, c.most);
    *found = (PepaFitCandidate){.family = p->family, .phases = p->phases};
    while (ok && !found->converged && found->iterations < effort->max_iter) {
        const double left = cycle(&c, p, &value, &farthest);
        ok = !watch_stops(effort->watch);
        found->converged = left <= effort->tolerance * s->total;
    }
    found->log_likelihood = value;
    chain_em_free(&c.em);
    return ok;
}
