/* Explanations heed the time limit and the caller. */
#include <time.h>

#include "lattice.h"

enum { STAGES = 9 };

static double clock_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Explain the mapping 0, 1, 2, 0, ... of the lattice, and say how long it took. */
static PepaStatus explain(const AmogetSettings *set, double *seconds, PepaError *err)
{
    AmogetDescription *desc = lattice(STAGES, 3);
    AmogetRanker *ranker = NULL;
    AmogetExplanation *why = NULL;
    int32_t mapping[STAGES];
    for (int32_t i = 0; i < STAGES; i++)
        mapping[i] = i % 3;
    cr_assert_eq(amoget_ranker_new(&ranker, desc, NULL, err), PEPA_OK);
    double begun = clock_seconds();
    PepaStatus status = amoget_explain(ranker, mapping, set, &why, err);
    *seconds = clock_seconds() - begun;
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

Test(explain, ends_at_the_time_limit)
{
    PepaError err = {0};
    double whole = 1e6, seconds;
    AmogetSettings set = {0};
    for (int k = 0; k < 3; k++) {
        cr_assert_eq(explain(&set, &seconds, &err), PEPA_OK);
        whole = seconds < whole ? seconds : whole;
    }
    set.time_limit = 1e-9;
    cr_expect_eq(explain(&set, &seconds, &err), PEPA_ELIMIT);
    cr_expect_eq(err.code, PEPA_ELIMIT);
    cr_expect_str_eq(err.message, "the time limit was reached before the mapping was explained");
    set.time_limit = whole / 4; /* between two of its solutions */
    cr_expect_eq(explain(&set, &seconds, &err), PEPA_ELIMIT, "%g of %g s", seconds, whole);
    set.time_limit = 1e6;
    cr_expect_eq(explain(&set, &seconds, &err), PEPA_OK);
}

static int stop(void *user, const AmogetProgress *now)
{
    int *calls = user;
    (void)now;
    return ++*calls > 0;
}

/* Progress is called every tenth of a second: of a pipeline that takes longer than that. */
Test(explain, ends_when_the_caller_wants)
{
    enum { LONG = 11 };
    PepaError err = {0};
    AmogetDescription *desc = lattice(LONG, 3);
    AmogetRanker *ranker = NULL;
    AmogetExplanation *why = NULL;
    AmogetSettings set = {0};
    int32_t mapping[LONG] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1};
    int calls = 0;
    set.progress = stop;
    set.user = &calls;
    cr_assert_eq(amoget_ranker_new(&ranker, desc, NULL, &err), PEPA_OK);
    cr_expect_eq(amoget_explain(ranker, mapping, &set, &why, &err), PEPA_ECANCEL);
    cr_expect_null(why);
    cr_expect_eq(calls, 1);
    cr_expect_str_eq(err.message, "cancelled");
    amoget_ranker_free(ranker);
    amoget_free(desc);
}
