/* Shares of groups, and the digits of rare states, which the residual of all states hardly shows. */
#include "solvers/multilevel/levels.h"

#include <math.h>
#include <string.h>

#include "solvers/multilevel/mixing.h"

typedef struct {
    Attempt *try;
    double *y, *old; /* flows, and those of a cycle ago */
    Kept kept;       /* groups that cycles have kept; none: the next finds its own */
    Mixing mixing;
    int32_t fresh; /* so many cycles at most are to find groups of their own, which are not kept */
    bool anew;     /* it has begun from equal shares */
    int32_t age;   /* cycles since the groups are kept */
    double begun;  /* length of the change REGROUPED cycles ago */
    int32_t idle;  /* how often that has not fallen since it did */
    Drift change;  /* by the last cycle */
    double most;   /* of time that it may be, at the end */
} Refining;

/* True: go on. */
static bool cycle(Refining *s)
{
    Attempt *try = s->try;
    const Flow *flow = try->flow;
    memcpy(s->old, s->y, (size_t)flow->n * sizeof *s->y);
    try->status =
        s->fresh > 0 ? cycle_groups(flow, CYCLE_W, s->y) : kept_cycle(&s->kept, flow, s->y);
    if (try->status != PEPA_OK || !flow_normalise(flow, s->y))
        return false;
    flows_lift(flow->n, s->y);
    s->change = flow_change(flow, s->y, s->old);
    return true;
}

/* Groups that were chosen by flows that were far from right may hide how wrong they are. */
static void regroup(Refining *s)
{
    kept_free(&s->kept);
    mixing_forget(&s->mixing);
    s->fresh = 1;
    s->age = 0;
}

/* Cycles do not find to a part of the chain where flows are far too small, as sweeps that began elsewhere leave them. */
static void begin_anew(Refining *s)
{
    flow_equal_shares(s->try->flow->n, s->y);
    regroup(s);
    s->fresh = ANEW_CYCLES;
    s->anew = true;
    s->idle = 0;
}

/* Between two cycles. */
static void go_on(Refining *s)
{
    const bool far = s->change.rare > FAR_CHANGE;
    if (s->fresh > 0) {
        s->fresh = far ? s->fresh - 1 : 0;
        return;
    }
    const double length = mixing_step(&s->mixing, s->old, s->y);
    if (!flow_normalise(s->try->flow, s->y))
        memcpy(s->y, s->old, (size_t)s->try->flow->n * sizeof *s->y);
    flows_lift(s->try->flow->n, s->y);
    if (s->age++ % REGROUPED > 0)
        return;
    const bool falls = s->age == 1 || length <= REGROUP_FALL * s->begun;
    s->idle = s->age == 1 ? s->idle : falls ? 0 : s->idle + 1;
    s->begun = length;
    if (!falls && !s->anew && (far || s->idle == REFINING_IDLE))
        begin_anew(s);
    else if (!falls)
        regroup(s);
}

/* What a cycle hardly changes may be wrong between groups that its own groups mix. */
static bool settled(Refining *s)
{
    const double tolerance = s->try->control->tolerance;
    double residual;
    if (s->try->iterations == 1)
        s->most =
            fmax(TIME_ROUNDING, s->change.time > TIME_OFF * tolerance ? TIME_MENDED * tolerance
                                                                      : TIME_SETTLED * tolerance);
    if (!(s->change.time <= s->most && s->change.rare <= RARE_SETTLED))
        return false;
    const Drift off = flow_imbalance(s->try->flow, s->y);
    if (flow_balanced(off, s->most) &&
        !flow_may_fill(s->try->flow, s->y, fmax(s->change.growth, off.growth),
                       s->try->control->memory))
        return flow_criterion(s->try->flow, s->y, &residual) <= tolerance;
    if (s->age >= REGROUPED)
        regroup(s);
    return false;
}

static void refine(Attempt *try, double *vectors)
{
    const size_t n = (size_t)try->flow->n;
    Refining s = {.try = try,
                  .y = vectors,
                  .old = vectors + n,
                  .fresh = SHAPING_CYCLES,
                  .change = {.time = HUGE_VAL, .rare = HUGE_VAL}};
    bool more = true, done = false;
    s.mixing = mixing_start(try->flow, vectors + 2 * n);
    flows_lift(try->flow->n, s.y);
    while (more && !done && try->iterations < REFINING_CYCLES && s.idle < REFINING_IDLE &&
           attempt_step(try, CYCLE_PASSES, s.change.rare)) {
        more = cycle(&s);
        done = more && settled(&s);
        if (more && !done)
            go_on(&s);
    }
    kept_free(&s.kept);
    (void)attempt_gives_up(try, done ? 0 : HUGE_VAL, 0);
    (void)attempt_answer(try, s.y);
}

/* One sweep; how much it has changed, or +inf. */
static double sweep(Attempt *try, double *y, double *old)
{
    const int32_t n = try->flow->n;
    memcpy(old, y, (size_t)n * sizeof *y);
    (void)flow_sweep(try->flow, y);
    return flow_normalise(try->flow, y) ? flow_rare_change(try->flow->share, n, y, old) : HUGE_VAL;
}

static void sweep_on(Attempt *try, double *y)
{
    double before = HUGE_VAL, change = HUGE_VAL;
    for (bool more = true; more && attempt_step(try, SWEEP_PASSES, change);) {
        before = change;
        change = sweep(try, y, y + try->flow->n);
        more = change > RARE_SETTLED_SWEEP && (isinf(before) || change <= REFINING_FALL * before);
    }
    (void)attempt_answer(try, y);
}

/* As many sweeps as there are, until one changes little: where all states that are rarer than rounding have begun
 * with about the same flow, many change as much as the one before. */
static void sweep_down(Attempt *try, double *y)
{
    double change = HUGE_VAL;
    while (change > RARE_SETTLED_SWEEP && try->iterations < SWEEPS_DOWN &&
           attempt_step(try, SWEEP_PASSES, change))
        change = sweep(try, y, y + try->flow->n);
    (void)attempt_answer(try, y);
}

static double bytes_for(const Flow *flow, const Control *control)
{
    (void)control;
    return levels_bytes(flow);
}

/* Cycles that multiply flows by shares of groups weigh the rarest state like any other.  Where the
 * flows that carry most are right already, a few leave each flow as good as its neighbours. */
const Method method_refinement = {.name = "refinement",
                                  .unit = "cycles",
                                  .passes = CYCLE_PASSES,
                                  .vectors = 2 + MIXING_VECTORS,
                                  .bytes = bytes_for,
                                  .run = refine};

/* The same by sweeps, as long as each leaves little of what the one before has changed. */
const Method method_sweeping_on = {.name = "sweeping on",
                                   .unit = "sweeps",
                                   .passes = SWEEP_PASSES,
                                   .vectors = 2,
                                   .run = sweep_on};

/* The same where processes share the flow, after any method. */
const Method method_sweeping_down = {.name = "sweeping on",
                                     .unit = "sweeps",
                                     .passes = SWEEP_PASSES,
                                     .vectors = 2,
                                     .run = sweep_down};
