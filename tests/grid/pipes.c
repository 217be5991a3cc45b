/* Runs of pipelines on real processes: mpirun -n 3 pipes CASE ... */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cases.h"
#include "grid/machine/platform.h"
#include "harness.h"

static const Trial plain = {.stages = 3,
                            .items = 40,
                            .size = 32,
                            .settings = {.input = AMOGET_NOWHERE, .output = AMOGET_NOWHERE}};

/* ---- where stages are --------------------------------------------------------------------- */

static void every_mapping(void)
{
    int32_t mapping[3];
    Trial trial = plain;
    trial.settings.mapping = mapping;
    for (int32_t i = 0; i < size * size * size; i++) {
        char what[64];
        mapping[0] = i % size, mapping[1] = i / size % size, mapping[2] = i / size / size;
        trial.settings.mode = i % 2 ? GRID_BUFFERED : GRID_RENDEZVOUS;
        (void)snprintf(what, sizeof what, "mapping %d %d %d", mapping[0], mapping[1], mapping[2]);
        (void)expect_success(&trial, what);
        trial.settings.mode = i % 2 ? GRID_RENDEZVOUS : GRID_BUFFERED;
        (void)expect_success(&trial, what);
    }
}

static void ends(void)
{
    static const int32_t mapping[3] = {1, 0, 1};
    Trial trial = plain;
    trial.settings.mapping = mapping;
    for (int32_t i = 0; i < (size + 1) * (size + 1); i++) {
        char what[64];
        trial.settings.input = i % (size + 1) - 1;
        trial.settings.output = i / (size + 1) - 1;
        trial.settings.mode = i % 2 ? GRID_BUFFERED : GRID_RENDEZVOUS;
        (void)snprintf(what, sizeof what, "ends %d %d", trial.settings.input,
                       trial.settings.output);
        (void)expect_success(&trial, what);
    }
}

static void shapes(void)
{
    static const int32_t alternate[6] = {0, 1, 0, 1, 0, 1}, one[1] = {1};
    static const struct {
        int32_t stages;
        const int32_t *mapping;
        int64_t items;
        size_t size;
    } shapes[] = {
        {1, one, 100, 8},
        {6, alternate, 100, 8},
        {6, alternate, 0, 8},
        {1, one, 0, 8},
        {6, alternate, 1, 8},
        {1, one, 1, 1 << 22},
        {3, alternate, 12, 1 << 22},
        {2, alternate, 2000, 64},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int mode = 0; mode < 2; mode++) {
            char what[64];
            Trial trial = plain;
            trial.stages = shapes[i].stages;
            trial.items = shapes[i].items;
            trial.size = shapes[i].size;
            trial.settings.mapping = shapes[i].mapping;
            trial.settings.mode = mode ? GRID_BUFFERED : GRID_RENDEZVOUS;
            (void)snprintf(what, sizeof what, "shape %zu mode %d", i, mode);
            (void)expect_success(&trial, what);
        }
}

/* Everything within one process: messages to oneself. */
static void one_process(void)
{
    static const int32_t mapping[MOST_STAGES] = {0};
    for (int mode = 0; mode < 2; mode++) {
        Trial trial = plain;
        trial.stages = MOST_STAGES;
        trial.items = 2000;
        trial.settings.mapping = mapping;
        trial.settings.mode = mode ? GRID_BUFFERED : GRID_RENDEZVOUS;
        (void)expect_success(&trial, "one process");
    }
}

/* ---- what goes wrong ---------------------------------------------------------------------- */

