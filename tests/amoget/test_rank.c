/* Rankings that list every mapping: what they report on the way. */
#include "amoget/search/ranker.h"
#include "lattice.h"

typedef struct {
    int left; /* calls until it cancels */
    AmogetProgress last;
} Calls;

static int count_calls(void *user, const AmogetProgress *now)
{
    Calls *calls = user;
    calls->last = *now;
    return --calls->left == 0;
}

/* 6^8 mappings are listed, and then looked up, with 25 reports each: after 40 none is solved yet. */
Test(rank, reports_while_it_lists)
{
    for (int calls = 1; calls <= 40; calls += 39) {
        PepaError err = {0};
        AmogetDescription *desc = lattice(8, 6);
        AmogetRanker *ranker = NULL;
        AmogetRanking *none = NULL;
        Calls told = {.left = calls};
        AmogetSettings set = {.search = AMOGET_ALL,
                              .top = 1,
                              .progress = count_calls,
                              .user = &told};
        cr_assert_eq(amoget_ranker_new(&ranker, desc, &set, &err), PEPA_OK);
        ranker->clock = ticking;
        cr_expect_eq(amoget_rank(ranker, &set, &none, &err), PEPA_ECANCEL);
        cr_expect_str_eq(err.message, "cancelled");
        cr_expect_eq(told.left, 0);
        cr_expect_eq(told.last.solved, 0);
        cr_expect_eq(told.last.candidates, 1679616);
        amoget_ranker_free(ranker);
        amoget_free(desc);
    }
}
