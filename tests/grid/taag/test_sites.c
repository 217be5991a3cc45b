/* Sites of hosts whose links to other sites are of the order of those within: found, and placements on them against an
 * enumeration. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "brute.h"
#include "grid/taag/schedule/schedule.h"
#include "grid/taag/schedule/sites.h"

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

enum { HOSTS = 100, SITES = 4 };

/* Milliseconds, all of one order of magnitude but for the last two sites. */
static const double between[SITES][SITES] = {{0.2, 0.5, 0.5, 5},
                                             {0.5, 0.2, 0.8, 5},
                                             {0.5, 0.8, 0.3, 0.9},
                                             {5, 5, 0.9, 0.2}};

/* Host i on site i % SITES; latencies up to `noise` more, as a part of them. */
static AmogetMachine *machine_of(int32_t hosts, double noise)
{
    AmogetMachine *m = NULL;
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t i = 0; i < hosts; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "h%d", i);
        amoget_add_processor(m, name, 1, NULL);
        amoget_set_cores(m, i, 1 + below(8), NULL);
        for (int32_t j = 0; j < i; j++)
            amoget_set_latency(m, i, j,
                               1e-3 * between[i % SITES][j % SITES] *
                                   (1 + noise * below(1000) / 1000),
                               NULL);
    }
    return m;
}

static void find(Sites *s, Hosts *h, AmogetMachine *m, int32_t most)
{
    LatencyTree t;
    cr_assert_eq(hosts_make(h, m, 1, NULL), PEPA_OK);
    cr_assert_eq(linkage_make(&t, h, HOSTS, NULL), PEPA_OK);
    cr_assert(sites_closest(s, h, &t, most));
    linkage_free(&t);
    amoget_machine_free(m);
}

Test(sites, closest_to_their_hosts)
{
    Sites s;
    Hosts h;
    for (int32_t noisy = 0; noisy < 2; noisy++) {
        find(&s, &h, machine_of(HOSTS, 0.2 * noisy), MOST_SITES);
        cr_assert_eq(s.count, SITES);
        for (int32_t i = 0; i < HOSTS; i++) {
            cr_expect_eq(s.of[i], s.of[i % SITES]);
            for (int32_t j = 0; j < i; j++)
                cr_expect(hosts_ms(&h, i, j) >= s.ms[s.of[i]][s.of[j]] &&
                          s.ms[s.of[i]][s.of[j]] >= between[i % SITES][j % SITES] - 1e-9);
        }
        cr_expect_neq(s.of[0], s.of[1]);
        cr_expect_float_eq(s.longest[15], s.ms[s.of[2]][s.of[3]], 1e-9);
        sites_free(&s);
        hosts_free(&h);
    }
    /* Not each host for itself, which would be nearer by a few hundredths. */
    find(&s, &h, machine_of(3 * SITES, 0.05), MOST_SITES);
    cr_expect_eq(s.count, SITES);
    sites_free(&s);
    hosts_free(&h);
    /* Fewer than there are: those of the first level, which all are of. */
    find(&s, &h, machine_of(HOSTS, 0), SITES - 1);
    cr_expect_eq(s.count, 1);
    sites_free(&s);
    hosts_free(&h);
}

/* Links of all lengths: those that the first level joins. */
Test(sites, none_are_close)
{
    AmogetMachine *m = NULL;
    Sites s;
    Hosts h;
    state = 3;
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t i = 0; i < HOSTS; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "h%d", i);
        amoget_add_processor(m, name, 1, NULL);
        for (int32_t j = 0; j < i; j++)
            amoget_set_latency(m, i, j, i % 2 == j % 2 ? 1e-3 * (0.1 + 0.0008 * below(1000)) : 5e-3,
                               NULL);
    }
    find(&s, &h, m, MOST_SITES);
    cr_expect_eq(s.count, 2);
    sites_free(&s);
    hosts_free(&h);
}

/* Graphs on a few hosts: what is proved is the least of all placements. */
Test(sites, placements_on_them_are_the_least)
{
    int32_t proved = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        Brute b = {.hosts = 4 + below(3)};
        int32_t sizes[4], *size = sizes;
        AmogetEdge edges[6];
        AmogetProgram p = {.kind = AMOGET_GRAPH,
                           .divisor = 1,
                           .group_count = 3 + below(2),
                           .sizes = size,
                           .edges = edges};
        ScheduleSettings set = {.coefficient = 1};
        Schedule s = {0};
        state = seed;
        for (int32_t i = 0; i < b.hosts; i++) {
            b.places[i] = 1 + below(3);
            for (int32_t j = 0; j < i; j++)
                b.ms[i][j] = b.ms[j][i] = between[i % SITES][j % SITES];
        }
        for (int32_t g = 0; g < p.group_count; g++) {
            p.processes += sizes[g] = 1 + below(2);
            for (int32_t a = 0; a < g; a++)
                if (below(2) == 0 || a == g - 1)
                    edges[p.edge_count++] = (AmogetEdge){a, g};
        }
        b.program = &p;
        (void)enumerate(&b);
        AmogetMachine *m = brute_machine(&b);
        if (b.found) {
            cr_assert_eq(schedule_find(&s, m, &p, &set, NULL), PEPA_OK);
            cr_expect(s.cost.level >= 0 && s.optimal, "seed %llu", (unsigned long long)seed);
            cr_expect(fabs(s.cost.most - b.most) < 1e-9 && fabs(s.cost.mean - b.mean) < 1e-9,
                      "seed %llu: (%g, %g), not (%g, %g)", (unsigned long long)seed, s.cost.most,
                      s.cost.mean, b.most, b.mean);
            proved += s.optimal;
            schedule_free(&s);
        }
        amoget_machine_free(m);
    }
    cr_expect_gt(proved, 200);
}

/* 32 groups that talk to each other on 100 hosts. */
Test(sites, large_ones_are_proved)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        int32_t sizes[32];
        AmogetProgram p = {.kind = AMOGET_GRAPH, .divisor = 1, .group_count = 32, .sizes = sizes};
        ScheduleSettings set = {.coefficient = 1};
        Schedule s = {0};
        state = seed;
        for (int32_t g = 0; g < p.group_count; g++)
            p.processes += sizes[g] = 1 + below(8);
        AmogetMachine *m = machine_of(HOSTS, 0);
        cr_assert_eq(schedule_find(&s, m, &p, &set, NULL), PEPA_OK);
        cr_expect(s.optimal && s.cost.level == 0, "seed %llu", (unsigned long long)seed);
        schedule_free(&s);
        amoget_machine_free(m);
    }
}
