/* Injected times: what takes how long, by hand; distributions; changes; and what cannot be read. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grid/machine/platform.h"
#include "grid/pipeline/injected.h"
#include "grid/pipeline/departures.h"

#define TEXT                                                                                       \
    "pipeline { stage a work 1 output 2KB; stage b work 3; stage c work 0.5 output 8KB; }\n"       \
    "input x size 1KB;\n"                                                                          \
    "processors { x time 1; y time 2 availability 0.5; z time 3 cores 2; }\n"                      \
    "network { latency default 0.1; latency local 0.01; latency x y 0.2;\n"                        \
    "  bandwidth default 1MB; bandwidth local 1GB; bandwidth y z 10KB; }\n"

static char said[2000];

static void diagnose(void *user, const PepaDiagnostic *each)
{
    size_t used = strlen(said);
    (void)user;
    (void)snprintf(said + used, sizeof said - used, "%s:%u:%u: %s\n%s", each->file, each->line,
                   each->column, each->message, each->excerpt);
}

static GridPlatform *make(const char *text, const char *changes, GridPlatformSettings settings,
                          PepaStatus wanted)
{
    GridPlatform *platform = NULL;
    PepaError err = {0};
    said[0] = '\0';
    settings.reader = grid_pipeline_reader();
    PepaStatus status = grid_platform_new(&platform, "text", text, strlen(text), changes, &settings,
                                          diagnose, NULL, &err);
    cr_assert_eq(status, wanted, "status %d: %s", status, err.message);
    cr_assert_eq(platform != NULL, status == PEPA_OK);
    return platform;
}

static const GridPlatformSettings constant = {GRID_CONSTANT, 1, 1, 0, NULL, NULL};

static void near(double value, double wanted)
{
    cr_expect_float_eq(value, wanted, 1e-12 * wanted, "%.17g, not %.17g", value, wanted);
}

/* ---- means -------------------------------------------------------------------------------- */

Test(platform, services_take_time_times_work_over_availability)
{
    GridPlatform *p = make(TEXT, "", constant, PEPA_OK);
    near(injected_service(p, 0, 0, 0, 0, 3), 1);
    near(injected_service(p, 0, 1, 7, 1, 3), 2 * 3 / 0.5);
    near(injected_service(p, 0, 2, 0, 2, 1), 3 * 0.5);
    for (int32_t j = 0; j < 3; j++)
        near(grid_platform_work(p, 0, j, 1, 1), (double[]){1, 4, 3}[j]);
    grid_platform_free(p);
}

Test(platform, static_sharing_stretches_beyond_the_cores)
{
    GridPlatformSettings settings = constant;
    settings.static_sharing = 1;
    settings.scale = 0.01;
    GridPlatform *p = make("sharing static;\n" TEXT, "", settings, PEPA_OK);
    for (int32_t there = 1; there <= 3; there++) {
        near(injected_service(p, 0, 0, 0, 0, there), 0.01 * there);
        near(injected_service(p, 0, 0, 0, 2, there), 0.03 * fmax(1, there / 2.0));
    }
    grid_platform_free(p);
    /* what the description says of sharing is for its model */
    p = make("sharing serial; transfer buffered;\n" TEXT, "", settings, PEPA_OK);
    near(injected_service(p, 0, 0, 0, 2, 3), 0.03 * 1.5);
    for (int32_t j = 0; j < 3; j++)
        cr_expect_eq(injected_cores(p, 0, j), j == 2 ? 2 : 1);
    grid_platform_free(p);
}

