/* Chooses levels by pilot runs, and estimates by replications. */
#include "measure/simulate_rare.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "measure/expression_private.h"
#include "measure/rare_importance.h"
#include "measure/rare_interval.h"
#include "measure/warm_up.h"

enum {
    FIRST = 64, /* replications of a batch, */
    LOOK = 256, /* and before widths are looked at: of fewer, the skewness says little */
    PILOT =
        8192, /* activities by which the first length is chosen, the least of a few replications, */
    SHORTER = 16,     /* and this part of it that of LOOK ones and more */
    ROUND = 200000,   /* activities of a pilot run, at first */
    SEEN = 50,        /* how often trials have to come to a bin, for its share to be known */
    SERIES = 16,      /* trajectories in which the beginning is looked for, */
    BINS = 512,       /* in bins of time */
    DOUBLINGS = 12,   /* of their length */
    MOST_SPLIT = 1000 /* retrials, and one */
};
#define LEAST_RATIO   1.8 /* by which a level is rarer than the one below */
#define PILOT_PART    0.5 /* of the activities left that pilot runs may use */
#define PILOT_STREAMS (UINT64_C(1) << 62)

typedef struct {
    Simulation *s;
    const SimulationJob *job;
    ObservePlan *observe;
    SimulationClock clock;
    Workers *workers;
    RareRunner *runner; /* per task of a batch: FIRST */
    TrajectoryEnd end[FIRST];
    RareSample *point; /* per time: what replications have observed */
    RareLevels *levels;
    RareJob run;
    uint64_t stream;            /* of the next pilot run */
    int64_t first, used;        /* used: activities, `before` of them by other measures */
    int64_t before, replicated; /* activities of replications */
    bool over;                  /* one more replication takes more than are allowed */
    SimulationFound *found;
} Rare;

PepaStatus rare_check(const Simulation *s, PepaError *err)
{
    const Expressions *e = s->e;
    for (size_t i = 0; i < e->query->item_count; i++) {
        const Each *n = &e->each[e->node[e->query->items[i].body]];
        if (n->kind != EACH_FUNCTIONAL || e->functional[n->a].kind != FUNCTIONAL_MEAN ||
            e->code.node[e->functional[n->a].a].op != STATE_OR)
            return error_set(err, PEPA_EARG,
                             "rare events have measures probability:{PREDICATE} only; `%.100s` is "
                             "none",
                             e->query->items[i].name);
    }
    return PEPA_OK;
}

/* ---- life ------------------------------------------------------------------------------------- */

static PepaStatus rare_open(Rare *x, int32_t item, PepaError *err)
{
    Expressions *e = x->s->e;
    const int32_t given = x->s->set->threads;
    const Each *n = &e->each[e->node[e->query->items[item].body]];
    const int32_t predicate = e->functional[n->a].a;
    const int32_t importance = rare_importance(&e->code, predicate);
    const Observed observed[] = {{.kind = OBSERVE_VALUE, .a = predicate},
                                 {.kind = OBSERVE_VALUE, .a = importance}};
    if (importance < 0 || !mem_new_zeroed(x->runner, FIRST) ||
        !mem_new_zeroed(x->point, x->job->count))
        return error_memory(err);
    x->workers = workers_new(given < MOST_WORKERS ? given : MOST_WORKERS);
    PepaStatus status = x->workers ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK)
        status = observe_plan_new(&x->observe, x->s->chain.system, &e->code, x->s->chain.now.rate,
                                  observed, 2, err);
    for (int i = 0; i < FIRST && status == PEPA_OK; i++)
        status = rare_runner_new(&x->runner[i], x->s, x->observe, x->job->count, err);
    return status;
}

static void rare_close(Rare *x)
{
    workers_free(x->workers);
    for (int i = 0; i < FIRST && x->runner; i++)
        rare_runner_free(&x->runner[i]);
    observe_plan_free(x->observe);
    mem_free_all(x->runner, x->point);
}

static PepaStatus failed(const Rare *x, TrajectoryEnd end, PepaError *err)
{
    if (end == TRAJECTORY_MEMORY)
        return error_memory(err);
    if (end == TRAJECTORY_STOPPED)
        return error_set(err, PEPA_ECANCEL, "simulation was cancelled");
    if (end == TRAJECTORY_LIMIT)
        return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                           "more than %lld events: allow more", (long long)x->job->activities);
    return error_set(err, PEPA_EMODEL,
                     "a state was reached that is an error of the model; simulation without --rare "
                     "shows it, if it is reached often enough");
}

