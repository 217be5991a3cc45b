/* The rescheduler. */
#include "grid/steer/rescheduler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grid/steer/agreement.h"
#include "grid/steer/decision_log.h"
#include "grid/machine/window.h"
#include "grid/steer/tuning.h"

struct GridRescheduler {
    AmogetDescription *desc; /* borrowed, as the monitor */
    GridMonitor *monitor;
    GridReschedulerSettings set;
    AmogetRanker *ranker;
    int32_t stages;
    Window costs;         /* seconds of the moves so far */
    int32_t *expected;    /* stages: the mapping that `earlier` is of */
    int32_t *best;        /* stages: of the last ranking */
    double earlier;       /* its throughput by the best estimate so far; 0: not known yet */
    double earlier_error; /* standard error of ln(earlier) */
    double error[2];      /* the same of the throughputs of the present mapping and the best */
    int paid_before;      /* decisions in a row at which moving paid */
    double slack;         /* factor >= 1 on time limits, where decisions ran out of time */
    double last_time;     /* of the last decision, < 0 before the first; and items then */
    int64_t last_done;
    Agreement agreement; /* of what is predicted with what is seen */
    GridReschedulerReport report;
};

GridReschedulerSettings grid_rescheduler_default(void)
{
    GridReschedulerSettings set = {.least_gain = LEAST_GAIN,
                                   .caution = CAUTION,
                                   .alarm = ALARM,
                                   .certainty = CERTAINTY,
                                   .least_samples = LEAST_SERVICES,
                                   .horizon = HORIZON,
                                   .first_cost = FIRST_COST};
    set.rank.time_limit = TIME_LIMIT; /* the next decision continues the search */
    set.budget = BUDGET;
    return set;
}

/* ---- life --------------------------------------------------------------------------------- */

static PepaStatus fail(PepaError *err, PepaStatus code, const char *message)
{
    if (err) {
        *err = (PepaError){.code = code};
        (void)snprintf(err->message, sizeof err->message, "%s", message);
    }
    return code;
}

static PepaStatus check(const GridReschedulerSettings *set, PepaError *err)
{
    if (!(set->least_gain >= 0) || !(set->caution >= 0) || !(set->certainty >= 0))
        return fail(err, PEPA_EARG, "least_gain, caution and certainty are at least 0");
    if (set->least_samples < 0)
        return fail(err, PEPA_EARG, "least_samples is at least 0");
    if (!(set->alarm >= 0 && set->alarm <= 1))
        return fail(err, PEPA_EARG, "an alarm is a share, from 0 to 1");
    if (!(set->first_cost >= 0) || set->items < 0 || (set->items == 0 && !(set->horizon > 0)))
        return fail(err, PEPA_EARG,
                    "needed: first_cost and items >= 0, and without items a horizon");
    return PEPA_OK;
}

PepaStatus grid_rescheduler_new(GridRescheduler **out, AmogetDescription *desc,
                                GridMonitor *monitor, const GridReschedulerSettings *settings,
                                PepaError *err)
{
    GridReschedulerSettings set = settings ? *settings : grid_rescheduler_default();
    PepaStatus status = check(&set, err);
    if (status != PEPA_OK)
        return status;
    if (set.rank.search == AMOGET_AUTO && amoget_mapping_count(desc) == 0)
        set.rank.search = AMOGET_BEST;
    set.rank.top = 1;
    set.rank.single = 1;
    GridRescheduler *r = calloc(1, sizeof *r);
    if (!r)
        return fail(err, PEPA_ENOMEM, "out of memory");
    *r = (GridRescheduler){.desc = desc,
                           .monitor = monitor,
                           .set = set,
                           .slack = 1,
                           .last_time = -1};
    r->stages = amoget_stage_count(desc);
    r->expected = calloc((size_t)r->stages + 1, sizeof *r->expected);
    r->best = calloc((size_t)r->stages + 1, sizeof *r->best);
    bool good = window_new(&r->costs, MOVES_KEPT, 0) == 0 && r->expected && r->best;
    status = good ? amoget_ranker_new(&r->ranker, desc, &set.rank, err)
                  : fail(err, PEPA_ENOMEM, "out of memory");
    if (status == PEPA_OK)
        *out = r;
    else
        grid_rescheduler_free(r);
    return status;
}

void grid_rescheduler_free(GridRescheduler *r)
{
    if (!r)
        return;
    amoget_ranker_free(r->ranker);
    window_free(&r->costs);
    free(r->expected);
    free(r->best);
    free(r);
}

