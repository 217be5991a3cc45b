/* Follows the passages of a trajectory, activity by activity. */
#include "measure/passage_follow.h"

#include <math.h>

#include "measure/expression_private.h"

enum { FROM, TO };

/* ---- plans ------------------------------------------------------------------------------------ */

static PepaStatus plan_mark(PassagePlan *p, int which, const PassageMark *mark, PepaError *err)
{
    static const StateCode nothing = {0};
    const Simulation *s = p->s;
    Observed holds = {.kind = OBSERVE_VALUE};
    PepaStatus status = PEPA_OK;
    if (mark->predicate)
        status = expressions_new(&p->e[which], mark->predicate, &s->chain, err);
    if (status == PEPA_OK && mark->predicate)
        holds.a = p->e[which]->node[mark->predicate->items[0].body];
    if (status == PEPA_OK)
        status = observe_plan_new(&p->observe[which], s->chain.system,
                                  p->e[which] ? &p->e[which]->code : &nothing, s->chain.now.rate,
                                  &holds, mark->predicate != NULL, err);
    if (status == PEPA_OK)
        p->observe[which]->clocks = s->clocks;
    return status;
}

PepaStatus passage_plan_new(PassagePlan *out, const Simulation *s, PassageMark from, PassageMark to,
                            PepaError *err)
{
    *out = (PassagePlan){.s = s, .from = from, .to = to};
    PepaStatus status = plan_mark(out, FROM, &from, err);
    if (status == PEPA_OK)
        status = plan_mark(out, TO, &to, err);
    if (status != PEPA_OK)
        passage_plan_free(out);
    return status;
}

void passage_plan_free(PassagePlan *p)
{
    for (int which = FROM; which <= TO; which++) {
        observe_plan_free(p->observe[which]);
        expressions_free(p->e[which]);
    }
    *p = (PassagePlan){0};
}

/* ---- one trajectory --------------------------------------------------------------------------- */

PepaStatus passage_follower_new(PassageFollower *out, const PassagePlan *plan, PepaError *err)
{
    *out = (PassageFollower){.plan = plan};
    PepaStatus status = trajectory_new(&out->t, plan->s->choices, plan->observe[FROM], 0, err);
    if (status == PEPA_OK)
        status = observer_new(&out->to, plan->observe[TO], &out->t.choices, err);
    return status;
}

void passage_follower_free(PassageFollower *f)
{
    if (f->plan)
        trajectory_free(&f->t);
    observer_free(&f->to);
    mem_free_all(f->open, f->passed);
    *f = (PassageFollower){0};
}

static bool pass(PassageFollower *f, double start, double took)
{
    if (!mem_grow(f->passed, f->passed_cap, f->passed_count + 1))
        return false;
    f->passed[f->passed_count++] = (Passed){start, took};
    return true;
}

/* One begins now; it takes no time where the present state is an end. */
static bool begin(PassageFollower *f)
{
    if (f->plan->to.predicate && f->to.value[0] != 0)
        return pass(f, f->t.time, 0);
    if (!mem_grow(f->open, f->open_cap, f->open_count + 1))
        return false;
    f->open[f->open_count++] = f->t.time;
    return true;
}

static bool end_all(PassageFollower *f, double time)
{
    bool ok = true;
    for (size_t i = 0; i < f->open_count && ok; i++)
        ok = pass(f, f->open[i], time - f->open[i]);
    f->open_count = 0;
    return ok;
}

void passage_follower_start(PassageFollower *f, uint64_t seed, uint64_t number)
{
    trajectory_start(&f->t, seed, number);
    observer_look(&f->to);
    observer_start(&f->to, 0);
    f->open_count = f->passed_count = 0;
    f->begun = false;
}

/* On until time passes, if it does not yet: what is seen is seen in tangible states only. */
static TrajectoryEnd settle(PassageFollower *f, int64_t most, const TrajectoryWatch *watch)
{
    Trajectory *t = &f->t;
    while (choices_is_vanishing(&t->choices)) {
        const TrajectoryEnd end = trajectory_step(t, most, watch);
        if (end != TRAJECTORY_THERE)
            return end;
        observer_follow(&f->to, t->event, t->time);
    }
    return TRAJECTORY_THERE;
}

/* The first tangible state. */
static TrajectoryEnd begin_all(PassageFollower *f, int64_t most, const TrajectoryWatch *watch)
{
    const PassagePlan *p = f->plan;
    const TrajectoryEnd end = settle(f, most, watch);
    if (end != TRAJECTORY_THERE)
        return end;
    f->begun = true;
    f->was = p->from.predicate && f->t.observer.value[0] != 0;
    return p->from.predicate || p->from.action || begin(f) ? TRAJECTORY_THERE : TRAJECTORY_MEMORY;
}

/* The next activity that takes time, and what follows without time: it may end passages, and then
 * begin one. */
static TrajectoryEnd step(PassageFollower *f, int64_t most, const TrajectoryWatch *watch)
{
    const PassagePlan *p = f->plan;
    TrajectoryEnd end = trajectory_step(&f->t, most, watch);
    if (end != TRAJECTORY_THERE)
        return end;
    const int32_t action = p->s->chain.system->events[f->t.event].label;
    observer_follow(&f->to, f->t.event, f->t.time);
    end = settle(f, most, watch);
    if (end != TRAJECTORY_THERE)
        return end;
    const bool ends = p->to.predicate ? f->to.value[0] != 0 : p->to.action[action];
    const bool was = f->was;
    f->was = p->from.predicate && f->t.observer.value[0] != 0;
    const bool begins = p->from.action ? p->from.action[action] : f->was && !was;
    return (!ends || end_all(f, f->t.time)) && (!begins || begin(f)) ? TRAJECTORY_THERE
                                                                     : TRAJECTORY_MEMORY;
}

TrajectoryEnd passage_follow(PassageFollower *f, double time, int64_t most,
                             const TrajectoryWatch *watch)
{
    Trajectory *t = &f->t;
    TrajectoryEnd end = TRAJECTORY_THERE;
    if (choices_stuck(&t->choices))
        return trajectory_until(t, t->time, false, most, watch);
    if (!f->begun)
        end = begin_all(f, most, watch);
    while (end == TRAJECTORY_THERE && (t->next <= time || (f->open_count && f->open[0] <= time))) {
        if (trajectory_is_over(t))
            return end_all(f, HUGE_VAL) ? TRAJECTORY_THERE : TRAJECTORY_MEMORY;
        end = step(f, most, watch);
    }
    return end;
}
