/* The mappings' oracle against what is known of such lines, and the laws of the time per item that
 * searching by bounds rests on. */
#include "property/mapping_oracle.h"
#include "property/seeds.h"

#include <criterion/criterion.h>
#include <math.h>

static const long double at_once = 1e-14L;

static void expect(const char *what, long double got, long double want, long double precision)
{
    cr_expect(fabsl(got / want - 1) <= precision, "%s: %.17Lg, not %.17Lg", what, got, want);
}

/* ---- known lines ---- */

/* Moves that take no time: the saturated line of exponential machines without buffers, in which a
 * part that is done blocks its machine.  Two machines in closed form, Hunt 1956 (Operations
 * Research 4) for more: 22/39, and four places. */
Test(mapping_oracle, lines_without_buffers)
{
    long double two[5] = {at_once, 1, at_once, 1, at_once};
    expect("two", mapping_throughput(2, two), 2.0L / 3, 1e-12L);
    long double a = 3, b = 0.7L;
    two[1] = 1 / a;
    two[3] = 1 / b;
    expect("unlike", mapping_throughput(2, two), a * b * (a + b) / (a * a + a * b + b * b), 1e-12L);
    long double more[9] = {at_once, 1, at_once, 1, at_once, 1, at_once, 1, at_once};
    expect("three", mapping_throughput(3, more), 22.0L / 39, 1e-12L);
    cr_expect(fabsl(mapping_throughput(4, more) - 0.5148L) <= 0.5e-4L);
}

static long double factorial(int n)
{
    return n > 1 ? n * factorial(n - 1) : 1;
}

/* Sum of the weights of the exclusion process on n places with open ends, hops at rate 1 inside,
 * in at 1 / a, out at 1 / b: Derrida, Evans, Hakim and Pasquier, J. Phys. A 26 (1993), (39). */
static long double exclusion_weight(int n, long double a, long double b)
{
    long double sum = n == 0;
    for (int p = 1; p <= n; p++) {
        long double powers = 0;
        for (int q = 0; q <= p; q++)
            powers += powl(a, q) * powl(b, p - q);
        sum += p * factorial(2 * n - 1 - p) / factorial(n) / factorial(n - p) * powers;
    }
    return sum;
}

/* Processing that takes no time: a stage is empty or full, and moves are the exclusion process. */
Test(mapping_oracle, exclusion_process)
{
    static const long double ends[] = {1, 0.3L, 2.5L};
    for (int n = 1; n <= 5; n++)
        for (int i = 0; i < 9; i++) {
            long double a = ends[i / 3], b = ends[i % 3], seconds[MOST_PARTS];
            for (int part = 0; part <= 2 * n; part++)
                seconds[part] = part % 2 ? at_once : 1;
            seconds[0] = a;
            seconds[2 * n] = b;
            long double want = exclusion_weight(n - 1, a, b) / exclusion_weight(n, a, b);
            expect("exclusion", mapping_throughput(n, seconds), want, 1e-12L);
        }
}

Test(mapping_oracle, sizes)
{
    static const int known[][2] = {{3, 3}, {9, 13}, {27, 51}, {81, 189}};
    for (int n = 1; n <= 4; n++) {
        int states, transitions;
        mapping_chain_size(n, &states, &transitions);
        cr_expect(states == known[n - 1][0] && transitions == known[n - 1][1], "%d: %d, %d", n,
                  states, transitions);
    }
}

/* ---- the published ranking ---- */

static MappingProblem three_by_three(const double *l, const double *time)
{
    MappingProblem problem = {.stages = 3, .processors = 3, .input = -1, .output_to = -1};
    problem.latency = problem.bandwidth = mapping_pairs_missing();
    problem.latency.local = 1e-4;
    for (int j = 0; j < 3; j++) {
        problem.work[j] = problem.availability[j] = problem.cores[j] = 1;
        problem.time[j] = time[j];
    }
    problem.latency.pair[0][1] = problem.latency.pair[1][0] = l[0];
    problem.latency.pair[1][2] = problem.latency.pair[2][1] = l[1];
    problem.latency.pair[0][2] = problem.latency.pair[2][0] = l[2];
    return problem;
}

/* The published table: the last digit is cut off, not rounded. */
Test(mapping_oracle, published_table)
{
    static const int32_t candidates[8][3] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0},
                                             {0, 0, 2}, {0, 2, 2}, {0, 2, 0}, {0, 1, 2}};
    static const struct {
        double latency[3], time[3];
        int32_t best[3];
        int tied;
        double throughput;
    } known[] = {{{1e-4, 1e-4, 1e-4}, {0.1, 0.1, 0.1}, {0, 1, 2}, 1, 5.63467},
                 {{1e-4, 1e-4, 1e-4}, {0.2, 0.2, 0.2}, {0, 1, 2}, 1, 2.81892},
                 {{1e-4, 1e-4, 1e-4}, {0.1, 0.1, 1}, {0, 1, 0}, 1, 3.36671},
                 {{0.1, 0.1, 0.1}, {0.1, 0.1, 1}, {0, 0, 1}, 2, 2.59914},
                 {{1, 1, 1}, {0.1, 0.1, 1}, {0, 0, 0}, 1, 1.87963},
                 {{0.1, 1, 1}, {0.1, 0.1, 0.1}, {0, 0, 1}, 2, 2.59914},
                 {{0.1, 1, 1}, {1, 1, 0.01}, {0, 2, 2}, 1, 0.49988}};
    static MappingRanking ranking;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        MappingProblem problem = three_by_three(known[i].latency, known[i].time);
        mapping_rank(&problem, *candidates, 8, &ranking);
        const MappingEntry *best = ranking.entry;
        cr_expect(fabsl(best->throughput - known[i].throughput) <= 1e-5L, "row %zu: %.9Lf", i,
                  best->throughput);
        for (int k = 0; k < 3; k++)
            cr_expect_eq(best->mapping[k], known[i].best[k], "row %zu", i);
        cr_expect_eq(best[known[i].tied].rank, known[i].tied + 1, "row %zu", i);
    }
}