GridReschedulerReport grid_rescheduler_report(const GridRescheduler *r)
{
    return r->report;
}

/* ---- a decision --------------------------------------------------------------------------- */

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool same_mapping(const GridRescheduler *r, const int32_t *a, const int32_t *b)
{
    return memcmp(a, b, (size_t)r->stages * sizeof *a) == 0;
}

static void keep_mapping(const GridRescheduler *r, int32_t *to, const int32_t *mapping)
{
    memcpy(to, mapping, (size_t)r->stages * sizeof *to);
}

/* Seconds of a move: first_cost counts as one of the moves so far (rescheduler.h). */
static double move_cost(const GridRescheduler *r)
{
    double costs[MOVES_KEPT], moves = (double)r->report.moves;
    if (r->costs.count == 0)
        return r->set.first_cost;
    for (int32_t i = 0; i < r->costs.count; i++)
        costs[i] = window_at(&r->costs, i)->value;
    double mean = estimate_of(costs, r->costs.count, false).mean;
    return (r->set.first_cost + moves * mean) / (1 + moves);
}

static double items_left(const GridRescheduler *r, int64_t done)
{
    if (r->set.items == 0)
        return -1;
    return done < r->set.items ? (double)(r->set.items - done) : 0;
}

/* Seconds that a decision may take: what is left of the budget; the whole time limit when the
 * present mapping has fallen. */
static double time_for(const GridRescheduler *r, const DecisionRecord *d)
{
    double most = r->set.rank.time_limit > 0 ? r->set.rank.time_limit : HUGE_VAL;
    bool whole = r->set.rank.search != AMOGET_BEST; /* other searches answer only at their end */
    return has_fallen(&d->comparison, &r->set) || whole
               ? most
               : fmin(most, r->set.budget * d->time - r->report.seconds);
}

/* The settings of a ranking, and its time limit, which is longer after decisions that ran out of
 * time: a process that pauses for longer than the limit would never decide. */
static AmogetSettings settings_within(const GridRescheduler *r, double seconds)
{
    AmogetSettings set = r->set.rank;
    set.time_limit = r->slack * seconds;
    return set;
}

/* The best mapping that is found in the remaining time for the decision. */
static PepaStatus rank(GridRescheduler *r, double begun, DecisionRecord *d, PepaError *err)
{
    double left = time_for(r, d) - (seconds_now() - begun);
    AmogetSettings set = settings_within(r, fmax(left, LEAST_TIME));
    AmogetRanking *ranking = NULL;
    PepaStatus status = amoget_rank(r->ranker, &set, &ranking, err);
    if (status != PEPA_OK)
        return status;
    keep_mapping(r, r->best, ranking->entries[0].mapping);
    d->comparison.best = ranking->entries[0].throughput;
    d->optimal = ranking->optimal;
    amoget_ranking_free(ranking);
    return PEPA_OK;
}

/* The standard errors of the best mapping's throughput and gain. */
static PepaStatus compare_best(GridRescheduler *r, const AmogetExplanation *present,
                               DecisionRecord *d, PepaError *err)
{
    AmogetExplanation *best = NULL;
    AmogetSettings set = settings_within(r, r->set.rank.time_limit);
    PepaStatus status = amoget_explain(r->ranker, r->best, &set, &best, err);
    if (status != PEPA_OK)
        return status;
    d->best = r->best;
    d->comparison.error =
        grid_monitor_error(r->monitor, d->present, present->share, r->best, best->share);
    r->error[1] = grid_monitor_error(r->monitor, r->best, best->share, NULL, NULL);
    amoget_explanation_free(best);
    return PEPA_OK;
}

static void keep_earlier(GridRescheduler *r, double throughput, double error)
{
    r->earlier = throughput;
    r->earlier_error = error;
}

/* The throughput of the present mapping now, and earlier: the best estimate before it fell. */
static void compare_present(GridRescheduler *r, const AmogetExplanation *present, DecisionRecord *d)
{
    Comparison *w = &d->comparison;
    double error = r->error[0] =
        grid_monitor_error(r->monitor, d->present, present->share, NULL, NULL);
    w->present = r->report.predicted = present->throughput;
    w->samples = grid_monitor_samples(r->monitor, d->present);
    if (!same_mapping(r, d->present, r->expected)) {
        keep_mapping(r, r->expected, d->present);
        r->earlier = 0;
    }
    bool known = r->earlier > 0
                     ? error < r->earlier_error && w->present >= r->set.alarm * r->earlier
                     : w->samples >= r->set.least_samples;
    if (known)
        keep_earlier(r, w->present, error);
    w->earlier = r->earlier;
    w->fall_error = hypot(r->earlier_error, error);
    w->paid_before = r->paid_before;
    w->cost = move_cost(r);
}

