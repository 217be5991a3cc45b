/* Which candidates tie, and their order. */
#include <criterion/criterion.h>

#include "amoget/search/ranking.h"

static const PepaChainInfo chain = {.states = 1, .transitions = 1};

static AmogetRanking *rank_of(Candidate *candidates, size_t count, int32_t stages)
{
    AmogetRanking *ranking = NULL;
    cr_assert_eq(rank_candidates(&ranking, candidates, count, stages, 0, NULL), PEPA_OK);
    cr_assert_eq(ranking->count, (int64_t)count);
    return ranking;
}

/* Each of three is within 1e-9 of the next, but not the first of the last. */
Test(ranking, ties_are_with_the_quickest_of_their_group)
{
    const int32_t mapping[3][1] = {{0}, {1}, {2}};
    Candidate candidates[] = {{mapping[0], 1 + 1.6e-9, 1, &chain, 0},
                              {mapping[1], 1 + 0.8e-9, 1, &chain, 0},
                              {mapping[2], 1, 1, &chain, 0}};
    AmogetRanking *r = rank_of(candidates, 3, 1);
    const int32_t order[] = {1, 2, 0}, rank[] = {1, 1, 3};
    for (int k = 0; k < 3; k++) {
        cr_expect_eq(r->entries[k].mapping[0], order[k]);
        cr_expect_eq(r->entries[k].rank, rank[k]);
        cr_expect_eq(r->entries[k].tied, k < 2);
    }
    amoget_ranking_free(r);
}

/* Then by the number given, then in the order of processors. */
Test(ranking, tied_ones_with_fewer_processors_come_first)
{
    const int32_t mapping[4][2] = {{0, 1}, {2, 2}, {1, 1}, {0, 0}};
    Candidate candidates[] = {{mapping[0], 1, 1, &chain, 0},
                              {mapping[1], 1, 1, &chain, 0},
                              {mapping[2], 1, 1, &chain, 0},
                              {mapping[3], 1, 1, &chain, 1}};
    AmogetRanking *r = rank_of(candidates, 4, 2);
    const int32_t first[] = {1, 2, 0, 0}, processors[] = {1, 1, 1, 2};
    for (int k = 0; k < 4; k++) {
        cr_expect_eq(r->entries[k].mapping[0], first[k]);
        cr_expect_eq(r->entries[k].processors, processors[k]);
    }
    amoget_ranking_free(r);
}
