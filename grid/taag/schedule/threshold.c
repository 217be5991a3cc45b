/* Placements within a limit of latencies, depth first; and limits by bisection. */
#include "grid/taag/schedule/threshold.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/threshold_inner.h"

/* Groups; groups x hosts. */
enum { MOST_GROUPS = 150, MOST_CELLS = 20000 };
/* Of the work: what the search may do at one limit; the first run of it, each later one twice as much. */
static const double SHARE = 0.1;
static const int64_t FIRST_RUN = 200000;

/* ---- one limit ------------------------------------------------------------------------------ */

static int32_t count_of(const uint64_t *set, int32_t words)
{
    int32_t count = 0;
    for (int32_t w = 0; w < words; w++)
        for (uint64_t left = set[w]; left != 0; left &= left - 1)
            count++;
    return count;
}

/* The group with the fewest hosts for its weight; -1: all have one. */
static int32_t choose(const Threshold *t, int32_t depth)
{
    int32_t best = -1;
    double least = 0;
    for (int32_t g = 0; g < t->shape->groups; g++) {
        if (t->host[g] >= 0)
            continue;
        double order = count_of(threshold_open(t, depth, g), t->words);
        int32_t weight = 1 + t->weight[g];
        for (int32_t i = t->near.at[g]; i < t->near.at[g + 1]; i++)
            weight += t->host[t->near.to[i]] < 0 ? t->weight[t->near.to[i]] + 1 : 0;
        order = order <= 1 ? 0 : order / weight;
        if (best < 0 || order < least) {
            best = g;
            least = order;
        }
    }
    return best;
}

static bool is_unused(const Threshold *t, int32_t h)
{
    return t->free[h] == t->hosts->places[h];
}

/* Both unused, of equal places, and linked with the same others. */
static bool can_swap(const Threshold *t, int32_t a, int32_t b)
{
    const uint64_t *x = threshold_linked(t, a), *y = threshold_linked(t, b);
    bool same = is_unused(t, b) && t->hosts->places[a] == t->hosts->places[b];
    for (int32_t w = 0; w < t->words && same; w++) {
        uint64_t differ = x[w] ^ y[w];
        differ &= a / 64 == w ? ~((uint64_t)1 << (a % 64)) : ~(uint64_t)0;
        differ &= b / 64 == w ? ~((uint64_t)1 << (b % 64)) : ~(uint64_t)0;
        same = differ == 0;
    }
    return same;
}

/* Is there one before it that it can be exchanged with? */
static bool is_repeated(const Threshold *t, int32_t h)
{
    bool repeated = false;
    for (int32_t x = 0; x < h && is_unused(t, h) && !repeated; x++)
        repeated = can_swap(t, h, x);
    t->effort->work += h / 8;
    return repeated;
}

/* What a host is worth to a group: first those that it fills, then those with most room around them.  Of three runs,
 * the second and the third vary that by chance, and the third takes those with least room. */
static double worth_of(const Threshold *t, int32_t g, int32_t h)
{
    const double filled = t->free[h] == t->shape->size[g] ? 1000 : 0;
    const double room = (double)t->units[(size_t)(h + 1) * (size_t)t->sizes - 1];
    const uint64_t seed = (uint64_t)t->runs * 1000003u + (uint64_t)(h * MOST_GROUPS + g);
    const double chance = (double)((seed * 0x9E3779B97F4A7C15u) >> 40) / (1 << 24);
    const double share = 0.5 + (t->runs % 3 == 0 ? 0 : chance);
    return filled + (t->runs % 3 == 2 ? 1000 - share * room : share * room);
}

/* The host worth most of those that are not tried; -1: none. */
static int32_t next_host(const Threshold *t, int32_t depth, int32_t g)
{
    const uint64_t *open = threshold_open(t, depth, g);
    const uint64_t *tried = t->tried + (size_t)depth * (size_t)t->words;
    int32_t best = -1;
    double most = 0;
    for (int32_t h = 0; h < t->hosts->count; h++) {
        if (!((open[h / 64] & ~tried[h / 64]) >> (h % 64) & 1))
            continue;
        const double worth = worth_of(t, g, h);
        if (best < 0 || worth > most) {
            most = worth;
            best = h;
        }
    }
    t->effort->work += t->hosts->count / 8;
    return best;
}

/* As deep as there are groups. */
static CliqueAnswer branch(Threshold *t, int32_t depth)
{
    const int32_t g = choose(t, depth);
    uint64_t *tried = t->tried + (size_t)depth * (size_t)t->words;
    const size_t set = (size_t)t->shape->groups * (size_t)t->words;
    if (g < 0)
        return CLIQUE_FOUND;
    memset(tried, 0, (size_t)t->words * sizeof *tried);
    for (int32_t h = next_host(t, depth, g); h >= 0; h = next_host(t, depth, g)) {
        if (effort_ended(t->effort))
            return CLIQUE_UNKNOWN;
        tried[h / 64] |= (uint64_t)1 << (h % 64);
        if (is_repeated(t, h))
            continue;
        memcpy(threshold_open(t, depth + 1, 0), threshold_open(t, depth, 0), set * sizeof *tried);
        threshold_put(t, g, h, 1);
        t->effort->work += (int64_t)set;
        CliqueAnswer answer = CLIQUE_NONE;
        if (threshold_filter(t, depth + 1))
            answer = branch(t, depth + 1);
        if (answer == CLIQUE_FOUND)
            return answer;
        threshold_put(t, g, h, -1);
        if (answer != CLIQUE_NONE)
            return answer;
    }
    return CLIQUE_NONE;
}

