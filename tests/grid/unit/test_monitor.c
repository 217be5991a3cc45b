/* Estimates of speeds and works from streams that are made up, with bounds on their errors. */
#include "streams.h"

/* p1 runs stage 1, p2 stage 2; p3 has probes only.  True values of now. */
typedef struct {
    AmogetDescription *desc;
    GridMonitor *monitor;
    Noise noise;
    double time;
    double pace[3], work[2];
} Scene;

static Scene scene_new(int adjust_work, uint64_t seed, double sigma, double outliers)
{
    Scene s = {.noise = {seed, sigma, outliers}, .pace = {0.2, 0.2, 0.2}, .work = {1, 2}};
    s.desc = make_description(2, 3);
    s.monitor = grid_monitor_new(s.desc, &(GridMonitorSettings){.adjust_work = adjust_work});
    cr_assert_not_null(s.monitor);
    return s;
}

static void scene_free(Scene *s)
{
    grid_monitor_free(s->monitor);
    amoget_free(s->desc);
}

/* A second: eight services of each stage, a probe of each process; probes are steadier. */
static void second(Scene *s)
{
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < 2; i++)
            see_service(s->monitor, s->time + 0.1 * k, i, i,
                        noisy(&s->noise, s->pace[i] * s->work[i]), 1e6 * (i + 1));
    Noise steady = {s->noise.state, fmin(fabs(s->noise.sigma), 0.05), s->noise.outliers};
    for (int j = 0; j < 3; j++)
        see_probe(s->monitor, s->time + 0.9, j, noisy(&steady, 0.001 * s->pace[j] / 0.2));
    s->noise.state = steady.state;
    s->time += 1;
    update(s->monitor, s->time);
}

static void seconds(Scene *s, int count)
{
    for (int i = 0; i < count; i++)
        second(s);
}

/* Seconds per unit of work are as good as the first probes and the newest.  Service times are as
 * good as the services, and as the newest probes if works are measured. */
static void expect_truth(const Scene *s, double relative, double service)
{
    for (int j = 0; j < 3; j++)
        expect_near(pace_of(s->desc, j), s->pace[j], relative);
    for (int i = 0; i < 2; i++)
        expect_near(pace_of(s->desc, i) * s->desc->work[i], s->pace[i] * s->work[i], service);
}

Test(monitor, without_samples_the_description_stands)
{
    for (int adjust = 0; adjust < 2; adjust++) {
        Scene s = scene_new(adjust, 1, 0, 0);
        AmogetMachine *copy = machine_copy(s.desc->machine);
        update(s.monitor, 1);
        for (int j = 0; j < 3; j++) {
            cr_expect_eq(s.desc->machine->time[j], copy->time[j]);
            cr_expect_eq(s.desc->machine->availability[j], copy->availability[j]);
        }
        cr_expect_eq(s.desc->work[1], 2);
        amoget_machine_free(copy);
        scene_free(&s);
    }
}

/* Bounds of three standard errors and a little: with 61 services sigma / 8, with 5 first probes and
 * 15 new ones sigma x 0.5. */
Test(monitor, noise)
{
    static const struct {
        double sigma, outliers, pace, service;
    } cases[] = {{0, 0, 1e-9, 1e-9},   {0.05, 0, 0.08, 0.025},  {0.05, 0.05, 0.1, 0.025},
                 {0.3, 0, 0.15, 0.15}, {0.3, 0.05, 0.17, 0.17}, {-1, 0, 0.5, 0.5},
                 {-1, 0.05, 0.6, 0.6}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int adjust = 0; adjust < 2; adjust++) {
            Scene s = scene_new(adjust, 100 + k, cases[k].sigma, cases[k].outliers);
            for (int t = 0; t < 100; t++) {
                second(&s);
                if (t >= 8)
                    expect_truth(&s, cases[k].pace,
                                 fmax(cases[k].service, adjust ? cases[k].pace / 2 : 0));
            }
            scene_free(&s);
        }
}

