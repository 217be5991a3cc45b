/* How long libamoget takes to rank: one line of a Markdown table per case, with the bound that is
 * asked of it.  Ends with a non-zero status when one is missed.  Given STAGES PROCESSORS SEED, one
 * line per family for these, without a limit.
 *
 * Descriptions are made from a seed.  `spread`: everything differs, times by 10, links by 10.
 * `alike`: processors differ by a few per cent only, and links hardly matter: permutations are
 * nearly equal, which is hard for a search.  `slow net`: links take as long as work.  `clusters`:
 * four alike processors in each, fast within and slow between. */
#include <amoget.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum { SPREAD, ALIKE, SLOW_NET, CLUSTERS } Family;
static const char *const families[] = {"spread", "alike", "slow net", "clusters"};

static void must(PepaStatus status, const PepaError *err)
{
    if (status == PEPA_OK)
        return;
    (void)fprintf(stderr, "mappings: %s\n", err->message);
    exit(1);
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Uniform in 0 .. 1: Knuth, The Art of Computer Programming, vol. 2, sec. 3.3.4, MMIX. */
static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static double time_of(Family family, int j, uint64_t *seed)
{
    double u = uniform(seed);
    return family == ALIKE      ? 0.1 + 0.002 * j
           : family == CLUSTERS ? 0.05 * (1 + j / 4.0 - j % 4 / 4.0)
                                : 0.05 + 0.45 * u;
}

static double latency_of(Family family, int a, int b, uint64_t *seed)
{
    double u = 0.1 + uniform(seed);
    switch (family) {
    case SPREAD:
        return 0.05 * u;
    case ALIKE:
        return 0.001;
    case SLOW_NET:
        return 0.3 * u;
    case CLUSTERS:
        break;
    }
    return a / 4 == b / 4 ? 0.002 : 0.02 + 0.01 * ((a / 4 + b / 4) % 3);
}

static AmogetDescription *make(Family family, int stages, int processors, uint64_t seed)
{
    PepaError err;
    AmogetDescription *desc = NULL;
    char name[16];
    must(amoget_new(&desc, &err), &err);
    for (int j = 0; j < processors; j++) {
        (void)snprintf(name, sizeof name, "p%d", j + 1);
        must(amoget_add_processor(amoget_machine(desc), name, time_of(family, j, &seed), &err),
             &err);
    }
    for (int i = 0; i < stages; i++) {
        (void)snprintf(name, sizeof name, "s%d", i + 1);
        must(amoget_add_stage(desc, name, &err), &err);
        if (family != ALIKE)
            must(amoget_set_work(desc, i, 0.5 + uniform(&seed), &err), &err);
    }
    must(amoget_set_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 1e-4, &err), &err);
    for (int a = 0; a < processors; a++)
        for (int b = 0; b < a; b++)
            must(amoget_set_latency(amoget_machine(desc), a, b, latency_of(family, a, b, &seed),
                                    &err),
                 &err);
    return desc;
}

static int missed;

static void line(const char *what, Family family, const AmogetRanking *r, double seconds,
                 double bound)
{
    double gap = r->bound / r->entries[0].throughput - 1;
    (void)printf("| %s | %s | %.0f | %lld | %s | %.6f | %g |\n", what, families[family],
                 r->candidates, (long long)r->chains,
                 r->search == AMOGET_ALL ? "all solved"
                 : r->optimal            ? "proved"
                                         : "open",
                 seconds, bound);
    if (!r->optimal)
        (void)printf("| | | | | gap %.3g%% | | |\n", 100 * gap);
    (void)fflush(stdout);
    missed += !(seconds <= bound);
}

/* A rate changes, all is ranked again: mean of many rounds, with what precedes the first left
 * out. */
static void rerank(void)
{
    enum { ROUNDS = 2000 };
    PepaError err;
    AmogetDescription *desc = make(SPREAD, 3, 3, 1);
    AmogetSettings set = {0};
    AmogetRanker *ranker = NULL;
    AmogetRanking *ranking = NULL;
    uint64_t seed = 2;
    must(amoget_ranker_new(&ranker, desc, &set, &err), &err);
    double start = now();
    for (int round = 0; round < ROUNDS; round++) {
        amoget_ranking_free(ranking);
        must(amoget_set_availability(amoget_machine(desc), round % 3, 0.1 + 0.9 * uniform(&seed),
                                     &err),
             &err);
        must(amoget_rank(ranker, &set, &ranking, &err), &err);
    }
    line("re-rank 3 stages, 3 processors", SPREAD, ranking, (now() - start) / ROUNDS, 0.001);
    amoget_ranking_free(ranking);
    amoget_ranker_free(ranker);
    amoget_free(desc);
}

static void once(const char *what, Family family, int stages, int processors, AmogetSearch search,
                 double bound, uint64_t seed)
{
    PepaError err;
    AmogetDescription *desc = make(family, stages, processors, seed);
    AmogetSettings set = {0};
    AmogetRanker *ranker = NULL;
    AmogetRanking *ranking = NULL;
    set.search = search;
    set.threads = 2;
    set.top = 1;
    set.time_limit = bound;
    double start = now();
    must(amoget_ranker_new(&ranker, desc, &set, &err), &err);
    must(amoget_rank(ranker, &set, &ranking, &err), &err);
    line(what, family, ranking, now() - start, stages == 10 ? bound * 1.05 : bound);
    amoget_ranking_free(ranking);
    amoget_ranker_free(ranker);
    amoget_free(desc);
}

int main(int argc, char **argv)
{
    (void)printf("| what | family | mappings | chains solved | answer | seconds | bound |\n"
                 "|---|---|---|---|---|---|---|\n");
    if (argc == 4) {
        for (int f = SPREAD; f <= SLOW_NET; f++)
            once("best", (Family)f, atoi(argv[1]), atoi(argv[2]), AMOGET_BEST, 0,
                 strtoull(argv[3], NULL, 10));
        return 0;
    }
    rerank();
    for (int f = SPREAD; f <= SLOW_NET; f++) {
        once("6 stages, 4 processors, all", (Family)f, 6, 4, AMOGET_ALL, 1, 3);
        once("6 stages, 4 processors, best", (Family)f, 6, 4, AMOGET_BEST, 0.1, 3);
    }
    for (int f = SPREAD; f <= SLOW_NET; f++)
        for (uint64_t seed = 4; seed < 6; seed++)
            once("8 stages, 8 processors, best", (Family)f, 8, 8, AMOGET_BEST, 30, seed);
    for (int f = SPREAD; f <= CLUSTERS; f++)
        once("10 stages, 16 processors, best", (Family)f, 10, 16, AMOGET_BEST, 60, 6);
    return missed > 0;
}
