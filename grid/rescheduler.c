#include "grid/rescheduler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grid/account.h"
#include "grid/series.h"

enum { MOVES_KEPT = 15 };

struct GridRescheduler {
    AmogetDescription *desc; /* borrowed, as the monitor */
    GridMonitor *monitor;
    GridReschedulerSettings set;
    AmogetRanker *ranker;
    int32_t stages;
    GridSeries costs;  /* seconds of the moves so far */
    int32_t *expected; /* stages: the mapping that `gave` is of */
    int32_t *best;     /* stages: of the last ranking */
    double gave;       /* its throughput, as it was known best; 0: not known yet */
    double gave_doubt; /* standard error of ln(gave) */
    double doubt[2];   /* the same of what the present mapping gives, and the best */
    int before;        /* decisions in a row at which moving paid */
    double last_time;  /* of the last decision, < 0 before the first; and items then */
    int64_t last_done;
    GridReschedulerReport report;
};

#define LEAST_TIME 2e-3 /* seconds for a search: a walk to a good mapping, without a proof */

GridReschedulerSettings grid_rescheduler_default(void)
{
    GridReschedulerSettings set = {.least_gain = 0.05,
                                   .caution = 2,
                                   .alarm = 0.7,
                                   .certainty = 2.5,
                                   .least_samples = 4,
                                   .horizon = 60,
                                   .first_cost = 0.5,
                                   .rank = amoget_settings_default()};
    set.rank.time_limit = 0.05; /* the next decision goes on where this one ended */
    set.budget = 0.005;
    return set;
}

/* ---- from birth to death ------------------------------------------------------------------ */

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
    set.rank.doubled = 0;
    GridRescheduler *r = calloc(1, sizeof *r);
    if (!r)
        return fail(err, PEPA_ENOMEM, "out of memory");
    *r = (GridRescheduler){.desc = desc, .monitor = monitor, .set = set, .last_time = -1};
    r->stages = amoget_stage_count(desc);
    r->expected = calloc((size_t)r->stages + 1, sizeof *r->expected);
    r->best = calloc((size_t)r->stages + 1, sizeof *r->best);
    bool good = series_new(&r->costs, MOVES_KEPT, 0) == 0 && r->expected && r->best;
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
    series_free(&r->costs);
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
    double room[MOVES_KEPT], moves = (double)r->report.moves;
    if (r->costs.count == 0)
        return r->set.first_cost;
    for (int32_t i = 0; i < r->costs.count; i++)
        room[i] = series_at(&r->costs, i)->value;
    return (r->set.first_cost + moves * estimate_of(room, r->costs.count).mean) / (1 + moves);
}

static double items_left(const GridRescheduler *r, int64_t done)
{
    if (r->set.items == 0)
        return -1;
    return done < r->set.items ? (double)(r->set.items - done) : 0;
}

/* Seconds that a decision may take: what the run can spare, so that all decisions together take no
 * more than their share of it; as long as it is allowed to when the present mapping has become bad.
 */
static double time_for(const GridRescheduler *r, const Decision *d)
{
    double most = r->set.rank.time_limit > 0 ? r->set.rank.time_limit : HUGE_VAL;
    bool patient = r->set.rank.search != AMOGET_BEST; /* others have no answer before the end */
    return has_fallen(&d->weighing, &r->set) || patient
               ? most
               : fmin(most, r->set.budget * d->time - r->report.seconds);
}

/* The best mapping, in what is left of the time for a decision. */
static PepaStatus rank(GridRescheduler *r, double begun, Decision *d, PepaError *err)
{
    AmogetSettings set = r->set.rank;
    set.time_limit = fmax(time_for(r, d) - (seconds_now() - begun), LEAST_TIME);
    AmogetRanking *ranking = NULL;
    PepaStatus status = amoget_rank(r->ranker, &set, &ranking, err);
    if (status != PEPA_OK)
        return status;
    keep_mapping(r, r->best, ranking->entries[0].mapping);
    d->weighing.best = ranking->entries[0].throughput;
    d->optimal = ranking->optimal;
    amoget_ranking_free(ranking);
    return PEPA_OK;
}

