/* Runs with injected times, against the model, a simulation of it, and closed forms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "grid/pipeline/injected.h"
#include "harness.h"

static GridPlatform *platform_of(const char *text, const char *changes, GridDistribution how,
                                 double scale, int static_sharing)
{
    GridPlatform *platform = NULL;
    PepaError err = {0};
    GridPlatformSettings settings = {how,   20040606,
                                     scale, static_sharing,
                                     NULL,  grid_pipeline_reader()};
    (void)grid_platform_new(&platform, "test", text, strlen(text), changes, &settings, NULL, NULL,
                            &err);
    expect(platform != NULL, "no platform: %s", err.message);
    return platform;
}

static Trial trial_of(int64_t items, const int32_t *mapping, const GridPlatform *platform,
                      GridMode mode, int static_sharing)
{
    return (Trial){.stages = 3,
                   .items = items,
                   .size = 16,
                   .settings = {.mode = mode,
                                .static_sharing = static_sharing,
                                .mapping = mapping,
                                .input = AMOGET_NOWHERE,
                                .output = AMOGET_NOWHERE,
                                .platform = platform}};
}

static void expect_near(double value, double wanted, double tolerance, const char *what)
{
    if (rank == 0)
        printf("  %s: %.4g items/s, should be %.4g (%+.1f%%)\n", what, value, wanted,
               100 * (value / wanted - 1));
    expect(!simulated_time || fabs(value / wanted - 1) <= tolerance,
           "%s: %.5g items/s, should be %.5g", what, value, wanted);
}

/* ---- the table of Benoit, Cole, Gilmore, Hillston 2004 ------------------------------------ */

/* Throughput by libamoget. */
static double predicted(const GridPlatform *platform, const int32_t *mapping)
{
    PepaError err = {0};
    AmogetRanker *ranker = NULL;
    AmogetExplanation *why = NULL;
    AmogetSettings settings = {0};
    double throughput = 0;
    if (amoget_ranker_new(&ranker, grid_platform_part(platform, 0), &settings, &err) == PEPA_OK &&
        amoget_explain(ranker, mapping, &settings, &why, &err) == PEPA_OK)
        throughput = why->throughput;
    expect(throughput > 0, "no prediction: %s", err.message);
    amoget_explanation_free(why);
    amoget_ranker_free(ranker);
    return throughput;
}

/* The same durations as the run's, put together by the recursion of the timed event graph: stage i
 * begins with item k when move i ends, which began when stage i - 1 had item k ready and stage i
 * had passed on item k - 1. */