Test(monitor, a_step_is_found_within_a_window)
{
    for (int adjust = 0; adjust < 2; adjust++)
        for (int up = 0; up < 2; up++) {
            Scene s = scene_new(adjust, 5, 0.05, 0.05);
            seconds(&s, 20);
            expect_truth(&s, 0.1, 0.05);
            s.pace[0] = up ? 2 : 0.02;
            seconds(&s, 3); /* 24 services, 3 probes; the window is 61 */
            expect_near(pace_of(s.desc, 0), s.pace[0], 0.15);
            expect_near(pace_of(s.desc, 1), 0.2, 0.06);
            seconds(&s, 12);
            expect_truth(&s, 0.1, 0.05);
            cr_expect_leq(s.desc->machine->availability[0], 1);
            cr_expect_geq(s.desc->machine->time[0], up ? 0.1 : 0.015,
                          "time is lowered only if need be");
            scene_free(&s);
        }
}

Test(monitor, a_slower_process_is_not_more_work)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        Scene s = scene_new(1, 1000 * seed, 0.05, 0.05);
        seconds(&s, 20);
        s.pace[0] *= 10;
        for (int t = 0; t < 40; t++) {
            second(&s);
            expect_near(s.desc->work[0], 1, 0.2);
            if (t > 3)
                expect_near(pace_of(s.desc, 0), 2, 0.12);
        }
        scene_free(&s);
    }
}

Test(monitor, more_work_is_not_a_slower_process)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        Scene s = scene_new(1, 1000 * seed, 0.05, 0.05);
        seconds(&s, 20);
        s.work[0] = 10;
        for (int t = 0; t < 20; t++) {
            second(&s);
            if (t > 3)
                expect_near(pace_of(s.desc, 0), 0.2, 0.12);
        }
        expect_near(s.desc->work[0], 10, 0.12);
        expect_near(s.desc->work[1], 2, 0.12);
        scene_free(&s);
    }
}

/* Services that vary too much to show a change by themselves, evenly from a fifth to nine fifths.
 */
Test(monitor, two_probes_and_the_services_since_show_a_change)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        int adjust = seed % 2;
        AmogetDescription *desc = make_description(1, 1);
        GridMonitor *monitor =
            grid_monitor_new(desc, &(GridMonitorSettings){.adjust_work = adjust});
        Noise noise = {1000 * seed, 0.02, 0};
        for (int t = 0; t < 23; t++) {
            double pace = t < 20 ? 0.2 : 0.6;
            for (int k = 0; k < 15; k++)
                see_service(monitor, t + 0.05 * k, 0, 0, pace * (0.2 + 1.6 * uniform(&noise)), 0);
            see_probe(monitor, t + 0.9, 0, noisy(&noise, 0.005 * pace));
            update(monitor, t + 1);
        }
        expect_near(pace_of(desc, 0), 0.6, 0.1);
        expect_near(desc->work[0], 1, 0.25);
        grid_monitor_free(monitor);
        amoget_free(desc);
    }
}

Test(monitor, drift)
{
    for (int adjust = 0; adjust < 2; adjust++) {
        Scene s = scene_new(adjust, 8, 0.05, 0.05);
        seconds(&s, 20);
        for (int t = 0; t < 120; t++) { /* threefold in two minutes */
            s.pace[0] *= pow(3, 1 / 120.0);
            second(&s);
            expect_near(pace_of(s.desc, 0), s.pace[0], 0.15);
            expect_near(s.desc->work[0], 1, 0.1);
        }
        scene_free(&s);
    }
}

Test(monitor, a_process_that_is_never_used_is_known_by_probes)
{
    Scene s = scene_new(0, 9, 0.05, 0.05);
    seconds(&s, 20);
    s.pace[2] = 1;
    seconds(&s, 6);
    expect_near(pace_of(s.desc, 2), 1, 0.1);
    expect_near(s.desc->machine->availability[2], 0.1, 0.1);
    cr_expect_eq(s.desc->machine->time[2], 0.1);
    s.pace[2] = 0.05;
    seconds(&s, 6);
    expect_near(s.desc->machine->time[2], 0.05, 0.1);
    cr_expect_eq(s.desc->machine->availability[2], 1);
    scene_free(&s);
}

