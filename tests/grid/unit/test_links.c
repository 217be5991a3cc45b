/* Latencies and bandwidths from moves. */
#include "streams.h"

/* The description says 0.01 and 1e8. */
static const double latency = 0.02, bandwidth = 2e7;

typedef struct {
    AmogetDescription *desc;
    GridMonitor *monitor;
    Noise noise;
} Scene;

static Scene scene_new(uint64_t seed, double sigma, double outliers)
{
    Scene s = {.desc = make_description(3, 3), .noise = {seed, sigma, outliers}};
    s.monitor = grid_monitor_new(s.desc, NULL);
    cr_assert_not_null(s.monitor);
    return s;
}

static void scene_free(Scene *s)
{
    grid_monitor_free(s->monitor);
    amoget_free(s->desc);
}

static void move(Scene *s, double time, double bytes)
{
    see_move(s->monitor, time, 0, 1, bytes, noisy(&s->noise, latency + bytes / bandwidth));
}

static double move_now(const Scene *s, double bytes)
{
    return latency_between(s->desc, 0, 1) + bytes / bandwidth_between(s->desc, 0, 1);
}

Test(links, sizes_that_differ_tell_both)
{
    static const struct {
        double sigma, outliers, error, move_error;
    } cases[] = {{0, 0, 1e-9, 1e-9},
                 {0.05, 0, 0.1, 0.05},
                 {0.05, 0.05, 0.12, 0.05},
                 {0.2, 0, 0.45, 0.2},
                 {0.2, 0.05, 0.45, 0.2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Scene s = scene_new(20 + k, cases[k].sigma, cases[k].outliers);
        for (int t = 0; t < 500; t++) {
            move(&s, t * 0.1, 1e6 * uniform(&s.noise));
            if (t < 60 || t % 20 != 0)
                continue;
            update(s.monitor, t * 0.1);
            expect_near(latency_between(s.desc, 0, 1), latency, cases[k].error);
            expect_near(bandwidth_between(s.desc, 1, 0), bandwidth, cases[k].error);
            for (double bytes = 5e5; bytes <= 1e6; bytes += 5e5)
                expect_near(move_now(&s, bytes), latency + bytes / bandwidth, cases[k].move_error);
        }
        scene_free(&s);
    }
}

Test(links, two_sizes)
{
    Scene s = scene_new(30, 0.05, 0.05);
    for (int t = 0; t < 60; t++)
        move(&s, t, t % 2 ? 1000 : 3e6);
    update(s.monitor, 60);
    expect_near(latency_between(s.desc, 0, 1), latency, 0.05);
    expect_near(bandwidth_between(s.desc, 0, 1), bandwidth, 0.05);
    scene_free(&s);
}

/* A small and a large message, to and fro, before the first item. */
Test(links, four_pings_tell_both)
{
    Scene s = scene_new(37, 0, 0);
    for (int k = 0; k < 4; k++)
        move(&s, 0, k % 2 ? 1 : 65536);
    update(s.monitor, 1);
    expect_near(latency_between(s.desc, 0, 1), latency, 1e-5);
    expect_near(bandwidth_between(s.desc, 0, 1), bandwidth, 1e-5);
    scene_free(&s);
}

/* The same when there are many items before anybody asks. */
Test(links, pings_are_not_forgotten)
{
    Scene s = scene_new(37, 0, 0);
    for (int k = 0; k < 4; k++)
        move(&s, 0, k % 2 ? 1 : 65536);
    for (int k = 0; k < 200; k++)
        move(&s, 0.01 * k, 2e6);
    update(s.monitor, 2);
    expect_near(latency_between(s.desc, 0, 1), latency, 1e-5);
    expect_near(bandwidth_between(s.desc, 0, 1), bandwidth, 1e-5);
    scene_free(&s);
}

Test(links, an_odd_size_does_not_make_a_line)
{
    for (int count = 4; count <= 15; count++) {
        Scene s = scene_new(38, 0.05, 0);
        for (int k = 0; k < count; k++)
            move(&s, k, k == 2 ? 1 : 2e6);
        update(s.monitor, count);
        expect_near(bandwidth_between(s.desc, 0, 1) * latency_between(s.desc, 0, 1), 1e8 * 0.01,
                    1e-9);
        scene_free(&s);
    }
}

Test(links, one_size_scales_the_description)
{
    Scene s = scene_new(31, 0.05, 0.05);
    for (int t = 0; t < 100; t++)
        move(&s, t, 2e6);
    update(s.monitor, 100);
    expect_near(move_now(&s, 2e6), latency + 2e6 / bandwidth, 0.03);
    expect_near(bandwidth_between(s.desc, 0, 1) * latency_between(s.desc, 0, 1), 1e8 * 0.01, 1e-9);
    scene_free(&s);
}

/* Nor does it matter what the description sends, or what it lacks elsewhere. */
Test(links, the_description_of_a_pair_is_its_own)
{
    AmogetDescription *desc = NULL;
    cr_assert_eq(amoget_new(&desc, NULL), PEPA_OK);
    (void)amoget_add_stage(desc, "s", NULL);
    (void)amoget_add_processor(amoget_machine(desc), "p", 1, NULL);
    (void)amoget_add_processor(amoget_machine(desc), "q", 1, NULL);
    (void)amoget_set_latency(amoget_machine(desc), 0, 1, 0.01, NULL);
    (void)amoget_set_bandwidth(amoget_machine(desc), 0, 1, 1e8, NULL);
    GridMonitor *monitor = grid_monitor_new(desc, NULL);
    cr_assert_not_null(monitor);
    for (int t = 0; t < 10; t++)
        see_move(monitor, t, 1, 0, 2e6, 0.06); /* twice 0.01 + 2e6 / 1e8 */
    update(monitor, 10);
    expect_near(latency_between(desc, 0, 1), 0.02, 1e-12);
    expect_near(bandwidth_between(desc, 0, 1), 5e7, 1e-12);
    grid_monitor_free(monitor);
    amoget_free(desc);
}

Test(links, one_size_after_many_scales_the_line)
{
    Scene s = scene_new(32, 0.02, 0);
    for (int t = 0; t < 60; t++) {
        move(&s, t, t % 2 ? 0 : 4e6);
        update(s.monitor, t);
    }
    for (int t = 60; t < 160; t++) /* all of the window */
        see_move(s.monitor, t, 1, 0, 1e6, noisy(&s.noise, 3 * (latency + 1e6 / bandwidth)));
    update(s.monitor, 160);
    expect_near(latency_between(s.desc, 0, 1), 3 * latency, 0.1);
    expect_near(bandwidth_between(s.desc, 0, 1), bandwidth / 3, 0.1);
    scene_free(&s);
}

Test(links, a_step_is_found_within_a_window)
{
    Scene s = scene_new(33, 0.05, 0.05);
    for (int t = 0; t < 200; t++)
        see_move(s.monitor, t, 0, 1, 1e6, noisy(&s.noise, t < 180 ? 0.03 : 0.3));
    update(s.monitor, 200);
    expect_near(move_now(&s, 1e6), 0.3, 0.1);
    scene_free(&s);
}

/* The mean of 61 exponential durations is within 3 x 13%. */
Test(links, exponential_moves_keep_their_mean)
{
    Scene s = scene_new(34, -1, 0);
    double sum = 0;
    for (int t = 0; t < 3000; t++) {
        move(&s, t * 0.1, 1e6);
        if (t < 100)
            continue;
        update(s.monitor, t * 0.1);
        sum += move_now(&s, 1e6) / 2900;
        expect_near(move_now(&s, 1e6), 0.07, 0.55);
    }
    expect_near(sum, 0.07, 0.04);
    scene_free(&s);
}

Test(links, pairs_that_are_never_used_keep_the_description)
{
    Scene s = scene_new(35, 0.05, 0.05);
    AmogetMachine *copy = machine_copy(s.desc->machine);
    for (int t = 0; t < 100; t++)
        move(&s, t, 4e6 * uniform(&s.noise));
    update(s.monitor, 100);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            if (a + b != 1) {
                cr_expect_eq(latency_between(s.desc, a, b), amoget_latency(copy, a, b));
                cr_expect_eq(bandwidth_between(s.desc, a, b), amoget_bandwidth(copy, a, b));
            }
    amoget_machine_free(copy);
    scene_free(&s);
}

Test(links, within_a_process)
{
    Scene s = scene_new(36, 0.05, 0.05);
    for (int t = 0; t < 100; t++)
        see_move(s.monitor, t, 2, 2, 1e6, noisy(&s.noise, 0.5));
    update(s.monitor, 100);
    expect_near(latency_between(s.desc, 2, 2) + 1e6 / bandwidth_between(s.desc, 2, 2), 0.5, 0.03);
    scene_free(&s);
}
