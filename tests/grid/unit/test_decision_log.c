/* What is logged, word by word. */
#include <stdlib.h>

#include "grid/steer/decision_log.h"
#include "grid/steer/rescheduler.h"
#include "streams.h"

static const int32_t present[] = {0, 0, 1}, better[] = {0, 1, 1};

static DecisionRecord record_of(Decision decision)
{
    return (DecisionRecord){.time = 12,
                            .done = 30,
                            .seen = 2.5,
                            .seconds = 0.125,
                            .present = present,
                            .best = better,
                            .comparison = {.present = 2.5,
                                           .best = 3,
                                           .error = 0.25,
                                           .earlier = 5,
                                           .samples = 3,
                                           .left = 40,
                                           .cost = 0.125},
                            .decision = decision,
                            .optimal = 1};
}

static void expect_line(const DecisionRecord *d, int json, const char *wanted)
{
    char *text = NULL;
    size_t size;
    GridReschedulerSettings set = grid_rescheduler_default();
    AmogetDescription *desc = make_description(3, 2);
    set.json = json;
    log_decision(d, desc, &set); /* no log: nothing happens */
    set.log = open_memstream(&text, &size);
    log_decision(d, desc, &set);
    cr_assert_eq(fclose(set.log), 0);
    cr_expect_str_eq(text, wanted, "found\n%swanted\n%s", text, wanted);
    free(text);
    amoget_free(desc);
}

#define COMPARED                                                                                   \
    "12.0 s: 2.5 items/s as it is (p1,p1,p2); (p1,p2,p2) would give 3 (+20%) and save 2.67 s of "  \
    "the 16 s left, moving costs about 0.125 s: "

Test(decision_log, text)
{
    static const struct {
        Decision decision;
        const char *reason;
    } cases[] = {{DECISION_MOVE, "moved\n"},
                 {DECISION_ALARM, "moved at once, it gave 5\n"},
                 {DECISION_GAIN, "stays, less than 5.0% is not worth it\n"},
                 {DECISION_MEASURING, "stays, still measuring: a stage has made 3 of 4 services\n"},
                 {DECISION_DOUBT, "stays, measurements leave +-62% open\n"},
                 {DECISION_COST, "stays, that does not pay\n"},
                 {DECISION_UNCONFIRMED, "stays until the next decision confirms it\n"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char wanted[400];
        DecisionRecord d = record_of(cases[k].decision);
        (void)snprintf(wanted, sizeof wanted, "%s%s", COMPARED, cases[k].reason);
        expect_line(&d, 0, wanted);
    }
    DecisionRecord d = record_of(DECISION_BEST);
    d.best = NULL;
    expect_line(&d, 0, "12.0 s: 2.5 items/s as it is (p1,p1,p2): stays, it is the best\n");
    d.optimal = 0;
    expect_line(&d, 0, "12.0 s: 2.5 items/s as it is (p1,p1,p2): stays, no better one was found\n");
    d = record_of(DECISION_DONE);
    expect_line(&d, 0, "12.0 s: stays, nothing is left to be done\n");
    d = record_of(DECISION_ERROR);
    d.error = "out of memory";
    expect_line(&d, 0, "12.0 s: stays (p1,p1,p2), not ranked: out of memory\n");
    d = record_of(DECISION_MOVE);
    d.comparison.left = -1;
    d.comparison.best = 2e4 / 3;
    expect_line(&d, 0,
                "12.0 s: 2.5 items/s as it is (p1,p1,p2); (p1,p2,p2) would give 6667 (+266567%) "
                "and save 60 s of the 60 s ahead, moving costs about 0.125 s: moved\n");
}

Test(decision_log, json)
{
    DecisionRecord d = record_of(DECISION_MOVE);
    d.comparison.best = 5;
    expect_line(
        &d, 1,
        "{ \"event\": \"decision\", \"time\": 12, \"done\": 30, \"mapping\": [\"p1\", "
        "\"p1\", \"p2\"], \"seen\": 2.5, \"throughput\": 2.5, \"samples\": 3, \"optimal\": true, "
        "\"best\": [\"p1\", \"p2\", \"p2\"], \"best_throughput\": 5, \"gain\": 1, \"doubt\": 0.25, "
        "\"seconds_left\": 16, \"seconds_saved\": 8, \"cost\": 0.125, \"decision\": "
        "\"moved\", \"moves\": true, \"seconds\": 0.125 }\n");
    d = record_of(DECISION_MEASURING);
    expect_line(
        &d, 1,
        "{ \"event\": \"decision\", \"time\": 12, \"done\": 30, \"mapping\": [\"p1\", "
        "\"p1\", \"p2\"], \"seen\": 2.5, \"throughput\": 2.5, \"samples\": 3, \"optimal\": true, "
        "\"best\": [\"p1\", \"p2\", \"p2\"], \"best_throughput\": 3, \"gain\": "
        "0.19999999999999996, "
        "\"doubt\": 0.25, \"seconds_left\": 16, \"seconds_saved\": 2.6666666666666661, "
        "\"cost\": 0.125, \"decision\": \"measuring\", \"moves\": false, \"seconds\": 0.125 "
        "}\n");
    d = record_of(DECISION_ERROR);
    d.best = NULL;
    d.seen = -1;
    d.error = "a \"quoted\\\" word\n";
    expect_line(&d, 1,
                "{ \"event\": \"decision\", \"time\": 12, \"done\": 30, \"mapping\": [\"p1\", "
                "\"p1\", \"p2\"], \"decision\": \"not ranked\", \"moves\": false, \"error\": \"a "
                "\\\"quoted\\\\\\\" word\\u000a\", \"seconds\": 0.125 }\n");
}

Test(decision_log, moves)
{
    for (int json = 0; json < 2; json++) {
        char *text = NULL;
        size_t size;
        GridReschedulerSettings set = grid_rescheduler_default();
        AmogetDescription *desc = make_description(3, 2);
        set.json = json;
        set.log = open_memstream(&text, &size);
        log_move(12.5, better, 0.25, desc, &set);
        cr_assert_eq(fclose(set.log), 0);
        cr_expect_str_eq(text, json ? "{ \"event\": \"move\", \"time\": 12.5, \"mapping\": "
                                      "[\"p1\", \"p2\", \"p2\"], \"seconds\": 0.25 }\n"
                                    : "12.5 s: runs as (p1,p2,p2), which took 0.25 s\n");
        free(text);
        amoget_free(desc);
    }
}

Test(decision_log, pauses)
{
    for (int json = 0; json < 2; json++) {
        char *text = NULL;
        size_t size;
        DecisionRecord d = {.time = 12.5, .seen = 8.25, .comparison = {.present = 32}};
        GridReschedulerSettings set = {.json = json};
        log_pauses(&d, 1, &set); /* no log: nothing happens */
        set.log = open_memstream(&text, &size);
        log_pauses(&d, 1, &set);
        log_pauses(&d, 0, &set);
        cr_assert_eq(fclose(set.log), 0);
        cr_expect_str_eq(text,
                         json
                             ? "{ \"event\": \"pauses\", \"time\": 12.5, \"seen\": 8.25, "
                               "\"throughput\": 32, \"count\": true }\n"
                               "{ \"event\": \"pauses\", \"time\": 12.5, \"seen\": 8.25, "
                               "\"throughput\": 32, \"count\": false }\n"
                             : "12.5 s: gives 8.25 items/s: pauses of processes count from now on\n"
                               "12.5 s: gives 8.25 items/s: pauses of processes count no longer\n");
        free(text);
    }
}