static void functions_fail(void)
{
    static const int32_t mapping[3] = {2, 1, 0};
    static const struct {
        Failure failure;
        int64_t item;
        const char *words;
    } rows[] = {
        {FAIL_SOURCE, 0, "the source failed on item 0 with -7, on rank 2"},
        {FAIL_SOURCE, 17, "the source failed on item 17 with -7, on rank 2"},
        {FAIL_STAGE, 0, "stage 2 `one` failed on item 0 with 5, on rank 1"},
        {FAIL_STAGE, 39, "stage 2 `one` failed on item 39 with 5, on rank 1"},
        {FAIL_SINK, 20, "the sink failed on item 20 with 9, on rank 0"},
        {FAIL_CREATE, 0, "stage 3 `two` could not create its state: -1, on rank 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int mode = 0; mode < 4; mode++) {
            Trial trial = plain;
            trial.settings.mapping = mapping;
            trial.settings.mode = mode % 2 ? GRID_BUFFERED : GRID_RENDEZVOUS;
            trial.size = mode < 2 ? 32 : 300000;
            trial.failure = rows[i].failure;
            trial.fail_stage = 1;
            trial.fail_item = rows[i].item;
            expect_failure(&trial, GRID_EUSER, rows[i].words, rows[i].words);
        }
}

static void settings_are_wrong(void)
{
    static const int32_t good[3] = {0, 1, 2}, high[3] = {0, 3, 0}, low[3] = {0, 0, -1};
    Trial trial = plain;
    trial.settings.mapping = high;
    expect_failure(&trial, GRID_EARG,
                   "the mapping puts stage 2 `one` on process 3: there are "
                   "processes 0 to 2",
                   "high");
    trial.settings.mapping = low;
    expect_failure(&trial, GRID_EARG, "stage 3 `two` on process -1", "low");
    trial.settings.mapping = rank == 1 ? high : good;
    expect_failure(&trial, GRID_EARG, "stage 2 `one` on process 3", "high on one");
    trial.settings.mapping = NULL;
    expect_failure(&trial, GRID_EARG, "there is no mapping", "none");
    trial.settings.mapping = good;
    trial.settings.input = 3;
    expect_failure(&trial, GRID_EARG, "the input is on process 3", "input");
    trial.settings.input = rank == 2 ? 1 : 0;
    expect_failure(&trial, GRID_EARG, "not the same on all processes", "input not the same");
    trial.settings.input = AMOGET_NOWHERE;
    trial.settings.output = -5;
    expect_failure(&trial, GRID_EARG, "the output is on process -5", "output");
    trial.settings.output = AMOGET_NOWHERE;
    trial.settings.mode = rank == 0 ? GRID_BUFFERED : GRID_RENDEZVOUS;
    expect_failure(&trial, GRID_EARG, "not the same on all processes", "modes");
    trial.settings.mode = (GridMode)7;
    expect_failure(&trial, GRID_EARG, "there is no mode 7", "mode");
    trial.settings.mode = GRID_BUFFERED;
    trial.settings.patience = NAN;
    expect_failure(&trial, GRID_EARG, "patience", "patience");
    trial.settings.patience = 0;
    trial.settings.static_sharing = 1;
    expect_failure(&trial, GRID_EARG, "with a platform only", "static");
    trial.settings.static_sharing = 0;
    trial.stages = 0;
    expect_failure(&trial, GRID_EARG, "a pipeline needs", "no stages");
    trial.stages = 3;
    (void)expect_success(&trial, "after all that");
}

/* ---- stages that move --------------------------------------------------------------------- */

/* Decides to move to mappings at random. */
typedef struct {
    uint64_t random;
    int32_t stages;
    int64_t decisions, told, most, left;
    int answer; /* of decide; 2: a mapping that is none */
    double longest, last;
    int32_t mapping[MOST_STAGES];
} Mover;

static int decide(void *user, double time, int64_t done, int32_t *mapping)
{
    Mover *mover = user;
    expect(time >= mover->last && done >= 0, "decide: time %g, done %lld", time, (long long)done);
    expect(mover->told == mover->decisions, "decide: the last move is not over");
    if (mover->decisions == mover->most)
        return 0;
    if (mover->decisions > 0)
        expect(memcmp(mapping, mover->mapping, (size_t)mover->stages * sizeof *mapping) == 0,
               "decide: the mapping is not what was decided");
    do
        for (int32_t i = 0; i < mover->stages; i++)
            mover->mapping[i] = (int32_t)(next_random(&mover->random) % (uint64_t)size);
    while (memcmp(mapping, mover->mapping, (size_t)mover->stages * sizeof *mapping) == 0);
    memcpy(mapping, mover->mapping, (size_t)mover->stages * sizeof *mapping);
    mover->last = time;
    if (mover->answer == 2)
        mapping[1] = size;
    if (mover->answer <= 0)
        return mover->answer;
    mover->decisions++;
    return 1;
}

static void moved(void *user, double time, const int32_t *mapping, double seconds)
{
    Mover *mover = user;
    mover->told++;
    mover->left--;
    expect(seconds >= 0 && time >= mover->last, "moved: %g s at %g", seconds, time);
    expect(memcmp(mapping, mover->mapping, (size_t)mover->stages * sizeof *mapping) == 0,
           "moved: the mapping is not what was decided");
    mover->longest = fmax(mover->longest, seconds);
}

static GridReport move_about(Trial *trial, Mover *mover, double period, const char *what)
{
    int32_t mapping[MOST_STAGES] = {0};
    GridController controller = {period, NULL, decide, moved, mover};
    mover->stages = trial->stages;
    trial->settings.mapping = mapping;
    trial->settings.controller = rank == 0 ? &controller : NULL;
    GridReport report = expect_success(trial, what);
    if (rank == 0) {
        /* the end of the stream may overtake the last decision */
        expect(report.moves == mover->told && mover->decisions - mover->told <= 1,
               "%s: %lld moves decided, %lld reported, %lld told", what,
               (long long)mover->decisions, (long long)report.moves, (long long)mover->told);
        printf("  %s: %lld moves in %.2f s, the longest took %.1f ms; %lld items\n", what,
               (long long)report.moves, report.seconds, 1e3 * mover->longest,
               (long long)report.items);
    }
    return report;
}

/* A thousand, with a source that stays and goes on until they are made; and as many as the items
 * are enough for, with a source that moves as well. */
static void many_moves(void)
{
    for (int mode = 0; mode < 2; mode++) {
        Trial trial = plain;
        Mover mover = {.random = 1 + (uint64_t)mode, .answer = 1, .most = scaled(1000)};
        trial.stages = mode ? 6 : 4;
        trial.items = mode ? scaled(3000) : 0;
        trial.until = mode ? NULL : &mover.left;
        trial.settings.input = mode ? AMOGET_NOWHERE : 0;
        trial.settings.mode = mode ? GRID_BUFFERED : GRID_RENDEZVOUS;
        mover.left = mover.most;
        GridReport report = move_about(&trial, &mover, 1e-4, mode ? "buffered" : "rendezvous");
        expect(mode || report.moves == mover.most, "%lld moves", (long long)report.moves);
    }
}

static void moves_with_ends(void)
{
    for (int i = 0; i < 4; i++) {
        Trial trial = plain;
        Mover mover = {.random = 7, .answer = 1, .most = 1000};
        trial.items = 200;
        trial.size = i < 2 ? 100 : 1 << 18;
        trial.settings.mode = i % 2 ? GRID_BUFFERED : GRID_RENDEZVOUS;
        trial.settings.input = 1;
        trial.settings.output = i == 1 ? 1 : size - 1;
        (void)move_about(&trial, &mover, 1e-3, "ends");
    }
}

/* With injected times, whose timers must not be lost: static and serial sharing, and both modes. */
static void moves_with_timers(void)
{
    static const char text[] = "pipeline { stage a; stage b; stage c; }\n"
                               "processors { x time 0.5ms; y time 0.5ms cores 2; z time 0.5ms; }\n"
                               "network { latency default 0.3ms; latency local 0.1 ms; }\n";
    for (int i = 0; i < 4; i++) {
        GridPlatform *platform = NULL;
        GridPlatformSettings times = {GRID_EXPONENTIAL,      (uint64_t)i, 1, i < 2, NULL,
                                      grid_pipeline_reader()};
        PepaStatus made = grid_platform_new(&platform, "test", text, strlen(text), "0.1 cores.x 2",
                                            &times, NULL, NULL, NULL);
        expect(made == PEPA_OK, "no platform");
        Trial trial = plain;
        Mover mover = {.random = 3, .answer = 1, .most = 1000};
        trial.items = scaled(300);
        trial.settings.mode = i % 2 ? GRID_BUFFERED : GRID_RENDEZVOUS;
        trial.settings.static_sharing = i < 2;
        trial.settings.platform = platform;
        (void)move_about(&trial, &mover, 1e-3, i < 2 ? "static" : "serial");
        grid_platform_free(platform);
    }
}

static void moves_fail(void)
{
    static const int32_t mapping[3] = {0, 1, 2};
    static const struct {
        Failure failure;
        int answer, code;
        const char *words;
    } rows[] = {
        {FAIL_PACK, 1, GRID_EUSER, "could not pack its state: 11"},
        {FAIL_UNPACK, 1, GRID_EUSER, "could not unpack its state: 13"},
        {FAIL_NOTHING, -3, GRID_EUSER, "the controller failed with -3"},
        {FAIL_NOTHING, 2, GRID_EARG, "the controller maps stage 2 `one` to process 3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Trial trial = plain;
        Mover mover = {.stages = 3, .random = i, .answer = rows[i].answer, .most = 1000};
        GridController controller = {1e-3, NULL, decide, moved, &mover};
        trial.items = 1000000;
        trial.failure = rows[i].failure;
        trial.fail_item = -1;
        trial.settings.mapping = mapping;
        trial.settings.controller = rank == 0 ? &controller : NULL;
        expect_failure(&trial, rows[i].code, rows[i].words, rows[i].words);
    }
    Trial trial = plain;
    GridController controller = {.period = 0};
    trial.settings.mapping = mapping;
    trial.settings.controller = &controller;
    expect_failure(&trial, GRID_EARG, "period", "period");
}

/* ---- processes that are lost -------------------------------------------------------------- */

/* A minute's run, in which somebody will stop or kill a process; every one says on stdout who it
 * is, and who guards it. */
static void minute(void)
{
    static const int32_t mapping[3] = {0, 1, 2};
    Trial trial = plain;
    trial.items = 1200;
    trial.pause = 0.05;
    trial.settings.mapping = mapping;
    const char *patience = getenv("PATIENCE");
    trial.settings.patience = patience ? strtod(patience, NULL) : 0;
    printf("pid %d %ld %ld\n", rank, (long)getpid(), (long)getppid());
    (void)fflush(stdout);
    Outcome outcome = run_trial(&trial);
    if (outcome.status && outcome.error.speaker == rank)
        (void)fprintf(stderr, "pipes: %s\n", outcome.error.message);
    if (outcome.status)
        exit(grid_finish(MPI_COMM_WORLD, &outcome.error));
}

static const Case cases[] = {
    {"every_mapping", every_mapping},
    {"ends", ends},
    {"shapes", shapes},
    {"functions_fail", functions_fail},
    {"settings_are_wrong", settings_are_wrong},
    {"many_moves", many_moves},
    {"moves_with_ends", moves_with_ends},
    {"moves_with_timers", moves_with_timers},
    {"a_millisecond", a_millisecond},
    {"moves_fail", moves_fail},
    {"rows_of_the_table", rows_of_the_table},
    {"constant_times", constant_times},
    {"a_change", a_change},
    {"samples", samples},
    {"measured_samples", measured_samples},
    {"platforms_do_not_fit", platforms_do_not_fit},
    {"one_process", one_process},
    {"memory", memory},
    {"minute", minute},
    {"a_token_goes_round", a_token_goes_round},
    {"a_token_breaks", a_token_breaks},
    {"rings_differ", rings_differ},
};

int main(int argc, char **argv)
{
    grid_guard();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    run_cases(cases, sizeof cases / sizeof *cases, argc, argv, "s");
    int bad = failures();
    MPI_Finalize();
    return bad > 0;
}
