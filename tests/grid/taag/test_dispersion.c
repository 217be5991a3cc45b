/* The minimum dispersion problem, its cliques and packing, against enumeration on random small
 * problems. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/taag/schedule/packing.h"

enum { MOST = 6 };

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

typedef struct {
    const Dispersion *d;
    int32_t count[MOST];
    double most, sum; /* of the best */
    double limit;     /* of the largest latency */
} Brute;

static void enumerate(Brute *b, int32_t a, int32_t left)
{
    const Dispersion *d = b->d;
    if (a < d->nodes) {
        for (b->count[a] = 0; b->count[a] <= left && b->count[a] <= d->most[a]; b->count[a]++)
            enumerate(b, a + 1, left - b->count[a]);
        return;
    }
    double most = 0, sum = 0;
    int64_t places = 0;
    for (int32_t i = 0; i < d->nodes; i++) {
        places += b->count[i] > 0 ? d->places[i] : 0;
        for (int32_t j = 0; j <= i; j++) {
            int32_t pairs =
                i == j ? b->count[i] * (b->count[i] - 1) / 2 : b->count[i] * b->count[j];
            most = pairs > 0 ? fmax(most, dispersion_ms(d, i, j)) : most;
            sum += pairs > 0 ? pairs * dispersion_ms(d, i, j) : 0;
        }
    }
    if (left > 0 || places < d->processes || most > b->limit)
        return;
    if (most < b->most || (most <= b->most && sum < b->sum)) {
        b->most = most;
        b->sum = sum;
    }
}

/* Sizes are all alike; a node has more places than its groups need, or not. */
static Dispersion random_problem(void)
{
    Dispersion d;
    int32_t size = 1 + below(3), few = 2 + below(20);
    bool within = below(4) == 0;
    cr_assert(dispersion_make(&d, 1 + below(MOST), 2 + below(6)));
    for (int32_t a = 0; a < d.nodes; a++) {
        d.places[a] = below(8);
        d.most[a] = (int32_t)(d.places[a] / size);
        for (int32_t b = 0; b < a; b++)
            d.ms[a * d.nodes + b] = d.ms[b * d.nodes + a] = 1 + below(few);
        d.ms[a * d.nodes + a] = within ? 0.5 * below(6) : 0;
    }
    for (int32_t g = 0; g < d.groups; g++)
        d.sum[g + 1] = d.sum[g] + size;
    d.processes = below(2) ? 0 : d.sum[d.groups] + below(6);
    d.uniform = true;
    cr_assert(dispersion_prepare(&d));
    return d;
}

static bool expect_least(uint64_t seed)
{
    state = seed;
    Dispersion d = random_problem();
    Brute b = {.d = &d, .most = INFINITY, .sum = INFINITY, .limit = INFINITY};
    Dispersed found = {0};
    Effort effort = {.limit = INT64_MAX, .deadline = INFINITY};
    enumerate(&b, 0, d.groups);
    cr_assert(dispersion_solve(&found, &d, INFINITY, INFINITY, &effort));
    if (!isfinite(b.most)) {
        cr_expect(!found.found, "seed %llu", (unsigned long long)seed);
    } else if (found.least_most < b.most) { /* the bound can be low where places are scarce */
        cr_expect_gt(d.processes, 0, "seed %llu", (unsigned long long)seed);
    } else {
        double most, sum;
        cr_assert(found.found, "seed %llu", (unsigned long long)seed);
        dispersion_measure(&d, found.count, &most, &sum);
        cr_expect(fabs(found.least_most - b.most) < 1e-9, "seed %llu: %g, enumerated %g",
                  (unsigned long long)seed, found.least_most, b.most);
        cr_expect(fabs(most - b.most) < 1e-9 && fabs(sum - b.sum) < 1e-9 &&
                      fabs(found.least_sum - b.sum) < 1e-9,
                  "seed %llu: %g %g, bound %g; enumerated %g %g", (unsigned long long)seed, most,
                  sum, found.least_sum, b.most, b.sum);
    }
    dispersed_free(&found);
    dispersion_free(&d);
    return isfinite(b.most);
}

Test(dispersion, least_of_all)
{
    int32_t solved = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++)
        solved += expect_least(seed * 0x9E3779B97F4A7C15u);
    cr_expect_gt(solved, 5000, "%d", solved);
}

/* With a little effort bounds are lower, and no bound is above the least. */
Test(dispersion, bounds_hold_when_the_effort_ends)
{
    int32_t ended = 0;
    for (uint64_t seed = 1; seed <= 5000; seed++) {
        state = seed * 0x9E3779B97F4A7C15u;
        Dispersion d = random_problem();
        Brute b = {.d = &d, .most = INFINITY, .sum = INFINITY, .limit = INFINITY};
        Dispersed found = {0};
        Effort effort = {.limit = 50 + below(2000), .deadline = INFINITY};
        enumerate(&b, 0, d.groups);
        cr_assert(dispersion_solve(&found, &d, INFINITY, INFINITY, &effort));
        cr_expect_leq(found.least_most, b.most, "seed %llu", (unsigned long long)seed);
        if (found.least_most >= b.most && isfinite(b.most))
            cr_expect_leq(found.least_sum, b.sum + 1e-9, "seed %llu: %g, least %g",
                          (unsigned long long)seed, found.least_sum, b.sum);
        ended += effort.ended;
        dispersed_free(&found);
        dispersion_free(&d);
    }
    cr_expect_gt(ended, 100, "%d", ended);
}

/* ---- packing -------------------------------------------------------------------------------- */

static bool fits(const int32_t *size, int32_t groups, int64_t *places, int32_t *most, int32_t nodes)
{
    if (groups == 0)
        return true;
    for (int32_t a = 0; a < nodes; a++)
        if (most[a] > 0 && places[a] >= size[0]) {
            most[a]--;
            places[a] -= size[0];
            bool rest = fits(size + 1, groups - 1, places, most, nodes);
            most[a]++;
            places[a] += size[0];
            if (rest)
                return true;
        }
    return false;
}

static int descending(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a < b) - (a > b);
}

Test(packing, finds_what_there_is)
{
    int32_t found = 0, none = 0;
    state = 1;
    for (int32_t trial = 0; trial < 20000; trial++) {
        int32_t groups = 1 + below(7), nodes = 1 + below(4), size[7], most[4];
        int64_t places[4], free[4];
        int32_t held[4] = {0};
        Packing p;
        for (int32_t g = 0; g < groups; g++)
            size[g] = 1 + below(5);
        qsort(size, (size_t)groups, sizeof *size, descending);
        for (int32_t a = 0; a < nodes; a++) {
            places[a] = free[a] = below(10);
            most[a] = below(5);
        }
        cr_assert(packing_make(&p, groups, size, nodes, places));
        CliqueAnswer answer = packing_find(&p, most);
        bool there = fits(size, groups, places, most, nodes);
        cr_expect_eq(answer, there ? CLIQUE_FOUND : CLIQUE_NONE, "trial %d", trial);
        for (int32_t g = 0; g < groups && answer == CLIQUE_FOUND; g++) {
            free[p.node[g]] -= size[g];
            held[p.node[g]]++;
        }
        for (int32_t a = 0; a < nodes; a++)
            cr_expect(free[a] >= 0 && held[a] <= most[a], "trial %d", trial);
        found += there;
        none += !there;
        packing_free(&p);
    }
    cr_expect(found > 1000 && none > 1000, "%d, %d", found, none);
}
