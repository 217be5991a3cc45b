/* Runs in simulated time: smpirun ... simulated CASE ... */
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "simulated.h"

/* ---- what cases share --------------------------------------------------------------------- */

GridPlatform *platform_of(const char *text, const char *changes, int static_sharing)
{
    GridPlatform *platform = NULL;
    PepaError err = {0};
    GridPlatformSettings settings = {GRID_EXPONENTIAL, 20040606, 1,
                                     static_sharing,   NULL,     grid_pipeline_reader()};
    (void)grid_platform_new(&platform, "test", text, strlen(text), changes, &settings, NULL, NULL,
                            &err);
    expect(platform != NULL, "no platform: %s", err.message);
    return platform;
}

AmogetDescription *description_of(const char *text)
{
    AmogetDescription *desc = NULL;
    PepaError err = {0};
    (void)amoget_parse(&desc, "test", text, strlen(text), NULL, &err);
    expect(desc != NULL, "no description: %s", err.message);
    return desc;
}

double throughput_of(const AmogetDescription *desc, const int32_t *mapping, int32_t *best)
{
    PepaError err = {0};
    AmogetRanker *ranker = NULL;
    AmogetRanking *ranking = NULL;
    AmogetExplanation *why = NULL;
    AmogetSettings set = {0};
    double throughput = 0;
    set.search = AMOGET_BEST;
    if (amoget_ranker_new(&ranker, desc, &set, &err) != PEPA_OK)
        expect(0, "no ranker: %s", err.message);
    else if (mapping && amoget_explain(ranker, mapping, &set, &why, &err) == PEPA_OK)
        throughput = why->throughput;
    else if (!mapping && amoget_rank(ranker, &set, &ranking, &err) == PEPA_OK) {
        throughput = ranking->entries[0].throughput;
        memcpy(best, ranking->entries[0].mapping, (size_t)ranking->stages * sizeof *best);
        expect(ranking->optimal, "the best mapping is not proved to be that");
    }
    expect(throughput > 0, "no throughput: %s", err.message);
    amoget_explanation_free(why);
    amoget_ranking_free(ranking);
    amoget_ranker_free(ranker);
    return throughput;
}

/* ---- moves at scale ----------------------------------------------------------------------- */

typedef struct {
    uint64_t random;
    int64_t left, told; /* left: moves to decide; the source goes on until then */
} Shuffle;

static int decide(void *user, double time, int64_t done, int32_t *mapping)
{
    Shuffle *shuffle = user;
    (void)time;
    (void)done;
    if (shuffle->left == 0)
        return 0;
    for (int32_t i = 0; i < MOST_STAGES; i++)
        mapping[i] = (int32_t)(next_random(&shuffle->random) % (uint64_t)size);
    shuffle->left--;
    return 1;
}

static void moved(void *user, double time, const int32_t *mapping, double seconds)
{
    Shuffle *shuffle = user;
    (void)time;
    (void)mapping;
    (void)seconds;
    shuffle->told++;
}

/* Stages from anywhere to anywhere, so many times, in a stream that ends after the last one. */
static void shuffle_about(int64_t moves, GridMode mode, const char *what)
{
    int32_t mapping[MOST_STAGES];
    Shuffle shuffle = {.random = 5, .left = moves};
    GridController controller = {1e-4, NULL, decide, moved, &shuffle};
    Trial trial = {.stages = MOST_STAGES, .until = &shuffle.left, .size = 500, .pause = 5e-5};
    for (int32_t i = 0; i < MOST_STAGES; i++)
        mapping[i] = (size - 1) * i / (MOST_STAGES - 1);
    trial.settings = (GridSettings){.mode = mode,
                                    .mapping = mapping,
                                    .input = 0, /* where shuffle.left is */
                                    .output = size - 1,
                                    .controller = &controller};
    GridReport report = expect_success(&trial, what);
    expect(report.moves >= moves - 1, "%s: %lld moves", what, (long long)report.moves);
    if (rank == 0)
        printf("  %s: %lld moves of %d stages over %d processes, %lld items\n", what,
               (long long)report.moves, MOST_STAGES, size, (long long)report.items);
    expect(rank > 0 || shuffle.told == report.moves, "%s: %lld moves told", what,
           (long long)shuffle.told);
}

void thousand_moves(void)
{
    shuffle_about(1000, GRID_BUFFERED, "a thousand moves");
}

void hundred_processes(void)
{
    expect(size >= 100, "only %d processes", size);
    shuffle_about(100, GRID_RENDEZVOUS, "a hundred processes");
}

/* ---- all ---------------------------------------------------------------------------------- */

static const Case cases[] = {
    {"adapts", adapts},
    {"measures_latencies", measures_latencies},
    {"predictions_hold", predictions_hold},
    {"thousand_moves", thousand_moves},
    {"hundred_processes", hundred_processes},
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    run_cases(cases, sizeof cases / sizeof *cases, argc, argv, "simulated seconds");
    int bad = failures();
    MPI_Finalize();
    return bad > 0;
}
