#include "harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grid/core/clock.h"

int rank, size;
static int bad;

void expect(int good, const char *format, ...)
{
    va_list arguments;
    if (good)
        return;
    bad++;
    va_start(arguments, format);
    (void)fprintf(stderr, "rank %d: ", rank);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
}

void all_reduce(const void *mine, void *all, MPI_Datatype type, MPI_Op op)
{
    MPI_Request request;
    (void)MPI_Iallreduce(mine, all, 1, type, op, MPI_COMM_WORLD, &request);
    (void)clock_await(&request);
}

void all_get(void *bytes, size_t count, int from)
{
    MPI_Request request;
    (void)MPI_Ibcast(bytes, (int)count, MPI_BYTE, from, MPI_COMM_WORLD, &request);
    (void)clock_await(&request);
}

int failures(void)
{
    int all = 0;
    all_reduce(&bad, &all, MPI_INT, MPI_SUM);
    return all;
}

void run_cases(const Case *cases, size_t count, int argc, char **argv, const char *unit)
{
    expect(argc > 1, "no case is named");
    for (int i = 1; i < argc; i++) {
        size_t k = 0;
        while (k < count && strcmp(argv[i], cases[k].name) != 0)
            k++;
        expect(k < count, "there is no case `%s`", argv[i]);
        if (k == count)
            continue;
        double begin = seconds_now();
        cases[k].run();
        if (rank == 0)
            (void)printf("%s: %.2f %s\n", argv[i], seconds_now() - begin, unit);
    }
}

int64_t scaled(int64_t count)
{
    const char *text = getenv("PEPA_TEST_SCALE");
    double scale = text ? strtod(text, NULL) : 1;
    int64_t result = (int64_t)((double)count * (scale > 0 ? scale : 1));
    return result < 1 ? 1 : result;
}

uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- the functions of the pipeline -------------------------------------------------------- */

/* Of the trial that is run; the state of a stage is a number that depends on all its items. */
static const Trial *trial_now;
static int64_t given, seen, last_seen, alive;
static uint64_t sum_seen;
static int in_order;

static uint64_t first_value(int64_t item)
{
    uint64_t state = (uint64_t)item * 977;
    return next_random(&state);
}

static uint64_t stage_value(uint64_t *state, uint64_t value, int32_t stage)
{
    *state = *state * 6364136223846793005u + value + (uint64_t)stage;
    return value ^ (*state >> 7);
}

/* An item: its value over and over, so that every byte counts. */
static int fill(GridBuffer *out, uint64_t value, size_t bytes)
{
    out->size = 0;
    for (size_t at = 0; at < bytes; at += sizeof value) {
        uint64_t word = value + at;
        size_t left = bytes - at;
        if (grid_put(out, &word, left < sizeof word ? left : sizeof word))
            return -1;
    }
    return 0;
}

static uint64_t read_item(const GridBuffer *in, size_t bytes, int64_t item, const char *where)
{
    uint64_t value = 0;
    size_t wrong = in->size != bytes;
    if (in->size >= sizeof value)
        memcpy(&value, in->bytes, sizeof value);
    for (size_t at = 0; at < in->size; at += sizeof value) {
        uint64_t word = value + at;
        size_t left = in->size - at;
        wrong += memcmp(in->bytes + at, &word, left < sizeof word ? left : sizeof word) != 0;
    }
    expect(wrong == 0, "%s: item %lld has %zu bytes, or others than it should", where,
           (long long)item, in->size);
    return value;
}

static int fails(Failure failure, int64_t item)
{
    return trial_now->failure == failure && trial_now->fail_item == item;
}

static int source(void *user, int64_t item, GridBuffer *out)
{
    (void)user;
    if (fails(FAIL_SOURCE, item))
        return -7;
    given = item;
    if (item >= trial_now->items && (!trial_now->until || *trial_now->until <= 0))
        return 0;
    return fill(out, first_value(item), trial_now->size) ? -12 : 1;
}

static int sink(void *user, int64_t item, const GridBuffer *in)
{
    (void)user;
    if (fails(FAIL_SINK, item))
        return 9;
    uint64_t value = read_item(in, trial_now->size, item, "sink");
    in_order &= item > last_seen;
    last_seen = item;
    seen++;
    sum_seen += value * (uint64_t)(2 * item + 1);
    return 0;
}

static void *create(void *user)
{
    (void)user;
    if (trial_now->failure == FAIL_CREATE && rank == 0)
        return NULL;
    void *state = calloc(1, sizeof(uint64_t));
    alive += state != NULL;
    return state;
}

static void destroy(void *state)
{
    alive--;
    free(state);
}

static int pack(const void *state, GridBuffer *out)
{
    return trial_now->failure == FAIL_PACK ? 11 : grid_put(out, state, sizeof(uint64_t));
}

static int unpack(void *state, const GridBuffer *in)
{
    if (trial_now->failure == FAIL_UNPACK || in->size != sizeof(uint64_t))
        return 13;
    memcpy(state, in->bytes, in->size);
    return 0;
}

