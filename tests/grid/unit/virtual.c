#include "virtual.h"

AmogetDescription *three_equal_stages(void)
{
    AmogetDescription *desc = make_description(3, 4);
    for (int32_t i = 0; i < 3; i++)
        (void)amoget_set_work(desc, i, 1, NULL);
    for (int32_t j = 0; j < 4; j++)
        (void)amoget_set_availability(amoget_machine(desc), j, 1, NULL);
    return desc;
}

Virtual virtual_new(AmogetDescription *truth, AmogetDescription *known,
                    const GridMonitorSettings *monitor, const GridReschedulerSettings *settings)
{
    Virtual v = {.truth = truth, .known = known, .period = 2, .move_cost = 0.1, .limited = -1};
    v.noise = (Noise){1, 0.05, 0};
    v.probe_noise = (Noise){2, 0.05, 0};
    PepaError err = {0};
    cr_assert_eq(amoget_ranker_new(&v.ranker, truth, NULL, &err), PEPA_OK, "%s", err.message);
    v.monitor = grid_monitor_new(known, monitor);
    cr_assert_not_null(v.monitor);
    /* What is decided must not depend on how fast the machine is, unless a test asks for a limit.
     */
    GridReschedulerSettings set = settings ? *settings : grid_rescheduler_default();
    set.budget = 1e9;
    if (set.rank.time_limit >= grid_rescheduler_default().rank.time_limit)
        set.rank.time_limit = 0;
    cr_assert_eq(grid_rescheduler_new(&v.rescheduler, known, v.monitor, &set, &err), PEPA_OK, "%s",
                 err.message);
    v.controller = grid_rescheduler_controller(v.rescheduler, v.period);
    return v;
}

Virtual virtual_three(const GridReschedulerSettings *settings)
{
    Virtual v = virtual_new(three_equal_stages(), three_equal_stages(), NULL, settings);
    for (int32_t i = 0; i < 3; i++)
        v.mapping[i] = i;
    return v;
}

void virtual_free(Virtual *v)
{
    grid_rescheduler_free(v->rescheduler);
    grid_monitor_free(v->monitor);
    amoget_ranker_free(v->ranker);
    amoget_free(v->truth);
    amoget_free(v->known);
}

double virtual_now(const Virtual *v)
{
    AmogetExplanation *explanation = NULL;
    PepaError err = {0};
    cr_assert_eq(amoget_explain(v->ranker, v->mapping, NULL, &explanation, &err), PEPA_OK, "%s",
                 err.message);
    double throughput = explanation->throughput;
    amoget_explanation_free(explanation);
    return throughput;
}

double virtual_best(const Virtual *v)
{
    AmogetSettings set = {0};
    set.search = AMOGET_BEST;
    AmogetRanking *ranking = NULL;
    PepaError err = {0};
    cr_assert_eq(amoget_rank(v->ranker, &set, &ranking, &err), PEPA_OK, "%s", err.message);
    double throughput = ranking->entries[0].throughput;
    amoget_ranking_free(ranking);
    return throughput;
}

static void send(Virtual *v, GridSample sample)
{
    v->controller.observe(v->controller.user, &sample, 1);
}

/* A service of a process with a quota: at full speed, and with a probability that makes its mean what
 * it is with the quota's share, a pause of PAUSE times that. */
static GridSample limited_service(Virtual *v, double seconds, double share)
{
    enum { PAUSE = 40 };
    double alone = noisy(&v->noise, seconds * share);
    bool pauses = uniform(&v->noise) < (1 / share - 1) / PAUSE;
    double waited = pauses ? PAUSE * seconds * share : 0;
    return (GridSample){.seconds = alone + waited, .waited = v->waits_are_told ? waited : 0};
}

/* What an item makes processes see at `time`.  Moves at ends that are nowhere are within. */
static void see_item(Virtual *v, double time)
{
    const AmogetDescription *d = v->truth;
    for (int32_t i = 0; i < d->stages; i++) {
        int32_t j = v->mapping[i];
        double service = pace_of(d, j) * d->work[i];
        GridSample sample = j == v->limited
                                ? limited_service(v, service, d->machine->availability[j])
                                : (GridSample){.seconds = noisy(&v->noise, service)};
        sample.kind = GRID_SERVICE;
        sample.a = i;
        sample.b = j;
        sample.bytes = d->output[i + 1];
        sample.time = time;
        send(v, sample);
    }
    for (int32_t i = 0; i <= d->stages; i++) {
        int32_t a = v->mapping[i > 0 ? i - 1 : 0], b = v->mapping[i < d->stages ? i : i - 1];
        send(v, (GridSample){.kind = GRID_TRANSFER,
                             .a = a,
                             .b = b,
                             .bytes = d->output[i],
                             .seconds = noisy(&v->noise, move_seconds(d, i, a, b)),
                             .time = time});
    }
}

/* A probe is too short to use a quota up. */
static double probe_pace(const Virtual *v, int32_t j)
{
    double share = j == v->limited ? v->truth->machine->availability[j] : 1;
    return pace_of(v->truth, j) * share;
}

static void see_probes(Virtual *v)
{
    for (int32_t j = 0; j < v->truth->machine->processors; j++)
        send(v, (GridSample){.kind = GRID_PROBE,
                             .a = j,
                             .seconds = noisy(&v->probe_noise, 0.001 * probe_pace(v, j)),
                             .time = v->time});
}

int virtual_period(Virtual *v)
{
    double items = v->period * virtual_now(v), before = v->done;
    for (double k = floor(before) + 1; k <= before + items; k++)
        see_item(v, v->time + v->period * (k - before) / items);
    v->done += items;
    v->time += v->period;
    see_probes(v);
    int moves = v->controller.decide(v->controller.user, v->time, (int64_t)v->done, v->mapping);
    cr_assert(moves == 0 || moves == 1);
    if (moves)
        v->controller.moved(v->controller.user, v->time + v->move_cost, v->mapping, v->move_cost);
    return moves;
}
