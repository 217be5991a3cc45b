/* Trees of three levels with groups on one host each, against an enumeration of the root's host and
 * of the numbers of units on hosts. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grid/taag/schedule/star.h"
#include "grid/taag/schedule/star_bound.h"
#include "grid/taag/schedule/star_place.h"

enum { MOST = 5, UNITS = 32 };

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

typedef struct {
    const Hosts *hosts;
    int32_t processes, least, root;
    double most[UNITS], sum[UNITS]; /* of so many units */
} Brute;

/* count units on hosts before `host`, of which these have `places` in all. */
static void enumerate(Brute *b, int32_t host, int32_t count, int32_t places, double most,
                      double sum)
{
    if (host == b->hosts->count) {
        if (places < b->processes - 1 || count * b->least > b->processes - 1)
            return;
        if (most < b->most[count] || (most <= b->most[count] && sum < b->sum[count])) {
            b->most[count] = most;
            b->sum[count] = sum;
        }
        return;
    }
    int32_t here = b->hosts->places[host] - (host == b->root);
    double ms = hosts_ms(b->hosts, b->root, host);
    enumerate(b, host + 1, count, places, most, sum);
    for (int32_t k = 1; k * b->least <= here; k++)
        enumerate(b, host + 1, count + k, places + here, fmax(most, ms), sum + k * ms);
}

static Hosts random_hosts(bool distinct)
{
    Hosts h;
    AmogetMachine *m = NULL;
    int32_t count = 1 + below(MOST);
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t i = 0; i < count; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "h%d", i);
        amoget_add_processor(m, name, 1, NULL);
        amoget_set_cores(m, i, 1 + below(7), NULL);
        for (int32_t j = 0; j < i; j++)
            amoget_set_latency(m, i, j, distinct ? 1 + below(9000) : 1 + below(3), NULL);
    }
    cr_assert_eq(hosts_make(&h, m, 1, NULL), PEPA_OK);
    amoget_machine_free(m);
    return h;
}

/* The least of all numbers of units.  0: there is none. */
static int32_t best_of(const Brute *b)
{
    int32_t best = 0;
    for (int32_t p = 1; p < UNITS; p++)
        if (isfinite(b->most[p]) &&
            (best == 0 || b->most[p] < b->most[best] ||
             (b->most[p] <= b->most[best] && b->sum[p] / p < b->sum[best] / best)))
            best = p;
    return best;
}

static bool expect_least(uint64_t seed, int64_t limit)
{
    Brute b;
    Best found;
    Cost lower[UNITS] = {{0, 0, 0}};
    Effort effort = {.limit = limit, .deadline = INFINITY};
    state = seed * 0x9E3779B97F4A7C15u;
    Hosts h = random_hosts(seed % 2 == 0);
    int32_t room = h.capacity < UNITS ? (int32_t)h.capacity : UNITS;
    AmogetProgram p = {.kind = AMOGET_TREE, .levels = 3, .divisor = 1};
    p.processes = 3 + below(room > 3 ? room - 2 : 1);
    p.least = 1 + below(p.processes - 2 < 4 ? p.processes - 2 : 4);
    b = (Brute){.hosts = &h, .processes = p.processes, .least = p.least + 1};
    for (int32_t i = 0; i < UNITS; i++)
        b.most[i] = b.sum[i] = INFINITY;
    for (b.root = 0; b.root < h.count; b.root++)
        enumerate(&b, 0, 0, 0, 0, 0);
    cr_assert(best_make(&found, p.processes));
    cr_assert(star_solve(&h, &p, lower, &found, &effort));
    int32_t best = best_of(&b);
    bool whole = limit == INT64_MAX;
    for (int32_t n = 1; n <= (p.processes - 1) / b.least; n++) {
        Cost least =
            isfinite(b.most[n]) ? (Cost){0, b.most[n], b.sum[n] / (2.0 * n)} : (Cost){1, 0, 0};
        cr_expect(cost_compare(lower[n], least) <= 0, "seed %llu, %d units: (%d, %g, %g)",
                  (unsigned long long)seed, n, lower[n].level, lower[n].most, lower[n].mean);
        if (whole && !isfinite(b.most[n]))
            cr_expect_eq(lower[n].level, 1, "seed %llu, %d units", (unsigned long long)seed, n);
        if (whole && best > 0 && b.most[n] <= b.most[best])
            cr_expect_eq(cost_compare(lower[n], least), 0, "seed %llu, %d units: mean %g, least %g",
                         (unsigned long long)seed, n, lower[n].mean, least.mean);
    }
    Cost least = {0, best > 0 ? b.most[best] : 0, best > 0 ? b.sum[best] / (2.0 * best) : 0};
    if (whole)
        cr_expect_eq(found.found, best > 0, "seed %llu", (unsigned long long)seed);
    if (found.found)
        cr_expect(cost_compare(found.cost, least) == 0 ||
                      (!whole && cost_compare(found.cost, least) > 0),
                  "seed %llu: (%d, %g, %g), least (0, %g, %g)", (unsigned long long)seed,
                  found.cost.level, found.cost.most, found.cost.mean, least.most, least.mean);
    best_free(&found);
    hosts_free(&h);
    return whole ? best > 0 : effort.ended || !found.found;
}

