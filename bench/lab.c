/* A pipeline on a real network.  Stages sleep for as long as the description says that they work;
 * items of the described sizes are really sent from process to process.
 *   mpirun -n PROCESSORS bench_lab [OPTION]... DESCRIPTION
 *     --items N             [100]
 *     --mapping P,P,...     where the stages start  [the best one by the description]
 *     --buffered            a place on each link
 *     --constant            work takes its mean time  [exponential times]
 *     --period S            seconds between decisions  [1]
 *     --fixed               stages stay where they are
 *     --patience S          as of GridSettings
 *     --at S COMMAND        at the first decision S seconds into the run, process 0 calls the shell
 *     --measurements FILE   the measurements
 * Prints the decision log, a line "rate" per period (seconds; items per second since the last one)
 * and the result.  Every item's content depends on all stages' states, which move with the stages:
 * `content right` says that all items came through, once, in order. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grid/pipeline.h"
#include "grid/steer/rescheduler.h"

enum { MOST_STAGES = 8, SMALLEST = 16 };

typedef struct {
    int64_t items;
    const char *mapping, *command, *measurements, *path;
    double period, patience, at;
    int buffered, constant, fixed;
} Options;

typedef struct {
    const Options *options;
    AmogetDescription *desc;
    GridController inner;
    GridMonitor *monitor;
    int rank, stages;
    double seconds[MOST_STAGES]; /* of a stage's work here */
    size_t bytes[MOST_STAGES];   /* that it sends on */
    int64_t last_done, through;
    double last_time;
    uint64_t sum; /* of what came through */
    FILE *measured;
    int commanded;
} Bench;

/* Functions of stages get only their state; there is one run per process. */
static Bench bench;

static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("bench_lab: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

/* ---- content ------------------------------------------------------------------------------ */

/* SplitMix64: Steele, Lea, Flood, OOPSLA 2014. */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static uint64_t stage_value(uint64_t *state, uint64_t value, int stage)
{
    *state = mix(*state + value + (uint64_t)stage);
    return value ^ *state;
}

/* A value at both ends of an item. */
static int fill(GridBuffer *out, uint64_t value, size_t bytes)
{
    static const unsigned char zero[4096];
    int bad = grid_put(out, &value, sizeof value);
    for (size_t left = bytes - SMALLEST; left > 0 && !bad;) {
        size_t part = left < sizeof zero ? left : sizeof zero;
        bad = grid_put(out, zero, part);
        left -= part;
    }
    return bad || grid_put(out, &value, sizeof value) ? -1 : 0;
}

static int read_value(const GridBuffer *in, uint64_t *value)
{
    if (in->size < SMALLEST)
        return -1;
    memcpy(value, in->bytes, sizeof *value);
    return memcmp(value, in->bytes + in->size - sizeof *value, sizeof *value);
}

static uint64_t expected_sum(int64_t items, int stages)
{
    uint64_t state[MOST_STAGES] = {0}, sum = 0;
    for (int64_t item = 0; item < items; item++) {
        uint64_t value = mix((uint64_t)item);
        for (int i = 0; i < stages; i++)
            value = stage_value(&state[i], value, i);
        sum = mix(sum + value);
    }
    return sum;
}

/* ---- the pipeline ------------------------------------------------------------------------- */

static int source(void *user, int64_t item, GridBuffer *out)
{
    const Bench *b = user;
    if (item >= b->options->items)
        return 0;
    return fill(out, mix((uint64_t)item), SMALLEST) ? -1 : 1;
}

static int sink(void *user, int64_t item, const GridBuffer *in)
{
    Bench *b = user;
    uint64_t value;
    (void)item;
    if (read_value(in, &value))
        return 1;
    b->sum = mix(b->sum + value);
    b->through++;
    return 0;
}

static void sleep_for(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)(1e9 * (seconds - (double)time.tv_sec));
    (void)nanosleep(&time, NULL);
}

static int process(uint64_t *state, int stage, int64_t item, const GridBuffer *in, GridBuffer *out)
{
    uint64_t value;
    double uniform =
        ((double)(mix((uint64_t)item * MOST_STAGES + (uint64_t)stage) >> 11) + 0.5) * 0x1p-53;
    if (read_value(in, &value))
        return 1;
    sleep_for(bench.seconds[stage] * (bench.options->constant ? 1 : -log(uniform)));
    return fill(out, stage_value(state, value, stage), bench.bytes[stage]);
}

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

static void *create(void *user)
{
    (void)user;
    return calloc(1, sizeof(uint64_t));
}

static int pack(const void *state, GridBuffer *out)
{
    return grid_put(out, state, sizeof(uint64_t));
}

