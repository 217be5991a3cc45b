/* Every allocation of a ranking fails, alone or with all that follow: the answer is PEPA_ENOMEM (or
 * an answer, where something can be done without), nothing is handed out or leaked, and the ranker
 * ranks as before afterwards. */
#include <criterion/criterion.h>
#include <string.h>

#include "amoget.h"
#include "base/mem.h"
#include "fault/memory.h"

static const char text[] =
    "pipeline { stage a; stage b work 2; stage c; }\n"
    "processors { p time 0.1; q time 0.12; r time 0.12; }\n"
    "network { latency default 0.01; latency local 0.0001; latency p q 0.02; latency p r 0.02; }\n"
    "mappings { (p,p,p); (p,q,r); (p,r,q); }";

static PepaStatus use(AmogetRanker *ranker, const AmogetSettings *set, double *throughput)
{
    PepaError err = {0};
    AmogetRanking *ranking = NULL;
    AmogetExplanation *why = NULL;
    PepaStatus status = amoget_rank(ranker, set, &ranking, &err);
    cr_assert_eq(status == PEPA_OK, ranking != NULL);
    if (status == PEPA_OK) {
        *throughput = ranking->entries[0].throughput;
        status = amoget_explain(ranker, ranking->entries[0].mapping, set, &why, &err);
        cr_assert_eq(status == PEPA_OK, why != NULL);
    }
    amoget_ranking_free(ranking);
    amoget_explanation_free(why);
    cr_assert(status == PEPA_OK || err.code == status, "%s", err.message);
    return status;
}

static PepaStatus walk(const AmogetDescription *desc, const AmogetSettings *set, double *throughput)
{
    static const int32_t mapping[] = {0, 1, 2};
    PepaError err = {0};
    AmogetRanker *ranker = NULL;
    char *model = NULL;
    PepaStatus status = amoget_model(desc, mapping, &model, &err);
    cr_assert_eq(status == PEPA_OK, model != NULL);
    amoget_text_free(model);
    if (status == PEPA_OK)
        status = amoget_ranker_new(&ranker, desc, set, &err);
    cr_assert(status == PEPA_OK || !ranker);
    if (status == PEPA_OK)
        status = use(ranker, set, throughput);
    amoget_ranker_free(ranker);
    return status;
}

static void replay(const AmogetDescription *desc, AmogetSearch search)
{
    AmogetSettings set = {0};
    AmogetRanker *kept = NULL;
    double wanted = 0, throughput = 0;
    set.search = search;
    set.top = 3;
    mem_fail_at(0, false);
    cr_assert_eq(walk(desc, &set, &wanted), PEPA_OK);
    int64_t count = mem_allocations();
    cr_assert_gt(count, 50);
    cr_assert_eq(amoget_ranker_new(&kept, desc, &set, NULL), PEPA_OK);
    for (int64_t k = 1; k <= count; k++) {
        mem_fail_at(k, k % 2 == 0);
        PepaStatus fresh = walk(desc, &set, &throughput);
        mem_fail_at(k, k % 2 == 0);
        PepaStatus again = use(kept, &set, &throughput);
        mem_fail_at(0, false);
        cr_assert(fresh == PEPA_ENOMEM || fresh == PEPA_OK, "allocation %d: %s", (int)k,
                  pepa_status_text(fresh));
        cr_assert(again == PEPA_ENOMEM || again == PEPA_OK, "allocation %d: %s", (int)k,
                  pepa_status_text(again));
        cr_assert_eq(use(kept, &set, &throughput), PEPA_OK);
        cr_assert(!(throughput < wanted) && !(throughput > wanted));
    }
    amoget_ranker_free(kept);
}

Test(fault, rankings)
{
    AmogetDescription *desc = NULL;
    cr_assert_eq(amoget_parse(&desc, "test", text, strlen(text), NULL, NULL), PEPA_OK);
    replay(desc, AMOGET_LISTED);
    replay(desc, AMOGET_ALL);
    replay(desc, AMOGET_BEST);
    amoget_free(desc);
}
