/* What a search answers when it is stopped, and what it refuses. */
#include <math.h>

#include "amoget/search/ranker.h"
#include "amoget/search/search.h"
#include "lattice.h"

static AmogetRanking *rank_with(const AmogetDescription *desc, const AmogetSettings *set,
                                PepaStatus wanted, PepaError *err)
{
    AmogetRanker *ranker = NULL;
    AmogetRanking *ranking = NULL;
    cr_assert_eq(amoget_ranker_new(&ranker, desc, set, err), PEPA_OK, "%s", err->message);
    ranker->clock = ticking;
    cr_expect_eq(amoget_rank(ranker, set, &ranking, err), wanted, "%s", err->message);
    amoget_ranker_free(ranker);
    return ranking;
}

/* With a tenth of the time that a proof takes there is a mapping, and a bound that holds. */
Test(search, at_the_time_limit_says_how_much_may_be_missing)
{
    PepaError err = {0};
    AmogetDescription *desc = lattice(9, 9);
    AmogetSettings set = {0};
    set.search = AMOGET_BEST;
    AmogetRanking *proved = rank_with(desc, &set, PEPA_OK, &err);
    cr_assert(proved && proved->optimal);
    bool stopped = false;
    for (double limit = proved->seconds / 2; !stopped && limit > 1; limit /= 2) {
        set.time_limit = limit;
        AmogetRanker *ranker = NULL;
        AmogetRanking *r = NULL;
        cr_assert_eq(amoget_ranker_new(&ranker, desc, &set, &err), PEPA_OK);
        ranker->clock = ticking;
        PepaStatus status = amoget_rank(ranker, &set, &r, &err);
        amoget_ranker_free(ranker);
        if (status == PEPA_ELIMIT)
            break; /* no mapping was solved in so short a time */
        cr_assert_eq(status, PEPA_OK);
        stopped = !r->optimal;
        cr_expect(r->bound >= proved->entries[0].throughput * (1 - 1e-8), "%.12g", r->bound);
        cr_expect(r->entries[0].throughput <= proved->entries[0].throughput * (1 + 1e-9));
        cr_expect(isfinite(r->bound));
        cr_expect(r->solved + r->pruned <= r->candidates);
        amoget_ranking_free(r);
    }
    cr_expect(stopped, "no time limit stopped the search in the middle");
    amoget_ranking_free(proved);
    amoget_free(desc);
}

/* A search that stops when it has asked so many times whether to stop. */
typedef struct {
    Run *run;
    int64_t left;
} Patience;

static int count_down(void *user, const AmogetProgress *now)
{
    Patience *p = user;
    (void)now;
    p->run->told = 0; /* so that it asks every time */
    if (p->left-- == 0)
        p->run->set.time_limit = 1e-9;
    return 0;
}

static Found search_for(const AmogetDescription *desc, int64_t patience)
{
    Found found;
    PepaError err = {0};
    AmogetRanker *ranker = NULL;
    Symmetry symmetry;
    Run run;
    Patience p = {&run, patience};
    AmogetSettings set = {0};
    set.search = AMOGET_BEST;
    set.progress = count_down;
    set.user = &p;
    cr_assert_eq(amoget_ranker_new(&ranker, desc, NULL, &err), PEPA_OK);
    cr_assert_eq(run_start(&run, ranker, &set, "test", &err), PEPA_OK);
    cr_assert_eq(symmetry_new(&symmetry, desc, &err), PEPA_OK);
    run.told = 0;
    run.now.candidates = pow(ranker->processors, ranker->stages);
    PepaStatus status = search_best(&run, &symmetry, 1, &found, &err);
    cr_assert(status == PEPA_OK || status == PEPA_ELIMIT, "%s", err.message);
    symmetry_free(&symmetry);
    amoget_ranker_free(ranker);
    return found;
}

/* Wherever a search stops, no mapping takes less than it says; how often it stopped half-way. */
static int stop_everywhere(const AmogetDescription *desc, double mappings, double least)
{
    int stopped = 0;
    bool proved = false;
    for (int64_t patience = 0; !proved; patience++) {
        Found part = search_for(desc, patience);
        proved = part.optimal;
        stopped += part.solved.count > 0 && !proved;
        cr_expect(part.least <= least * (1 + 1e-9), "%lld: %.12g > %.12g", (long long)patience,
                  part.least, least);
        cr_expect((double)part.solved.count + part.pruned <= mappings);
        solution_table_free(&part.solved);
    }
    return stopped;
}