Test(platform, moves_take_latency_and_size_over_bandwidth)
{
    GridPlatform *p = make(TEXT, NULL, constant, PEPA_OK);
    static const double bytes[4] = {1000, 2000, 0, 8000};
    for (int32_t i = 0; i < 4; i++)
        cr_expect_eq(injected_bytes(p, 0, i), bytes[i]);
    near(injected_move(p, 0, 1, 0, 0, 1), 0.2 + 0.002);
    near(injected_move(p, 0, 1, 0, 1, 0), 0.2 + 0.002);
    near(injected_move(p, 0, 3, 0, 1, 2), 0.1 + 0.8);
    near(injected_move(p, 0, 2, 0, 1, 2), 0.1);
    near(injected_move(p, 0, 1, 0, 1, 1), 0.01 + 2e-6);
    near(injected_move(p, 0, 0, 0, 2, 0), 0.1 + 0.001);
    near(injected_move(p, 0, 0, 0, AMOGET_NOWHERE, 1), 0.01 + 1e-6);
    near(injected_move(p, 0, 3, 0, 1, AMOGET_NOWHERE), 0.01 + 8e-6);
    near(injected_take(p, 0, 1, 0, 1), 0.01);
    near(grid_platform_transfer(p, 0, 1, 2, 100), 0.1 + 0.01);
    grid_platform_free(p);
}

Test(platform, one_of_each)
{
    GridPlatform *p = make("pipeline { stage a; } processors { x time 2 cores 8; }"
                           "network { latency local 3; }",
                           "", constant, PEPA_OK);
    near(injected_service(p, 0, 0, 0, 0, 1), 2);
    near(injected_move(p, 0, 0, 0, 0, 0), 3);
    cr_expect_eq(injected_cores(p, 0, 0), 1);
    grid_platform_free(p);
}

/* ---- distributions ------------------------------------------------------------------------ */

enum { DRAWS = 200000 };

Test(platform, draws_are_exponential_and_apart)
{
    GridPlatformSettings settings = {GRID_EXPONENTIAL, 42, 1, 0, NULL, NULL};
    GridPlatform *p = make(TEXT, "", settings, PEPA_OK);
    double sum = 0, squares = 0, above = 0, next = 0, other = 0, move = 0;
    for (int64_t k = 0; k < DRAWS; k++) {
        double x = injected_service(p, 0, 0, k, 0, 1);
        sum += x;
        squares += x * x;
        above += x > 2;
        next += (x - 1) * (injected_service(p, 0, 0, k + 1, 0, 1) - 1);
        other += (x - 1) * (injected_service(p, 0, 1, k, 0, 1) / 3 - 1);
        move += (x - 1) * (injected_move(p, 0, 2, k, 1, 2) / 0.1 - 1);
    }
    /* five standard deviations of each mean */
    double n = DRAWS, five = 5 / sqrt(n);
    cr_expect_float_eq(sum / n, 1, five);
    cr_expect_float_eq(squares / n, 2, sqrt(20) * five);
    cr_expect_float_eq(above / n, exp(-2), sqrt(exp(-2)) * five);
    cr_expect_float_eq(next / n, 0, five, "neighbours correlate: %g", next / n);
    cr_expect_float_eq(other / n, 0, five, "stages correlate: %g", other / n);
    cr_expect_float_eq(move / n, 0, five, "moves and services correlate: %g", move / n);
    grid_platform_free(p);
}

/* The same activity and item, the same draw; another seed, another. */
Test(platform, draws_depend_on_seed_activity_and_item_alone)
{
    GridPlatformSettings settings = {GRID_EXPONENTIAL, 42, 1, 0, NULL, NULL};
    GridPlatform *p = make(TEXT, "", settings, PEPA_OK), *q = make(TEXT, "", settings, PEPA_OK);
    settings.seed = 43;
    GridPlatform *r = make(TEXT, "", settings, PEPA_OK);
    double here = injected_service(p, 0, 1, 12345, 0, 1);
    near(injected_service(q, 9, 1, 12345, 2, 2), 3 * here);
    cr_expect_neq(injected_service(r, 0, 1, 12345, 0, 1), here);
    grid_platform_free(p);
    grid_platform_free(q);
    grid_platform_free(r);
}

/* Benoit, Cole, Gilmore, Hillston 2004, first row: the timed event graph of the rendezvous
 * pipeline, run with these draws, gives the model's throughput. */