static int unpack(void *state, const GridBuffer *in)
{
    if (in->size != sizeof(uint64_t))
        return 1;
    memcpy(state, in->bytes, in->size);
    return 0;
}

/* ---- steering ----------------------------------------------------------------------------- */

static void observe(void *user, const GridSample *samples, size_t count)
{
    Bench *b = user;
    grid_monitor_observe(b->monitor, samples, count);
}

static int decide(void *user, double time, int64_t done, int32_t *mapping)
{
    Bench *b = user;
    int answer = 0;
    if (!b->options->fixed)
        answer = b->inner.decide(b->inner.user, time, done, mapping);
    else
        (void)grid_monitor_update(b->monitor, time, NULL);
    printf("rate %.3f %.4g\n", time, (double)(done - b->last_done) / (time - b->last_time));
    (void)fflush(stdout);
    b->last_done = done;
    b->last_time = time;
    if (b->measured) {
        (void)grid_monitor_write(b->monitor, 0, b->measured);
        (void)fflush(b->measured);
    }
    if (b->options->command && !b->commanded && time >= b->options->at) {
        b->commanded = 1;
        printf("command at %.3f\n", time);
        (void)fflush(stdout);
        if (system(b->options->command) != 0)
            return -1;
    }
    return answer;
}

static void moved(void *user, double time, const int32_t *mapping, double seconds)
{
    Bench *b = user;
    if (!b->options->fixed)
        b->inner.moved(b->inner.user, time, mapping, seconds);
}

/* ---- setting up --------------------------------------------------------------------------- */

static const char *next_of(int argc, char **argv, int *at)
{
    if (*at + 1 >= argc)
        fail("a value is missing for %s", argv[*at]);
    return argv[++*at];
}

static Options read_options(int argc, char **argv)
{
    Options o = {.items = 100, .period = 1};
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (strcmp(name, "--items") == 0)
            o.items = atoll(next_of(argc, argv, &i));
        else if (strcmp(name, "--mapping") == 0)
            o.mapping = next_of(argc, argv, &i);
        else if (strcmp(name, "--buffered") == 0)
            o.buffered = 1;
        else if (strcmp(name, "--constant") == 0)
            o.constant = 1;
        else if (strcmp(name, "--fixed") == 0)
            o.fixed = 1;
        else if (strcmp(name, "--period") == 0)
            o.period = atof(next_of(argc, argv, &i));
        else if (strcmp(name, "--patience") == 0)
            o.patience = atof(next_of(argc, argv, &i));
        else if (strcmp(name, "--measurements") == 0)
            o.measurements = next_of(argc, argv, &i);
        else if (strcmp(name, "--at") == 0) {
            o.at = atof(next_of(argc, argv, &i));
            o.command = next_of(argc, argv, &i);
        } else if (name[0] == '-' || o.path)
            fail("unexpected: %s", name);
        else
            o.path = name;
    }
    if (!o.path)
        fail("which description?");
    return o;
}

static AmogetDescription *read_description(const Options *o, int processes)
{
    char *text = calloc(1, 1 << 16);
    FILE *from = fopen(o->path, "rb");
    AmogetDescription *desc = NULL;
    PepaError err = {0};
    if (!text || !from || fread(text, 1, (1 << 16) - 1, from) == 0)
        fail("%s cannot be read", o->path);
    (void)fclose(from);
    if (amoget_parse(&desc, o->path, text, strlen(text), NULL, &err) != PEPA_OK)
        fail("%s: %s", o->path, err.message);
    free(text);
    if (amoget_processor_count(amoget_machine(desc)) != processes ||
        amoget_stage_count(desc) > MOST_STAGES)
        fail("%s: as many processors as processes, please, and up to %d stages", o->path,
             MOST_STAGES);
    if (amoget_set_transfer(desc, o->buffered ? AMOGET_BUFFERED : AMOGET_RENDEZVOUS, &err) ||
        amoget_set_sharing(desc, AMOGET_SERIAL, &err) || amoget_set_ends(desc, 0, 0, &err))
        fail("%s: %s", o->path, err.message);
    return desc;
}

/* The work of stages on this process. */
static void prepare(Bench *b)
{
    b->stages = amoget_stage_count(b->desc);
    for (int i = 0; i < b->stages; i++) {
        double bytes = amoget_output(b->desc, i);
        b->seconds[i] = amoget_work(b->desc, i) * amoget_time(amoget_machine(b->desc), b->rank);
        b->bytes[i] = bytes > SMALLEST ? (size_t)bytes : SMALLEST;
    }
}