/* However soon it stops and however many processors there are, no mapping is said to take no time. */
Test(search, stopped_at_once_has_a_bound)
{
    AmogetDescription *desc = lattice(4, 40);
    const Found all = search_for(desc, INT64_MAX);
    cr_assert(all.optimal);
    for (int64_t patience = 0; patience < 8; patience++) {
        Found part = search_for(desc, patience);
        cr_expect(part.least > 0 && part.least <= all.least * (1 + 1e-9), "%lld: %g of %g",
                  (long long)patience, part.least, all.least);
        solution_table_free(&part.solved);
    }
    Found whole = all;
    solution_table_free(&whole.solved);
    amoget_free(desc);
}

/* In a proof every mapping is either solved or ruled out. */
Test(search, accounts_for_every_mapping)
{
    int stopped = 0;
    for (int k = 0; k < 24; k++) {
        AmogetDescription *desc = lattice(4 + k % 2, 4);
        PepaError err;
        for (int j = 0; j < 4; j++)
            cr_assert_eq(amoget_set_time(amoget_machine(desc), j,
                                         0.1 + 0.02 * spread_out(5 * k + 3, j), &err),
                         PEPA_OK);
        Found all = search_for(desc, INT64_MAX);
        double mappings = pow(4, 4 + k % 2);
        cr_assert(all.optimal);
        cr_expect_eq((double)all.solved.count + all.pruned, mappings);
        stopped += stop_everywhere(desc, mappings, all.least);
        solution_table_free(&all.solved);
        amoget_free(desc);
    }
    cr_expect_gt(stopped, 100);
}

/* With memory for few partial mappings the search goes into depth, and proves the same. */
Test(search, with_little_memory)
{
    PepaError err = {0};
    AmogetDescription *desc = lattice(7, 6);
    AmogetSettings set = {0};
    set.search = AMOGET_BEST;
    AmogetRanking *wanted = rank_with(desc, &set, PEPA_OK, &err);
    for (size_t bytes = 100; bytes <= 10000; bytes *= 10) {
        AmogetRanker *ranker = NULL;
        AmogetRanking *r = NULL;
        cr_assert_eq(amoget_ranker_new(&ranker, desc, &set, &err), PEPA_OK);
        ranker->frontier_bytes = bytes;
        cr_assert_eq(amoget_rank(ranker, &set, &r, &err), PEPA_OK);
        cr_expect(r->optimal, "%zu bytes", bytes);
        cr_expect_arr_eq(r->entries[0].mapping, wanted->entries[0].mapping, 7 * sizeof(int32_t));
        amoget_ranking_free(r);
        amoget_ranker_free(ranker);
    }
    amoget_ranking_free(wanted);
    amoget_free(desc);
}

/* What a search tries first by parts of the pipeline changes nothing about the answer. */
Test(search, of_many_stages_begins_with_parts)
{
    for (int sharing = AMOGET_STATIC; sharing <= AMOGET_SERIAL; sharing++) {
        PepaError err = {0};
        AmogetDescription *desc = lattice(7, 3);
        AmogetSettings set = {0};
        AmogetRanker *ranker = NULL;
        AmogetRanking *r = NULL;
        cr_assert_eq(amoget_set_sharing(desc, (AmogetSharing)sharing, &err), PEPA_OK);
        set.search = AMOGET_BEST;
        AmogetRanking *wanted = rank_with(desc, &set, PEPA_OK, &err);
        cr_assert_eq(amoget_ranker_new(&ranker, desc, &set, &err), PEPA_OK);
        ranker->many_stages = 5;
        ranker->window = 3;
        cr_assert_eq(amoget_rank(ranker, &set, &r, &err), PEPA_OK);
        cr_expect(r->optimal && r->solved >= 1);
        cr_expect_arr_eq(r->entries[0].mapping, wanted->entries[0].mapping, 7 * sizeof(int32_t));
        amoget_ranking_free(r);
        amoget_ranker_free(ranker);
        amoget_ranking_free(wanted);
        amoget_free(desc);
    }
}