static double simulated(const GridPlatform *platform, const int32_t *mapping, int64_t items)
{
    double begin[5] = {0}, ready[4] = {0}, *out = calloc((size_t)items, sizeof *out);
    int32_t there[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            there[i] += mapping[k] == mapping[i];
    for (int64_t k = 0; k < items; k++) {
        /* begin[i]: of stage i - 1's work, or of the sink; still that of item k - 1 for later ones
         */
        for (int i = 0; i <= 3; i++) {
            double have = i == 0 ? 0 : ready[i], free = i < 3 ? begin[i + 1] : 0;
            int32_t a = mapping[i == 0 ? 0 : i - 1], b = mapping[i == 3 ? 2 : i];
            if (i == 3)
                free = 0; /* the sink always waits */
            double end = fmax(have, free) + injected_move(platform, 0, i, k, a, b);
            if (i == 0 || i < 3)
                begin[i] = end;
            else
                begin[3] = end;
            if (i < 3)
                ready[i + 1] = end + injected_service(platform, 0, i, k, b, there[i]);
        }
        out[k] = begin[3];
    }
    double low = 0.1 * (double)(items - 1), high = 0.9 * (double)(items - 1);
    double result = (high - low) / (out[(int64_t)high] - out[(int64_t)low]);
    free(out);
    return result;
}

void rows_of_the_table(void)
{
    static const struct {
        const char *what, *network, *time3;
        int32_t mapping[3];
        double throughput, scale;
    } rows[] = {
        {"first row", "latency default 0.0001;", "0.1", {0, 1, 2}, 5.63467, 0.01},
        {"fifth row", "latency default 1;", "1", {0, 0, 0}, 1.87963, 0.004},
        {"fourth row", "latency default 0.1;", "1", {0, 1, 1}, 2.59914, 0.006},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        int64_t items = scaled(1000);
        (void)snprintf(text, sizeof text,
                       "pipeline { stage 1; stage 2; stage 3; }\n"
                       "processors { 1 time 0.1; 2 time 0.1; 3 time %s; }\n"
                       "network { %s latency local 0.0001; }\n",
                       rows[i].time3, rows[i].network);
        GridPlatform *platform = platform_of(text, "", GRID_EXPONENTIAL, rows[i].scale, 1);
        if (!platform)
            return;
        double wanted = predicted(platform, rows[i].mapping);
        expect(fabs(wanted / rows[i].throughput - 1) < 1e-5, "%s: predicted %.7g", rows[i].what,
               wanted);
        Trial trial = trial_of(items, rows[i].mapping, platform, GRID_RENDEZVOUS, 1);
        GridReport report = expect_success(&trial, rows[i].what);
        double measured = report.throughput * rows[i].scale;
        /* the estimate of a throughput from n items is off by about 0.7 / sqrt(n) */
        expect_near(measured, wanted, fmax(0.1, 4 / sqrt((double)items)), rows[i].what);
        expect_near(report.throughput, simulated(platform, rows[i].mapping, items), 0.03,
                    "  the same durations, simulated");
        grid_platform_free(platform);
    }
}

/* ---- closed forms ------------------------------------------------------------------------- */

#define MILLISECONDS                                                                               \
    "pipeline { stage a work 1; stage b work 2; stage c work 4; }\n"                               \
    "processors { x time 1ms; y time 1ms cores 2; z time 1ms; }\n"                                 \
    "network { latency default 1ms; latency local 0.5 ms; }\n"

void constant_times(void)
{
    static const struct {
        const char *what;
        int32_t mapping[3];
        GridMode mode;
        int static_sharing;
        double seconds; /* per item */
    } rows[] = {
        /* move in, work, move out of the slowest stage */
        {"rendezvous apart", {0, 1, 2}, GRID_RENDEZVOUS, 0, 1e-3 + 4e-3 + 0.5e-3},
        /* take and work: the move into the place overlaps; move out within z is part of it */
        {"buffered apart", {0, 1, 2}, GRID_BUFFERED, 0, 0.5e-3 + 4e-3 + 0.5e-3},
        /* three stages at once, each three times as slow */
        {"static", {0, 0, 0}, GRID_RENDEZVOUS, 1, 0.5e-3 + 12e-3 + 0.5e-3},
        /* one after the other; moves in go on only while nothing works, two of the three side by
           side */
        {"serial", {0, 0, 0}, GRID_RENDEZVOUS, 0, 7e-3 + 2 * 0.5e-3},
        /* two cores: c on one of them all the time, but for its moves */
        {"two cores", {1, 1, 1}, GRID_RENDEZVOUS, 0, 0.5e-3 + 4e-3 + 0.5e-3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        GridPlatform *platform =
            platform_of(MILLISECONDS, "", GRID_CONSTANT, 1, rows[i].static_sharing);
        if (!platform)
            return;
        Trial trial =
            trial_of(scaled(60), rows[i].mapping, platform, rows[i].mode, rows[i].static_sharing);
        GridReport report = expect_success(&trial, rows[i].what);
        if (trial.items >= 20)
            expect_near(report.throughput, 1 / rows[i].seconds, 0.005, rows[i].what);
        grid_platform_free(platform);
    }
}

/* Twice as fast from half a second on. */
void a_change(void)
{
    static const int32_t mapping[3] = {0, 1, 2};
    GridPlatform *platform =
        platform_of(MILLISECONDS, "0.5 work.c 2\n0.5 latency.default 0.1ms", GRID_CONSTANT, 1, 0);
    if (!platform)
        return;
    Trial trial = trial_of(200, mapping, platform, GRID_RENDEZVOUS, 0);
    GridReport report = expect_success(&trial, "a change");
    /* the first half second at 5.5 ms, then 2.6 ms for stages b and c alike: b moves on to c */
    double before = 0.5 / 5.5e-3, after = (199 - before) * 2.6e-3;
    expect_near(199 / report.seconds, 199 / (0.5 + after), 0.05, "a change");
    grid_platform_free(platform);
}

/* ---- samples ------------------------------------------------------------------------------ */

typedef struct {
    int64_t service[3], move[3][3], probe[3], wrong;
    double last;
} Seen;

static void observe(void *user, const GridSample *samples, size_t count)
{
    static const double work[3] = {1e-3, 2e-3, 4e-3}, out[4] = {1000, 0, 2000, 3000};
    Seen *seen = user;
    for (size_t i = 0; i < count; i++) {
        const GridSample *s = &samples[i];
        double wanted = 0;
        if (s->kind == GRID_SERVICE) {
            seen->service[s->a]++;
            wanted = work[s->a];
            seen->wrong += s->b != s->a || s->bytes != out[s->a + 1];
        } else if (s->kind == GRID_TRANSFER) {
            seen->move[s->a][s->b]++;
            wanted = (s->a == s->b ? 0.5e-3 : 1e-3) + s->bytes / 1e6;
        } else {
            seen->probe[s->a]++;
            wanted = 1e-3;
        }
        seen->wrong += !(fabs(s->seconds - wanted) < 1e-9) || s->time < 0;
    }
}

/* What is injected is what is seen; with static sharing, without the stretch. */
void samples(void)
{
    static const int32_t mapping[3] = {0, 1, 2};
    static const char text[] = "pipeline { stage a work 1; stage b work 2 output 2KB;"
                               " stage c work 4 output 3KB; }\n"
                               "input x size 1KB; output z;\n"
                               "processors { x time 1ms; y time 1ms; z time 1ms; }\n"
                               "network { latency default 1ms; latency local 0.5 ms;\n"
                               "  bandwidth default 1MB; bandwidth local 1MB; }\n";
    Seen seen = {0};
    GridController controller = {0.1, observe, NULL, NULL, &seen};
    GridPlatform *platform = platform_of(text, "", GRID_CONSTANT, 1, 1);
    if (!platform)
        return;
    Trial trial = trial_of(100, mapping, platform, GRID_RENDEZVOUS, 1);
    trial.settings.controller = &controller;
    GridReport report = expect_success(&trial, "samples");
    if (rank == 0) {
        expect(seen.wrong == 0, "%lld samples are wrong", (long long)seen.wrong);
        for (int a = 0; a < size && a < 3; a++) {
            expect(seen.service[a] > 10, "%lld services of %d", (long long)seen.service[a], a);
            expect(seen.probe[a] >= 2, "%lld probes of %d", (long long)seen.probe[a], a);
            for (int b = 0; b < size && b < 3; b++)
                expect(seen.move[a][b] >= 2, "%lld moves from %d to %d", (long long)seen.move[a][b],
                       a, b);
        }
        expect(report.overhead >= 0, "%g s of overhead", report.overhead);
    }
    grid_platform_free(platform);
}

/* What is measured where nothing is injected: not less than what stages sleep. */
static void observe_measured(void *user, const GridSample *sample, size_t count)
{
    static const double least[3] =
        {[GRID_SERVICE] = 5e-3, [GRID_TRANSFER] = 0, [GRID_PROBE] = 1e-5};
    Seen *seen = user;
    for (size_t i = 0; i < count; i++) {
        const GridSample *s = &sample[i];
        seen->wrong += !(s->seconds > least[s->kind] && isfinite(s->seconds)) || s->a < 0 ||
                       s->a > 2 || s->b < 0 || s->b > 2 || s->time < 0;
        if (s->kind == GRID_SERVICE)
            seen->service[s->a]++, seen->wrong += s->bytes != 16 || s->b != s->a;
        else if (s->kind == GRID_TRANSFER)
            seen->move[s->a][s->b]++;
        else
            seen->probe[s->a]++;
    }
}

void measured_samples(void)
{
    static const int32_t mapping[3] = {0, 1, 2};
    Seen seen = {0};
    GridController controller = {0.1, observe_measured, NULL, NULL, &seen};
    Trial trial = trial_of(100, mapping, NULL, GRID_BUFFERED, 0);
    trial.pause = 5e-3;
    trial.settings.controller = &controller;
    GridReport report = expect_success(&trial, "measured samples");
    for (int a = 0; a < 3 && rank == 0; a++) {
        expect(seen.wrong == 0, "%lld samples are wrong", (long long)seen.wrong);
        expect(seen.service[a] > 5 && seen.probe[a] >= 2, "%lld services, %lld probes of %d",
               (long long)seen.service[a], (long long)seen.probe[a], a);
        for (int b = 0; b < 3; b++)
            expect(seen.move[a][b] >= (a == b ? 0 : 2), "%lld moves from %d to %d",
                   (long long)seen.move[a][b], a, b);
    }
    expect(report.overhead >= 0, "%g s of overhead", report.overhead);
}

void platforms_do_not_fit(void)
{
    static const int32_t mapping[3] = {0, 1, 2};
    GridPlatform *platform = platform_of(MILLISECONDS, "", GRID_CONSTANT, 1, 1);
    if (!platform)
        return;
    Trial trial = trial_of(10, mapping, platform, GRID_RENDEZVOUS, 1);
    trial.stages = 2;
    expect_failure(&trial, GRID_EARG, "the platform is for 3 stages, the pipeline has 2", "2");
    grid_platform_free(platform);
    platform = platform_of("pipeline { stage a; stage b; stage c; } processors { x time 1; }"
                           "network { latency default 1; latency local 1; }",
                           "", GRID_CONSTANT, 1, 1);
    trial = trial_of(10, mapping, platform, GRID_RENDEZVOUS, 1);
    expect_failure(&trial, GRID_EARG, "the platform has 1 processors for 3 processes", "1");
    grid_platform_free(platform);
}
