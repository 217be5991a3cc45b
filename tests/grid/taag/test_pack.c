/* Packings in whole numbers, against an enumeration; what hosts hold of groups, the same. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "grid/taag/schedule/contents.h"

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

/* ---- packings ------------------------------------------------------------------------------- */

enum { ROWS = 4, COLUMNS = 6 };

typedef struct {
    int32_t rows, columns, right[ROWS], a[ROWS][COLUMNS], times[COLUMNS];
    double worth[COLUMNS], best;
    bool some; /* not all are possible */
} Problem;

/* About one of three. */
static CliqueAnswer by_chance(void *data, const int32_t *times)
{
    const Problem *p = data;
    uint32_t mix = 7;
    for (int32_t j = 0; j < p->columns; j++)
        mix = mix * 31 + (uint32_t)times[j] * 17 + 1;
    return mix / 8 % 3 == 0 ? CLIQUE_FOUND : CLIQUE_NONE;
}

static void all_times(Problem *p, int32_t j)
{
    if (j == p->columns) {
        double worth = 0;
        for (int32_t k = 0; k < p->columns; k++)
            worth += p->times[k] * p->worth[k];
        if (!p->some || by_chance(p, p->times) == CLIQUE_FOUND)
            p->best = fmax(p->best, worth);
        return;
    }
    for (p->times[j] = 0;; p->times[j]++) {
        for (int32_t i = 0; i < p->rows; i++) {
            int32_t used = 0;
            for (int32_t k = 0; k <= j; k++)
                used += p->times[k] * p->a[i][k];
            if (used > p->right[i])
                return;
        }
        all_times(p, j + 1);
    }
}

static void random_problem(Problem *p, PackLp *lp)
{
    *p = (Problem){.rows = 1 + below(ROWS), .columns = 1 + below(COLUMNS), .best = -INFINITY};
    p->some = below(2);
    cr_assert(pack_lp_make(lp, p->rows));
    for (int32_t i = 0; i < p->rows; i++)
        lp->right[i] = p->right[i] = below(7);
    for (int32_t j = 0; j < p->columns; j++) {
        PackEntry entry[ROWS];
        int32_t n = 0;
        p->worth[j] = 1 + below(9);
        for (int32_t i = 0; i < p->rows; i++)
            if ((p->a[i][j] = i == j % p->rows ? 1 + below(3) : below(3)) > 0)
                entry[n++] = (PackEntry){i, p->a[i][j]};
        cr_assert(pack_lp_add(lp, p->worth[j], entry, n));
    }
}

static void expect_packing(uint64_t seed, int64_t limit)
{
    Problem p;
    PackLp lp;
    Effort effort = {.limit = limit, .deadline = INFINITY};
    state = seed * 0x9E3779B97F4A7C15u;
    random_problem(&p, &lp);
    all_times(&p, 0);
    const double relaxed = pack_lp_solve(&lp);
    if (!p.some)
        cr_expect(relaxed >= p.best - 1e-9, "seed %llu: %g, best %g", (unsigned long long)seed,
                  relaxed, p.best);
    PackBest best = {.lp = &lp, .cutoff = -1, .unit = below(2), .effort = &effort};
    best.possible = p.some ? by_chance : NULL;
    best.data = &p;
    cr_assert(pack_best_find(&best));
    cr_expect(best.bound >= p.best - 1e-6, "seed %llu: bound %g, best %g", (unsigned long long)seed,
              best.bound, p.best);
    if (limit == INT64_MAX)
        cr_expect(best.found == isfinite(p.best) &&
                      (!best.found ||
                       (fabs(best.worth - p.best) < 1e-6 && best.bound <= p.best + 1e-6)),
                  "seed %llu: worth %g, bound %g, best %g", (unsigned long long)seed, best.worth,
                  best.bound, p.best);
    double worth = 0;
    for (int32_t j = 0; j < p.columns && best.found; j++)
        worth += best.best[j] * p.worth[j];
    for (int32_t i = 0; i < p.rows; i++) {
        int32_t used = 0;
        for (int32_t j = 0; j < p.columns && best.found; j++)
            used += best.best[j] * p.a[i][j];
        cr_expect(used <= p.right[i] && lp.right[i] == p.right[i]);
    }
    cr_expect(!best.found || fabs(worth - best.worth) < 1e-9);
    pack_best_free(&best);
    pack_lp_free(&lp);
}

Test(pack, best_of_all)
{
    for (uint64_t seed = 1; seed <= 4000; seed++)
        expect_packing(seed, INT64_MAX);
}

Test(pack, bounds_hold_when_the_effort_ends)
{
    for (uint64_t seed = 1; seed <= 1000; seed++)
        expect_packing(seed, below(40));
}

/* A linear program with a known solution: 3 x + y <= 4 and x + 3 y <= 4 are tight at x = y = 1. */
Test(pack, a_vertex)
{
    PackLp lp;
    const PackEntry first[] = {{0, 3}, {1, 1}}, second[] = {{0, 1}, {1, 3}};
    cr_assert(pack_lp_make(&lp, 2));
    lp.right[0] = lp.right[1] = 4;
    cr_assert(pack_lp_add(&lp, 2, first, 2) && pack_lp_add(&lp, 2.5, second, 2));
    cr_expect_float_eq(pack_lp_solve(&lp), 4.5, 1e-9);
    cr_expect(fabs(lp.x[0] - 1) < 1e-9 && fabs(lp.x[1] - 1) < 1e-9);
    cr_expect_eq(pack_lp_most(&lp, 0), 1);
    pack_lp_free(&lp);
}