Test(star, least_of_all)
{
    int32_t solved = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++)
        solved += expect_least(seed, INT64_MAX);
    cr_expect_gt(solved, 5000, "%d", solved);
}

/* With a little effort bounds are lower, and no bound is above the least. */
Test(star, bounds_hold_when_the_effort_ends)
{
    int32_t ended = 0;
    for (uint64_t seed = 1; seed <= 5000; seed++)
        ended += expect_least(seed, below(3000));
    cr_expect_gt(ended, 500, "%d", ended);
}

/* ---- units over several hosts ------------------------------------------------------------------ */

enum { FEW = 7 /* processes */ };

/* The least cost of a division over all placements of its processes from `rank` on. */
static void place_all(const Hosts *h, const Shape *shape, int32_t *host_of, int32_t *left,
                      int32_t rank, Cost *least)
{
    int32_t used[FEW], start[FEW + 1];
    if (rank == shape->fixed + shape->rest) {
        const Cost cost = cost_of(h, shape, host_of, used, start);
        if (cost_compare(cost, *least) < 0)
            *least = cost;
        return;
    }
    for (int32_t i = 0; i < h->count; i++)
        if (left[i] > 0) {
            left[i]--;
            host_of[rank] = i;
            place_all(h, shape, host_of, left, rank + 1, least);
            left[i]++;
        }
}

/* All sizes of leaves. */
static Cost least_of_parts(const Hosts *h, const AmogetProgram *p, int32_t parts)
{
    Shape shape;
    bool no_memory = false;
    int32_t host_of[FEW], left[MOST];
    Cost least = {h->levels + 1, INFINITY, INFINITY};
    cr_assert(division_make(&shape, p, parts, &no_memory));
    do {
        memcpy(left, h->places, (size_t)h->count * sizeof *left);
        place_all(h, &shape, host_of, left, 0, &least);
    } while (division_next(&shape));
    division_free(&shape);
    return least;
}

/* A placement is one, and costs no less than the best.  Whether it costs as much. */
static bool expect_placed(const Hosts *h, const AmogetProgram *p, Cost all)
{
    Best found;
    Effort effort = {.limit = INT64_MAX, .deadline = INFINITY};
    int32_t left[MOST];
    memcpy(left, h->places, (size_t)h->count * sizeof *left);
    cr_assert(best_make(&found, p->processes));
    cr_assert(star_place(h, p, all.level, &found, &effort));
    for (int32_t rank = 0; rank < p->processes && found.found; rank++)
        cr_expect_geq(--left[found.host_of[rank]], 0);
    const int order = found.found ? cost_compare(found.cost, all) : 1;
    cr_expect_geq(order, 0);
    best_free(&found);
    return order == 0;
}

