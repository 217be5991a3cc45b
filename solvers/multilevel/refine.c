/* The digits of rare states, which the residual of all states hardly shows. */
#include "solvers/multilevel/levels.h"

#include <math.h>
#include <string.h>

/* The first cycle mends what is far off; the others keep the groups of what it leaves. */
static PepaStatus cycle(Attempt *try, Kept *kept, double *y)
{
    if (try->iterations == 1)
        return cycle_groups(try->flow, CYCLE_V, y);
    flows_lift(try->flow->n, y);
    PepaStatus status = kept->levels ? PEPA_OK : kept_new(kept, try->flow, y);
    return status == PEPA_OK ? kept_cycle(kept, try->flow, y) : status;
}

static void refine(Attempt *try, double *y)
{
    const int32_t n = try->flow->n;
    double *old = y + n, change = HUGE_VAL,
           left = HUGE_VAL; /* of changes, by the geometric series */
    Kept kept = {0};
    flows_lift(n, y);
    for (bool more = true; more && attempt_step(try, CYCLE_PASSES, change);) {
        memcpy(old, y, (size_t)n * sizeof *y);
        try->status = cycle(try, &kept, y);
        more = try->status == PEPA_OK && flow_normalise(try->flow, y);
        const double before = change;
        change = flow_rare_change(try->flow->share, n, y, old);
        left = try->iterations < TREND_CYCLES ? WITHOUT_TREND * change
               : change < before              ? change / (before / change - 1)
                                              : HUGE_VAL;
        const bool slow = try->iterations > TREND_CYCLES && change > SLOW_RATIO * before;
        more = more && !slow && left > RARE_SETTLED && try->iterations < REFINING_CYCLES;
    }
    (void)attempt_gives_up(try, left, RARE_SETTLED);
    kept_free(&kept);
    if (try->status == PEPA_ELIMIT)
        try->status = PEPA_OK; /* the first cycle is what there is */
    (void)attempt_answer(try, y);
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
                                  .vectors = 2,
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