Test(platform, the_model_is_met_in_the_long_run)
{
    static const char text[] = "pipeline { stage 1; stage 2; stage 3; }"
                               "processors { 1 time 0.1; 2 time 0.1; 3 time 0.1; }"
                               "network { latency default 0.0001; latency local 0.0001; }";
    GridPlatformSettings settings = {GRID_EXPONENTIAL, 1, 1, 0, NULL, NULL};
    GridPlatform *p = make(text, "", settings, PEPA_OK);
    double begin[5] = {0}; /* of stages 0, 1, 2; [3]: of the sink */
    for (int64_t k = 0; k < DRAWS; k++) {
        double ready = 0;
        for (int32_t i = 0; i <= 3; i++) {
            double waits = i < 3 ? begin[i + 1] : 0;
            int32_t a = i > 0 ? i - 1 : 0, b = i < 3 ? i : 2;
            begin[i] = fmax(ready, waits) + injected_move(p, 0, i, k, a, b);
            if (i < 3)
                ready = begin[i] + injected_service(p, 0, i, k, i, 1);
        }
    }
    cr_expect_float_eq(DRAWS / begin[3], 5.63467, 0.01 * 5.63467, "%g", DRAWS / begin[3]);
    grid_platform_free(p);
}

/* ---- changes ------------------------------------------------------------------------------ */

Test(platform, changes_add_up)
{
    GridPlatformSettings settings = constant;
    settings.scale = 0.1;
    GridPlatform *p = make(TEXT,
                           "# slower, then slower still\n"
                           "20 time.x 10s   # twice\n"
                           "\t10\ttime.x  5 \r\n"
                           "\n"
                           "30 latency.x.y 1\n"
                           "30 latency.x.y 2\n"
                           "10 cores.z 1\n",
                           settings, PEPA_OK);
    near(injected_service(p, 0.99, 0, 0, 0, 1), 0.1);
    near(injected_service(p, 1, 0, 0, 0, 1), 0.5);
    near(injected_service(p, 1.99, 0, 0, 0, 1), 0.5);
    near(injected_service(p, 2, 0, 0, 0, 1), 1);
    near(injected_service(p, 1e9, 0, 0, 0, 1), 1);
    near(injected_move(p, 2.99, 2, 0, 0, 1), 0.02);
    near(injected_move(p, 3, 2, 0, 0, 1), 0.2);
    cr_expect_eq(injected_cores(p, 0.9, 2), 2);
    cr_expect_eq(injected_cores(p, 1.1, 2), 1);
    double seconds[7];
    int32_t mapping[3] = {0, 0, 0};
    cr_assert_eq(amoget_durations(grid_platform_part(p, 2.5), mapping, seconds, NULL), PEPA_OK);
    near(seconds[1], 30);
    grid_platform_free(p);
}

