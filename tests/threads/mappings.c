/* libamoget in several threads: one description with a ranker for each, rankers with threads. */
#include <amoget.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "team.h"

static const char text[] =
    "pipeline { stage a output 1MB; stage b work 2; stage c; stage d work 1.5; stage e; }\n"
    "processors { p time 0.1; q time 0.12 availability 0.9; r time 0.15 cores 2; }\n"
    "network { latency default 0.01; latency local 0.0001; latency p q 0.02;\n"
    "  bandwidth default 100MB; }\n"
    "mappings { (p,p,p,q,q); (p,q,r,r,q); (p,q,p,q,p); }\n"
    "input p size 1kB; include \"seen.csv\";\n";
static const char seen[] = "1,latency,p,r,0.03\n2,availability,q,,0.8\n";

static const char *give(void *user, const char *file, size_t *length, PepaError *err)
{
    (void)user;
    (void)file;
    (void)err;
    *length = strlen(seen);
    return seen;
}

static AmogetDescription *parse(const char *of, Digest *digest)
{
    AmogetDescription *desc = NULL;
    PepaError err;
    AmogetReading how = {.include = give, .diagnose = digest_finding, .user = digest};
    need(amoget_parse(&desc, "d", of, strlen(of), &how, &err) == PEPA_OK, &err);
    return desc;
}

/* ---- descriptions --------------------------------------------------------------------------- */

static void look_at_mapping(const AmogetDescription *desc, const int32_t *mapping, Digest *digest)
{
    double seconds[11];
    char *model = NULL;
    PepaError err;
    need(amoget_durations(desc, mapping, seconds, &err) == PEPA_OK, &err);
    need(amoget_model(desc, mapping, &model, &err) == PEPA_OK, &err);
    digest_bytes(digest, seconds, sizeof seconds);
    digest_text(digest, model);
    amoget_text_free(model);
}

static void look_at(void *shared, int member, Digest *digest)
{
    const AmogetDescription *desc = shared;
    int32_t mapping[5];
    (void)member;
    for (int32_t i = 0; i < amoget_stage_count(desc); i++)
        digest_number(digest, amoget_find_stage(desc, amoget_stage_name(desc, i)));
    for (int32_t j = 0; j < amoget_processor_count(amoget_machine(desc)); j++)
        digest_number(digest,
                      amoget_find_processor(amoget_machine(desc),
                                            amoget_processor_name(amoget_machine(desc), j)));
    for (int64_t k = 0; k < amoget_mapping_count(desc); k++)
        look_at_mapping(desc, amoget_mapping(desc, k), digest);
    need(amoget_read_mapping(desc, "(r,r,q,q,p)", mapping, NULL) == PEPA_OK, NULL);
    look_at_mapping(desc, mapping, digest);
}

/* Descriptions of one's own: from a text, with measurements, step by step. */
static void make_own(void *shared, int member, Digest *digest)
{
    (void)shared;
    (void)member;
    for (int round = 0; round < 10; round++) {
        AmogetDescription *desc = parse(text, digest);
        PepaError err;
        AmogetReading how = {.diagnose = digest_finding, .user = digest};
        need(amoget_measure(amoget_machine(desc), "n", "9,latency,q,r,x\n", 16, &how, &err) !=
                 PEPA_OK,
             &err);
        need(amoget_measure(amoget_machine(desc), "n", "9,latency,q,r,2\n", 16, &how, &err) ==
                 PEPA_OK,
             &err);
        look_at(desc, 0, digest);
        amoget_free(desc);
        need(amoget_new(&desc, &err) == PEPA_OK, &err);
        need(amoget_add_stage(desc, "a", &err) == PEPA_OK, &err);
        need(amoget_add_processor(amoget_machine(desc), "p", 1, &err) == PEPA_OK, &err);
        need(amoget_set_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 1, &err) ==
                 PEPA_OK,
             &err);
        look_at_mapping(desc, (int32_t[]){0}, &(Digest){0});
        amoget_free(desc);
    }
}

/* ---- rankings ------------------------------------------------------------------------------- */

static void digest_ranking(const AmogetRanking *ranking, Digest *digest)
{
    digest_text(digest, amoget_search_name(ranking->search));
    digest_number(digest, ranking->candidates);
    digest_number(digest, ranking->solved);
    digest_number(digest, ranking->pruned);
    digest_number(digest, ranking->bound);
    for (int64_t k = 0; k < ranking->count; k++) {
        const AmogetEntry *entry = &ranking->entries[k];
        digest_bytes(digest, entry->mapping, (size_t)ranking->stages * sizeof *entry->mapping);
        digest_number(digest, entry->throughput);
        digest_number(digest, entry->rank + 1000.0 * entry->tied);
    }
}

static void rank(AmogetRanker *ranker, AmogetSettings set, Digest *digest)
{
    AmogetRanking *ranking = NULL;
    PepaError err;
    need(amoget_rank(ranker, &set, &ranking, &err) == PEPA_OK, &err);
    digest_ranking(ranking, digest);
    amoget_ranking_free(ranking);
}