static int process(void *state, int32_t stage, int64_t item, const GridBuffer *in, GridBuffer *out)
{
    if (trial_now->fail_stage == stage && fails(FAIL_STAGE, item))
        return 5;
    expect(out->size == 0, "stage %d: the output is not empty", stage);
    uint64_t value = read_item(in, trial_now->size, item, "stage");
    if (trial_now->pause > 0) {
        struct timespec time = {.tv_sec = (time_t)trial_now->pause};
        time.tv_nsec = (long)(1e9 * (trial_now->pause - (double)time.tv_sec));
        (void)nanosleep(&time, NULL);
    }
    return fill(out, stage_value(state, value, stage), trial_now->size);
}

/* A function per stage, as its number is not told. */
#define STAGE(n)                                                                                   \
    static int stage##n(void *state, int64_t item, const GridBuffer *in, GridBuffer *out)          \
    {                                                                                              \
        return process(state, n, item, in, out);                                                   \
    }
STAGE(0)
STAGE(1)
STAGE(2)
STAGE(3)
STAGE(4)
STAGE(5)
STAGE(6)
STAGE(7)
static const GridStage stages[MOST_STAGES] = {
    {"zero", stage0, create, destroy, pack, unpack},
    {"one", stage1, create, destroy, pack, unpack},
    {"two", stage2, create, destroy, pack, unpack},
    {NULL, stage3, create, destroy, pack, unpack},
    {"four", stage4, create, destroy, pack, unpack},
    {"five", stage5, create, destroy, pack, unpack},
    {"six", stage6, create, destroy, pack, unpack},
    {"seven", stage7, create, destroy, pack, unpack},
};

/* ---- runs --------------------------------------------------------------------------------- */

Outcome run_trial(const Trial *trial)
{
    GridPipeline pipeline = {stages, trial->stages, source, sink, NULL};
    Outcome outcome = {0};
    trial_now = trial;
    given = seen = alive = 0;
    sum_seen = 0;
    last_seen = -1;
    in_order = 1;
    outcome.status =
        grid_run(MPI_COMM_WORLD, &pipeline, &trial->settings, &outcome.report, &outcome.error);
    if (outcome.error.code == GRID_ELOST)
        return outcome;
    all_reduce(&given, &outcome.items, MPI_INT64_T, MPI_MAX);
    all_reduce(&seen, &outcome.through, MPI_INT64_T, MPI_SUM);
    all_reduce(&sum_seen, &outcome.sum, MPI_UINT64_T, MPI_SUM);
    all_reduce(&in_order, &outcome.ordered, MPI_INT, MPI_MIN);
    all_reduce(&alive, &outcome.living, MPI_INT64_T, MPI_SUM);
    return outcome;
}

uint64_t expected_sum(const Trial *trial, int64_t items)
{
    uint64_t state[MOST_STAGES] = {0}, sum = 0;
    for (int64_t item = 0; item < items; item++) {
        uint64_t value = first_value(item);
        for (int32_t i = 0; i < trial->stages; i++)
            value = stage_value(&state[i], value, i);
        sum += value * (uint64_t)(2 * item + 1);
    }
    return sum;
}

GridReport expect_success(const Trial *trial, const char *what)
{
    Outcome outcome = run_trial(trial);
    expect(outcome.status == 0 && outcome.error.code == GRID_OK, "%s: %s", what,
           outcome.error.message);
    expect(outcome.items == trial->items || (trial->until && outcome.items > trial->items),
           "%s: the source gave %lld items", what, (long long)outcome.items);
    expect(outcome.report.items == outcome.items && outcome.through == outcome.items,
           "%s: %lld items reported, %lld came through", what, (long long)outcome.report.items,
           (long long)outcome.through);
    expect(outcome.ordered && outcome.sum == expected_sum(trial, outcome.items),
           "%s: order or content is wrong", what);
    expect(outcome.living == 0, "%s: %lld states are left", what, (long long)outcome.living);
    return outcome.report;
}

void expect_failure(const Trial *trial, int code, const char *words, const char *what)
{
    char first[sizeof(GridError)];
    Outcome outcome = run_trial(trial);
    expect(outcome.status == -1 && outcome.error.code == code, "%s: status %d, code %d: %s", what,
           outcome.status, outcome.error.code, outcome.error.message);
    expect(strstr(outcome.error.message, words) != NULL, "%s: it says: %s", what,
           outcome.error.message);
    expect(outcome.living == 0, "%s: %lld states are left", what, (long long)outcome.living);
    memset(first, 0, sizeof first);
    memcpy(first, &outcome.error, sizeof outcome.error);
    all_get(first, sizeof first, 0);
    expect(strcmp(((GridError *)(void *)first)->message, outcome.error.message) == 0,
           "%s: another message than on rank 0: %s", what, outcome.error.message);
}
