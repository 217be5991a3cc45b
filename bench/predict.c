/* Compares predictions with runs.  For each description: ranks its mappings, and runs the pipeline
 * on MPI with injected times for the best mapping and two others.
 *   mpirun -n PROCESSORS bench_predict [--items N] [--seconds S] [--seed N] [--constant] FILE...
 * Prints a line of a Markdown table per run, and a summary.  Times are scaled so that a run takes
 * about S seconds.  The run uses the description's sharing and transfer. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grid/pipeline.h"
#include "grid/machine/platform.h"

enum { MOST_STAGES = 16, MAPPINGS = 3, MOST_RUNS = 1000 };

typedef struct {
    int64_t items;
    double seconds;
    uint64_t seed;
    GridDistribution distribution;
    int rank;
    MPI_Comm comm; /* as many processes as the description has processors */
    double errors[MOST_RUNS];
    int runs, pairs,
        turned; /* pairs whose predictions differ by 10%; those measured in the other order */
} Bench;

static void fail(const char *what)
{
    (void)fprintf(stderr, "predict: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static char *read_file(const char *path)
{
    FILE *from = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (!from || !text || fread(text, 1, (1 << 16) - 1, from) == 0)
        fail(path);
    (void)fclose(from);
    return text;
}

/* ---- a pipeline of stages that copy their input ------------------------------------------- */

static int pass_on(void *state, int64_t item, const GridBuffer *in, GridBuffer *out)
{
    (void)state;
    (void)item;
    return grid_put(out, in->bytes, in->size);
}

static int source(void *user, int64_t item, GridBuffer *out)
{
    const Bench *bench = user;
    if (item >= bench->items)
        return 0;
    return grid_put(out, &item, sizeof item) == 0 ? 1 : -1;
}

static int sink(void *user, int64_t item, const GridBuffer *in)
{
    int64_t number;
    (void)user;
    if (in->size != sizeof number)
        return 1;
    memcpy(&number, in->bytes, sizeof number);
    return number == item ? 0 : 2;
}

/* A barrier that sleeps while it waits. */
static void wait_for_all(void)
{
    const struct timespec nap = {0, 1000000};
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
        (void)nanosleep(&nap, NULL);
}

/* Items per second of the description's time. */
static double measure(Bench *bench, const char *name, const char *text,
                      const AmogetDescription *desc, const int32_t *mapping, double predicted)
{
    GridStage stages[MOST_STAGES];
    GridPlatform *platform = NULL;
    GridReport report;
    GridError failed;
    PepaError err = {0};
    double scale = bench->seconds * predicted / (double)bench->items;
    int fixed = amoget_sharing(desc) == AMOGET_STATIC;
    GridPlatformSettings how = {bench->distribution,   bench->seed, scale, fixed, NULL,
                                grid_pipeline_reader()};
    for (int32_t i = 0; i < amoget_stage_count(desc); i++)
        stages[i] = (GridStage){.name = amoget_stage_name(desc, i), .process = pass_on};
    GridPipeline pipeline = {stages, amoget_stage_count(desc), source, sink, bench};
    if (grid_platform_new(&platform, name, text, strlen(text), "", &how, NULL, NULL, &err) !=
        PEPA_OK)
        fail(err.message);
    GridSettings settings = {.mode = amoget_transfer(desc) == AMOGET_BUFFERED ? GRID_BUFFERED
                                                                              : GRID_RENDEZVOUS,
                             .static_sharing = fixed,
                             .mapping = mapping,
                             .input = AMOGET_NOWHERE,
                             .output = AMOGET_NOWHERE,
                             .platform = platform};
    bench->seed++;
    if (grid_run(bench->comm, &pipeline, &settings, &report, &failed) != 0)
        fail(failed.message);
    grid_platform_free(platform);
    return report.throughput * scale;
}

/* ---- the comparison ----------------------------------------------------------------------- */

static void print_run(const char *name, const AmogetDescription *desc, const int32_t *mapping,
                      double predicted, double measured)
{
    const char *file = strrchr(name, '/');
    (void)printf("| %s | %s%s | (", file ? file + 1 : name,
                 amoget_sharing(desc) == AMOGET_STATIC ? "static" : "serial",
                 amoget_transfer(desc) == AMOGET_BUFFERED ? ", buffered" : "");
    for (int32_t i = 0; i < amoget_stage_count(desc); i++)
        (void)printf("%s%s", i ? "," : "", amoget_processor_name(amoget_machine(desc), mapping[i]));
    (void)printf(") | %.5f | %.5f | %+.1f%% |\n", predicted, measured,
                 100 * (measured / predicted - 1));
    (void)fflush(stdout);
}

/* The best entry, the next of another rank, and one from the middle of the others. */
static void choose(const AmogetRanking *ranking, const AmogetEntry *chosen[MAPPINGS], int *count)
{
    int64_t second = 1;
    *count = 0;
    chosen[(*count)++] = &ranking->entries[0];
    while (second < ranking->count && ranking->entries[second].rank == 1)
        second++;
    if (second < ranking->count)
        chosen[(*count)++] = &ranking->entries[second];
    int64_t middle = second + (ranking->count - second) / 2;
    if (middle > second && middle < ranking->count)
        chosen[(*count)++] = &ranking->entries[middle];
}

static void compare(Bench *bench, const char *path)
{
    PepaError err = {0};
    AmogetDescription *desc = NULL;
    AmogetRanker *ranker = NULL;
    AmogetRanking *ranking = NULL;
    AmogetSettings set = {0};
    const AmogetEntry *chosen[MAPPINGS];
    double measured[MAPPINGS];
    int count, processes;
    char *text = read_file(path);
    if (amoget_parse(&desc, path, text, strlen(text), NULL, &err) != PEPA_OK)
        fail(err.message);
    set.search = amoget_mapping_count(desc) > 0 ? AMOGET_LISTED : AMOGET_ALL;
    if (amoget_ranker_new(&ranker, desc, &set, &err) != PEPA_OK ||
        amoget_rank(ranker, &set, &ranking, &err) != PEPA_OK)
        fail(err.message);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (amoget_processor_count(amoget_machine(desc)) > processes ||
        amoget_stage_count(desc) > MOST_STAGES)
        fail("more processors than processes, or more than 16 stages");
    choose(ranking, chosen, &count);
    bool here = bench->rank < amoget_processor_count(amoget_machine(desc));
    MPI_Comm_split(MPI_COMM_WORLD, here, bench->rank, &bench->comm);
    if (!here)
        count = 0;
    for (int k = 0; k < count && bench->runs < MOST_RUNS; k++) {
        double predicted = chosen[k]->throughput;
        measured[k] = measure(bench, path, text, desc, chosen[k]->mapping, predicted);
        bench->errors[bench->runs++] = fabs(measured[k] / predicted - 1);
        if (bench->rank == 0)
            print_run(path, desc, chosen[k]->mapping, predicted, measured[k]);
        for (int other = 0; other < k; other++) {
            bool apart = chosen[other]->throughput > 1.1 * predicted;
            bench->pairs += apart;
            bench->turned += apart && measured[other] <= measured[k];
        }
    }
    MPI_Comm_free(&bench->comm);
    wait_for_all();
    amoget_ranking_free(ranking);
    amoget_ranker_free(ranker);
    amoget_free(desc);
    free(text);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarise(Bench *bench)
{
    qsort(bench->errors, (size_t)bench->runs, sizeof *bench->errors, ascending);
    (void)printf("\n%d runs of %lld items: median error %.1f%%, largest %.1f%%; of %d pairs whose "
                 "predictions differ by more than 10%%, %d in the wrong order.\n",
                 bench->runs, (long long)bench->items, 100 * bench->errors[bench->runs / 2],
                 100 * bench->errors[bench->runs - 1], bench->pairs, bench->turned);
}

int main(int argc, char **argv)
{
    Bench bench = {.items = 2000, .seconds = 5, .seed = 1, .distribution = GRID_EXPONENTIAL};
    int at = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &bench.rank);
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        if (strcmp(argv[at], "--constant") == 0)
            bench.distribution = GRID_CONSTANT;
        else if (strcmp(argv[at], "--items") == 0 && at + 1 < argc)
            bench.items = atoll(argv[++at]);
        else if (strcmp(argv[at], "--seconds") == 0 && at + 1 < argc)
            bench.seconds = atof(argv[++at]);
        else if (strcmp(argv[at], "--seed") == 0 && at + 1 < argc)
            bench.seed = (uint64_t)atoll(argv[++at]);
        else
            fail("usage: bench_predict [--items N] [--seconds S] [--seed N] [--constant] FILE...");
    }
    if (bench.rank == 0)
        (void)printf("| description | sharing | mapping | predicted | measured | off by |\n"
                     "|---|---|---|---|---|---|\n");
    for (; at < argc; at++)
        compare(&bench, argv[at]);
    if (bench.rank == 0 && bench.runs > 0)
        summarise(&bench);
    MPI_Finalize();
    return 0;
}