Test(platform, changes_that_are_wrong)
{
    static const struct {
        const char *changes, *said;
    } rows[] = {
        {"soon time.x 1",
         "changes:1:1: a change begins with its time: a number of seconds, 0 or later\n"
         "soon time.x 1\n^~~~\n"},
        {"1 time.x 1\n-1 time.x 1", "changes:2:1: a change begins with its time"},
        {"0x10 time.x 1", "changes:1:1: a change begins with its time"},
        {"1e999 time.x 1", "changes:1:1: a change begins with its time"},
        {"\n  3 time.x\n",
         "changes:2:3: a change is a time, a path such as `time.p1`, and a value\n"
         "  3 time.x\n  ^~~~~~~~\n"},
        {"3", "changes:1:1: a change is a time, a path"},
        {"3 time.w 1", "changes:1:3: `time.w` names nothing: there is no processor `w`"},
        {"3 tyme.x 1", "changes:1:3: `tyme.x` names nothing: there is no attribute `tyme`"},
        {"3 time.x -1", "changes:1:3: "},
        {"3 time.x 5MB", "3 time.x 5MB\n  ^~~~~~~~~~\n"},
        {"3 rate 5", "changes:1:3: a path has a dot in it"},
        {"3 time.x 1 2", "changes:1:3: "},
        {"5 time.x 1\n4 time.q 1", "changes:2:3: `time.q` names nothing"},
        {"3 time.\xc3\xa4 1", "3 time.?? 1\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)make(TEXT, rows[i].changes, constant, PEPA_ESYNTAX);
        cr_expect(strstr(said, rows[i].said), "%s:\n%s", rows[i].changes, said);
    }
}

Test(platform, texts_that_are_wrong)
{
    (void)make("pipeline { stage a; }", "", constant, PEPA_EMODEL);
    (void)make("pipeline { stage a }", "", constant, PEPA_ESYNTAX);
    cr_expect(strstr(said, "text:1:"), "%s", said);
    (void)make("pipeline { stage a; } processors { x time 1; y time 1; }"
               "network { latency local 1; }",
               "", constant, PEPA_EMODEL);
    GridPlatformSettings settings = constant;
    for (int i = 0; i < 4; i++) {
        settings.scale = (double[]){0, -1, NAN, HUGE_VAL}[i];
        (void)make(TEXT, "", settings, PEPA_EARG);
    }
    settings = constant;
    settings.distribution = (GridDistribution)5;
    (void)make(TEXT, "", settings, PEPA_EARG);
    cr_expect_eq(grid_platform_new(NULL, "x", "", 0, "", &constant, NULL, NULL, NULL), PEPA_EARG);
    grid_platform_free(NULL);
}

/* No bytes, whatever they are, do more than be refused. */
Test(platform, changes_at_random)
{
    static const char *const pieces[] = {"1",  " ",  "\n", "time.x", "#",  "\t", "latency.x.y",
                                         "5s", "\r", "-",  "\xff",   "1e", ".",  "cores.z"};
    uint32_t state = 1;
    for (int i = 0; i < 2000; i++) {
        char text[200] = "";
        GridPlatform *platform = NULL;
        for (int k = 0; k < 12; k++) {
            state = state * 1664525 + 1013904223;
            strcat(text, pieces[(state >> 16) % (sizeof pieces / sizeof *pieces)]);
        }
        PepaStatus status = grid_platform_new(&platform, "text", TEXT, strlen(TEXT), text,
                                              &constant, NULL, NULL, NULL);
        cr_expect(status == PEPA_OK || status == PEPA_ESYNTAX, "%s: %d", text, status);
        grid_platform_free(platform);
    }
}

/* ---- departures --------------------------------------------------------------------------- */

/* The throughput of the middle, whatever the beginning and the end are like. */
Test(departures, throughput_of_the_middle)
{
    static const int64_t counts[] = {2, 3, 10, 11, 2048, 2049, 5000, 100001};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        Departures departures = {0};
        int64_t n = counts[i];
        double time = 100;
        for (int64_t k = 0; k < n; k++) {
            /* at both ends, within a twentieth, items are slow */
            double at = (double)k / (double)(n - 1);
            time += n > 100 && (at < 0.05 || at > 0.95) ? 5 : 0.25;
            departures_add(&departures, time);
        }
        cr_expect_eq(departures.count, n);
        cr_expect_eq(departures.last, time);
        cr_expect_float_eq(departures_throughput(&departures), 4, 0.02, "%lld items: %g",
                           (long long)n, departures_throughput(&departures));
    }
    Departures none = {0};
    cr_expect_eq(departures_throughput(&none), 0);
    departures_add(&none, 3);
    cr_expect_eq(departures_throughput(&none), 0);
}

Test(platform, a_platform_without_a_reader_is_of_the_machine_alone)
{
    static const char text[] = "processors { x time 1; y time 2; }\n"
                               "network { latency default 0.1; }\n";
    GridPlatform *p = NULL;
    cr_assert_eq(grid_platform_new(&p, "text", text, strlen(text), "1 time.y 3", &constant, NULL,
                                   NULL, NULL),
                 PEPA_OK);
    near(grid_platform_work(p, 0, 1, 5, 1), 10);
    near(grid_platform_work(p, 1, 1, 5, 1), 15);
    near(grid_platform_transfer(p, 0, 0, 1, 1e9), 0.1);
    cr_expect_eq(amoget_processor_count(grid_platform_at(p, 2)), 2);
    cr_expect_null(grid_platform_part(p, 0));
    grid_platform_free(p);
    p = NULL;
    cr_expect_eq(grid_platform_new(&p, "text", TEXT, strlen(TEXT), "1 work.a 3", &constant,
                                   diagnose, NULL, NULL),
                 PEPA_ESYNTAX);
    cr_expect(strstr(said, "`work.a` is of a pipeline"), "%s", said);
}
