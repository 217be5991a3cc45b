/* `sharing`, `transfer` and `phases`, and the models that they lead to. */
#include <math.h>

#include "amoget.h"
#include "describing.h"

#define REST                                                                                       \
    "pipeline { stage a phases 3; stage b work 2; }\nprocessors { p time 0.1; q time 0.2 cores "   \
    "2; }\n"                                                                                       \
    "network { latency default 0.05; latency local 0.01; }\n"

Test(desc_manners, are_the_papers_unless_said_otherwise)
{
    AmogetDescription *desc = expect_description(REST);
    cr_expect_eq(amoget_sharing(desc), AMOGET_STATIC);
    cr_expect_eq(amoget_transfer(desc), AMOGET_RENDEZVOUS);
    cr_expect(desc->phases[0] == 3 && desc->phases[1] == 1);
    cr_expect_eq(amoget_activity_count(desc), 5);
    amoget_free(desc);
    desc = expect_description(REST "transfer buffered; sharing serial;");
    cr_expect_eq(amoget_sharing(desc), AMOGET_SERIAL);
    cr_expect_eq(amoget_transfer(desc), AMOGET_BUFFERED);
    cr_expect_eq(amoget_activity_count(desc), 6);
    amoget_free(desc);
}

Test(desc_manners, mistakes)
{
    expect_found(REST "sharing seriel; transfer fast;", PEPA_EMODEL,
                 "4:9: error: `seriel` is no way of sharing: it is `static` or `serial`; did you "
                 "mean `serial`?\n"
                 "4:26: error: `fast` is no way of transfer: it is `rendezvous` or `buffered`\n");
    expect_found(REST "sharing serial;\nsharing static;", PEPA_EMODEL,
                 "5:9: error: a second `sharing`; the first one is in line 4\n");
    expect_found("pipeline { stage a phases 0; stage b phases 2.5; stage c phases 101;\n"
                 "  stage d phases 2 ms; }\nprocessors { p time 1; }\nnetwork { latency local 1; }",
                 PEPA_EMODEL,
                 "1:27: error: the number of phases must be a whole number from 1 to 100, not 0\n"
                 "1:45: error: the number of phases must be a whole number from 1 to 100, not 2.5\n"
                 "1:65: error: the number of phases must be a whole number from 1 to 100, not 101\n"
                 "2:18: error: the number of phases has no unit, but `ms` is one of time\n");
    expect_found("phases 3;", PEPA_ESYNTAX,
                 "1:1: error: `phases` belongs in the block `pipeline { ... }`\n");
}

/* Throughput of the model of a mapping, by libpepa, and what the ranking says. */
static void expect_model(const char *text, const int32_t *mapping, double wanted)
{
    PepaError err = {0};
    AmogetDescription *desc = expect_description(text);
    AmogetRanker *ranker = NULL;
    AmogetExplanation *why = NULL;
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    char *pepa = NULL;
    double pi[5000], x = 0;
    cr_assert_eq(amoget_model(desc, mapping, &pepa, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_model_parse(&model, "m", pepa, strlen(pepa), NULL, &err), PEPA_OK, "%s\n%s",
                 err.message, pepa);
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_throughput(chain, pi, "process1", &x, &err), PEPA_OK);
    cr_assert_eq(amoget_ranker_new(&ranker, desc, NULL, &err), PEPA_OK);
    cr_assert_eq(amoget_explain(ranker, mapping, NULL, &why, &err), PEPA_OK, "%s", err.message);
    cr_expect(fabs(why->throughput / x - 1) < 1e-9, "%.12g in the ranking, %.12g in\n%s",
              why->throughput, x, pepa);
    cr_expect(isnan(wanted) || fabs(x / wanted - 1) < 1e-9, "%.12g, not %.12g, in\n%s", x, wanted,
              pepa);
    amoget_explanation_free(why);
    amoget_ranker_free(ranker);
    pepa_chain_free(chain);
    pepa_model_free(model);
    amoget_text_free(pepa);
    amoget_free(desc);
}

/* One stage is a cycle of move, process and move, whatever the law of each: the mean adds up. */
Test(desc_manners, one_stage_takes_the_sum_of_its_means)
{
    const int32_t alone[] = {0};
    static const char *const manners[] = {"", "sharing serial;", "transfer buffered;",
                                          "sharing serial; transfer buffered;"};
    for (size_t k = 0; k < 4; k++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "%s pipeline { stage a work 3 phases 5; } processors { p time 0.1; }"
                       "network { latency local 0.02; }",
                       manners[k]);
        expect_model(text, alone, 1 / (0.02 + 0.3 + 0.02));
    }
}

/* Two stages on a processor of one core take turns: from one item to the next there are a move, the
 * first stage's work, a move and the second one's.  Only the last move out can go on beside them;
 * here it takes no time. */
Test(desc_manners, two_stages_that_take_turns)
{
    const int32_t together[] = {0, 0};
    expect_model("sharing serial; pipeline { stage a work 2; stage b phases 2 output 0; }\n"
                 "processors { p time 0.1; q time 9; }\n"
                 "network { latency default 1; latency local 0.02; latency p q 1e-13; } output q;",
                 together, 1 / (0.02 + 0.2 + 0.02 + 0.1));
}

/* Every model says the same through either door. */
Test(desc_manners, models_and_rankings_agree)
{
    static const char *const manners[] = {"", "sharing serial;", "transfer buffered;",
                                          "sharing serial; transfer buffered;"};
    for (size_t k = 0; k < 4; k++)
        for (int32_t m = 0; m < 27; m++) {
            const int32_t mapping[] = {m / 9, m / 3 % 3, m % 3};
            char text[512];
            (void)snprintf(text, sizeof text,
                           "%s pipeline { stage a work 2 phases 2; stage b; stage c phases 3; }\n"
                           "processors { p time 0.1; q time 0.15 cores 2; r time 0.2; }\n"
                           "network { latency default 0.05; latency p r 0.2; latency local 0.01; }",
                           manners[k]);
            expect_model(text, mapping, NAN);
        }
}
