#include "property/forcing.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/budget.h"
#include "ctmc/diagram/diagram_search.h"
#include "ctmc/explore/tuning.h"
#include "measure/blocks_build.h"
#include "measure/steady.h"
#include "property/random_model.h"
#include "solvers/blocks/extrapolate.h"
#include "solvers/blocks/tuning.h"
#include "solvers/internal.h"
#include "solvers/multilevel/levels.h"
#include "solvers/schedule/schedule.h"
#include "solvers/tuning.h"

const char *const force_name[FORCED] = {"stall",
                                        "iterations",
                                        "fill",
                                        "memory",
                                        "costly sets",
                                        "sets alone",
                                        "memory of sets",
                                        "too many",
                                        "sets that may be coupled",
                                        "coupled",
                                        "unsettled shares",
                                        "no extrapolation",
                                        "join",
                                        "part",
                                        "no guess",
                                        "visits"};

static struct {
    bool on;
    uint64_t random;
    int percent[FORCED];
    int64_t taken[FORCED];
    bool few, one_by_one, slow, gain; /* the usual tuned number, or a forced one */
    /* Of the search for sets at work: when it is to be abandoned, and as which. */
    const Search *search;
    Force end;
    int64_t visits;
    int searches; /* that may still be abandoned */
} forcing;

static uint64_t below(uint64_t n)
{
    return random_below(&forcing.random, n);
}

/* Whether to force it here, which is then counted. */
static bool forced(Force force)
{
    if (!forcing.on || (int)below(100) >= forcing.percent[force])
        return false;
    forcing.taken[force]++;
    return true;
}

void forcing_begin(uint64_t seed)
{
    static const int percent[] = {0, 0, 0, 3, 10, 30, 100};
    memset(&forcing, 0, sizeof forcing);
    forcing.random = seed;
    for (int k = 0; k < FORCED; k++)
        forcing.percent[k] = percent[below(sizeof percent / sizeof *percent)];
    /* There are many places for these: mostly somewhere late, or nowhere. */
    static const int rarely[] = {0, 0, 0, 0, 1, 5, 20};
    forcing.percent[FORCE_MEMORY] = rarely[below(sizeof rarely / sizeof *rarely)];
    forcing.percent[FORCE_ITERATIONS] = rarely[below(sizeof rarely / sizeof *rarely)];
    /* And few for this. */
    forcing.percent[FORCE_UNSETTLED] = 50;
    forcing.few = below(5) == 0;
    forcing.one_by_one = below(2);
    forcing.slow = below(2);
    forcing.gain = below(2);
    forcing.searches = (int)below(4);
    forcing.on = true;
}

void forcing_end(int64_t taken[FORCED])
{
    forcing.on = false;
    for (int k = 0; k < FORCED; k++)
        taken[k] += forcing.taken[k];
}

int64_t forcing_count(Force force)
{
    return forcing.taken[force];
}

/* ---- tuned numbers --------------------------------------------------------------------------- */

int32_t forcing_few_states(void)
{
    return forcing.few ? FEW_STATES : 0;
}

int32_t forcing_fewest_for_sets(void)
{
    return 2;
}

int64_t forcing_most_one_by_one(void)
{
    return forcing.one_by_one ? MOST_ONE_BY_ONE : 3;
}

int32_t forcing_slow_sweeps(void)
{
    return forcing.slow ? SLOW_SWEEPS : 1;
}

double forcing_join_gain(void)
{
    return forcing.gain ? 0 : 1e9;
}

/* ---- in place of the library's functions ----------------------------------------------------- */

/* Declare the function that decides and the one in its place. */
#define INSTEAD(type, name, ...)                                                                   \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

INSTEAD(PepaStatus, chain_derive, Chain **out, const Model *model, const PepaSettings *set,
        DiagList *diags, PepaError *err)
{
    if (!forcing.on)
        return __real_chain_derive(out, model, set, diags, err);
    PepaStatus status = forced_chain_derive(out, model, set, diags, err);
    if (set->evidence && set->evidence->derive.explored == PEPA_EXPLORED_AFTER_ALL)
        forcing.taken[FORCE_TOO_MANY]++;
    return status;
}

INSTEAD(PepaStatus, solve_flow, PepaMethod method, const Flow *flow, const Control *control,
        double *y, Outcome *out, PepaError *err)
{
    return forcing.on ? forced_solve_flow(method, flow, control, y, out, err)
                      : __real_solve_flow(method, flow, control, y, out, err);
}

INSTEAD(PepaStatus, solve_blocks, const Blocks *blocks, PepaMethod method, int32_t threads,
        double patience, const Control *control, double *pi, Outcome *out, PepaError *err)
{
    return forcing.on
               ? forced_solve_blocks(blocks, method, threads, patience, control, pi, out, err)
               : __real_solve_blocks(blocks, method, threads, patience, control, pi, out, err);
}

INSTEAD(bool, attempt_stalls, Attempt *try, double measure)
{
    if (forced(FORCE_STALL))
        try->rule = (StallRule){0, -1};
    return __real_attempt_stalls(try, measure);
}

INSTEAD(bool, attempt_stalls_by, Attempt *try, Trend *trend, double measure)
{
    if (forced(FORCE_STALL))
        try->rule = (StallRule){0, -1};
    return __real_attempt_stalls_by(try, trend, measure);
}

INSTEAD(bool, attempt_step, Attempt *try, int passes, double measure)
{
    if (forced(FORCE_ITERATIONS))
        try->max_iter = try->iterations;
    return __real_attempt_step(try, passes, measure);
}

