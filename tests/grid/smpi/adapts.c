/* A processor becomes slow in the middle of a run, and the rescheduler makes the best of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "grid/core/clock.h"
#include "grid/steer/rescheduler.h"
#include "harness.h"
#include "simulated.h"

enum { ITEMS = 2400, SLOWER = 10, HEAVIEST = 5 }; /* stage s6 */
#define FACTOR 0.1                                /* of the grid's times */
#define PERIOD 0.5                                /* s */
#define CHANGE 2.0                                /* s */

/* ---- a pipeline whose source and sink are on process 0 ------------------------------------ */

typedef struct {
    double begin, time[ITEMS]; /* seconds since the run began, at which items came out */
    int64_t wrong;
} Stream;

static int source(void *user, int64_t item, GridBuffer *out)
{
    Stream *stream = user;
    if (item == 0)
        stream->begin = clock_now();
    return item < ITEMS ? (grid_put(out, &item, sizeof item) ? -1 : 1) : 0;
}

static int pass_on(void *state, int64_t item, const GridBuffer *in, GridBuffer *out)
{
    (void)state;
    (void)item;
    return grid_put(out, in->bytes, in->size);
}

static int sink(void *user, int64_t item, const GridBuffer *in)
{
    Stream *stream = user;
    stream->wrong += in->size != sizeof item || memcmp(in->bytes, &item, sizeof item) != 0;
    stream->time[item] = clock_now() - stream->begin;
    return 0;
}

/* Items per second between two times, or to the end. */
static double rate(const Stream *stream, double from, double to)
{
    int64_t first = 0, last = ITEMS - 1;
    while (first < last && stream->time[first] < from)
        first++;
    while (last > first && stream->time[last] > to)
        last--;
    expect(last - first > 400, "%lld items from %g s on", (long long)(last - first), from);
    return (double)(last - first) / (stream->time[last] - stream->time[first]);
}

/* ---- the run ------------------------------------------------------------------------------ */

/* What a decision may take is a matter of the machine it is made on: for the same decisions
 * everywhere there must be no limit. */
static GridReschedulerSettings unhurried(FILE *log)
{
    GridReschedulerSettings set = grid_rescheduler_default();
    set.items = ITEMS;
    set.rank.time_limit = 0;
    set.budget = HUGE_VAL;
    set.rank.threads = 1;
    set.log = log;
    set.json = 1;
    return set;
}

static GridReport run(Stream *stream, const GridPlatform *platform, const int32_t *mapping,
                      const GridController *controller)
{
    static const GridStage stage = {"stage", pass_on, NULL, NULL, NULL, NULL};
    GridStage stages[MOST_STAGES];
    for (int i = 0; i < MOST_STAGES; i++)
        stages[i] = stage;
    GridPipeline pipeline = {stages, MOST_STAGES, source, sink, stream};
    GridSettings settings = {.mapping = mapping, .platform = platform, .controller = controller};
    GridReport report = {0};
    GridError err = {0};
    int status = grid_run(MPI_COMM_WORLD, &pipeline, &settings, &report, &err);
    expect(status == 0, "adapts: %s", err.message);
    return report;
}

/* With a rescheduler on process 0. */
static void adapt(Stream *stream, const char *text, const GridPlatform *platform,
                  const int32_t *mapping)
{
    const char *path = getenv("DECISIONS");
    FILE *log = rank == 0 && path ? fopen(path, "w") : NULL;
    GridMonitorSettings kept = {.window = 301};
    GridReschedulerSettings set = unhurried(log);
    AmogetDescription *desc = description_of(text);
    GridMonitor *monitor = desc ? grid_monitor_new(desc, &kept) : NULL;
    GridRescheduler *rescheduler = NULL;
    PepaError err = {0};
    expect(monitor && grid_rescheduler_new(&rescheduler, desc, monitor, &set, &err) == PEPA_OK,
           "no rescheduler: %s", err.message);
    if (rescheduler) {
        GridController controller = grid_rescheduler_controller(rescheduler, PERIOD);
        GridReport report = run(stream, platform, mapping, &controller);
        expect(report.moves >= 1 && report.moves <= 4, "%lld moves", (long long)report.moves);
        if (rank == 0)
            printf("  %lld moves\n", (long long)report.moves);
    }
    if (log)
        (void)fclose(log);
    grid_rescheduler_free(rescheduler);
    grid_monitor_free(monitor);
    amoget_free(desc);
}

static void judge(const Stream *stream, double best_before, double best_after, double otherwise)
{
    double before = rate(stream, PERIOD, CHANGE),
           after = rate(stream, CHANGE + 3 * PERIOD, HUGE_VAL);
    printf("  %.4g items/s before, best possible %.4g (%.0f%%); from 3 periods after the change on "
           "%.4g, best possible %.4g (%.0f%%); without a move %.4g\n",
           before, best_before, 100 * before / best_before, after, best_after,
           100 * after / best_after, otherwise);
    expect(stream->wrong == 0, "%lld items are wrong", (long long)stream->wrong);
    expect(before >= 0.9 * best_before, "%g of %g items/s before", before, best_before);
    expect(after >= 0.9 * best_after, "%g of %g items/s after", after, best_after);
    expect(otherwise < 0.5 * best_after, "a test without a point: %g items/s", otherwise);
}

void adapts(void)
{
    static Stream stream; /* too large for a stack */
    int32_t mapping[MOST_STAGES], best[MOST_STAGES];
    char changes[100] = "", *text = grid_description(FACTOR);
    AmogetDescription *desc = text ? description_of(text) : NULL;
    double before = 0;
    expect(size == GRID_PROCESSORS, "%d processes", size);
    if (!desc)
        return;
    if (rank == 0) {
        before = throughput_of(desc, NULL, mapping);
        (void)snprintf(changes, sizeof changes, "%g time.%s %.17g s", CHANGE,
                       amoget_processor_name(amoget_machine(desc), mapping[HEAVIEST]),
                       SLOWER * amoget_time(amoget_machine(desc), mapping[HEAVIEST]));
    }
    all_get(mapping, sizeof mapping, 0);
    all_get(changes, sizeof changes, 0);
    GridPlatform *platform = platform_of(text, changes, 1);
    if (platform) {
        adapt(&stream, text, platform, mapping);
        if (rank == 0) {
            const AmogetDescription *now = grid_platform_part(platform, CHANGE + 1);
            judge(&stream, before, throughput_of(now, NULL, best),
                  throughput_of(now, mapping, NULL));
        }
    }
    grid_platform_free(platform);
    amoget_free(desc);
    free(text);
}
