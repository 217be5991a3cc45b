/* Makes a model ready to be simulated, and says why a simulation ended early. */
#include "measure/simulation.h"

#include <float.h>
#include <math.h>

#include "base/clock.h"
#include "ctmc/explore/walk.h"
#include "measure/expression_private.h"

/* ---- life ------------------------------------------------------------------------------------- */

PepaStatus simulation_observe(ObservePlan **out, const Simulation *s, bool controls, PepaError *err)
{
    static const ObservedKind kinds[] = {[FUNCTIONAL_FLOW] = OBSERVE_FLOW,
                                         [FUNCTIONAL_COUNT] = OBSERVE_COUNT,
                                         [FUNCTIONAL_MEAN] = OBSERVE_VALUE,
                                         [FUNCTIONAL_INFLOW] = OBSERVE_INFLOW};
    const Expressions *e = s->e;
    int32_t count = (int32_t)e->functional_count;
    Observed *observed = mem_alloc(e->functional_count + OBSERVE_CONTROLS, sizeof *observed);
    if (!observed)
        return error_memory(err);
    for (size_t i = 0; i < e->functional_count; i++) {
        const Functional *f = &e->functional[i];
        observed[i] = (Observed){kinds[f->kind], f->a, f->first, f->end};
    }
    if (controls)
        count = observe_add_controls(s->chain.system, &e->code, observed, count);
    PepaStatus status =
        observe_plan_new(out, s->chain.system, &e->code, s->chain.now.rate, observed, count, err);
    mem_free(observed);
    if (status == PEPA_OK)
        (*out)->clocks = s->clocks;
    return status;
}

static PepaStatus no_time_passes(int64_t activities, PepaError *err)
{
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                       "%lld immediate activities in a row, and no time passes: let one of them "
                       "take time",
                       (long long)activities);
}

/* What is wrong in the initial state, or in that of the choices: as a walk there tells it.
 *   timeless  so many immediate activities led there */
static PepaStatus blame(const Simulation *s, const Choices *at, int64_t timeless, DiagList *diags,
                        PepaError *err)
{
    Walk *walk = NULL;
    uint64_t *packed = NULL;
    PepaStatus status = walk_new(&walk, s->chain.model, s->set, diags, err);
    if (status == PEPA_OK && at &&
        !(mem_new(packed, s->chain.system->words) && choices_pack(at, packed)))
        status = error_memory(err);
    if (status == PEPA_OK && at)
        status = walk_go(walk, packed, diags, err);
    if (status == PEPA_OK && timeless)
        status = walk_passes(walk, diags, err);
    if (status == PEPA_OK && timeless)
        status = no_time_passes(timeless, err);
    walk_free(walk);
    mem_free(packed);
    return status;
}

static PepaStatus compile(Simulation *s, DiagList *diags, PepaError *err)
{
    Chain *c = &s->chain;
    PepaStatus status = rates_init(&c->rates, c->model, err);
    if (status == PEPA_OK)
        status = system_new(&c->system, c->model, &c->rates, !s->set->derive.separate_copies, err);
    if (status == PEPA_OK)
        status = rate_values_new(&c->now, &c->rates, err);
    if (status == PEPA_OK)
        status = choice_plan_new(&s->choices, c->system, &c->rates, err);
    if (status == PEPA_OK)
        status = clock_plan_new(&s->clocks, s->choices, c->now.rate, diags, err);
    return status;
}

/* Where a walk is to say what is wrong with the initial state, if anything.  Where many immediate
 * activities follow it, a walk would be slow to start; and with too many components there is none. */
static bool may_be_faulty(const Simulation *s)
{
    const System *system = s->chain.system;
    return !system->large && (!system->preempts || s->chain.rates.status != PEPA_OK);
}

