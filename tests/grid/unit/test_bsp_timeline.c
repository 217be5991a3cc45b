/* Times of processes by hand, for messages that are short and long, near and far. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grid/bsp/predict/timeline.h"

/* Three processors: 1 s apart, c 10 s from both; a byte takes 1 ms. */
static const char three[] = "processors { a time 1; b time 1; c time 1; }\n"
                            "network { latency default 10; latency a b 1; latency local 1 us;\n"
                            "  bandwidth default 1 kB; }\n";

/* The supersteps of a trace on three processors of a description, numbered from 1; their sum is the result. */
static double run_at(const char *description, const int32_t at[3], const Platform *platform,
                     const char *steps, double *each)
{
    char text[2000] = "bsp-trace 1\nprocesses 3\n";
    AmogetMachine *machine = NULL;
    Trace *trace = NULL;
    PepaError err = {0};
    double sum = -1;
    Placement where;
    (void)strncat(text, steps, sizeof text - strlen(text) - 1);
    cr_assert_eq(amoget_machine_parse(&machine, "m", description, strlen(description), NULL, &err),
                 PEPA_OK);
    cr_assert_eq(trace_read(&trace, "t", text, strlen(text), NULL, NULL, &err), PEPA_OK, "%s",
                 err.message);
    cr_assert(placement_new(&where, machine, platform, 3));
    memcpy(where.at, at, 3 * sizeof *at);
    placement_update(&where);
    cr_assert_eq(timeline_run(trace, &where, each, &sum, &err), PEPA_OK);
    placement_free(&where);
    trace_free(trace);
    amoget_machine_free(machine);
    return sum;
}

/* On a, b, c. */
static double run_on(const Platform *platform, const char *steps, double *each)
{
    static const int32_t at[] = {0, 1, 2};
    return run_at(three, at, platform, steps, each);
}

static double run(const char *steps, double sync, double *each)
{
    const Platform platform = {.unit = 1, .sync = sync};
    return run_on(&platform, steps, each);
}

static void is(int line, double x, double y)
{
    cr_expect(fabs(x - y) <= 1e-12 * fabs(y) + 1e-15, "line %d: %.15g, not %.15g", line, x, y);
}
#define IS(x, y) is(__LINE__, x, y)

/* All hear of c after 10 s, and c of them. */
Test(bsp_timeline, nothing_is_sent)
{
    double each[2];
    IS(run("step 1\nstep 2\n", 0, each), 20);
    IS(each[0], 10);
    IS(each[1], 10);
    IS(run("step 1\n", 30, each), 30);
}

/* While c works, a and b wait; while a works, c's message is on its way already. */
Test(bsp_timeline, latencies_overlap_with_work)
{
    double each[2];
    IS(run("step 1\nwork 2 4\n", 0, each), 14);
    IS(run("step 1\nwork 0 4\n", 0, each), 14); /* c hears of a */
    /* Then a and b are done at 10, c at 14; c's message comes at 24. */
    IS(run("step 1\nwork 0 4\nstep 2\nwork 0 9\n", 0, each), 14 + 15);
    IS(each[1], 15); /* a arrives at 19, c hears of it at 29 */
}

/* Those that have computed leave the core to the others. */
Test(bsp_timeline, processors_are_shared)
{
    static const char two[] = "processors { a time 1; b time 1; c time 2 cores 2; }\n"
                              "network { latency default 10; }\n";
    static const int32_t at[] = {0, 0, 1}, cores[] = {2, 2, 1};
    const Platform platform = {.unit = 1};
    double each[2];
    /* On a they end at 2 and 4, and hear of b, which has heard of them at 14, at 19. */
    IS(run_at(two, at, &platform,
              "step 1\nwork 0 1\nwork 1 3\nwork 2 9\nstep 2\nwork 0 1\nwork 1 3\nwork 2 2\n", each),
       23 + 10);
    IS(each[0], 19);
    IS(run_at(two, cores, &platform, "step 1\nwork 0 1\nwork 1 3\nstep 2\n", each), 6 + 10 + 10);
    IS(each[0], 6 + 10);
}