/* How sure it is that the best is better than the present one, and how much. */
static PepaStatus compare(GridRescheduler *r, const AmogetExplanation *present, Decision *d,
                          PepaError *err)
{
    AmogetExplanation *best = NULL;
    PepaStatus status = amoget_explain(r->ranker, r->best, &r->set.rank, &best, err);
    if (status != PEPA_OK)
        return status;
    d->best = r->best;
    d->weighing.doubt =
        grid_monitor_doubt(r->monitor, d->present, present->share, r->best, best->share);
    r->doubt[1] = grid_monitor_doubt(r->monitor, r->best, best->share, NULL, NULL);
    amoget_explanation_free(best);
    return PEPA_OK;
}

static void keep_throughput(GridRescheduler *r, double throughput, double doubt)
{
    r->gave = throughput;
    r->gave_doubt = doubt;
}

/* What the present mapping gives, and gave: that is what is known best of it, until it falls. */
static void weigh_present(GridRescheduler *r, const AmogetExplanation *present, Decision *d)
{
    Weighing *w = &d->weighing;
    double doubt = r->doubt[0] =
        grid_monitor_doubt(r->monitor, d->present, present->share, NULL, NULL);
    w->present = r->report.predicted = present->throughput;
    w->samples = grid_monitor_samples(r->monitor, d->present);
    if (!same_mapping(r, d->present, r->expected)) {
        keep_mapping(r, r->expected, d->present);
        r->gave = 0;
    }
    bool known = r->gave > 0 ? doubt < r->gave_doubt && w->present >= r->set.alarm * r->gave
                             : w->samples >= r->set.least_samples;
    if (known)
        keep_throughput(r, w->present, doubt);
    w->gave = r->gave;
    w->fall_doubt = hypot(r->gave_doubt, doubt);
    w->before = r->before;
    w->cost = move_cost(r);
}

static PepaStatus weigh(GridRescheduler *r, double begun, Decision *d, PepaError *err)
{
    AmogetExplanation *present = NULL;
    PepaStatus status = grid_monitor_update(r->monitor, d->time, err);
    if (status == PEPA_OK)
        status = amoget_explain(r->ranker, d->present, &r->set.rank, &present, err);
    if (status != PEPA_OK)
        return status;
    Weighing *w = &d->weighing;
    weigh_present(r, present, d);
    status = rank(r, begun, d, err);
    if (status == PEPA_OK && w->best > w->present && !same_mapping(r, r->best, d->present))
        status = compare(r, present, d, err);
    amoget_explanation_free(present);
    if (status == PEPA_OK && !d->best)
        w->best = w->present;
    return status;
}

/* What the next decision is to know.  A fall that moving cannot make good is no news any more. */
static void remember(GridRescheduler *r, const Decision *d)
{
    const Weighing *w = &d->weighing;
    r->before = verdict_pays(d->verdict) && !verdict_moves(d->verdict) ? r->before + 1 : 0;
    if (verdict_moves(d->verdict)) {
        keep_mapping(r, r->expected, r->best);
        keep_throughput(r, w->best, r->doubt[1]);
    } else if ((d->verdict == VERDICT_BEST || d->verdict == VERDICT_GAIN ||
                d->verdict == VERDICT_COST) &&
               has_fallen(w, &r->set)) {
        keep_throughput(r, w->present, r->doubt[0]);
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
    Decision d = {.time = time, .done = done, .present = mapping, .seen = -1};
    if (r->last_time >= 0 && time > r->last_time)
        d.seen = (double)(done - r->last_done) / (time - r->last_time);
    d.weighing.left = items_left(r, done);
    if (d.weighing.left == 0) {
        d.verdict = VERDICT_DONE;
    } else if (weigh(r, begun, &d, &err) != PEPA_OK) {
        d.verdict = VERDICT_ERROR;
        d.error = err.message;
    } else {
        d.verdict = verdict_of(&d.weighing, &r->set);
    }
    d.seconds = seconds_now() - begun;
    account_decision(&d, r->desc, &r->set);
    remember(r, &d);
    if (!verdict_moves(d.verdict))
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
    if (seconds > 0 && isfinite(seconds))
        series_add(&r->costs, (GridValue){.time = time, .value = seconds});
    account_move(time, mapping, seconds, r->desc, &r->set);
}

GridController grid_rescheduler_controller(GridRescheduler *r, double period)
{
    return (GridController){.period = period,
                            .observe = observe,
                            .decide = decide,
                            .moved = moved,
                            .user = r};
}