/* A mapping that the description lists is tried, though a bound would rule it out: of seven stages
 * that alternate between two processors one is solved, and one less without the list. */
Test(search, tries_listed_mappings)
{
    const int32_t bad[] = {0, 1, 0, 1, 0, 1, 0};
    double solved[2];
    for (int listed = 0; listed <= 1; listed++) {
        PepaError err = {0};
        AmogetDescription *desc = lattice(7, 4);
        AmogetSettings set = {0};
        set.search = AMOGET_BEST;
        cr_assert_eq(amoget_set_latency(amoget_machine(desc), 0, 1, 5, &err), PEPA_OK);
        if (listed)
            cr_assert_eq(amoget_add_mapping(desc, bad, &err), PEPA_OK);
        AmogetRanking *r = rank_with(desc, &set, PEPA_OK, &err);
        cr_expect(r->optimal);
        solved[listed] = r->solved;
        amoget_ranking_free(r);
        amoget_free(desc);
    }
    cr_expect(solved[1] >= solved[0] + 1, "%g, then %g", solved[0], solved[1]);
}

/* Every way of sharing and passing on: the search agrees with solving all. */
Test(search, agrees_with_solving_all_for_every_model)
{
    for (int k = 0; k < 24; k++) {
        PepaError err = {0};
        AmogetDescription *desc = lattice(4, 4);
        AmogetSettings set = {0};
        cr_assert_eq(amoget_set_sharing(desc, (AmogetSharing)(k % 2), &err), PEPA_OK);
        cr_assert_eq(amoget_set_transfer(desc, (AmogetTransfer)(k / 2 % 2), &err), PEPA_OK);
        cr_assert_eq(amoget_set_phases(desc, k % 4, 1 + k / 4 % 3, &err), PEPA_OK);
        cr_assert_eq(amoget_set_cores(amoget_machine(desc), k % 3, 1 + k % 3, &err), PEPA_OK);
        cr_assert_eq(amoget_set_time(amoget_machine(desc), 1, 0.1 + 0.05 * k, &err), PEPA_OK);
        set.top = 5;
        set.search = AMOGET_ALL;
        AmogetRanking *all = rank_with(desc, &set, PEPA_OK, &err);
        set.search = AMOGET_BEST;
        AmogetRanking *best = rank_with(desc, &set, PEPA_OK, &err);
        cr_assert(best->optimal);
        for (int i = 0; i < 5; i++) {
            const AmogetEntry *a = &all->entries[i], *b = &best->entries[i];
            cr_expect_arr_eq(a->mapping, b->mapping, 4 * sizeof(int32_t), "%d: entry %d", k, i);
            cr_expect(fabs(a->throughput - b->throughput) <= 1e-9 * a->throughput);
        }
        amoget_ranking_free(all);
        amoget_ranking_free(best);
        amoget_free(desc);
    }
}

Test(search, one_by_one_gives_up_at_the_time_limit)
{
    PepaError err = {0};
    AmogetDescription *desc = lattice(8, 4);
    AmogetSettings set = {0};
    set.search = AMOGET_ALL;
    set.time_limit = 50;
    cr_expect_null(rank_with(desc, &set, PEPA_ELIMIT, &err));
    cr_expect(strstr(err.message, "time limit was reached; a search"), "%s", err.message);
    amoget_free(desc);
}

static int stop(void *user, const AmogetProgress *now)
{
    AmogetProgress *last = user;
    *last = *now;
    return now->solved > 0;
}

Test(search, can_be_cancelled)
{
    for (int search = AMOGET_ALL; search <= AMOGET_BEST; search++) {
        PepaError err = {0};
        AmogetDescription *desc = lattice(6, 3);
        AmogetSettings set = {0};
        AmogetProgress last = {0};
        set.search = (AmogetSearch)search;
        set.progress = stop;
        set.user = &last;
        cr_expect_null(rank_with(desc, &set, PEPA_ECANCEL, &err));
        cr_expect_eq(last.candidates, 729);
        cr_expect(last.best > 0 && last.seconds > 0);
        amoget_free(desc);
    }
}

/* After so many mappings the caller has had enough. */
static int has_enough(void *user, const AmogetProgress *now)
{
    return now->solved >= *(const double *)user ? AMOGET_ENOUGH : 0;
}