CliqueAnswer threshold_search(Threshold *t)
{
    Effort *whole = t->effort;
    t->runs = 0;
    CliqueAnswer answer = threshold_begin(t) ? CLIQUE_UNKNOWN : CLIQUE_NONE;
    for (int64_t run = FIRST_RUN; answer == CLIQUE_UNKNOWN && !effort_ended(whole); run *= 2) {
        Effort part = effort_of(whole, run);
        t->effort = &part;
        answer = branch(t, 0);
        t->runs++;
        t->effort = whole;
        effort_add(whole, &part);
    }
    return answer;
}

/* ---- limits --------------------------------------------------------------------------------- */

typedef struct {
    Threshold threshold;
    Shape *shape;
    Best *best;
    double *values; /* distinct latencies that matter */
    int32_t count;
    int32_t *host_of; /* by rank */
} Limits;

static int ascending(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Latencies from the bound on, below the best placement's largest one. */
static void list_values(Limits *l, double from)
{
    const Hosts *h = l->threshold.hosts;
    const bool known = l->best->found && l->best->cost.level == 0;
    const double below = known ? l->best->cost.most : INFINITY;
    int32_t count = 0;
    if (from < below)
        l->values[count++] = from;
    for (int32_t a = 0; a < h->count; a++)
        for (int32_t b = 0; b < a; b++)
            if (hosts_ms(h, a, b) > from && hosts_ms(h, a, b) < below)
                l->values[count++] = hosts_ms(h, a, b);
    qsort(l->values, (size_t)count, sizeof *l->values, ascending);
    for (int32_t i = 0; i < count; i++)
        if (l->count == 0 || l->values[i] > l->values[l->count - 1])
            l->values[l->count++] = l->values[i];
}

static void offer(Limits *l)
{
    const Shape *s = l->shape;
    for (int32_t g = 0, rank = 0; g < s->groups; g++)
        for (int32_t i = 0; i < s->size[g]; i++)
            l->host_of[rank++] = l->threshold.host[g];
    best_offer(l->best, l->threshold.hosts, s, l->host_of);
}

static CliqueAnswer try_limit(Limits *l, int32_t i, Effort *effort)
{
    Effort part = effort_of(effort, (int64_t)(SHARE * (double)effort->limit));
    l->threshold.effort = &part;
    l->threshold.limit = l->values[i];
    const CliqueAnswer answer = threshold_search(&l->threshold);
    if (answer == CLIQUE_FOUND)
        offer(l);
    effort_add(effort, &part);
    return answer;
}

/* Where the values that matter end: those below the best placement's largest latency. */
static int32_t find_end(const Limits *l)
{
    const Cost *best = &l->best->cost;
    int32_t end = l->count;
    while (l->best->found && best->level == 0 && end > 0 && l->values[end - 1] >= best->most)
        end--;
    return end;
}

/* Placements from a value on, as far as they are found. */
static void try_rest(Limits *l, int32_t from, Effort *effort)
{
    for (int32_t end = find_end(l); from < end && !effort_ended(effort); end = find_end(l)) {
        const int32_t middle = from + (end - from) / 2;
        if (try_limit(l, middle, effort) != CLIQUE_FOUND)
            from = middle + 1;
    }
}

/* The first value that is not proved to be impossible. */
static int32_t bisect(Limits *l, Effort *effort)
{
    int32_t low = 0, high = l->count;
    while (low < high && !effort_ended(effort)) {
        const int32_t middle = low + (high - low) / 2;
        if (try_limit(l, middle, effort) == CLIQUE_NONE)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool threshold_solve(const Hosts *h, Shape *s, Cost *bound, Best *best, Effort *effort)
{
    Limits l = {.shape = s, .best = best};
    const size_t n = (size_t)h->count;
    if (bound->level > 0 || s->edge_count == 0 || s->groups > MOST_GROUPS ||
        (int64_t)s->groups * h->count > MOST_CELLS)
        return true;
    const bool good = threshold_make(&l.threshold, h, s) && mem_new(l.values, n * n / 2 + 2) &&
                      mem_new(l.host_of, s->fixed + s->rest);
    if (good) {
        list_values(&l, bound->most);
        const int32_t low = bisect(&l, effort);
        try_rest(&l, low + 1, effort);
        if (low < l.count)
            bound->most = fmax(bound->most, l.values[low]);
        else if (best->found && best->cost.level == 0)
            bound->most = fmax(bound->most, best->cost.most);
        else
            *bound = (Cost){1, 0, 0};
    }
    threshold_free(&l.threshold);
    mem_free_all(l.values, l.host_of);
    return good;
}