/* How many more activities are allowed. */
static int64_t left(const Rare *x)
{
    return x->job->activities - x->used;
}

/* ---- the length of a replication in the long run ---------------------------------------------- */

/* A plain trajectory of some activities: the least importance, and a length for the long run. */
static PepaStatus look_around(Rare *x, double *least, double *length, PepaError *err)
{
    Trajectory *t = &x->runner[0].t;
    TrajectoryEnd end = TRAJECTORY_THERE;
    const double horizon = x->job->time ? x->job->time[x->job->count - 1] : DBL_MAX;
    const int64_t most = left(x) < PILOT ? left(x) : PILOT;
    trajectory_start(t, x->job->seed, x->stream++);
    *least = fmin(t->observer.value[1], -1);
    if (choices_stuck(&t->choices))
        end = trajectory_until(t, 0, false, 0, &unwatched);
    while (end == TRAJECTORY_THERE && t->next <= horizon && !trajectory_is_over(t)) {
        end = trajectory_step(t, most, &unwatched);
        *least = fmax(fmin(*least, t->observer.value[1]), -DBL_MAX / RARE_BINS);
    }
    x->used += t->activities;
    *length = t->time;
    if (end != TRAJECTORY_THERE && end != TRAJECTORY_LIMIT)
        return failed(x, end, err);
    if (!x->job->time && end == TRAJECTORY_THERE)
        return error_set(
            err, PEPA_EARG,
            "nothing happens any more after %lld events: the long run is no rare event",
            (long long)t->activities);
    return PEPA_OK;
}

/* The time after which the mean importance has settled; the length doubles until that is in its
 * first half. */
static PepaStatus find_settled(Rare *x, double length, double *settled, PepaError *err)
{
    double series[BINS], error[BINS], integral[2], surplus[2];
    for (int tries = 0; tries < DOUBLINGS; tries++, length *= 2) {
        memset(series, 0, sizeof series);
        for (int r = 0; r < SERIES; r++) {
            Trajectory *t = &x->runner[0].t;
            trajectory_start(t, x->job->seed, x->stream++);
            for (int b = 0; b < BINS; b++) {
                const TrajectoryEnd end =
                    trajectory_until(t, length / BINS * (b + 1), true, left(x), &unwatched);
                if (end != TRAJECTORY_THERE)
                    return failed(x, end, err);
                observer_cut(&t->observer, t->time, integral, surplus);
                series[b] += integral[1];
            }
            x->used += t->activities;
        }
        const int32_t bins = warm_up_bins(series, BINS, error);
        *settled = length / BINS * bins;
        if (2 * bins <= BINS)
            return PEPA_OK;
    }
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                       "the model does not settle until time %.3g", length);
}

/* ---- levels ----------------------------------------------------------------------------------- */

/* From what the pilot runs have seen.  Returns the highest bin of which the share is known. */
static int32_t choose_levels(Rare *x, const RareRunner *r)
{
    double all = 0, above[RARE_BINS + 2] = {0};
    int64_t rose = 0;
    int32_t known = 0;
    for (int32_t b = RARE_BINS; b >= 0; b--)
        above[b] = above[b + 1] + r->dwell[b];
    all = above[0];
    rare_levels_clear(x->levels, x->levels->least);
    for (int32_t b = 1; b <= RARE_BINS && all > 0; b++) {
        rose += r->rose[b];
        if (rose < SEEN || !(above[b] > 0))
            break;
        known = b;
        const double ratio = all / above[b] * x->levels->weight[x->levels->count];
        if (r->nearest[b] < HUGE_VAL && ratio >= LEAST_RATIO && x->levels->count < RARE_LEVELS)
            rare_levels_add(x->levels, b, (int32_t)fmin(ceil(ratio - 0.5), MOST_SPLIT));
    }
    return known;
}

static PepaStatus not_reached(const Rare *x, const RareRunner *r, PepaError *err)
{
    double nearest = -HUGE_VAL;
    for (int32_t b = 0; b <= RARE_BINS; b++)
        nearest = r->nearest[b] < HUGE_VAL ? r->nearest[b] : nearest;
    const long long used = x->used - x->before;
    if (nearest >= 0)
        return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                           "the event was not seen often enough in %lld events of pilot runs",
                           used);
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                       "the event was not seen in %lld events of pilot runs; the nearest state was "
                       "%g away from it",
                       used, -nearest);
}