static PepaStatus compare_mappings(GridRescheduler *r, double begun, DecisionRecord *d,
                                   PepaError *err)
{
    AmogetExplanation *present = NULL;
    AmogetSettings set = settings_within(r, r->set.rank.time_limit);
    PepaStatus status = grid_monitor_update(r->monitor, d->time, err);
    if (status == PEPA_OK)
        status = amoget_explain(r->ranker, d->present, &set, &present, err);
    if (status != PEPA_OK)
        return status;
    Comparison *w = &d->comparison;
    compare_present(r, present, d);
    status = rank(r, begun, d, err);
    if (status == PEPA_OK && w->best > w->present && !same_mapping(r, r->best, d->present))
        status = compare_best(r, present, d, err);
    amoget_explanation_free(present);
    if (status == PEPA_OK && !d->best)
        w->best = w->present;
    return status;
}

/* Where the model does not agree with what is seen, pauses count, or no longer. */
static void compare_with_seen(GridRescheduler *r, const DecisionRecord *d)
{
    const double seconds = d->time - r->last_time;
    bool changed = d->decision != DECISION_ERROR && d->seen >= 0 &&
                   agreement_see(&r->agreement, d->seen * seconds, d->comparison.present * seconds);
    if (!changed)
        return;
    grid_monitor_count_whole(r->monitor, r->agreement.whole);
    log_pauses(d, r->agreement.whole, &r->set);
}

/* Keep what the next decision needs.  A fall that moving cannot repair becomes the new normal. */
static void remember(GridRescheduler *r, const DecisionRecord *d)
{
    const Comparison *w = &d->comparison;
    r->paid_before =
        decision_pays(d->decision) && !decision_moves(d->decision) ? r->paid_before + 1 : 0;
    if (decision_moves(d->decision)) {
        keep_mapping(r, r->expected, r->best);
        keep_earlier(r, w->best, r->error[1]);
    } else if ((d->decision == DECISION_BEST || d->decision == DECISION_GAIN ||
                d->decision == DECISION_COST) &&
               has_fallen(w, &r->set)) {
        keep_earlier(r, w->present, r->error[0]);
    }
    r->last_time = d->time;
    r->last_done = d->done;
    r->report.decisions++;
    r->report.seconds += d->seconds;
    r->report.longest = fmax(r->report.longest, d->seconds);
}

static int decide(void *user, double time, int64_t done, int32_t *mapping)
{
    GridRescheduler *r = user;
    PepaError err = {0};
    double begun = seconds_now();
    DecisionRecord d = {.time = time, .done = done, .present = mapping, .seen = -1};
    if (r->last_time >= 0 && time > r->last_time)
        d.seen = (double)(done - r->last_done) / (time - r->last_time);
    d.comparison.left = items_left(r, done);
    if (d.comparison.left == 0) {
        d.decision = DECISION_DONE;
    } else if (compare_mappings(r, begun, &d, &err) != PEPA_OK) {
        d.decision = DECISION_ERROR;
        d.error = err.message;
        if (err.code == PEPA_ELIMIT)
            r->slack = fmin(2 * r->slack, MOST_SLACK);
    } else {
        d.decision = decision_rule(&d.comparison, &r->set);
        r->slack = fmax(r->slack * LESS_SLACK, 1);
    }
    d.seconds = seconds_now() - begun;
    log_decision(&d, r->desc, &r->set);
    compare_with_seen(r, &d);
    remember(r, &d);
    if (!decision_moves(d.decision))
        return 0;
    keep_mapping(r, mapping, r->best);
    return 1;
}

static void observe(void *user, const GridSample *samples, size_t count)
{
    GridRescheduler *r = user;
    grid_monitor_observe(r->monitor, samples, count);
}

static void moved(void *user, double time, const int32_t *mapping, double seconds)
{
    GridRescheduler *r = user;
    r->report.moves++;
    agreement_moved(&r->agreement);
    if (seconds > 0 && isfinite(seconds))
        window_add(&r->costs, (Measurement){.time = time, .value = seconds});
    log_move(time, mapping, seconds, r->desc, &r->set);
}

GridController grid_rescheduler_controller(GridRescheduler *r, double period)
{
    return (GridController){.period = period,
                            .observe = observe,
                            .decide = decide,
                            .moved = moved,
                            .user = r};
}
