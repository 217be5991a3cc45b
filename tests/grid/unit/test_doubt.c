/* How sure the monitor says it is, against closed forms. */
#include "streams.h"

/* Two stages, whose shares in the time per item are made up: of move 1, stage 1, move 2, ... */
static const double shares[5] = {0.05, 0.3, 0.15, 0.4, 0.1};
static const int32_t apart[2] = {0, 1}, turned[2] = {1, 0};

/* So many equal services of both stages, on processes 0 and 1; works are given. */
static GridMonitor *after_services(AmogetDescription *desc, int count)
{
    GridMonitor *monitor = grid_monitor_new(desc, NULL);
    for (int k = 0; k < count; k++)
        for (int32_t i = 0; i < 2; i++)
            see_service(monitor, k, i, i, 0.2 * (i + 1), 1e6);
    update(monitor, count);
    return monitor;
}

/* n that are alike: sqrt(1 / n) / sqrt(n) is 1 / n, as if one of them stood for nothing. */
Test(doubt, few_that_are_alike_prove_little)
{
    for (int n = 4; n <= 61; n++) {
        AmogetDescription *desc = make_description(2, 3);
        GridMonitor *monitor = after_services(desc, n);
        cr_expect_eq(grid_monitor_samples(monitor, apart), n);
        cr_expect_eq(grid_monitor_samples(monitor, turned), 0);
        expect_near(grid_monitor_error(monitor, apart, shares, NULL, NULL), hypot(0.3, 0.4) / n,
                    1e-6);
        cr_expect_eq(grid_monitor_error(monitor, apart, shares, apart, shares), 0);
        /* stages exchanged: each process has the difference of their shares */
        expect_near(grid_monitor_error(monitor, apart, shares, turned, shares), sqrt(2) * 0.1 / n,
                    1e-6);
        grid_monitor_free(monitor);
        amoget_free(desc);
    }
}

/* Exponential durations are what is taken for granted: 1 / sqrt(n) for any n, but that an estimate
 * leaves out what is more than six times the median, which is an eighth of their deviation. */
Test(doubt, of_exponential_durations)
{
    Noise noise = {.state = 3, .sigma = -1};
    for (int n = 5; n <= 60; n += 5) {
        double squares = 0;
        enum { RUNS = 400 };
        for (int run = 0; run < RUNS; run++) {
            AmogetDescription *desc = make_description(2, 2);
            GridMonitor *monitor = grid_monitor_new(desc, NULL);
            for (int k = 0; k < n; k++)
                see_service(monitor, k, 0, 0, noisy(&noise, 0.2), 1e6);
            update(monitor, n);
            double doubt = grid_monitor_error(monitor, apart, shares, NULL, NULL) / shares[1];
            squares += doubt * doubt / RUNS;
            grid_monitor_free(monitor);
            amoget_free(desc);
        }
        expect_near(sqrt(squares), 0.875 / sqrt(n), 0.07);
    }
}

/* Moves at the ends count as those between; what goes over one link goes wrong together. */
Test(doubt, of_moves)
{
    static const int32_t one[2] = {0, 0};
    AmogetDescription *desc = make_description(2, 3);
    cr_assert_eq(amoget_set_ends(desc, 2, AMOGET_NOWHERE, NULL), PEPA_OK);
    GridMonitor *monitor = grid_monitor_new(desc, NULL);
    for (int k = 0; k < 5; k++) {
        see_move(monitor, k, 2, 0, 0, 0.02);
        see_move(monitor, k, 0, 0, 0, 0.001);
    }
    for (int k = 0; k < 10; k++)
        see_move(monitor, k, 1, 0, 1e6, 0.03);
    update(monitor, 10);
    double in = shares[0], between = shares[2], out = shares[4];
    expect_near(grid_monitor_error(monitor, apart, shares, NULL, NULL), hypot(in / 5, between / 10),
                1e-6);
    expect_near(grid_monitor_error(monitor, one, shares, NULL, NULL),
                hypot(in / 5, (between + out) / 5), 1e-6);
    expect_near(grid_monitor_error(monitor, apart, shares, one, shares),
                hypot(between / 10, (between + out) / 5), 1e-6);
    grid_monitor_free(monitor);
    amoget_free(desc);
}

/* With places on links, taking an item from its place goes over the process's own link. */
Test(doubt, of_places)
{
    static const double with_take[6] = {0.05, 0.3, 0.1, 0.4, 0.1, 0.05};
    AmogetDescription *desc = make_description(2, 2);
    cr_assert_eq(amoget_set_transfer(desc, AMOGET_BUFFERED, NULL), PEPA_OK);
    GridMonitor *monitor = grid_monitor_new(desc, NULL);
    for (int k = 0; k < 5; k++)
        see_move(monitor, k, 1, 1, 0, 0.001);
    update(monitor, 5);
    /* out of stage 2, which is on process 1, and into it from its place */
    expect_near(grid_monitor_error(monitor, apart, with_take, NULL, NULL), (0.1 + 0.05) / 5, 1e-6);
    grid_monitor_free(monitor);
    amoget_free(desc);
}

/* What was seen before a process changed does not count any more. */
Test(doubt, samples_since_a_change)
{
    AmogetDescription *desc = make_description(2, 3);
    GridMonitor *monitor = after_services(desc, 30);
    for (int k = 0; k < 5; k++)
        see_service(monitor, 30 + k, 1, 1, 4, 1e6);
    update(monitor, 35);
    cr_expect_eq(grid_monitor_samples(monitor, apart), 5);
    grid_monitor_free(monitor);
    amoget_free(desc);
}

/* Measured works are as uncertain as their services; the process, whose speed is given, is not. */
Test(doubt, of_measured_works)
{
    static const double other[5] = {0.2, 0.1, 0.05, 0.6, 0.05};
    AmogetDescription *desc = make_description(2, 3);
    GridMonitor *monitor = grid_monitor_new(desc, &(GridMonitorSettings){.adjust_work = 1});
    for (int k = 0; k < 10; k++)
        for (int32_t i = 0; i < (k < 5 ? 2 : 1); i++)
            see_service(monitor, k, i, i, 0.2 * (i + 1), 1e6);
    update(monitor, 10);
    expect_near(grid_monitor_error(monitor, apart, shares, NULL, NULL), hypot(0.3 / 10, 0.4 / 5),
                1e-6);
    expect_near(grid_monitor_error(monitor, apart, shares, turned, other), hypot(0.2 / 10, 0.2 / 5),
                1e-6);
    grid_monitor_free(monitor);
    amoget_free(desc);
}

/* A speed that comes from n probes has their standard error: no prior, a probe is steady. */
Test(doubt, of_probes)
{
    enum { PROBES = 6 };
    AmogetDescription *desc = make_description(2, 3);
    GridMonitor *monitor = grid_monitor_new(desc, NULL);
    for (int k = 0; k < PROBES; k++)
        see_probe(monitor, k, 1, k % 2 ? 0.0011 : 0.0009);
    update(monitor, PROBES);
    /* a tenth from the mean each: deviation 0.1 sqrt(n / (n - 1)), of the mean 0.1 / sqrt(n - 1) */
    expect_near(grid_monitor_error(monitor, apart, shares, NULL, NULL),
                0.4 * 0.1 / sqrt(PROBES - 1), 1e-6);
    grid_monitor_free(monitor);
    amoget_free(desc);
}