/* ---- laws of the time per item, C(s) = 1 / X(s), over random mean durations s ---- */

enum { LINES = 1500 };
static const long double precision = 1e-13L;

typedef struct {
    int stages;
    long double a[MOST_PARTS], b[MOST_PARTS], share; /* share of a in a mixture, 0 to 1 */
    int first, last;                                 /* some of the stages */
} Lines;

/* Equal durations often, and durations from 1e-5 to 10. */
static Lines random_lines(uint64_t seed)
{
    uint64_t state = seed;
    Lines lines = {.stages = 1 + (int)random_below(&state, 4)};
    bool coarse = random_below(&state, 2);
    for (int part = 0; part <= 2 * lines.stages; part++)
        for (int which = 0; which < 2; which++) {
            long double power = coarse ? -(long double)random_below(&state, 3)
                                       : 1 - (long double)random_below(&state, 6000) / 1000;
            (which ? lines.b : lines.a)[part] = powl(10, power);
        }
    lines.share = (long double)random_below(&state, 1001) / 1000;
    lines.first = (int)random_below(&state, (uint64_t)lines.stages);
    lines.last = lines.first + (int)random_below(&state, (uint64_t)(lines.stages - lines.first));
    return lines;
}

static long double per_item(int stages, const long double *seconds)
{
    return 1 / mapping_throughput(stages, seconds);
}

static bool monotone(const Lines *l, Text *why)
{
    long double more[MOST_PARTS];
    for (int part = 0; part <= 2 * l->stages; part++)
        more[part] = fmaxl(l->a[part], l->b[part]);
    long double low = per_item(l->stages, l->a), high = per_item(l->stages, more);
    text_add(why, "slower parts: %.17Lg, then %.17Lg", low, high);
    return high >= low * (1 - precision);
}

static bool convex(const Lines *l, Text *why)
{
    long double between[MOST_PARTS];
    for (int part = 0; part <= 2 * l->stages; part++)
        between[part] = l->share * l->a[part] + (1 - l->share) * l->b[part];
    long double chord =
        l->share * per_item(l->stages, l->a) + (1 - l->share) * per_item(l->stages, l->b);
    long double found = per_item(l->stages, between);
    text_add(why, "between at %.17Lg: %.17Lg, above %.17Lg", l->share, found, chord);
    return found <= chord * (1 + precision);
}

static bool homogeneous(const Lines *l, Text *why)
{
    long double scaled[MOST_PARTS];
    for (int part = 0; part <= 2 * l->stages; part++)
        scaled[part] = 3.7L * l->a[part];
    long double found = per_item(l->stages, scaled), want = 3.7L * per_item(l->stages, l->a);
    text_add(why, "all times 3.7: %.17Lg, not %.17Lg", found, want);
    return fabsl(found / want - 1) <= precision;
}

static bool part_of_a_line(const Lines *l, Text *why)
{
    long double whole = per_item(l->stages, l->a);
    long double part = per_item(l->last - l->first + 1, l->a + 2 * (ptrdiff_t)l->first);
    text_add(why, "stages %d to %d: %.17Lg, the whole %.17Lg", l->first, l->last, part, whole);
    return part <= whole * (1 + precision);
}

/* Holes move backwards as items move forwards (Muth, Management Science 25, 1979). */
static bool reversible(const Lines *l, Text *why)
{
    long double reversed[MOST_PARTS];
    for (int part = 0; part <= 2 * l->stages; part++)
        reversed[part] = l->a[2 * l->stages - part];
    long double there = per_item(l->stages, l->a), back = per_item(l->stages, reversed);
    text_add(why, "%.17Lg, backwards %.17Lg", there, back);
    return fabsl(back / there - 1) <= precision;
}

Test(mapping_oracle, laws_of_the_time_per_item)
{
    static bool (*const law[])(const Lines *l, Text *why) = {monotone, convex, homogeneous,
                                                             part_of_a_line, reversible};
    for (int shard = 0; shard < SHARDS; shard++) {
        Seeds all = seeds(shard, LINES);
        uint64_t seed;
        while (seeds_next(&all, &seed)) {
            Lines lines = random_lines(seed);
            for (size_t i = 0; i < sizeof law / sizeof *law; i++) {
                Text why = {0};
                if (!law[i](&lines, &why))
                    seeds_fail(&all, seed, why.text, "");
                text_free(&why);
            }
        }
        cr_expect(all.failures == 0);
    }
}
