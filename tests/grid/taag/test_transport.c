/* What groups cost at least on sites with so many places, against an enumeration of all ways to divide them. */
#include <criterion/criterion.h>
#include <math.h>

#include "grid/taag/schedule/transport.h"

enum { GROUPS = 4, SITES = 3, SIZE = 4 };

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

typedef struct {
    int32_t groups, size[GROUPS];
    double cost[GROUPS][SITES];
    int64_t room[SITES];
    double least;
} Problem;

/* The processes of a group from its i-th on, and later groups. */
static void try_all(Problem *p, int32_t g, int32_t i, double sum)
{
    if (g == p->groups) {
        p->least = fmin(p->least, sum);
        return;
    }
    if (i == p->size[g]) {
        try_all(p, g + 1, 0, sum);
        return;
    }
    for (int32_t a = 0; a < SITES; a++) {
        if (p->room[a] == 0 || !isfinite(p->cost[g][a]))
            continue;
        p->room[a]--;
        try_all(p, g, i + 1, sum + p->cost[g][a] / p->size[g]);
        p->room[a]++;
    }
}

static double solve(const Problem *p, double enough)
{
    Transport t;
    int64_t work = 0;
    cr_assert(transport_make(&t, p->groups, SITES));
    t.groups = p->groups;
    for (int32_t g = 0; g < p->groups; g++) {
        t.size[g] = p->size[g];
        for (int32_t a = 0; a < SITES; a++)
            transport_costs(&t, g)[a] = p->cost[g][a];
    }
    const double least = transport_least(&t, p->room, enough, &work);
    transport_free(&t);
    return least;
}

static bool near(double x, double y)
{
    return x >= y ? x - y <= 1e-9 : y - x <= 1e-9;
}

Test(transport, least_of_all_ways)
{
    int32_t none = 0, moved = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        Problem p = {.least = INFINITY};
        state = seed * 0x9E3779B97F4A7C15u;
        p.groups = 1 + below(GROUPS);
        for (int32_t a = 0; a < SITES; a++)
            p.room[a] = below(7);
        for (int32_t g = 0; g < p.groups; g++) {
            p.size[g] = 1 + below(g < 2 ? SIZE : 2);
            for (int32_t a = 0; a < SITES; a++)
                p.cost[g][a] = below(5) == 0 && a > 0 ? (double)INFINITY : below(20);
        }
        try_all(&p, 0, 0, 0);
        const double least = solve(&p, INFINITY), first = solve(&p, 0);
        cr_expect(near(least, p.least) || (isinf(least) && isinf(p.least)), "seed %llu: %g, not %g",
                  (unsigned long long)seed, least, p.least);
        for (double enough = 0; enough < 40; enough += 10) {
            const double bound = solve(&p, enough);
            cr_expect(bound <= p.least + 1e-9 && (bound >= enough || near(bound, p.least)));
        }
        none += isinf(p.least);
        moved += first < p.least - 1e-9;
    }
    cr_expect(none > 100 && moved > 500, "%d have no room, %d move on", none, moved);
}
