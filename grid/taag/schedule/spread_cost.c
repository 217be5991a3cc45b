/* What numbers of groups on sites cost, and what they cost at least with those that are open. */
#include <math.h>

#include "grid/taag/schedule/spread_inner.h"

/* Pairs of n groups that can be on one host, of site a or of all. */
static double shared_on(const Spread *s, int32_t a, int32_t n)
{
    return s->shared[(size_t)a * ((size_t)s->shape->parts + 1) + (size_t)n];
}

/* Each cost is {level, largest latency, sum}.  Pairs on one host count as others. */
void spread_add_each(const Spread *s, int32_t a, Cost *cost)
{
    const Sites *sites = s->sites;
    const int32_t n = s->count[a];
    double pairs = 0.5 * n * (n - 1.0) - shared_on(s, a, n);
    for (int32_t b = 0; b < a && n > 0; b++)
        if (s->count[b] > 0) {
            cost->most = fmax(cost->most, sites->ms[a][b]);
            cost->mean += (double)n * s->count[b] * sites->ms[a][b];
        }
    if (pairs > 0)
        cost->most = fmax(cost->most, sites->ms[a][a]);
    cost->mean += 0.5 * n * (n - 1.0) * sites->ms[a][a];
}

/* What pairs on one host take off at most, on sites up to a: sites together do not share more hosts than
 * the groups can. */
void spread_take_shared(const Spread *s, int32_t a, Cost *cost)
{
    double saved = 0, longest = 0;
    for (int32_t b = 0; b <= a; b++) {
        saved += shared_on(s, b, s->count[b]) * s->sites->ms[b][b];
        longest = s->count[b] > 0 ? fmax(longest, s->sites->ms[b][b]) : longest;
    }
    cost->mean -= fmin(saved, longest * shared_on(s, s->sites->count, s->shape->parts));
}

/* A site that is open to the groups left: what one of them costs there, in order. */
typedef struct {
    double cost;
    int32_t most;
} Open;

static void insert(Open *open, int32_t *count, double cost, int32_t most)
{
    int32_t at = (*count)++;
    for (; at > 0 && open[at - 1].cost > cost; at--)
        open[at] = open[at - 1];
    open[at] = (Open){cost, most};
}

/* What `left` groups on sites after a cost at least: on each of these a group has the latencies to the groups
 * that have their site, and half of those to what its site does not hold of the others; the sites are taken
 * from the cheapest on (Gilmore-Lawler). */
void spread_add_rest(const Spread *s, int32_t a, int32_t left, Cost *cost)
{
    Open by_most[MOST_SITES], by_sum[MOST_SITES];
    int32_t mosts = 0, sums = 0;
    for (int32_t c = a + 1; c < s->sites->count && left > 0; c++) {
        const int32_t others = left > s->most[c] ? left - s->most[c] : 0;
        double most = 0, sum = others > 0 ? 0.5 * others * s->nearest[c][a + 1] : 0;
        for (int32_t b = 0; b <= a; b++)
            if (s->count[b] > 0) {
                most = fmax(most, s->sites->ms[b][c]);
                sum += s->count[b] * s->sites->ms[b][c];
            }
        if (s->most[c] > 0) {
            insert(by_most, &mosts, most, s->most[c]);
            insert(by_sum, &sums, sum, s->most[c]);
        }
    }
    for (int32_t i = 0, n = left; i < mosts && n > 0; n -= by_most[i++].most)
        cost->most = fmax(cost->most, by_most[i].cost);
    for (int32_t i = 0, n = left; i < sums && n > 0; n -= by_sum[i++].most)
        cost->mean += (n < by_sum[i].most ? n : by_sum[i].most) * by_sum[i].cost;
}

/* Managers and their leaves.  On the root's site as many managers as it has room for are on its host. */
void spread_add_units(const Spread *s, int32_t a, Cost *cost)
{
    const Sites *sites = s->sites;
    const int32_t n = s->count[a], beside = sites->widest[a] - 1;
    double up = n * sites->ms[s->root][a];
    if (n == 0)
        return;
    if (a == s->root)
        up -= (n < beside ? n : beside) * sites->ms[a][a];
    cost->most = fmax(cost->most, fmax(sites->ms[s->root][a], sites->ms[a][a]));
    cost->mean += up + n * sites->ms[a][a];
}

void spread_add_open_units(const Spread *s, int32_t a, int32_t left, Cost *cost)
{
    const Sites *sites = s->sites;
    Open by_most[MOST_SITES], by_sum[MOST_SITES];
    int32_t mosts = 0, sums = 0;
    const int32_t beside = s->root > a ? sites->widest[s->root] - 1 : 0;
    for (int32_t c = a + 1; c < sites->count && left > 0; c++)
        if (s->most[c] > 0) {
            insert(by_most, &mosts, fmax(sites->ms[s->root][c], sites->ms[c][c]), s->most[c]);
            insert(by_sum, &sums, sites->ms[s->root][c] + sites->ms[c][c], s->most[c]);
        }
    for (int32_t i = 0, n = left; i < mosts && n > 0; n -= by_most[i++].most)
        cost->most = fmax(cost->most, by_most[i].cost);
    for (int32_t i = 0, n = left; i < sums && n > 0; n -= by_sum[i++].most)
        cost->mean += (n < by_sum[i].most ? n : by_sum[i].most) * by_sum[i].cost;
    if (s->root > a)
        cost->mean -= (left < beside ? left : beside) * sites->ms[s->root][s->root];
}

Cost spread_mean_of(const Spread *s, Cost cost)
{
    cost.mean /= cost_connections(s->shape);
    return cost;
}

bool spread_worse(const Spread *s, Cost cost)
{
    return cost_compare(spread_mean_of(s, cost), s->least) > 0;
}