Test(monitor, without_probes_services_tell)
{
    for (int adjust = 0; adjust < 2; adjust++) {
        AmogetDescription *desc = make_description(2, 2);
        GridMonitor *monitor =
            grid_monitor_new(desc, &(GridMonitorSettings){.adjust_work = adjust});
        Noise noise = {10, 0.05, 0.05};
        for (int t = 0; t < 80; t++) {
            for (int k = 0; k < 8; k++)
                see_service(monitor, t + 0.1 * k, 0, 0, noisy(&noise, t < 40 ? 0.2 : 2), 1e6);
            update(monitor, t + 1);
        }
        expect_near(pace_of(desc, 0), 2, 0.1);
        expect_near(desc->work[0], 1, 0.1);
        expect_near(pace_of(desc, 1), 0.2, 1e-12);
        grid_monitor_free(monitor);
        amoget_free(desc);
    }
}

/* A process that is twice as slow as described, and is left: its probes have not changed. */
Test(monitor, what_services_have_told_holds_when_they_end)
{
    AmogetDescription *desc = make_description(1, 2);
    GridMonitor *monitor = grid_monitor_new(desc, NULL);
    Noise noise = {11, 0.05, 0};
    double pace = 0.4;
    for (int t = 0; t < 60; t++) {
        for (int k = 0; k < 8 && t < 20; k++)
            see_service(monitor, t + 0.1 * k, 0, 0, noisy(&noise, pace), 1e6);
        if (t == 40)
            pace *= 3;
        see_probe(monitor, t + 0.9, 0, noisy(&noise, 0.005 * pace));
        update(monitor, t + 1);
        if (t > 2 && (t < 40 || t > 46))
            expect_near(pace_of(desc, 0), pace, 0.12);
    }
    grid_monitor_free(monitor);
    amoget_free(desc);
}

/* Slow in turn, left when that is seen, and well again a while later. */
Test(monitor, a_process_that_was_left_can_recover)
{
    AmogetDescription *desc = make_description(1, 2);
    GridMonitor *monitor = grid_monitor_new(desc, NULL);
    Noise noise = {12, 0.05, 0.05};
    for (int t = 0; t < 80; t++) {
        double pace = t >= 20 && t < 50 ? 2 : 0.2;
        for (int k = 0; k < 8 && t < 23; k++)
            see_service(monitor, t + 0.1 * k, 0, 0, noisy(&noise, pace), 1e6);
        see_probe(monitor, t + 0.9, 0, noisy(&noise, 0.005 * pace));
        update(monitor, t + 1);
        if (t == 23 || t == 28 || t == 40 || t == 60)
            expect_near(pace_of(desc, 0), pace, 0.15);
    }
    grid_monitor_free(monitor);
    amoget_free(desc);
}

Test(monitor, a_stage_that_moves_takes_its_work_along)
{
    AmogetDescription *desc = make_description(1, 2);
    GridMonitor *monitor = grid_monitor_new(desc, &(GridMonitorSettings){.adjust_work = 1});
    Noise noise = {13, 0.05, 0.05};
    for (int t = 0; t < 40; t++) {
        int on = t >= 20;
        double pace = on ? 0.8 : 0.2; /* p2 has slowed down meanwhile */
        for (int k = 0; k < 8; k++)
            see_service(monitor, t + 0.1 * k, 0, on, noisy(&noise, 3 * pace), 5e6);
        see_probe(monitor, t + 0.9, 0, noisy(&noise, 0.001));
        see_probe(monitor, t + 0.9, 1, noisy(&noise, t < 10 ? 0.001 : 0.004));
        update(monitor, t + 1);
        if (t > 5)
            expect_near(desc->work[0], 3, 0.1);
    }
    expect_near(pace_of(desc, 1), 0.8, 0.1);
    expect_near(desc->output[1], 5e6, 1e-12);
    grid_monitor_free(monitor);
    amoget_free(desc);
}

/* p2 is four times as slow as described.  Nothing tells until a stage comes there. */
Test(monitor, a_stage_that_moves_tells_how_speeds_compare)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        AmogetDescription *desc = make_description(2, 2);
        GridMonitor *monitor = grid_monitor_new(desc, &(GridMonitorSettings){.adjust_work = 1});
        Noise noise = {1000 * seed, 0.1, 0.05};
        for (int t = 0; t < 60; t++) {
            int on = t >= 20 && t < 40;
            for (int k = 0; k < 4; k++)
                see_service(monitor, t + 0.1 * k, 0, on, noisy(&noise, on ? 2.4 : 0.6), 0);
            see_probe(monitor, t + 0.9, 0, noisy(&noise, 0.001));
            see_probe(monitor, t + 0.9, 1, noisy(&noise, 0.004));
            update(monitor, t + 1);
            if (t > 5 && (t < 20 || t > 29)) /* 20 services there, and four updates */
                expect_near(desc->work[0], 3, 0.3);
            if (t > 29)
                expect_near(pace_of(desc, 1), 0.8, 0.3);
        }
        expect_near(pace_of(desc, 0), 0.2, 0.15);
        grid_monitor_free(monitor);
        amoget_free(desc);
    }
}

