/* Simulation within the events allowed: what fits is done, and what cannot fit is refused soon. */
#include "pepa_simulate.h"

#include <string.h>

#include "api/parsing.h"

static PepaStatus simulate(const char *text, const PepaSimulation *how, int32_t threads,
                           PepaSimulationInfo *info, PepaError *err)
{
    PepaModel *model = parse(text);
    PepaMeasures *measures = NULL;
    PepaEstimate x[2];
    const PepaSettings set = {.threads = threads};
    cr_assert_eq(pepa_measures_new(&measures, model, NULL), PEPA_OK);
    cr_assert_eq(pepa_measures_add(measures, "m", "population:Q", 12, NULL, NULL, NULL), PEPA_OK);
    const PepaStatus status = pepa_simulate_measures(model, measures, how, &set, x, info, err);
    pepa_measures_free(measures);
    pepa_model_free(model);
    return status;
}

static const char loop[] = "P = (a, 1).Q; Q = (b, 2).P; P";

/* 32 long runs with few events each. */
Test(simulate_limits, few_events_in_the_long_run)
{
    PepaSimulationInfo info;
    PepaError err = {0};
    PepaSimulation how = {.steady = 1};
    for (how.events = 49152; how.events < 1000000; how.events *= 3) {
        cr_assert_eq(simulate(loop, &how, 1, &info, &err), PEPA_OK, "%s", err.message);
        cr_expect(info.runs == 32 && 4 * info.events <= 3 * how.events &&
                  20 * info.events >= how.events);
    }
    how.events = 49151;
    cr_expect_eq(simulate(loop, &how, 1, &info, &err), PEPA_ELIMIT);
    cr_expect(strstr(err.message, "32 runs need 49152 events at least"), "%s", err.message);
    how.runs = 31;
    cr_expect_eq(simulate(loop, &how, 1, &info, &err), PEPA_OK, "%s", err.message);
}

/* It is told after a hundredth of the events, whatever the threads; not where a run comes to a rest before, nor where
 * the pace so far would do. */
Test(simulate_limits, a_time_far_too_late)
{
    const double late[] = {1, 1e300}, soon[] = {1, 1e9};
    const char *const rests = "P = (a, 1).Q; Q = (b, 2).P + (c, 0.01).Stop; P";
    PepaSimulationInfo info;
    PepaError err = {0}, again = {0};
    const PepaSimulation how = {.time = late, .count = 2, .runs = 10, .events = 100000000};
    cr_expect_eq(simulate(loop, &how, 1, &info, &err), PEPA_ELIMIT);
    cr_expect(strstr(err.message, "of 1e+300 after 1000000 events"), "%s", err.message);
    cr_expect_eq(simulate(loop, &how, 2, &info, &again), PEPA_ELIMIT);
    cr_expect_str_eq(err.message, again.message);
    cr_expect_eq(simulate(rests, &how, 1, &info, &err), PEPA_OK, "%s", err.message);
    const PepaSimulation longer = {.time = soon, .count = 2, .runs = 10, .events = 3000000};
    cr_expect_eq(simulate(loop, &longer, 1, &info, &err), PEPA_ELIMIT);
    cr_expect(strstr(err.message, "more than 3000000 events"), "%s", err.message);
}

/* With a fixed number of runs the events allowed hold to the last one; with twice too few none is long under way. */
Test(simulate_limits, hold_for_all_runs_together)
{
    const double time[] = {10};
    PepaSimulationInfo info;
    PepaError err = {0}, again = {0};
    PepaSimulation how = {.time = time, .count = 1, .runs = 1000};
    cr_assert_eq(simulate(loop, &how, 1, &info, &err), PEPA_OK, "%s", err.message);
    const int64_t all = info.events;
    how.events = all;
    cr_expect_eq(simulate(loop, &how, 1, &info, &err), PEPA_OK, "%s", err.message);
    for (int k = 0; k < 2; k++) {
        how.events = k == 0 ? all - 1 : all * 4 / 5;
        cr_expect_eq(simulate(loop, &how, 1, &info, &err), PEPA_ELIMIT);
        cr_expect(strstr(err.message, "1000 runs take more than"), "%s", err.message);
        cr_expect_eq(simulate(loop, &how, 2, &info, &again), PEPA_ELIMIT);
        cr_expect_str_eq(err.message, again.message);
    }
    how.events = all / 2;
    cr_expect_eq(simulate(loop, &how, 1, &info, &err), PEPA_ELIMIT);
    cr_expect(strstr(err.message, "1000 runs would take about"), "%s", err.message);
}
