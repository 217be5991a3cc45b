/* Runs that the rescheduler steers, without pause. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "grid/machine/platform.h"
#include "grid/steer/rescheduler.h"
#include "harness.h"

/* Every fifth of a second another of the three machines is ten times slower than the others. */
static GridPlatform *restless(const char *text, uint64_t seed)
{
    char changes[1000];
    size_t at = 0;
    for (int k = 0; k < 20; k++)
        at += (size_t)snprintf(changes + at, sizeof changes - at,
                               "%.1f time.%c 0.5 ms\n%.1f time.%c 5 ms\n", 0.2 * (k + 1),
                               'x' + (k + 2) % 3, 0.2 * (k + 1), 'x' + k % 3);
    GridPlatform *platform = NULL;
    GridPlatformSettings how = {GRID_EXPONENTIAL, seed, 1, 0, NULL, grid_pipeline_reader()};
    PepaError err = {0};
    PepaStatus made =
        grid_platform_new(&platform, "test", text, strlen(text), changes, &how, NULL, NULL, &err);
    expect(made == PEPA_OK, "no platform: %s", err.message);
    return platform;
}

/* The monitor and the rescheduler, with as many decisions as a run has room for: a period of a
 * millisecond, which a decision with its messages hardly fits into. */
static void decide_all_the_time(Trial *trial, const char *text, const char *what)
{
    GridReschedulerSettings set = grid_rescheduler_default();
    AmogetDescription *desc = NULL;
    GridRescheduler *rescheduler = NULL;
    set.items = trial->items;
    set.first_cost = 1e-3;
    set.budget = HUGE_VAL;
    set.rank.time_limit = simulated_time ? 0 : set.rank.time_limit; /* the same decisions */
    expect(amoget_parse(&desc, "test", text, strlen(text), NULL, NULL) == PEPA_OK,
           "no description");
    GridMonitor *monitor = desc ? grid_monitor_new(desc, NULL) : NULL;
    if (!monitor || grid_rescheduler_new(&rescheduler, desc, monitor, &set, NULL) != PEPA_OK) {
        expect(0, "no rescheduler");
    } else {
        GridController controller = grid_rescheduler_controller(rescheduler, 1e-3);
        trial->settings.controller = rank == 0 ? &controller : NULL;
        GridReport report = expect_success(trial, what);
        GridReschedulerReport made = grid_rescheduler_report(rescheduler);
        double every = report.seconds / (double)(made.decisions > 0 ? made.decisions : 1);
        if (rank == 0) {
            printf("  %s: %lld decisions in %.2f s, one in %.1f ms; %lld moves\n", what,
                   (long long)made.decisions, report.seconds, 1e3 * every, (long long)made.moves);
            expect(report.moves == made.moves, "%s: %lld moves, %lld told", what,
                   (long long)report.moves, (long long)made.moves);
            expect(!simulated_time || every < 0.1, "%s: a decision in %g s", what, every);
            expect(!simulated_time || made.moves > 0, "%s: nothing has moved", what);
        }
    }
    grid_rescheduler_free(rescheduler);
    grid_monitor_free(monitor);
    amoget_free(desc);
}

void a_millisecond(void)
{
    static const char text[] = "pipeline { stage a; stage b; stage c; }\n"
                               "processors { x time 0.5ms; y time 0.5ms; z time 0.5ms; }\n"
                               "network { latency default 0.1ms; latency local 20us; }\n"
                               "sharing serial;\n";
    static const int32_t mapping[3] = {0, 1, 2};
    for (int mode = 0; mode < 2; mode++) {
        Trial trial = {.stages = 3,
                       .items = scaled(500),
                       .size = mode ? 30000 : 32,
                       .settings = {.mode = mode ? GRID_BUFFERED : GRID_RENDEZVOUS,
                                    .mapping = mapping,
                                    .input = AMOGET_NOWHERE,
                                    .output = AMOGET_NOWHERE}};
        GridPlatform *platform = restless(text, (uint64_t)mode);
        trial.settings.platform = platform;
        decide_all_the_time(&trial, text, mode ? "a millisecond, buffered" : "a millisecond");
        grid_platform_free(platform);
    }
}