PepaStatus simulation_new(Simulation *out, const Model *model, const Query *query,
                          const PepaSettings *set, DiagList *diags, PepaError *err)
{
    *out = (Simulation){.chain = {.model = model}, .set = set};
    PepaStatus status = compile(out, diags, err);
    if (status == PEPA_OK && may_be_faulty(out))
        status = blame(out, NULL, 0, diags, err);
    if (status == PEPA_OK)
        status = expressions_new(&out->e, query, &out->chain, err);
    if (status == PEPA_OK)
        status = simulation_observe(&out->observe, out, false, err);
    if (status == PEPA_OK)
        status = estimate_plan_new(&out->estimates, out->e, &out->chain.now, err);
    if (status != PEPA_OK)
        simulation_free(out);
    return status;
}

void simulation_free(Simulation *s)
{
    estimate_plan_free(&s->estimates);
    observe_plan_free(s->observe);
    clock_plan_free(s->clocks);
    choice_plan_free(s->choices);
    expressions_free(s->e);
    rate_values_free(&s->chain.now);
    system_free(s->chain.system);
    rates_free(&s->chain.rates);
    *s = (Simulation){0};
}

/* ---- trajectories ----------------------------------------------------------------------------- */

PepaStatus simulation_trajectory(Trajectory *out, const Simulation *s, const ObservePlan *observe,
                                 const SimulationJob *job, PepaError *err)
{
    const int part = 20; /* of so many bits of the rates is what is not in common */
    const double unit = job->pace > 0 ? ldexp(1, ilogb(job->pace) - part) : 0;
    return trajectory_new(out, s->choices, observe, unit, err);
}

PepaStatus simulation_pace(Simulation *s, const SimulationJob *job, double *pace, DiagList *diags,
                           PepaError *err)
{
    Trajectory t;
    PepaStatus status = trajectory_new(&t, s->choices, s->observe, 0, err);
    if (status != PEPA_OK)
        return status;
    trajectory_start(&t, job->seed, (uint64_t)job->runs);
    const double rate = choices_total(&t.choices);
    const TrajectoryEnd end = trajectory_until(&t, DBL_MAX, false, SIMULATION_PILOT, &unwatched);
    *pace = end == TRAJECTORY_LIMIT ? SIMULATION_PILOT / t.time : rate > 0 ? rate : 1;
    trajectory_free(&t);
    return end == TRAJECTORY_THERE || end == TRAJECTORY_LIMIT
               ? PEPA_OK
               : simulation_failed(s, job, end, job->runs, diags, err);
}

/* ---- progress --------------------------------------------------------------------------------- */

void simulation_clock_start(SimulationClock *clock, const PepaSettings *set)
{
    clock->set = set;
    clock->began = clock->last = set->progress ? clock_seconds() : 0;
    clock->width = 0;
    atomic_init(&clock->activities, 0);
    atomic_init(&clock->stop, false);
}

static bool count(void *user, int64_t activities)
{
    SimulationClock *clock = user;
    atomic_fetch_add_explicit(&clock->activities, activities, memory_order_relaxed);
    return atomic_load_explicit(&clock->stop, memory_order_relaxed);
}

static bool count_and_tell(void *user, int64_t activities)
{
    SimulationClock *clock = user;
    const double between = 0.1; /* seconds */
    const PepaSettings *set = clock->set;
    if (count(user, activities) || !set->progress)
        return atomic_load_explicit(&clock->stop, memory_order_relaxed);
    const double now = clock_seconds();
    if (now - clock->last < between)
        return false;
    clock->last = now;
    const PepaProgress progress = {.phase = "simulate",
                                   .count = atomic_load_explicit(&clock->activities,
                                                                 memory_order_relaxed),
                                   .measure = clock->width,
                                   .seconds = now - clock->began,
                                   .left = -1};
    if (set->progress(set->user, &progress))
        atomic_store_explicit(&clock->stop, true, memory_order_relaxed);
    return atomic_load_explicit(&clock->stop, memory_order_relaxed);
}

