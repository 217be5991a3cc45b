/* The fastest mapping on grids that are too large to try all placements: its round against those of what
 * latencies alone give; and remembered means against means that are not. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "base/stream.h"
#include "grid/taag/predict/means.h"
#include "grid/taag/predict/predict.h"
#include "tests/scale.h"

static int32_t below(Stream *s, int32_t n)
{
    return (int32_t)(stream_uniform(s) * n);
}

/* ---- against latencies ------------------------------------------------------------------------ */

/* Hosts that differ, of three sites; or each link has a latency of its own. */
static AmogetMachine *random_grid(Stream *s, int32_t *places)
{
    const int32_t hosts = 5 + below(s, 10);
    const double far[] = {1.9e-3, 5e-3, 11.2e-3, 35.8e-3};
    const bool own = below(s, 2);
    int32_t site[16];
    double apart[3][3];
    AmogetMachine *m = NULL;
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    *places = 0;
    for (int32_t a = 0; a < 3; a++)
        for (int32_t b = 0; b < 3; b++)
            apart[a][b] = far[below(s, 4)];
    for (int32_t i = 0; i < hosts; i++) {
        const int32_t cores = 1 + below(s, 4);
        char name[16];
        (void)snprintf(name, sizeof name, "h%d", (int)i);
        cr_assert_eq(amoget_add_processor(m, name, 1e-3 * (1 + below(s, 3)), NULL), PEPA_OK);
        cr_assert_eq(amoget_set_cores(m, i, cores, NULL), PEPA_OK);
        *places += cores;
        site[i] = below(s, 3);
        for (int32_t j = 0; j < i; j++) {
            const int32_t a = site[i] > site[j] ? site[i] : site[j],
                          b = site[i] > site[j] ? site[j] : site[i];
            const double latency = own      ? 1e-4 * (1 + below(s, 200))
                                   : a == b ? 0.13e-3
                                            : apart[a][b];
            cr_assert_eq(amoget_set_latency(m, i, j, latency, NULL), PEPA_OK);
        }
    }
    return m;
}

static AmogetProgram random_program(Stream *s, int32_t places)
{
    const int32_t most = places < 26 ? places : 26;
    AmogetProgram p = {.kind = AMOGET_GROUPS, .divisor = 1, .least = 1 + below(s, 3)};
    const int32_t kind = below(s, 3);
    p.processes = most - below(s, most / 2);
    p.work = below(s, 2) ? 1 : 10;
    p.phases = below(s, 2);
    if (kind == 1)
        p.kind = AMOGET_RING;
    if (kind == 2) {
        p.kind = AMOGET_TREE;
        p.levels = 2 + below(s, 3);
        p.least = 1;
    }
    return p;
}

static double round_of(const Schedule *s, const AmogetMachine *m, const AmogetProgram *p)
{
    Prediction time = {0};
    PepaError err = {0};
    cr_assert_eq(predict_mapping(&time, s, m, p, 1, NULL, NULL, &err), PEPA_OK, "%s", err.message);
    return time.predicted;
}

/* Those by latencies get a fifth of the time that they have within the search. */
Test(fastest, is_no_slower_than_what_latencies_give)
{
    const double seconds = 0.3, least = seconds / 40;
    const ScheduleSettings set = {.coefficient = 1, .seconds = seconds},
                           ways[] = {
                               {.coefficient = 1, .seconds = least},
                               {.coefficient = 1,
                                .paper = true,
                                .any_partition = true,
                                .seconds = least},
                               {.coefficient = 1, .in_order = true},
                           };
    const int32_t cases = scaled(20);
    Stream s;
    stream_start(&s, 35, 0);
    int32_t proved = 0, shorter = 0;
    for (int32_t i = 0; i < cases; i++) {
        int32_t places;
        AmogetMachine *m = random_grid(&s, &places);
        const AmogetProgram p = random_program(&s, places);
        Schedule best = {0};
        PepaError err = {0};
        double bound;
        cr_assert_eq(predict_fastest(&best, &bound, m, &p, &set, &err), PEPA_OK, "%s", err.message);
        const double round = round_of(&best, m, &p);
        cr_expect(bound <= round * (1 + 1e-8), "%d: %g, below the bound %g", (int)i, round, bound);
        proved += best.optimal;
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
            Schedule other = {0};
            if (schedule_find(&other, m, &p, &ways[way], &err) != PEPA_OK)
                continue;
            const double its = round_of(&other, m, &p);
            cr_expect(round <= its * (1 + 1e-8), "%d, way %d: %.9g, of latencies %.9g", (int)i,
                      (int)way, round, its);
            shorter += round < its * (1 - 1e-3);
            schedule_free(&other);
        }
        schedule_free(&best);
        amoget_machine_free(m);
    }
    cr_expect_gt(proved, 0);
    cr_expect_gt(shorter, cases / 4, "latencies alone are as good: nothing to compare");
}

/* ---- remembered means ------------------------------------------------------------------------- */

Test(fastest, means_that_are_remembered)
{
    enum { GROUPS = 5, TIMES = 300 };
    const double values[] = {0, 0.1, 0.25, 1, 1.5};
    Stream s;
    Means means;
    Round round;
    int64_t first = 0;
    stream_start(&s, 36, 0);
    cr_assert(means_make(&means, 4, GROUPS) && round_make(&round, GROUPS));
    for (int32_t i = 0; i < TIMES; i++) {
        int64_t work = 0;
        double found = 0, mean = 0;
        round.groups = 1 + below(&s, GROUPS);
        round.exchange = i % 3;
        for (int32_t g = 0; g < round.groups; g++)
            round.time[g] = values[below(&s, 5)];
        cr_assert_eq(means_of(&means, &round, &found, &work, NULL), PEPA_OK);
        cr_assert_eq(round_mean(&round, 4, &mean, NULL), PEPA_OK);
        cr_assert_float_eq(found, mean, 1e-12 * (1 + mean));
        first += work > 1000;
    }
    /* multisets of 1 to 5 of 5 values: 5 + 15 + 35 + 70 + 126 = 251, of which some do not come */
    cr_expect(first > 100 && first <= 251, "%d of %d were computed", (int)first, TIMES);
    cr_expect_eq(means.times.count, first);
    round_free(&round);
    means_free(&means);
}