Test(search, answers_a_caller_who_has_had_enough)
{
    const double solved[] = {0, 1};
    for (int i = 0; i < 2; i++) {
        PepaError err = {0};
        AmogetDescription *desc = lattice(6, 3);
        AmogetRanker *ranker = NULL;
        AmogetRanking *ranking = NULL;
        const AmogetSettings set = {.search = AMOGET_BEST,
                                    .progress = has_enough,
                                    .user = (void *)&solved[i]};
        cr_assert_eq(amoget_ranker_new(&ranker, desc, NULL, &err), PEPA_OK);
        ranker->clock = ticking;
        const PepaStatus status = amoget_rank(ranker, &set, &ranking, &err);
        if (solved[i] > 0) {
            cr_assert_eq(status, PEPA_OK, "%s", err.message);
            cr_expect_not(ranking->optimal);
            cr_expect_gt(ranking->count, 0);
            cr_expect_geq(ranking->bound, ranking->entries[0].throughput);
        } else {
            cr_expect_eq(status, PEPA_ELIMIT);
            cr_expect(strstr(err.message, "the search was ended before any mapping was solved"),
                      "%s", err.message);
        }
        amoget_ranking_free(ranking);
        amoget_ranker_free(ranker);
        amoget_free(desc);
    }
}

Test(search, refusals)
{
    PepaError err = {0};
    AmogetDescription *desc = lattice(9, 9);
    AmogetSettings set = {0}, bad = set;
    AmogetRanker *ranker = NULL;
    AmogetRanking *ranking = NULL;
    set.search = AMOGET_LISTED;
    cr_expect_null(rank_with(desc, &set, PEPA_EARG, &err));
    cr_expect(strstr(err.message, "lists no mappings"), "%s", err.message);
    set.search = AMOGET_ALL;
    cr_expect_null(rank_with(desc, &set, PEPA_ELIMIT, &err));
    cr_expect(strstr(err.message, "3.8742e+08"), "%s", err.message);
    bad.threads = -1;
    cr_expect_eq(amoget_ranker_new(&ranker, desc, &bad, &err), PEPA_EARG);
    bad = set;
    bad.tolerance = NAN;
    cr_expect_eq(amoget_ranker_new(&ranker, desc, &bad, &err), PEPA_EARG);
    bad = set;
    bad.max_states = 1000;
    cr_expect_eq(amoget_ranker_new(&ranker, desc, &bad, &err), PEPA_ELIMIT);
    cr_expect_null(ranker);
    cr_assert_eq(amoget_ranker_new(&ranker, desc, NULL, &err), PEPA_OK);
    cr_assert_eq(amoget_add_processor(amoget_machine(desc), "late", 1, &err), PEPA_OK);
    cr_expect_eq(amoget_rank(ranker, NULL, &ranking, &err), PEPA_EARG);
    cr_expect(strstr(err.message, "other stages or processors"), "%s", err.message);
    amoget_ranker_free(ranker);
    amoget_free(desc);
}

Test(search, chooses_by_size)
{
    const struct {
        int stages, processors;
        AmogetSearch search;
    } sizes[] = {{1, 1, AMOGET_ALL},
                 {3, 3, AMOGET_ALL},
                 {6, 4, AMOGET_ALL},
                 {4, 9, AMOGET_BEST},
                 {10, 2, AMOGET_BEST}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        PepaError err = {0};
        AmogetDescription *desc = lattice(sizes[k].stages, sizes[k].processors);
        AmogetSettings set = {0};
        AmogetRanking *ranking = rank_with(desc, &set, PEPA_OK, &err);
        cr_assert_eq(ranking->search, sizes[k].search);
        amoget_ranking_free(ranking);
        amoget_free(desc);
    }
}