/* Round after round with the levels of the one before. */
static PepaStatus find_levels(Rare *x, double *nearest, double *path, PepaError *err)
{
    RareRunner *r = &x->runner[0];
    const TrajectoryWatch watch = simulation_watch(&x->clock, 0);
    const int64_t most = x->used + (int64_t)(PILOT_PART * (double)left(x));
    double round = ROUND;
    for (int32_t known = 0, last = -1;; last = known) {
        TrajectoryEnd end = TRAJECTORY_THERE;
        rare_runner_clear(r);
        for (int64_t done = 0; (double)done < round && end == TRAJECTORY_THERE;) {
            x->run.activities = most - x->used;
            end = rare_run(r, &x->run, x->stream++, &watch);
            if (end != TRAJECTORY_THERE && end != TRAJECTORY_LIMIT)
                return failed(x, end, err);
            done += r->t.activities + 1;
            x->used += r->t.activities;
        }
        known = choose_levels(x, r);
        const bool over = end == TRAJECTORY_LIMIT || (double)x->used + round > (double)most;
        /* The way from below all levels is known from the second round on. */
        if (known == RARE_BINS && (over || x->job->time || r->path > 0 || x->levels->count == 0))
            break;
        if (over)
            return not_reached(x, r, err);
        round *= known <= last ? 2 : 1;
    }
    for (int32_t i = 0; i < x->levels->count; i++)
        nearest[i] = r->nearest[x->levels->bin[i]];
    *path = r->events ? r->path / (double)r->events : 0;
    return PEPA_OK;
}

static PepaStatus prepare(Rare *x, double *nearest, PepaError *err)
{
    double least = 0, length = 0, settled = 0, path = 0;
    PepaStatus status = look_around(x, &least, &length, err);
    rare_levels_clear(x->levels, least);
    x->run = (RareJob){.time = x->job->time,
                       .points = x->job->count,
                       .horizon = x->job->time ? x->job->time[x->job->count - 1] : 2 * length,
                       .levels = x->levels,
                       .seed = x->job->seed};
    x->run.begin = x->job->time ? 0 : length;
    if (status == PEPA_OK && !x->job->time)
        status = find_settled(x, length, &settled, err);
    if (status == PEPA_OK)
        status = find_levels(x, nearest, &path, err);
    if (!x->job->time) {
        x->run.begin = fmax(settled, 4 * path);
        x->run.horizon =
            x->run.begin + fmax(9 * x->run.begin, x->job->width > 0 ? length / SHORTER : length);
        x->found->warm_up = x->run.begin;
        x->found->length = x->run.horizon;
    }
    return status;
}

/* ---- estimates -------------------------------------------------------------------------------- */

static void replicate(void *user, int32_t index, int32_t worker)
{
    Rare *x = user;
    const TrajectoryWatch watch = simulation_watch(&x->clock, worker);
    RareRunner *r = &x->runner[index];
    x->end[index] = rare_run(r, &x->run, (uint64_t)(x->first + index), &watch);
    if (simulation_run_ends(&x->clock, worker, &r->t) && x->end[index] == TRAJECTORY_THERE)
        x->end[index] = TRAJECTORY_STOPPED;
}

/* How many replications are run at once: no more than are likely to be within the limit. */
static int64_t batch(const Rare *x, int64_t runs)
{
    const int64_t done = x->found->runs, wanted = runs - done;
    if (done == 0)
        return wanted < 2 ? wanted : 2;
    const double likely = (double)left(x) / ((double)x->replicated / (double)done + 1) + 1;
    return (int64_t)fmin(fmin(likely, 2 * (double)done), fmin((double)wanted, FIRST));
}