static void explain(AmogetRanker *ranker, const int32_t *mapping, Digest *digest)
{
    AmogetExplanation *why = NULL;
    PepaError err;
    need(amoget_explain(ranker, mapping, NULL, &why, &err) == PEPA_OK, &err);
    digest_bytes(digest, why->share, (size_t)why->parts * sizeof *why->share);
    digest_number(digest, why->resources[0].doubled);
    amoget_explanation_free(why);
}

/* A ranker for each; every second one has threads of its own. */
static void rank_own(void *shared, int member, Digest *digest)
{
    static const AmogetSearch searches[] = {AMOGET_LISTED, AMOGET_ALL, AMOGET_BEST};
    AmogetRanker *ranker = NULL;
    AmogetSettings set = {0};
    PepaError err;
    need(amoget_ranker_new(&ranker, shared, NULL, &err) == PEPA_OK, &err);
    set.threads = 1 + member % 2;
    for (int i = 0; i < 3; i++) {
        set.search = searches[i];
        rank(ranker, set, digest);
        explain(ranker, amoget_mapping(shared, i), digest);
    }
    amoget_ranker_free(ranker);
}

/* ---- a ranker with threads --------------------------------------------------------------------
 */

static int count_calls(void *user, const AmogetProgress *now)
{
    int *left = user;
    need(now->seconds >= 0 && now->solved <= now->candidates, NULL);
    return (*left)-- == 0;
}

static Digest rank_with(const AmogetDescription *desc, AmogetSearch search, int threads)
{
    Digest digest = DIGEST_START;
    AmogetRanker *ranker = NULL;
    PepaError err;
    AmogetSettings set = {0};
    int left = 1000000;
    set.search = search;
    set.threads = threads;
    set.progress = count_calls;
    set.user = &left;
    need(amoget_ranker_new(&ranker, desc, &set, &err) == PEPA_OK, &err);
    rank(ranker, set, &digest);
    amoget_ranker_free(ranker);
    return digest;
}

static void threads_change_nothing(const AmogetDescription *desc, AmogetSearch search)
{
    Digest alone = rank_with(desc, search, 1);
    need(rank_with(desc, search, TEAM) == alone, NULL);
    (void)printf("threads: a ranker with %d threads ranks as with one: %s, %d stages\n", TEAM,
                 amoget_search_name(search), amoget_stage_count(desc));
}

/* A pipeline whose parts are looked at by themselves, and whose mappings take a while. */
static AmogetDescription *long_pipeline(void)
{
    return parse(
        "pipeline { stage a; stage b work 2; stage c; stage d work 1.5; stage e; stage f;\n"
        "  stage g; stage h work 1.2; }\n"
        "processors { p time 0.1; q time 0.3; }\n"
        "network { latency default 0.2; latency local 0.0001; }\n",
        &(Digest){0});
}

static PepaStatus rank_all(const AmogetDescription *desc, AmogetSettings set, PepaError *err)
{
    AmogetRanker *ranker = NULL;
    AmogetRanking *ranking = NULL;
    set.search = AMOGET_ALL;
    need(amoget_ranker_new(&ranker, desc, NULL, err) == PEPA_OK, err);
    PepaStatus status = amoget_rank(ranker, &set, &ranking, err);
    need((status == PEPA_OK) == (ranking != NULL), err);
    amoget_ranking_free(ranking);
    amoget_ranker_free(ranker);
    return status;
}

/* Threads end together when one fails, and the failure is the one that a single thread meets. */
static void threads_fail(const AmogetDescription *desc, const AmogetDescription *slow)
{
    AmogetSettings set = {0}, strict = set;
    PepaError err, alone;
    int left = 0;
    strict.tolerance = 1e-300;
    need(rank_all(desc, strict, &alone) == PEPA_ENOCONV, &alone);
    strict.threads = set.threads = TEAM;
    need(rank_all(desc, strict, &err) == PEPA_ENOCONV, &err);
    need(strcmp(err.message, alone.message) == 0, &err);
    set.time_limit = 1e-9;
    need(rank_all(desc, set, &err) == PEPA_ELIMIT, &err);
    set.time_limit = 0;
    set.progress = count_calls;
    set.user = &left;
    need(rank_all(slow, set, &err) == PEPA_ECANCEL, &err);
    (void)printf("threads: failures, limits and cancelling end all threads\n");
}

void share_mappings(void)
{
    AmogetDescription *desc = parse(text, &(Digest){0}), *slow = long_pipeline();
    team_run("descriptions are made at once", make_own, NULL);
    team_run("one description is read by all", look_at, desc);
    team_run("one description, a ranker for each", rank_own, desc);
    threads_change_nothing(desc, AMOGET_ALL);
    threads_change_nothing(desc, AMOGET_BEST);
    threads_change_nothing(slow, AMOGET_BEST);
    threads_fail(desc, slow);
    amoget_free(desc);
    amoget_free(slow);
}