Test(monitor, samples_of_nothing_do_not_count)
{
    AmogetDescription *desc = make_description(2, 2), *copy = make_description(2, 2);
    GridMonitor *monitor = grid_monitor_new(desc, &(GridMonitorSettings){.adjust_work = 1});
    static const double bad[] = {0, -1, NAN, INFINITY};
    for (int k = 0; k < 40; k++) {
        double seconds = bad[k % 4];
        see_service(monitor, k, 0, 0, seconds, 1);
        see_move(monitor, k, 0, 1, 1, seconds);
        see_probe(monitor, k, 0, seconds);
        see_service(monitor, k, -1, 0, 1, 1);
        see_service(monitor, k, 2, 0, 1, 1);
        see_service(monitor, k, 0, 2, 1, 1);
        see_service(monitor, k, 0, 0, 1, -1);
        see_service(monitor, NAN, 0, 0, 1, 1);
        see_move(monitor, k, 0, 2, 1, 1);
        see_move(monitor, k, -1, 0, 1, 1);
        see_move(monitor, k, 0, 0, NAN, 1);
        see_probe(monitor, k, 2, 1);
        see_probe(monitor, INFINITY, 0, 1);
        grid_monitor_observe(monitor,
                             &(GridSample){.kind = (GridSampleKind)9, .seconds = 1, .time = 1}, 1);
    }
    update(monitor, 50);
    for (int j = 0; j < 2; j++) {
        cr_expect_eq(desc->machine->time[j], copy->machine->time[j]);
        cr_expect_eq(desc->machine->availability[j], copy->machine->availability[j]);
        cr_expect_eq(desc->work[j], copy->work[j]);
        cr_expect_eq(latency_between(desc, 0, j), latency_between(copy, 0, j));
    }
    grid_monitor_free(monitor);
    amoget_free(desc);
    amoget_free(copy);
}

Test(monitor, extremes_stay_in_range)
{
    AmogetDescription *desc = make_description(2, 2);
    GridMonitor *monitor = grid_monitor_new(desc, &(GridMonitorSettings){.adjust_work = 1});
    for (int k = 0; k < 200; k++) {
        double seconds = k % 2 ? 1e-300 : 1e300;
        see_service(monitor, k, k % 2, 0, seconds, 1e300);
        see_move(monitor, k, 0, 1, k % 3 ? 1e300 : 0, seconds);
        see_probe(monitor, k, k % 2, seconds);
        update(monitor, k);
    }
    grid_monitor_free(monitor);
    amoget_free(desc);
}

/* Processes are measured without latencies, and latencies when there are moves. */
Test(monitor, missing_latencies_can_be_measured)
{
    AmogetDescription *desc = NULL;
    cr_assert_eq(amoget_new(&desc, NULL), PEPA_OK);
    (void)amoget_add_stage(desc, "s", NULL);
    (void)amoget_add_stage(desc, "t", NULL);
    (void)amoget_add_processor(amoget_machine(desc), "p", 0.5, NULL);
    GridMonitor *monitor = grid_monitor_new(desc, NULL);
    cr_assert_not_null(monitor);
    for (int k = 0; k < 30; k++) {
        see_service(monitor, k, 0, 0, 0.25, 0);
        see_probe(monitor, k, 0, 1);
    }
    update(monitor, 30);
    expect_near(pace_of(desc, 0), 0.25, 1e-12);
    cr_expect(isnan(latency_between(desc, 0, 0)));
    see_move(monitor, 30, 0, 0, 0, 0.125);
    update(monitor, 31);
    expect_near(latency_between(desc, 0, 0), 0.125, 1e-12);
    grid_monitor_free(monitor);
    amoget_free(desc);
}