/* Up to so many replications, or until one more takes more activities than are allowed. */
static PepaStatus run_up_to(Rare *x, int64_t runs, PepaError *err)
{
    while (x->found->runs < runs && !x->over) {
        const int64_t count = batch(x, runs);
        x->first = x->found->runs;
        x->run.activities = left(x);
        workers_run(x->workers, (int32_t)count, replicate, x);
        for (int64_t i = 0; i < count && !x->over; i++) {
            const int64_t activities = x->runner[i].t.activities;
            x->over = x->end[i] == TRAJECTORY_LIMIT || activities > left(x);
            if (x->over)
                break;
            if (x->end[i] != TRAJECTORY_THERE)
                return failed(x, x->end[i], err);
            x->used += activities;
            x->replicated += activities;
            x->found->runs++;
            for (size_t j = 0; j < x->job->count; j++)
                rare_sample_add(&x->point[j], x->runner[i].observed[j]);
        }
    }
    return PEPA_OK;
}

/* Of a point that is 0 or 1 in all runs, what so many runs can tell. */
static Estimate estimate_point(const Rare *x, size_t j)
{
    const RareSample *p = &x->point[j];
    const double n = (double)x->found->runs, confidence = x->job->confidence;
    Estimate out = {p->mean, p->mean, p->mean};
    if (x->job->time && !(x->job->time[j] > 0))
        return out; /* the initial state is certain */
    if (p->sum == 0)
        out.high = 1;
    else if (p->square <= 0)
        out.low = p->mean * pow((1 - confidence) / 2, 1 / n);
    else {
        out = rare_sample_interval(p, confidence);
        out.low = fmax(out.low, 0);
        out.high = fmin(out.high, 1);
        x->found->tail = fmin(x->found->tail, rare_sample_tail(p));
    }
    return out;
}

static double width_of(const Rare *x, size_t j, const Estimate *e)
{
    const RareSample *p = &x->point[j];
    if (x->job->time && !(x->job->time[j] > 0))
        return 0;
    if (p->sum * p->sum < RARE_EFFECTIVE * p->squares || p->sum == 0)
        return HUGE_VAL;
    return estimate_width(e);
}

static PepaStatus too_wide(const Rare *x, double widest, PepaError *err)
{
    const SimulationJob *job = x->job;
    const long long runs = x->found->runs, used = x->used - x->before;
    if (runs == 0)
        return failed(x, TRAJECTORY_LIMIT, err);
    if (!(job->width > 0))
        return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                           "%lld runs take more than %lld events, in which %lld were done",
                           (long long)job->runs, (long long)job->activities, runs);
    if (widest == HUGE_VAL)
        return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                           "in %lld runs with %lld events the event was seen too seldom for an "
                           "interval",
                           runs, used);
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                       "after %lld runs with %lld events the widest interval is +- %.2g of its "
                       "value, not %.2g",
                       runs, used, widest, job->width);
}

static PepaStatus run_all(Rare *x, Estimate *out, PepaError *err)
{
    const SimulationJob *job = x->job;
    const int64_t least = job->width > 0 && LOOK < job->runs ? LOOK : job->runs;
    for (int64_t goal = least;;) {
        PepaStatus status = run_up_to(x, goal, err);
        double widest = 0;
        x->found->tail = HUGE_VAL;
        for (size_t j = 0; j < job->count && status == PEPA_OK; j++) {
            out[j] = estimate_point(x, j);
            widest = fmax(widest, width_of(x, j, &out[j]));
        }
        x->found->width = x->clock.width = widest;
        if (status != PEPA_OK)
            return status;
        if (job->width > 0 ? widest <= job->width && x->found->runs >= least : !x->over)
            return PEPA_OK;
        if (x->over || goal >= job->runs)
            return too_wide(x, widest, err);
        const double ratio = widest / job->width, runs = (double)x->found->runs;
        const double next = fmax(runs + FIRST, fmin(4, 1.1 * ratio * ratio) * runs);
        goal = (int64_t)fmin(ceil(next), (double)job->runs);
    }
}

PepaStatus simulate_rare(Simulation *s, const SimulationJob *job, int32_t item, Estimate *out,
                         SimulationFound *found, RareLevels *levels, double *nearest,
                         PepaError *err)
{
    Rare x = {.s = s,
              .job = job,
              .levels = levels,
              .found = found,
              .stream = PILOT_STREAMS,
              .used = found->activities,
              .before = found->activities};
    *found = (SimulationFound){0};
    simulation_clock_start(&x.clock, s->set);
    PepaStatus status = rare_open(&x, item, err);
    if (status == PEPA_OK)
        status = prepare(&x, nearest, err);
    if (status == PEPA_OK)
        status = run_all(&x, out, err);
    found->activities = x.used;
    rare_close(&x);
    return status;
}
