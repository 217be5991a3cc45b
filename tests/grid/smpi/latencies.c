/* What the monitor says of links that SimGrid simulates. */
#include <math.h>
#include <stdio.h>

#include "grid.h"
#include "grid/steer/monitor.h"
#include "harness.h"
#include "simulated.h"

enum { STAGES = 2, EACH = 3 }; /* processes in each cluster */

static void observe(void *user, const GridSample *samples, size_t count)
{
    grid_monitor_observe(user, samples, count);
}

/* Between the processes of two clusters, all pairs together: how far off latencies are, relative to
 * grid_latency, and what bandwidths are, relative to GRID_BANDWIDTH. */
typedef struct {
    double low, high, slowest, fastest;
    int pairs;
} Off;

static void compare(const AmogetDescription *desc, Off off[CLUSTERS][CLUSTERS])
{
    for (int32_t a = 0; a < size; a++)
        for (int32_t b = 0; b < a; b++) {
            int from = a / EACH, to = b / EACH;
            Off *each = &off[from][to];
            double latency =
                1e3 * amoget_latency(amoget_machine(desc), a, b) / grid_latency[from][to] - 1;
            double bandwidth = amoget_bandwidth(amoget_machine(desc), a, b) / GRID_BANDWIDTH;
            each->low = each->pairs ? fmin(each->low, latency) : latency;
            each->high = each->pairs ? fmax(each->high, latency) : latency;
            each->slowest = each->pairs ? fmin(each->slowest, bandwidth) : bandwidth;
            each->fastest = each->pairs ? fmax(each->fastest, bandwidth) : bandwidth;
            each->pairs++;
        }
}

static void judge(int from, int to, const Off *off)
{
    double latency = grid_latency[from][to];
    const char *a = grid_cluster[from].name, *b = grid_cluster[to].name;
    printf(
        "  %s - %s: latency %g ms, measured %+.1f%% to %+.1f%%; bandwidth %.2f to %.2f times what "
        "it is (%d pairs)\n",
        a, b, latency, 100 * off->low, 100 * off->high, off->slowest, off->fastest, off->pairs);
    expect(off->low >= -0.001, "%s - %s: %.1f%% below %g ms", a, b, 100 * off->low, latency);
    expect(off->high <= fmin(0.25 + 0.25 / latency, 1 / latency), "%s - %s: %.1f%% above %g ms", a,
           b, 100 * off->high, latency);
    expect(off->slowest > 0.75 && off->fastest < 1.35, "%s - %s: bandwidths %.2f to %.2f", a, b,
           off->slowest, off->fastest);
}

/* Processors of which nothing is known. */
static AmogetDescription *strangers(void)
{
    AmogetDescription *desc = NULL;
    PepaError err = {0};
    char name[20];
    int good = amoget_new(&desc, &err) == PEPA_OK;
    for (int32_t i = 0; i < size && good; i++) {
        (void)snprintf(name, sizeof name, "p%d", i);
        good = amoget_add_processor(amoget_machine(desc), name, 1e-3, &err) == PEPA_OK;
    }
    for (int32_t i = 0; i < STAGES && good; i++) {
        (void)snprintf(name, sizeof name, "s%d", i);
        good = amoget_add_stage(desc, name, &err) == PEPA_OK;
    }
    good = good && amoget_set_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 1e-5,
                                      &err) == PEPA_OK;
    expect(good, "no description: %s", err.message);
    return desc;
}

/* A process that waits looks again after a quarter of the time that it has waited, and after half a
 * millisecond at the latest: latencies are found to be longer by a quarter of them and a quarter of
 * a millisecond, and never shorter.  On each way of a round trip somebody waits for a message to
 * have gone and somebody for it to have come: no more than a millisecond.  Of the 3.9 ms that 48 KB
 * take that is a quarter. */
void measures_latencies(void)
{
    static const int32_t mapping[STAGES] = {0};
    AmogetDescription *desc = strangers();
    Off off[CLUSTERS][CLUSTERS] = {0};
    PepaError err = {0};
    GridMonitor *monitor = grid_monitor_new(desc, NULL);
    GridController controller = {0.1, observe, NULL, NULL, monitor};
    Trial trial = {.stages = STAGES, .items = 50, .size = 1000, .pause = 2e-3};
    trial.settings = (GridSettings){.mapping = mapping,
                                    .input = AMOGET_NOWHERE,
                                    .output = AMOGET_NOWHERE,
                                    .controller = &controller};
    expect(size == EACH * CLUSTERS, "%d processes", size);
    (void)expect_success(&trial, "latencies");
    if (rank == 0) {
        expect(grid_monitor_update(monitor, 1, &err) == PEPA_OK, "no update: %s", err.message);
        compare(desc, off);
        for (int a = 0; a < CLUSTERS; a++)
            for (int b = 0; b <= a; b++)
                judge(a, b, &off[a][b]);
    }
    grid_monitor_free(monitor);
    amoget_free(desc);
}