INSTEAD(PepaStatus, attempt_run, const Method *method, const Flow *flow, const Control *control,
        double *y, Outcome *out, PepaError *err)
{
    const bool eliminates = method == &method_gth || method == &method_direct;
    if (!eliminates || !forced(FORCE_FILL))
        return __real_attempt_run(method, flow, control, y, out, err);
    Attempt try;
    (void)attempt_start(&try, method, flow, control, y);
    try.status = PEPA_ELIMIT;
    return attempt_end(&try, out, err);
}

INSTEAD(bool, budget_allows, int64_t limit, double bytes)
{
    return !forced(FORCE_MEMORY) && __real_budget_allows(limit, bytes);
}

INSTEAD(PepaStatus, search_init, Search *search, Split *split, RateTable *rates,
        const PepaSettings *set, PepaError *err)
{
    static const Force ends[] = {FORCE_COSTLY, FORCE_ALONE, FORCE_SETS_MEMORY};
    const bool stops = forcing.on && forcing.searches > 0;
    forcing.searches -= stops;
    forcing.search = stops ? search : NULL;
    forcing.end = FORCED;
    if (stops) {
        forcing.end = ends[below(3)];
        forcing.visits = (int64_t)below(4);
    }
    return __real_search_init(search, split, rates, set, err);
}

/* Whether this search is abandoned by force. */
static bool stopped(const Search *search)
{
    return forcing.on && search == forcing.search && search->visits >= forcing.visits;
}

INSTEAD(bool, search_unfit, Search *search)
{
    if (stopped(search) && !search->contexts.unfit) {
        forcing.taken[forcing.end]++;
        search->contexts.unfit = true;
        search->out_of_budget = search->out_of_budget || forcing.end == FORCE_SETS_MEMORY;
    }
    return __real_search_unfit(search);
}

INSTEAD(bool, search_alone, const Search *search)
{
    return (stopped(search) && forcing.end == FORCE_ALONE) || __real_search_alone(search);
}

INSTEAD(PepaStatus, diagram_rare_jumps, const Diagram *diagram, const double *value,
        const Blocks *blocks, RareJumps *out, PepaError *err)
{
    PepaStatus status = __real_diagram_rare_jumps(diagram, value, blocks, out, err);
    if (forced(FORCE_SETS_COUPLED))
        *out = RARE_BETWEEN;
    return status;
}

INSTEAD(bool, flow_nearly_decomposable, const Flow *flow)
{
    return forced(FORCE_COUPLED) || __real_flow_nearly_decomposable(flow);
}

INSTEAD(void, settle_groups, Attempt *try)
{
    __real_settle_groups(try);
    try->coupled = try->coupled && !forced(FORCE_UNSETTLED);
}

INSTEAD(bool, history_extrapolate, History *history, double *x)
{
    return !forced(FORCE_PLAIN) && __real_history_extrapolate(history, x);
}

/* Aggregation is forced by the number of sweeps that count as slow: these are counted only. */
INSTEAD(void, blocks_aggregate, const Blocks *blocks, double *x, const BlocksCoarse *coarse)
{
    forcing.taken[FORCE_JOIN] += forcing.on;
    __real_blocks_aggregate(blocks, x, coarse);
}

INSTEAD(void, history_first, const History *history, double *x)
{
    forcing.taken[FORCE_PART] += forcing.on;
    __real_history_first(history, x);
}

INSTEAD(PepaStatus, lumped_guess, const SteadyJob *job, int64_t memory, bool *found)
{
    *found = false;
    return forced(FORCE_NO_GUESS) ? PEPA_OK : __real_lumped_guess(job, memory, found);
}

INSTEAD(PepaStatus, absorb_gth, const Flow *flow, const double *absorb, int32_t classes,
        int32_t start, const Control *control, double *weight, PepaError *err)
{
    return forced(FORCE_VISITS)
               ? PEPA_ELIMIT
               : __real_absorb_gth(flow, absorb, classes, start, control, weight, err);
}

/* ---- the clock ------------------------------------------------------------------------------- */

static struct {
    Clock clock;
    atomic_llong readings;
    Clocked sweeps; /* without readings */
} timing;

void forcing_clock(Clock clock)
{
    timing.clock = clock;
    timing.sweeps = (Clocked){0};
    atomic_store(&timing.readings, 0);
}

Clocked forcing_clocked(void)
{
    Clocked found = timing.sweeps;
    found.readings = atomic_load(&timing.readings);
    return found;
}

INSTEAD(bool, runner_sweep, Runner *runner, int32_t kind, bool backward, const Sweeping *sweeping)
{
    const bool together = __real_runner_sweep(runner, kind, backward, sweeping);
    timing.sweeps.together += together;
    timing.sweeps.alone += runner->plan && !together;
    return together;
}

INSTEAD(int, clock_gettime, clockid_t which, struct timespec *now)
{
    uint64_t reading = (uint64_t)atomic_fetch_add(&timing.readings, 1);
    switch (timing.clock) {
    case CLOCK_STOPPED:
        *now = (struct timespec){.tv_sec = 1000};
        return 0;
    case CLOCK_JUMPING:
        *now = (struct timespec){.tv_sec = (time_t)random_below(&reading, 100000),
                                 .tv_nsec = (long)random_below(&reading, 1000000000)};
        return 0;
    case CLOCK_TURNING:
        *now = (struct timespec){.tv_sec = reading / 3 % 2 ? 1000 : 5000};
        return 0;
    default:
        return __real_clock_gettime(which, now);
    }
}