/* At every size: of 5 stages, of 9 where the parts come first if time is short, and of 13. */
Test(search, suggests_a_mapping_where_no_time_is_left)
{
    const int32_t listed[13] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
    for (int stages = 5; stages <= 13; stages += 4) {
        PepaError err = {0};
        AmogetDescription *desc = lattice(stages, 3);
        AmogetSettings set = {0};
        set.search = AMOGET_BEST;
        set.time_limit = 1e-9;
        cr_expect_null(rank_with(desc, &set, PEPA_ELIMIT, &err));
        cr_expect(strstr(err.message, "suggest (p") && strstr(err.message, "list that one"),
                  "%d stages: %s", stages, err.message);
        cr_assert_eq(amoget_add_mapping(desc, listed, &err), PEPA_OK);
        cr_expect_null(rank_with(desc, &set, PEPA_ELIMIT, &err));
        cr_expect(strstr(err.message, "of those listed (p0,p1,p2,p0,p1"), "%s", err.message);
        cr_expect(!strstr(err.message, "list that one"), "%s", err.message);
        amoget_free(desc);
    }
}

/* With a time limit the better one of two listed mappings is solved before any other, though both
 * are bad: where chains are large, and where they are smaller.  By this clock,
 * progress is told of each. */
Test(search, solves_the_best_listed_mapping_first)
{
    enum { LONG = 11 };
    const int32_t worse[LONG] = {0}, bad[LONG] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
    for (int smaller = 0; smaller <= 1; smaller++) {
        PepaError err = {0};
        AmogetDescription *desc = lattice(LONG, 4);
        AmogetSettings set = {0};
        AmogetProgress first = {0};
        AmogetRanker *ranker = NULL;
        AmogetRanking *none = NULL;
        cr_assert_eq(amoget_add_mapping(desc, worse, &err), PEPA_OK);
        cr_assert_eq(amoget_add_mapping(desc, bad, &err), PEPA_OK);
        set.search = AMOGET_LISTED;
        AmogetRanking *listed = rank_with(desc, &set, PEPA_OK, &err);
        set.search = AMOGET_BEST;
        set.time_limit = 1e6;
        set.progress = stop;
        set.user = &first;
        cr_assert_eq(amoget_ranker_new(&ranker, desc, NULL, &err), PEPA_OK);
        ranker->clock = ticking;
        ranker->many_stages = LONG + smaller;
        cr_expect_eq(amoget_rank(ranker, &set, &none, &err), PEPA_ECANCEL);
        cr_expect_eq(first.solved, 1);
        cr_expect(fabs(first.best - listed->entries[0].throughput) <= 1e-9 * first.best, "%g of %g",
                  first.best, listed->entries[0].throughput);
        cr_expect_arr_eq(listed->entries[0].mapping, bad, sizeof bad);
        amoget_ranking_free(listed);
        amoget_ranker_free(ranker);
        amoget_free(desc);
    }
}

/* A time limit that is far away changes no answer, whatever is solved first because of it: where
 * all chains count as large, where they may be slow, and where neither is so. */
Test(search, finds_the_same_best_ones_within_a_time_limit)
{
    enum { STAGES = 5, TOP = 6 };
    const int32_t listed[STAGES] = {0, 1, 2, 1, 0};
    AmogetSettings set = {0};
    PepaError err = {0};
    for (int32_t many = STAGES; many <= STAGES + 5; many++) {
        AmogetDescription *desc = lattice(STAGES, 3);
        AmogetRanker *ranker = NULL;
        AmogetRanking *limited = NULL, *all;
        set.search = AMOGET_ALL;
        set.top = TOP;
        set.time_limit = 0;
        all = rank_with(desc, &set, PEPA_OK, &err);
        cr_assert_eq(amoget_add_mapping(desc, listed, &err), PEPA_OK);
        set.search = AMOGET_BEST;
        set.time_limit = 1e6;
        cr_assert_eq(amoget_ranker_new(&ranker, desc, &set, &err), PEPA_OK);
        ranker->many_stages = many;
        cr_assert_eq(amoget_rank(ranker, &set, &limited, &err), PEPA_OK, "%s", err.message);
        cr_expect(limited->optimal);
        cr_assert_eq(limited->count, all->count);
        for (int32_t k = 0; k < (int32_t)all->count; k++)
            cr_expect(fabs(limited->entries[k].throughput / all->entries[k].throughput - 1) <= 1e-9,
                      "many %d, %d: %.12g, not %.12g", many, k, limited->entries[k].throughput,
                      all->entries[k].throughput);
        amoget_ranking_free(all);
        amoget_ranking_free(limited);
        amoget_ranker_free(ranker);
        amoget_free(desc);
    }
}
