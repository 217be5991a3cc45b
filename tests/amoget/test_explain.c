/* Explanations heed the time limit and the caller. */
#include "amoget/search/ranker.h"
#include "lattice.h"

enum { STAGES = 9 };

/* Explain the mapping 0, 1, 2, 0, ... of the lattice, by a clock that counts how often it is looked
 * at. */
static PepaStatus explain(const AmogetSettings *set, PepaError *err)
{
    AmogetDescription *desc = lattice(STAGES, 3);
    AmogetRanker *ranker = NULL;
    AmogetExplanation *why = NULL;
    int32_t mapping[STAGES];
    for (int32_t i = 0; i < STAGES; i++)
        mapping[i] = i % 3;
    cr_assert_eq(amoget_ranker_new(&ranker, desc, NULL, err), PEPA_OK);
    ranker->clock = ticking;
    PepaStatus status = amoget_explain(ranker, mapping, set, &why, err);
    cr_expect_eq(status == PEPA_OK, why != NULL, "what is not explained is not given");
    /* the ranker is as good as before */
    AmogetExplanation *again = NULL;
    PepaError none;
    cr_expect_eq(amoget_explain(ranker, mapping, NULL, &again, &none), PEPA_OK);
    cr_expect(again && again->throughput > 0);
    amoget_explanation_free(why);
    amoget_explanation_free(again);
    amoget_ranker_free(ranker);
    amoget_free(desc);
    return status;
}

/* A mapping on 3 processors with 3 links takes 7 solutions, and each looks at the clock. */
Test(explain, ends_at_the_time_limit)
{
    PepaError err = {0};
    AmogetSettings set = {0};
    for (set.time_limit = 0.5; set.time_limit < 7; set.time_limit++) {
        cr_expect_eq(explain(&set, &err), PEPA_ELIMIT, "%g s", set.time_limit);
        cr_expect_eq(err.code, PEPA_ELIMIT);
        cr_expect_str_eq(err.message,
                         "the time limit was reached before the mapping was explained");
    }
    set.time_limit = 1e6;
    cr_expect_eq(explain(&set, &err), PEPA_OK);
}

static int stop(void *user, const AmogetProgress *now)
{
    int *calls = user;
    (void)now;
    return ++*calls > 0;
}

/* Progress is called every tenth of a second, which passes whenever the clock is looked at. */
Test(explain, ends_when_the_caller_wants)
{
    PepaError err = {0};
    AmogetDescription *desc = lattice(STAGES, 3);
    AmogetRanker *ranker = NULL;
    AmogetExplanation *why = NULL;
    AmogetSettings set = {0};
    int32_t mapping[STAGES] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    int calls = 0;
    set.progress = stop;
    set.user = &calls;
    cr_assert_eq(amoget_ranker_new(&ranker, desc, NULL, &err), PEPA_OK);
    ranker->clock = ticking;
    cr_expect_eq(amoget_explain(ranker, mapping, &set, &why, &err), PEPA_ECANCEL);
    cr_expect_null(why);
    cr_expect_eq(calls, 1);
    cr_expect_str_eq(err.message, "cancelled");
    amoget_ranker_free(ranker);
    amoget_free(desc);
}
