/* What is logged, word by word. */
#include <stdlib.h>

#include "grid/account.h"
#include "streams.h"

static const int32_t present[] = {0, 0, 1}, better[] = {0, 1, 1};

static Decision decision(Verdict verdict)
{
    return (Decision){.time = 12,
                      .done = 30,
                      .seen = 2.5,
                      .seconds = 0.125,
                      .present = present,
                      .best = better,
                      .weighing = {.present = 2.5,
                                   .best = 3,
                                   .doubt = 0.25,
                                   .gave = 5,
                                   .samples = 3,
                                   .left = 40,
                                   .cost = 0.125},
                      .verdict = verdict,
                      .optimal = 1};
}

static void expect_line(const Decision *d, int json, const char *wanted)
{
    char *text = NULL;
    size_t size;
    GridReschedulerSettings set = grid_rescheduler_default();
    AmogetDescription *desc = make_description(3, 2);
    set.json = json;
    account_decision(d, desc, &set); /* no log: nothing happens */
    set.log = open_memstream(&text, &size);
    account_decision(d, desc, &set);
    cr_assert_eq(fclose(set.log), 0);
    cr_expect_str_eq(text, wanted, "found\n%swanted\n%s", text, wanted);
    free(text);
    amoget_free(desc);
}

#define COMPARED                                                                                   \
    "12.0 s: 2.5 items/s as it is (p1,p1,p2); (p1,p2,p2) would give 3 (+20%) and save 2.67 s of "  \
    "the 16 s left, moving costs about 0.125 s: "

Test(account, text)
{
    static const struct {
        Verdict verdict;
        const char *reason;
    } cases[] = {{VERDICT_MOVE, "moved\n"},
                 {VERDICT_ALARM, "moved at once, for it was 5\n"},
                 {VERDICT_GAIN, "stays, less than 5.0% is not worth it\n"},
                 {VERDICT_MEASURING, "stays, still measuring: a stage has made 3 of 4 services\n"},
                 {VERDICT_DOUBT, "stays, measurements leave +-62% open\n"},
                 {VERDICT_COST, "stays, that does not pay\n"},
                 {VERDICT_UNCONFIRMED, "stays until the next decision confirms it\n"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char wanted[400];
        Decision d = decision(cases[k].verdict);
        (void)snprintf(wanted, sizeof wanted, "%s%s", COMPARED, cases[k].reason);
        expect_line(&d, 0, wanted);
    }
    Decision d = decision(VERDICT_BEST);
    d.best = NULL;
    expect_line(&d, 0, "12.0 s: 2.5 items/s as it is (p1,p1,p2): stays, it is the best\n");
    d.optimal = 0;
    expect_line(&d, 0, "12.0 s: 2.5 items/s as it is (p1,p1,p2): stays, no better one was found\n");
    d = decision(VERDICT_DONE);
    expect_line(&d, 0, "12.0 s: stays, nothing is left to be done\n");
    d = decision(VERDICT_ERROR);
    d.error = "out of memory";
    expect_line(&d, 0, "12.0 s: stays (p1,p1,p2), not ranked: out of memory\n");
    d = decision(VERDICT_MOVE);
    d.weighing.left = -1;
    d.weighing.best = 2e4 / 3;
    expect_line(&d, 0,
                "12.0 s: 2.5 items/s as it is (p1,p1,p2); (p1,p2,p2) would give 6667 (+266567%) "
                "and save 60 s of the 60 s ahead, moving costs about 0.125 s: moved\n");
}

Test(account, json)
{
    Decision d = decision(VERDICT_MOVE);
    d.weighing.best = 5;
    expect_line(
        &d, 1,
        "{ \"event\": \"decision\", \"time\": 12, \"done\": 30, \"mapping\": [\"p1\", "
        "\"p1\", \"p2\"], \"seen\": 2.5, \"throughput\": 2.5, \"samples\": 3, \"optimal\": true, "
        "\"best\": [\"p1\", \"p2\", \"p2\"], \"best_throughput\": 5, \"gain\": 1, \"doubt\": 0.25, "
        "\"seconds_left\": 16, \"seconds_saved\": 8, \"cost\": 0.125, \"verdict\": "
        "\"moved\", \"moves\": true, \"seconds\": 0.125 }\n");
    d = decision(VERDICT_MEASURING);
    expect_line(
        &d, 1,
        "{ \"event\": \"decision\", \"time\": 12, \"done\": 30, \"mapping\": [\"p1\", "
        "\"p1\", \"p2\"], \"seen\": 2.5, \"throughput\": 2.5, \"samples\": 3, \"optimal\": true, "
        "\"best\": [\"p1\", \"p2\", \"p2\"], \"best_throughput\": 3, \"gain\": "
        "0.19999999999999996, "
        "\"doubt\": 0.25, \"seconds_left\": 16, \"seconds_saved\": 2.6666666666666661, "
        "\"cost\": 0.125, \"verdict\": \"measuring\", \"moves\": false, \"seconds\": 0.125 "
        "}\n");
    d = decision(VERDICT_ERROR);
    d.best = NULL;
    d.seen = -1;
    d.error = "a \"quoted\\\" word\n";
    expect_line(&d, 1,
                "{ \"event\": \"decision\", \"time\": 12, \"done\": 30, \"mapping\": [\"p1\", "
                "\"p1\", \"p2\"], \"verdict\": \"not ranked\", \"moves\": false, \"error\": \"a "
                "\\\"quoted\\\\\\\" word\\u000a\", \"seconds\": 0.125 }\n");
}

Test(account, moves)
{
    for (int json = 0; json < 2; json++) {
        char *text = NULL;
        size_t size;
        GridReschedulerSettings set = grid_rescheduler_default();
        AmogetDescription *desc = make_description(3, 2);
        set.json = json;
        set.log = open_memstream(&text, &size);
        account_move(12.5, better, 0.25, desc, &set);
        cr_assert_eq(fclose(set.log), 0);
        cr_expect_str_eq(text, json ? "{ \"event\": \"move\", \"time\": 12.5, \"mapping\": "
                                      "[\"p1\", \"p2\", \"p2\"], \"seconds\": 0.25 }\n"
                                    : "12.5 s: runs as (p1,p2,p2), which took 0.25 s\n");
        free(text);
        amoget_free(desc);
    }
}