/* The given mapping, or the best one, and its predicted throughput. */
static double find_mapping(const Bench *b, int32_t *mapping)
{
    AmogetSettings set = {0};
    AmogetRanker *ranker = NULL;
    AmogetRanking *ranking = NULL;
    PepaError err = {0};
    AmogetDescription *desc = b->desc;
    set.search = AMOGET_BEST;
    set.top = 1;
    if (b->options->mapping) {
        if (amoget_read_mapping(desc, b->options->mapping, mapping, &err) != PEPA_OK ||
            amoget_add_mapping(desc, mapping, &err) != PEPA_OK)
            fail("%s", err.message);
        set.search = AMOGET_LISTED;
    }
    if (amoget_ranker_new(&ranker, desc, &set, &err) != PEPA_OK ||
        amoget_rank(ranker, &set, &ranking, &err) != PEPA_OK)
        fail("%s", err.message);
    double predicted = ranking->entries[0].throughput;
    memcpy(mapping, ranking->entries[0].mapping, (size_t)b->stages * sizeof *mapping);
    amoget_ranking_free(ranking);
    amoget_ranker_free(ranker);
    return predicted;
}

static void print_mapping(const Bench *b, const int32_t *mapping)
{
    for (int i = 0; i < b->stages; i++)
        printf("%s%s", i ? "," : "", amoget_processor_name(amoget_machine(b->desc), mapping[i]));
}

/* ---- the run ------------------------------------------------------------------------------ */

static void report_run(const Bench *b, const GridReport *report, const int32_t *mapping,
                       double predicted)
{
    int right = b->through == b->options->items && report->items == b->options->items &&
                b->sum == expected_sum(b->options->items, b->stages);
    printf("items %" PRId64 " in %.3f s\nmapping ", report->items, report->seconds);
    print_mapping(b, mapping);
    printf("\npredicted %.5g\nmeasured %.5g\nmoves %" PRId64 "\noverhead %.4f\ncontent %s\n",
           predicted, report->throughput, report->moves, report->overhead,
           right ? "right" : "wrong");
}

static GridRescheduler *steer(Bench *b, GridController *controller)
{
    GridReschedulerSettings set = grid_rescheduler_default();
    GridRescheduler *rescheduler = NULL;
    PepaError err = {0};
    set.items = b->options->items;
    set.log = stdout;
    b->monitor = grid_monitor_new(b->desc, NULL);
    if (b->options->measurements && !(b->measured = fopen(b->options->measurements, "w")))
        fail("%s cannot be written", b->options->measurements);
    if (!b->monitor ||
        grid_rescheduler_new(&rescheduler, b->desc, b->monitor, &set, &err) != PEPA_OK)
        fail("no rescheduler: %s", err.message);
    b->inner = grid_rescheduler_controller(rescheduler, b->options->period);
    *controller = (GridController){b->options->period, observe, decide, moved, b};
    return rescheduler;
}

int main(int argc, char **argv)
{
    int (*const process_of[MOST_STAGES])(void *, int64_t, const GridBuffer *,
                                         GridBuffer *) = {stage0, stage1, stage2, stage3,
                                                          stage4, stage5, stage6, stage7};
    GridStage stages[MOST_STAGES];
    int32_t mapping[MOST_STAGES];
    GridController controller;
    GridReport report;
    GridError failed = {0};
    int processes;
    grid_guard();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &bench.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    const Options options = read_options(argc, argv);
    bench.options = &options;
    bench.desc = read_description(&options, processes);
    prepare(&bench);
    double predicted = find_mapping(&bench, mapping);
    for (int i = 0; i < bench.stages; i++)
        stages[i] = (GridStage){amoget_stage_name(bench.desc, i),
                                process_of[i],
                                create,
                                free,
                                pack,
                                unpack};
    const GridPipeline pipeline = {stages, bench.stages, source, sink, &bench};
    GridRescheduler *rescheduler = bench.rank == 0 ? steer(&bench, &controller) : NULL;
    GridSettings settings = {.mode = options.buffered ? GRID_BUFFERED : GRID_RENDEZVOUS,
                             .mapping = mapping,
                             .input = 0, /* process 0 counts the items there */
                             .output = 0,
                             .controller = bench.rank == 0 ? &controller : NULL,
                             .patience = options.patience};
    if (grid_run(MPI_COMM_WORLD, &pipeline, &settings, &report, &failed) == 0) {
        if (bench.rank == 0)
            report_run(&bench, &report, mapping, predicted);
    } else if (bench.rank == failed.speaker) {
        (void)fprintf(stderr, "bench_lab: %s\n", failed.message);
    }
    grid_rescheduler_free(rescheduler);
    grid_monitor_free(bench.monitor);
    amoget_free(bench.desc);
    if (bench.measured)
        (void)fclose(bench.measured);
    return grid_finish(MPI_COMM_WORLD, &failed);
}