Test(star, units_that_are_spread)
{
    int32_t looked = 0, tight = 0, most = 0, spread = 0, best = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        state = seed * 0x9E3779B97F4A7C15u;
        Hosts h = random_hosts(seed % 2 == 0);
        for (int32_t i = 0; i < h.count; i++)
            h.places[i] = 1 + h.places[i] % 3;
        int32_t room = 0, first, last, step;
        for (int32_t i = 0; i < h.count; i++)
            room += h.places[i];
        AmogetProgram p = {.kind = AMOGET_TREE, .levels = 3, .divisor = 1};
        p.processes = room < FEW ? room : FEW;
        p.least = 1 + below(2);
        division_parts(&p, &first, &last, &step);
        Cost lower[FEW + 1], least[FEW + 1], all = {h.levels + 1, INFINITY, INFINITY};
        for (int32_t n = first; n <= last && p.processes >= 3; n++) {
            least[n] = least_of_parts(&h, &p, n);
            lower[n] = (Cost){least[n].level, 0, 0};
            all = cost_compare(least[n], all) < 0 ? least[n] : all;
        }
        if (all.level > 0 && all.level <= h.levels) {
            spread++;
            best += expect_placed(&h, &p, all);
        }
        Effort effort = {.limit = INT64_MAX, .deadline = INFINITY};
        if (p.processes >= 3)
            cr_assert(star_bound(&h, &p, lower, &effort));
        for (int32_t n = first; n <= last && p.processes >= 3; n++) {
            cr_expect(cost_compare(lower[n], least[n]) <= 0,
                      "seed %llu, %d units: bound (%d, %g, %g), least (%d, %g, %g)",
                      (unsigned long long)seed, n, lower[n].level, lower[n].most, lower[n].mean,
                      least[n].level, least[n].most, least[n].mean);
            looked += least[n].level > 0;
            most += least[n].level > 0 && lower[n].most >= least[n].most;
            tight += least[n].level > 0 && cost_compare(lower[n], least[n]) == 0;
        }
        hosts_free(&h);
    }
    cr_expect(spread >= 100 && best >= 111, "%d, %d", spread, best);
    cr_expect(looked >= 395 && most >= 356 && tight >= 260, "%d, %d, %d", looked, most, tight);
}

/* Hosts of 4 places; ms: below the diagonal, row by row. */
static Hosts hosts_of(int32_t count, const double *ms)
{
    Hosts h;
    AmogetMachine *m = NULL;
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t i = 0; i < count; i++) {
        const char name[] = {'h', (char)('a' + i), '\0'};
        amoget_add_processor(m, name, 1, NULL);
        amoget_set_cores(m, i, 4, NULL);
        for (int32_t j = 0; j < i; j++)
            amoget_set_latency(m, i, j, *ms++ / 1e3, NULL);
    }
    cr_assert_eq(hosts_make(&h, m, 1, NULL), PEPA_OK);
    amoget_machine_free(m);
    return h;
}

/* What is placed costs most, and sum in all connections. */
static void expect_units(int32_t count, const double *ms, int32_t processes, double most,
                         double sum)
{
    Best found;
    Effort effort = {.limit = INT64_MAX, .deadline = INFINITY};
    Hosts h = hosts_of(count, ms);
    AmogetProgram p = {.kind = AMOGET_TREE, .levels = 3, .divisor = 1, .least = 3};
    p.processes = processes;
    cr_assert(best_make(&found, processes));
    cr_assert(star_place(&h, &p, 1, &found, &effort));
    cr_expect(found.found && found.cost.level == 1, "level %d", found.cost.level);
    cr_expect_float_eq(found.cost.most, most, 1e-9);
    cr_expect_float_eq(found.cost.mean * 2 * found.parts, sum, 1e-9, "%g",
                       found.cost.mean * 2 * found.parts);
    best_free(&found);
    hosts_free(&h);
}

Test(star, one_far_unit_takes_what_is_left)
{
    /* Sites of three and of two hosts: two units near, one of eight processes far away. */
    static const double two[] = {0.2, 0.2, 0.2, 35, 35, 35, 35, 35, 35, 0.2};
    expect_units(5, two, 17, 35, 0.2 + 0.2 + 35 + 0.2);
    /* Two more than the next site holds would be no unit: it gets two less. */
    static const double three[] = {0.2, 0.2, 0.2, 35, 35, 35, 35, 35, 35, 0.2, 40, 40, 40, 40, 40};
    expect_units(6, three, 22, 40, 0.2 + 0.2 + 35 + 0.2 + 40);
}

/* Two hosts that are near to a third one, but not to each other, are no place for a unit. */
Test(star, hosts_of_a_unit_are_near_to_each_other)
{
    static const double ms[] = {0.2, 0.2, 35};
    Best found;
    Effort effort = {.limit = INT64_MAX, .deadline = INFINITY};
    Hosts h = hosts_of(3, ms);
    AmogetProgram p = {.kind = AMOGET_TREE, .levels = 3, .divisor = 1, .least = 9, .processes = 11};
    cr_assert(best_make(&found, p.processes));
    cr_assert(star_place(&h, &p, 1, &found, &effort));
    cr_expect_not(found.found);
    cr_assert(star_place(&h, &p, 2, &found, &effort));
    cr_expect(found.found && found.cost.level == 2);
    best_free(&found);
    hosts_free(&h);
}