TrajectoryWatch simulation_watch(SimulationClock *clock, int32_t worker)
{
    return (TrajectoryWatch){worker == 0 ? count_and_tell : count, clock};
}

bool simulation_run_ends(SimulationClock *clock, int32_t worker, const Trajectory *t)
{
    const TrajectoryWatch watch = simulation_watch(clock, worker);
    return watch.stops(watch.user, t->activities % WATCH_EVERY);
}

/* ---- early ends ------------------------------------------------------------------------------- */

/* Why nothing may be drawn in a state that no walk reaches, since there are too many components. */
static PepaStatus blame_large(const Simulation *s, const Trajectory *t, PepaError *err)
{
    const System *system = s->chain.system;
    for (int32_t e = 0; e < system->event_count; e++)
        if (t->choices.faulty[e])
            return error_set(err, PEPA_EMODEL,
                             "`%s` comes to be passive with nothing to drive it, or active and "
                             "passive in one component; a model with fewer copies shows the state",
                             s->chain.model->actions[system->events[e].action]);
    if (t->choices.bad_rate)
        return error_set(
            err, PEPA_EMODEL,
            "a rate that counts local states comes to be negative or not finite; a model "
            "with fewer copies shows the state");
    return no_time_passes(t->in_row, err);
}

static PepaStatus explain_stuck(Simulation *s, const SimulationJob *job, int64_t number,
                                DiagList *diags, PepaError *err)
{
    Trajectory t;
    PepaStatus status = simulation_trajectory(&t, s, s->observe, job, err);
    if (status != PEPA_OK)
        return status;
    trajectory_start(&t, job->seed, (uint64_t)number);
    const TrajectoryEnd end = trajectory_until(&t, DBL_MAX, false, job->activities, &unwatched);
    status = s->chain.system->large
                 ? blame_large(s, &t, err)
                 : blame(s, &t.choices, end == TRAJECTORY_TIMELESS ? t.in_row : 0, diags, err);
    if (status == PEPA_OK)
        status = error_set(err, PEPA_EMODEL, "a state was reached whose rates are not defined");
    trajectory_free(&t);
    return status;
}

PepaStatus simulation_failed(Simulation *s, const SimulationJob *job, TrajectoryEnd end,
                             int64_t number, DiagList *diags, PepaError *err)
{
    if (end == TRAJECTORY_STOPPED)
        return error_set(err, PEPA_ECANCEL, "simulation was cancelled");
    if (end == TRAJECTORY_MEMORY)
        return error_memory(err);
    if (end == TRAJECTORY_STUCK || end == TRAJECTORY_TIMELESS)
        return explain_stuck(s, job, number, diags, err);
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                       "more than %lld events: ask for fewer runs%s", (long long)job->activities,
                       job->time ? " or an earlier time" : ", or allow more");
}

PepaStatus simulation_too_wide(const Simulation *s, const SimulationJob *job,
                               const SimulationFound *found, const Estimate *estimates,
                               size_t count_of, PepaError *err)
{
    const size_t items = s->e->query->item_count;
    size_t widest = 0;
    for (size_t i = 0; i < count_of * items; i++)
        if (estimate_width(&estimates[i]) > estimate_width(&estimates[widest]))
            widest = i;
    const QueryItem *item = &s->e->query->items[widest % items];
    if (!isfinite(estimate_width(&estimates[widest])))
        return error_limit(
            err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
            "after %lld runs with %lld events `%.100s` is not known to be other than 0; "
            "pepa simulate --rare is for probabilities of what is seen so seldom",
            (long long)found->runs, (long long)found->activities, item->name ? item->name : "");
    return error_limit(
        err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
        "after %lld runs with %lld events `%.100s` is known to +- %.2g of its value, "
        "not %.2g; about %.2g times as many would do",
        (long long)found->runs, (long long)found->activities, item->name ? item->name : "",
        estimate_width(&estimates[widest]), job->width,
        pow(estimate_width(&estimates[widest]) / job->width, 2));
}
