/* The best placement of a traced program, against all of them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/bsp/predict/search.h"
#include "grid/bsp/predict/soonest.h"
#include "grid/bsp/predict/timeline.h"

typedef struct {
    AmogetMachine *machine;
    Trace *trace;
    int32_t processors, processes;
} Case;

/* Small numbers, so that ties and processors that are alike are frequent. */
static Case random_case(void)
{
    Case c = {.processors = 1 + rand() % 4, .processes = 1 + rand() % 4};
    char text[4000];
    int n = 0;
    PepaError err;
    cr_assert_eq(amoget_machine_new(&c.machine, &err), PEPA_OK);
    for (int32_t a = 0; a < c.processors; a++) {
        char name[16];
        (void)snprintf(name, sizeof name, "p%d", (int)a);
        (void)amoget_add_processor(c.machine, name, 1 + rand() % 2, &err);
        (void)amoget_set_cores(c.machine, a, 1 + rand() % 3, &err);
        (void)amoget_set_latency(c.machine, a, a, 0, &err);
        for (int32_t b = 0; b < a; b++) {
            (void)amoget_set_latency(c.machine, a, b, rand() % 2 ? 0.1 : 2, &err);
            if (rand() % 2)
                (void)amoget_set_bandwidth(c.machine, a, b, 1 + rand() % 2, &err);
        }
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "bsp-trace 2\nprocesses %d\n",
                  (int)c.processes);
    for (int step = 0; step < 1 + rand() % 3; step++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "step %d\n", step);
        for (int32_t p = 0; p < c.processes; p++) {
            n += snprintf(text + n, sizeof text - (size_t)n, "work %d %d\n", (int)p, rand() % 4);
            n += snprintf(text + n, sizeof text - (size_t)n, "%s %d %d %d\n",
                          rand() % 3 ? "send" : "reply", (int)p, rand() % (int)c.processes,
                          rand() % 3);
            if (rand() % 4 == 0)
                n += snprintf(text + n, sizeof text - (size_t)n, "send %d 0 5000000\n", (int)p);
        }
    }
    cr_assert_eq(trace_read(&c.trace, "t", text, strlen(text), NULL, NULL, &err), PEPA_OK);
    return c;
}

static double timeline_of(const Case *c, const Placement *where)
{
    double seconds = -1;
    PepaError err;
    cr_assert_eq(timeline_run(c->trace, where, NULL, &seconds, &err), PEPA_OK);
    return seconds;
}

static double best_of_all(const Case *c, const Platform *platform)
{
    Placement where;
    Soonest soonest;
    double least = HUGE_VAL;
    cr_assert(placement_new(&where, c->machine, platform, c->processes) &&
              soonest_new(&soonest, c->processes, c->processors));
    int64_t all = 1;
    for (int32_t p = 0; p < c->processes; p++)
        all *= c->processors;
    for (int64_t i = 0; i < all; i++) {
        int64_t rest = i;
        for (int32_t p = 0; p < c->processes; p++, rest /= c->processors)
            where.at[p] = (int32_t)(rest % c->processors);
        placement_update(&where);
        const double seconds = timeline_of(c, &where);
        cr_expect_leq(soonest_end(&soonest, c->trace, &where), seconds * (1 + 1e-12));
        least = fmin(least, seconds);
    }
    soonest_free(&soonest);
    placement_free(&where);
    return least;
}

Test(bsp_search, best_of_all_placements)
{
    srand(11);
    for (int round = 0; round < 1500; round++) {
        Case c = random_case();
        const Platform platform = {.unit = 1,
                                   .word = rand() % 2,
                                   .sync = rand() % 2 ? 0 : 0.5,
                                   .window = rand() % 2,
                                   .separate_links = rand() % 2};
        Placement where;
        Found found;
        PepaError err;
        cr_assert(placement_new(&where, c.machine, &platform, c.processes));
        cr_assert_eq(placement_search(c.trace, &where, 0, &found, &err), PEPA_OK);
        const double best = best_of_all(&c, &platform);
        cr_expect(found.optimal);
        cr_expect(fabs(found.seconds - best) <= 1e-9 * best, "%d: %g, not %g", round, found.seconds,
                  best);
        cr_expect(fabs(timeline_of(&c, &where) - found.seconds) <= 1e-12 * best);
        /* Stopped early: still a placement, and a bound that holds. */
        cr_assert_eq(placement_search(c.trace, &where, 1, &found, &err), PEPA_OK);
        cr_expect(found.bound <= best * (1 + 1e-12) && found.seconds >= best * (1 - 1e-12));
        cr_expect(!found.optimal || fabs(found.seconds - best) <= 1e-9 * best);
        placement_free(&where);
        trace_free(c.trace);
        amoget_machine_free(c.machine);
    }
}

Test(bsp_search, needs_all_latencies)
{
    AmogetMachine *machine = NULL;
    Trace *trace = NULL;
    PepaError err;
    Found found;
    Placement where;
    const Platform platform = {.unit = 1};
    const char *text = "bsp-trace 1\nprocesses 1\nstep 1\n";
    cr_assert_eq(amoget_machine_new(&machine, &err), PEPA_OK);
    (void)amoget_add_processor(machine, "a", 1, &err);
    (void)amoget_add_processor(machine, "b", 1, &err);
    cr_assert_eq(trace_read(&trace, "t", text, strlen(text), NULL, NULL, &err), PEPA_OK);
    cr_assert(placement_new(&where, machine, &platform, 1));
    cr_assert_eq(placement_search(trace, &where, 0, &found, &err), PEPA_EMODEL);
    cr_expect_str_eq(err.message, "no latency between a and b is given");
    placement_free(&where);
    trace_free(trace);
    amoget_machine_free(machine);
}
