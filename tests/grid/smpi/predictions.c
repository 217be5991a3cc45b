/* Predictions against runs with exponential times. */
#include <math.h>
#include <stdio.h>

#include "harness.h"
#include "simulated.h"

enum { STAGES = 5, PROCESSES = 6 };

/* 5 stages, two clusters of 3; about 1000 items a second. */
#define DESCRIPTION                                                                                \
    "pipeline { stage a work 10 output 10KB; stage b work 14 output 20KB; stage c work 6;\n"       \
    "  stage d work 12 output 5KB; stage e work 8; }\n"                                            \
    "processors { x0 time 50us cluster x; x1 time 60us cluster x; x2 time 75us cluster x;\n"       \
    "  y0 time 30us cluster y cores 2; y1 time 35us cluster y; y2 time 30us cluster y; }\n"        \
    "network { latency local 5us; bandwidth local 1GB; bandwidth default 100MB;\n"                 \
    "  latency x x 0.1ms; latency y y 50us; latency x y 0.25ms; }\n"

static void compare(const char *text, GridMode mode, int static_sharing, const int32_t *given,
                    const char *what)
{
    int32_t mapping[STAGES];
    int64_t items = scaled(2000);
    AmogetDescription *desc = description_of(text);
    GridPlatform *platform = platform_of(text, "", static_sharing);
    if (desc && platform) {
        double wanted = throughput_of(desc, given, mapping);
        Trial trial = {.stages = STAGES, .items = items, .size = 16};
        trial.settings = (GridSettings){.mode = mode,
                                        .static_sharing = static_sharing,
                                        .mapping = given ? given : mapping,
                                        .input = AMOGET_NOWHERE,
                                        .output = AMOGET_NOWHERE,
                                        .platform = platform};
        GridReport report = expect_success(&trial, what);
        double off = report.throughput / wanted - 1;
        if (rank == 0)
            printf("  %s: %.5g items/s, should be %.5g (%+.1f%%)\n", what, report.throughput,
                   wanted, 100 * off);
        /* the estimate of a throughput from n items is off by about 0.7 / sqrt(n) */
        expect(fabs(off) <= fmax(0.04, 3 * 0.7 / sqrt((double)items)),
               "%s: %.5g items/s, should be %.5g", what, report.throughput, wanted);
    }
    grid_platform_free(platform);
    amoget_free(desc);
}

void predictions_hold(void)
{
    static const int32_t shared[STAGES] = {3, 0, 0, 4, 3};
    static const struct {
        const char *words, *what[2];
        GridMode mode;
        int static_sharing;
    } rows[] = {
        {"sharing static;", {"static, best", "static, shared"}, GRID_RENDEZVOUS, 1},
        {"sharing serial;", {"serial, best", "serial, shared"}, GRID_RENDEZVOUS, 0},
        {"sharing static; transfer buffered;",
         {"static, buffered, best", "static, buffered, shared"},
         GRID_BUFFERED,
         1},
        {"sharing serial; transfer buffered;",
         {"serial, buffered, best", "serial, buffered, shared"},
         GRID_BUFFERED,
         0},
    };
    expect(size == PROCESSES, "%d processes", size);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1000];
        (void)snprintf(text, sizeof text, DESCRIPTION "%s\n", rows[i].words);
        compare(text, rows[i].mode, rows[i].static_sharing, NULL, rows[i].what[0]);
        compare(text, rows[i].mode, rows[i].static_sharing, shared, rows[i].what[1]);
    }
}