/* ---- contents ------------------------------------------------------------------------------- */

enum { HOSTS = 5, GROUPS = 6 };

typedef struct {
    int32_t hosts, places[HOSTS], of[HOSTS], sites, groups, size[GROUPS], count[MOST_SITES];
    double ms[MOST_SITES];
    bool spread;
    int32_t at[GROUPS]; /* a host; hosts + a site: anywhere there */
    double best;        /* -1: no placement */
    int32_t pairs;
} World;

static void evaluate(World *w)
{
    int32_t used[HOSTS] = {0}, on[MOST_SITES] = {0}, in[MOST_SITES] = {0}, pairs = 0;
    double saved = 0;
    for (int32_t g = 0; g < w->groups; g++) {
        const int32_t a = w->at[g] < w->hosts ? w->of[w->at[g]] : w->at[g] - w->hosts;
        in[a]++;
        on[a] += w->size[g];
        if (w->at[g] < w->hosts)
            used[w->at[g]] += w->size[g];
        for (int32_t h = 0; h < g && w->at[g] < w->hosts; h++)
            if (w->at[h] == w->at[g]) {
                saved += w->ms[a];
                pairs++;
            }
    }
    bool counted = true;
    for (int32_t i = 0; i < w->hosts; i++) {
        on[w->of[i]] -= w->places[i];
        if (used[i] > w->places[i])
            return;
    }
    for (int32_t a = 0; a < w->sites; a++) {
        if (on[a] > 0)
            return;
        counted = counted && in[a] == w->count[a];
    }
    w->pairs = pairs > w->pairs ? pairs : w->pairs;
    if (counted)
        w->best = fmax(w->best, saved);
}

static void all_places(World *w, int32_t g)
{
    if (g == w->groups) {
        evaluate(w);
        return;
    }
    for (w->at[g] = 0; w->at[g] < w->hosts + (w->spread ? w->sites : 0); w->at[g]++)
        all_places(w, g + 1);
}

static void random_world(World *w, Hosts *h, Sites *s)
{
    *w = (World){.hosts = 1 + below(HOSTS), .groups = 2 + below(GROUPS - 1), .best = -1};
    w->sites = 1 + below(3);
    w->spread = below(2);
    for (int32_t a = 0; a < w->sites; a++)
        w->ms[a] = 0.1 * (1 + below(4));
    *h = (Hosts){.count = w->hosts, .places = w->places};
    *s = (Sites){.count = w->sites, .of = w->of};
    for (int32_t i = 0; i < w->hosts; i++) {
        w->places[i] = 1 + below(6);
        w->of[i] = below(w->sites);
        s->places[w->of[i]] += w->places[i];
    }
    for (int32_t a = 0; a < w->sites; a++)
        s->ms[a][a] = w->ms[a];
    for (int32_t g = 0; g < w->groups; g++) {
        const int32_t size = 1 + below(4);
        int32_t at = g;
        for (; at > 0 && w->size[at - 1] < size; at--)
            w->size[at] = w->size[at - 1];
        w->size[at] = size;
    }
    for (int32_t g = 0; g < w->groups; g++)
        w->count[w->of[below(w->hosts)]]++;
}

static void expect_contents(uint64_t seed, int64_t limit)
{
    World w;
    Hosts h;
    Sites s;
    Contents c;
    Saving saving;
    Effort effort = {.limit = limit, .deadline = INFINITY},
           free = {.limit = INT64_MAX, .deadline = INFINITY};
    double pairs;
    state = seed * 0x9E3779B97F4A7C15u;
    random_world(&w, &h, &s);
    all_places(&w, 0);
    cr_assert(contents_make(&c, &h, &s, w.groups, w.size, w.spread));
    cr_assert(contents_find(&c, w.count, -1, &saving, &effort));
    cr_expect(saving.bound >= w.best - 1e-9 || w.best < 0, "seed %llu: bound %g, most %g",
              (unsigned long long)seed, saving.bound, w.best);
    if (limit == INT64_MAX && c.patterns > 0)
        cr_expect(saving.found == (w.best >= 0) && (w.best >= 0) == (saving.bound >= 0) &&
                      (!saving.found ||
                       (fabs(saving.saved - w.best) < 1e-9 && saving.bound <= w.best + 1e-9)),
                  "seed %llu: saved %g, bound %g, most %g", (unsigned long long)seed, saving.saved,
                  saving.bound, w.best);
    if (saving.found) { /* the placement is one, and saves that */
        const double best = w.best;
        for (int32_t g = 0; g < w.groups; g++)
            w.at[g] = c.host[g] >= 0 ? c.host[g] : w.hosts + c.site[g];
        w.best = -1;
        evaluate(&w);
        cr_expect(fabs(w.best - saving.saved) < 1e-9 && w.best <= best + 1e-9,
                  "seed %llu: saves %g, not %g", (unsigned long long)seed, w.best, saving.saved);
    }
    cr_assert(contents_pairs(&c, &pairs, &free));
    cr_expect(pairs < 0 || pairs >= w.pairs - 1e-9, "seed %llu: %g pairs, %d",
              (unsigned long long)seed, pairs, w.pairs);
    contents_free(&c);
}

Test(contents, most_of_all)
{
    for (uint64_t seed = 1; seed <= 1500; seed++)
        expect_contents(seed, INT64_MAX);
}

Test(contents, bounds_hold_when_the_effort_ends)
{
    for (uint64_t seed = 1; seed <= 500; seed++)
        expect_contents(seed, below(100));
}
