/* pepa_optimise.h where there is no optimum: nothing feasible, points that fail, and arguments. */
#include <math.h>

#include "optimising.h"

Test(optimise_api, infeasible)
{
    const PepaWithin within[] = {{"mu", 0.5, 2}};
    const char *const subject[] = {"response:Job <= 0.25", NULL}; /* 1 / mu at least */
    Answer a = optimise(queue, "rate:mu", false, within, 1, subject, NULL);
    cr_expect_eq(a.status, PEPA_ENOCONV);
    cr_expect(a.found.failed);
    cr_expect_float_eq(a.rate[0], 2, 1e-3);
    cr_expect_float_eq(a.found.violation, jobs_in(1, 2, 40) / 0.25 - 1, 1e-2);
    const PepaWithin few[] = {{"servers", 1, 4}};
    const char *const blocks[] = {"probability:{Line == 0} <= 0.01", "rate:servers <= 3.5", NULL};
    a = optimise(lines, "rate:servers", false, few, 1, blocks, NULL);
    cr_expect_eq(a.status, PEPA_ENOCONV);
    cr_expect(a.found.failed);
}

/* A point that cannot be solved is named; one at which the model is wrong is passed over. */
Test(optimise_api, points_that_fail)
{
    const PepaWithin few[] = {{"servers", 1, 400}};
    PepaSettings set = {.derive.max_states = 100};
    Answer a = optimise(lines, "throughput:call", true, few, 1, NULL, &set);
    cr_expect_eq(a.status, PEPA_ELIMIT);
    cr_expect_eq(a.err.limit, PEPA_LIMIT_STATES);
    cr_expect(a.found.failed);
    cr_expect_eq(a.rate[0], 100);
    const PepaWithin none[] = {{"servers", -4, 0}};
    a = optimise(lines, "throughput:call", true, none, 1, NULL, NULL);
    cr_expect_eq(a.status, PEPA_EMODEL);
    cr_expect_not(a.found.failed);
    const PepaWithin some[] = {{"servers", -4, 5}};
    a = optimise(lines, "throughput:call", true, some, 1, NULL, NULL);
    cr_expect_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_eq(a.rate[0], 5);
    cr_expect_eq(a.found.wrong, 5);
    const PepaWithin mu[] = {{"mu", 0.5, 2}};
    a = optimise(queue, "1 / (rate:lambda - 1)", true, mu, 1, NULL, NULL);
    cr_expect_eq(a.status, PEPA_ENOCONV, "no value anywhere");
}

static int refuse(void *user, const PepaProgress *now)
{
    int *calls = user;
    cr_assert_str_eq(now->phase, "optimise");
    return ++*calls > 3;
}

Test(optimise_api, cancelled)
{
    int calls = 0;
    const PepaSettings set = {.progress = refuse, .user = &calls};
    const PepaWithin few[] = {{"servers", 1, 400}};
    Answer a = optimise(lines, "throughput:call", true, few, 1, NULL, &set);
    cr_expect_eq(a.status, PEPA_ECANCEL, "%s", a.err.message);
}

/* That a probability is 1 or 0.5 is no choice between whole numbers. */
Test(optimise_api, probabilities_of_phases)
{
    static const PepaWithin within[] = {{"p", 0.2, 1}};
    Answer a = optimise("p = 0.5; r = 1; P = (a, cox(2, p, 1)).Q; Q = (b, r).P; P", "throughput:a",
                        true, within, 1, NULL, NULL);
    cr_expect_eq(a.status, PEPA_EARG);
    cr_expect_str_eq(
        a.err.message,
        "the rate `p` decides the phases of a duration, and the best value of such a rate is "
        "not sought: compare some by pepa experiment --vary");
}

Test(optimise_api, arguments)
{
    const struct {
        PepaWithin within[2];
        size_t count;
        const char *says;
    } wrong[] = {{{{"mue", 1, 2}}, 1, "the model has no rate `mue`; did you mean `mu`?"},
                 {{{"mu", 2, 1}}, 1, "the range of `mu`, 2 to 1, is empty"},
                 {{{"mu", 0, INFINITY}},
                  1,
                  "the range of `mu`, 0 to inf, has an end that is not finite"},
                 {{{"mu", 1, 2}, {"mu", 2, 3}}, 2, "the rate `mu` has two ranges"},
                 {{{"mu", 1, 2}}, 0, "an optimisation needs a rate to choose"},
                 {{{"places", 2.1, 2.9}},
                  1,
                  "the rate `places` decides a number of copies or phases, and there is no whole "
                  "number from "
                  "2.1 to 2.9"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Answer a = optimise(queue, "rate:mu", true, wrong[i].within, wrong[i].count, NULL, NULL);
        cr_expect_eq(a.status, PEPA_EARG);
        cr_expect_str_eq(a.err.message, wrong[i].says);
    }
}