/* Data takes its bytes as well. */
Test(bsp_timeline, data)
{
    double each[1];
    IS(run("step 1\nsend 0 2 2000\n", 0, each), 12);
    IS(run("step 1\nsend 0 1 2000\n", 0, each), 10); /* 3 s: before c's */
    IS(run("step 1\nsend 0 2 9000000\n", 0, each), 9010);
    /* It does not wait for the receiver. */
    IS(run("step 1\nwork 2 50\nsend 0 2 9000\n", 0, each), 50 + 10);
}

/* What one process receives, and what one sends, at the same time shares its link. */
Test(bsp_timeline, links_are_shared)
{
    double each[2];
    IS(run("step 1\nsend 0 2 5000\nsend 1 2 7000\n", 0, each), 10 + 5 + 7);
    /* b arrives 10 s later: its data comes when a's is there. */
    IS(run("step 1\nwork 1 10\nsend 0 2 5000\nsend 1 2 7000\n", 0, each), 10 + 10 + 7);
    /* What goes to c needs the link 9 s later than what goes to b. */
    IS(run("step 1\nsend 0 1 70000\nsend 0 2 5000\n", 0, each), 1 + 70 + 5);
    IS(run("step 1\nsend 0 1 5000\nsend 0 2 70000\n", 0, each), 10 + 70);
    IS(run("step 1\nsend 0 1 12000\nsend 0 2 70000\n", 0, each), 1 + 12 + 70);
    /* Even: each has half until the shorter one is there. */
    IS(run("step 1\nsend 2 0 3000\nsend 2 1 5000\n", 0, each), 10 + 3 + 5);
    IS(run("step 1\nsend 2 0 3000\nsend 2 1 5000\nstep 2\nwork 0 90\n", 0, each), 16 + 90 + 10);
}

/* MPI keeps what has been sent: the sender computes meanwhile.  What it sends then shares the link with that. */
Test(bsp_timeline, senders_go_on)
{
    double each[2];
    IS(run("step 1\nsend 0 2 50000\nstep 2\nwork 0 100\n", 0, each), 10 + 100 + 10);
    /* a's data for b comes from 11 on, when 49 s are left of that for c: this ends at 109, b's at 110. */
    IS(run("step 1\nsend 0 2 50000\nstep 2\nsend 0 1 50000\n", 0, each), 109 + 10);
    IS(each[0], 109);
}

/* But what MPI sends only when the receiver has answered keeps the sender. */
Test(bsp_timeline, long_data_keeps_the_sender)
{
    double each[2];
    IS(run("step 1\nsend 0 2 5000000\nstep 2\nwork 0 100\n", 0, each), 10 + 5000 + 100 + 10);
}

/* An answer leaves when its sender has what all sent, and takes a latency of its own. */
Test(bsp_timeline, answers)
{
    double each[2];
    IS(run("step 1\nreply 1 0 2000\n", 0, each), 10 + 2 + 1);
    IS(run("step 1\nreply 2 0 2000\n", 0, each), 10 + 2 + 10);
    IS(run("step 1\nwork 1 5\nreply 1 0 2000\nstep 2\n", 0, each), 15 + 10);
    IS(each[0], 15); /* b has what c sent at 10, a its answer at 13; c hears of b at 15 */
    /* Data and an answer on the same way. */
    IS(run("step 1\nsend 0 2 3000\nreply 0 2 2000\n", 0, each), 10 + 2 + 10);
}

/* With separate links only what goes the same way waits. */
Test(bsp_timeline, separate_links)
{
    const Platform platform = {.unit = 1, .separate_links = true};
    double each[2];
    IS(run_on(&platform, "step 1\nsend 0 2 5000\nsend 1 2 7000\n", each), 7 + 10);
    IS(run_on(&platform, "step 1\nsend 0 1 70000\nsend 0 2 5000\n", each), 71);
    IS(run_on(&platform, "step 1\nsend 0 2 70000\nsend 0 2 5000\n", each), 75 + 10);
}
