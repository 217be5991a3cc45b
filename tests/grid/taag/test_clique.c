/* Cliques of hosts against an enumeration of all sets of hosts. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "grid/taag/schedule/clique.h"
#include "grid/taag/schedule/schedule.h"

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

static AmogetMachine *machine_of(int32_t hosts)
{
    AmogetMachine *m = NULL;
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t i = 0; i < hosts; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "h%d", i);
        amoget_add_processor(m, name, 1, NULL);
        amoget_set_cores(m, i, 1 + below(6), NULL);
        for (int32_t j = 0; j < i; j++)
            amoget_set_latency(m, i, j, 1e-3 * (1 + below(5)), NULL);
    }
    return m;
}

/* The most places of a set of hosts whose links are all at most ms. */
static int32_t most_places(const Hosts *h, double ms)
{
    int32_t most = 0;
    for (int32_t set = 1; set < 1 << h->count; set++) {
        int32_t places = 0;
        bool clique = true;
        for (int32_t a = 0; a < h->count; a++) {
            places += set >> a & 1 ? h->places[a] : 0;
            for (int32_t b = 0; b < a; b++)
                clique = clique && (!(set >> a & 1) || !(set >> b & 1) || hosts_ms(h, a, b) <= ms);
        }
        most = clique && places > most ? places : most;
    }
    return most;
}

Test(clique, has_no_more_places_than_the_widest_of_all)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        Hosts h;
        state = seed;
        AmogetMachine *m = machine_of(2 + below(9));
        cr_assert_eq(hosts_make(&h, m, 1, NULL), PEPA_OK);
        for (int ms = 1; ms <= 5; ms++) {
            const double at = ms + 0.5;
            const int32_t most = most_places(&h, at);
            Effort effort = {.limit = INT64_MAX, .deadline = INFINITY};
            bool none;
            cr_assert(clique_misses(&none, &h, most, at, &effort));
            cr_expect(!none, "seed %d: %d places at %g ms", (int)seed, most, at);
            cr_assert(clique_misses(&none, &h, most + 1, at, &effort));
            cr_expect(none, "seed %d: %d places at %g ms", (int)seed, most + 1, at);
        }
        hosts_free(&h);
        amoget_machine_free(m);
    }
}

/* Hosts in a ring, each near the next ones: links of the level join them all, but one group cannot be on all. */
Test(clique, a_group_is_not_along_a_chain)
{
    enum { ROW = 60, NEXT = 19 };
    AmogetMachine *m = NULL;
    AmogetProgram program = {.kind = AMOGET_GROUPS, .processes = ROW, .least = 2, .divisor = 1};
    ScheduleSettings set = {.coefficient = 1};
    Schedule found;
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t i = 0; i < ROW; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "h%d", i);
        amoget_add_processor(m, name, 1, NULL);
        for (int32_t j = 0; j < i; j++) {
            const int32_t apart = i - j < ROW - i + j ? i - j : ROW - i + j;
            amoget_set_latency(m, i, j, 1e-3 * (apart <= NEXT ? 1 : 10 * apart), NULL);
        }
    }
    cr_assert_eq(schedule_find(&found, m, &program, &set, NULL), PEPA_OK);
    cr_expect_eq(found.cost.level, 1);
    cr_expect_float_eq(found.cost.most, 10 * ROW / 2, 1e-9);
    cr_expect_eq(found.bound.level, 1);
    cr_expect_float_eq(found.bound.most, 10 * ROW / 2, 1e-9);
    schedule_free(&found);
    amoget_machine_free(m);
}
