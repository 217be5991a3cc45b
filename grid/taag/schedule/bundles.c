/* Branch and price over sets of groups. */
#include "grid/taag/schedule/bundles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { MOST_COLUMNS = 20000 };
static const double NEAR = 1e-6, GAIN = 1e-7;

/* ---- the table of prices -------------------------------------------------------------------- */

static bool make_sequence(Bundles *b, const PartitionCuts *c)
{
    BundlePrices *p = &b->prices;
    const size_t n = (size_t)b->shape->groups;
    if (!mem_new(p->order, n) || !mem_new(b->place, n))
        return false;
    for (size_t g = 0; g < n; g++)
        b->place[g] = -1;
    for (int32_t k = 0; k < c->groups; k++)
        b->place[p->order[p->steps++] = c->order[k]] = k;
    for (size_t g = 0; g < n; g++)
        if (b->place[g] < 0)
            p->order[p->steps++] = (int32_t)g;
    return true;
}

/* The frontier after a step, without its group. */
static uint32_t next_of(const PartitionCuts *c, int32_t k, uint32_t sides)
{
    uint32_t next = 0;
    for (int32_t i = c->at[k + 1]; i < c->at[k + 2]; i++)
        if (c->from[i] >= 0)
            next |= (sides >> c->from[i] & 1) << (i - c->at[k + 1]);
    return next;
}

static void list_rows(BundlePrices *p, const PartitionCuts *c)
{
    for (int32_t k = 0; k < c->groups; k++) {
        p->first[k] = c->first[k];
        p->close[k] = c->close[k];
        p->own[k] = 0;
        for (int32_t i = c->at[k + 1]; i < c->at[k + 2]; i++)
            p->own[k] |= (uint32_t)(c->from[i] < 0) << (i - c->at[k + 1]);
        for (size_t row = c->first[k]; row < c->first[k + 1]; row++)
            p->next[row] = next_of(c, k, (uint32_t)(row - c->first[k]));
    }
    for (int32_t k = c->groups; k <= p->steps; k++) {
        p->first[k] = c->first[c->groups] + (size_t)(k - c->groups);
        p->close[k] = p->own[k] = p->next[p->first[k]] = 0;
    }
}

static bool make_prices(Bundles *b, const PartitionCuts *c)
{
    BundlePrices *p = &b->prices;
    const size_t steps = (size_t)p->steps + 1;
    p->rows = c->rows + (size_t)(p->steps - c->groups);
    const bool good = mem_new(p->first, steps) && mem_new(p->next, p->rows) &&
                      mem_new(p->own, steps) && mem_new(p->close, steps) &&
                      mem_new_zeroed(p->together, steps) && mem_new_zeroed(p->apart, steps) &&
                      mem_new(p->value, p->rows * ((size_t)p->width + 1)) &&
                      mem_new(p->gain, b->shape->groups);
    if (good)
        list_rows(p, c);
    return good;
}

bool bundles_make(Bundles *b, const Shape *shape, const PartitionCuts *c, int32_t width,
                  size_t cells, bool *suit)
{
    const size_t n = (size_t)shape->groups + 1, edges = (size_t)shape->edge_count;
    int64_t processes = 0;
    *b = (Bundles){.shape = shape, .words = (n + 63) / 64};
    for (int32_t g = 0; g < shape->groups; g++)
        processes += shape->size[g];
    b->prices = (BundlePrices){.cuts = c, .width = width < processes ? width : (int32_t)processes};
    *suit = false;
    if (c->groups == 0)
        return true;
    if (!make_sequence(b, c))
        return false;
    *suit = (c->rows + n) * ((size_t)b->prices.width + 1) <= cells;
    return !*suit || (make_prices(b, c) && mem_new(b->bundle, n) && mem_new(b->row, n) &&
                      mem_new(b->tier, b->prices.width + 1) && mem_new_zeroed(b->fixed, edges) &&
                      mem_new(b->part, edges) && mem_new(b->sorted, edges) && mem_new(b->set, n) &&
                      mem_new(b->size, n) && mem_new(b->entry, n + (size_t)b->prices.width + 1));
}

void bundles_free(Bundles *b)
{
    BundlePrices *p = &b->prices;
    pack_lp_free(&b->lp);
    mem_free_all(p->order, p->first, p->next, p->own, p->close, p->together, p->apart, p->value,
                 p->gain, b->bundle, b->holds, b->row, b->tier, b->place, b->fixed, b->part,
                 b->sorted, b->set, b->size, b->entry);
    *b = (Bundles){0};
}

/* ---- columns -------------------------------------------------------------------------------- */

static bool has(const Bundles *b, int32_t column, int32_t g)
{
    return b->holds[(size_t)column * b->words + (size_t)g / 64] >> (g % 64) & 1;
}

/* What a group counts that is in a set: more than all connections. */
static double whole(const Bundles *b)
{
    return b->shape->edge_count + 1;
}

/* Is the set known? */
static bool is_known(const Bundles *b, const uint64_t *holds)
{
    bool known = false;
    for (int32_t j = 0; j < b->lp.columns && !known; j++)
        known = memcmp(holds, b->holds + (size_t)j * b->words, b->words * sizeof *holds) == 0;
    return known;
}

/* False: out of memory. */
static bool add_set(Bundles *b, const int32_t *list, int32_t count)
{
    const int32_t column = b->lp.columns;
    int32_t n = 0, size = 0, edges = 0;
    if (!mem_grow(b->holds, b->holds_cap, (size_t)(column + 1) * b->words))
        return false;
    uint64_t *holds = b->holds + (size_t)column * b->words;
    memset(holds, 0, b->words * sizeof *holds);
    for (int32_t i = 0; i < count; i++) {
        holds[list[i] / 64] |= (uint64_t)1 << (list[i] % 64);
        size += b->shape->size[list[i]];
        b->entry[n++] = (PackEntry){b->row[list[i]], 1};
    }
    if (is_known(b, holds))
        return true;
    for (int32_t e = 0; e < b->shape->edge_count; e++)
        edges += has(b, column, b->shape->edges[e].a) && has(b, column, b->shape->edges[e].b);
    for (int32_t i = 0; i < b->tiers; i++)
        if (i + 1 == b->tiers || size > b->tier[i + 1])
            b->entry[n++] = (PackEntry){b->members + i, 1};
    return pack_lp_add(&b->lp, edges + whole(b) * count, b->entry, n);
}

/* May the set be used beside what is fixed? */
static bool agrees(const Bundles *b, int32_t column)
{
    bool good = true;
    for (int32_t e = 0; e < b->shape->edge_count && good; e++) {
        if (b->fixed[e] == BUNDLE_OPEN)
            continue;
        const int32_t ends =
            has(b, column, b->shape->edges[e].a) + has(b, column, b->shape->edges[e].b);
        good = ends == 0 || (ends == 2) == (b->fixed[e] == BUNDLE_TOGETHER);
    }
    return good;
}

/* ---- the linear program --------------------------------------------------------------------- */

/* What hosts of a set cost that needs the places of a tier. */
static double tier_price(const Bundles *b, int32_t i)
{
    double sum = 0;
    for (; i < b->tiers; i++)
        sum += b->lp.multiplier[b->members + i];
    return sum;
}

/* Adds the sets that gain, one of each tier.  Returns what any gains at most. */
static double price(Bundles *b)
{
    BundlePrices *p = &b->prices;
    double most = 0;
    for (int32_t g = 0; g < b->shape->groups; g++)
        p->gain[g] = b->row[g] < 0 ? -INFINITY : whole(b) - b->lp.multiplier[b->row[g]];
    bundle_prices_fill(p, b->shape->size, &b->effort->work);
    for (int32_t i = 0; i < b->tiers && !b->no_memory; i++) {
        const double more = bundle_prices_best(p, b->tier[i]) - tier_price(b, i);
        most = fmax(most, more);
        if (more > GAIN && b->lp.columns < MOST_COLUMNS)
            b->no_memory =
                !add_set(b, b->set, bundle_prices_trace(p, b->shape->size, b->tier[i], b->set));
    }
    return most;
}

/* Connections, of what the linear program counts. */
static int32_t connections(const Bundles *b, double worth)
{
    return (int32_t)floor(fmax(-1, worth - whole(b) * b->members) + NEAR);
}

/* The linear program beside what is fixed.  Returns what no sets have more connections than. */
static int32_t solve(Bundles *b)
{
    PackLp *lp = &b->lp;
    const int32_t hosts = lp->right[lp->rows - 1];
    const double sets = hosts < b->members ? hosts : b->members;
    double bound = INFINITY;
    for (int32_t j = 0; j < lp->columns; j++)
        lp->column[j].open = agrees(b, j);
    for (bool first = true, more = true; more && !b->no_memory; first = false) {
        const int64_t before = lp->work;
        const int32_t columns = lp->columns;
        const double worth = first ? pack_lp_solve(lp) : pack_lp_go_on(lp);
        b->effort->work += (lp->work - before) / 16; /* entries next to each other */
        const double gain = price(b);
        bound = fmin(bound, worth + gain * sets);
        const int32_t most = connections(b, bound);
        more = lp->columns > columns && most > connections(b, worth) && most > b->least &&
               !effort_ended(b->effort);
    }
    return connections(b, bound);
}

/* How far the ends of each connection are together. */
static void find_parts(Bundles *b)
{
    memset(b->part, 0, (size_t)b->shape->edge_count * sizeof *b->part);
    for (int32_t j = 0; j < b->lp.columns; j++)
        for (int32_t e = 0; e < b->shape->edge_count && b->lp.x[j] > NEAR; e++)
            if (has(b, j, b->shape->edges[e].a) && has(b, j, b->shape->edges[e].b))
                b->part[e] += b->lp.x[j];
    b->effort->work += b->shape->edge_count * (int64_t)b->lp.rows / 4;
}

/* ---- sets ----------------------------------------------------------------------------------- */

static bool within(const Bundles *b, int32_t e)
{
    return b->row[b->shape->edges[e].a] >= 0 && b->row[b->shape->edges[e].b] >= 0;
}

/* Joins the sets of groups, where connections are together by more than `least`, largest parts first. */
static void join_sets(Bundles *b, double least)
{
    const Shape *s = b->shape;
    for (int32_t g = 0; g < s->groups; g++) {
        b->set[g] = b->row[g] < 0 ? -1 : g;
        b->size[g] = s->size[g];
    }
    for (int32_t i = 0; i < s->edge_count; i++) {
        const int32_t e = b->sorted[i];
        if (!within(b, e) || b->part[e] <= least)
            continue;
        const int32_t to = b->set[s->edges[e].a], from = b->set[s->edges[e].b];
        if (to == from || b->size[to] + b->size[from] > b->tier[0])
            continue;
        b->size[to] += b->size[from];
        for (int32_t g = 0; g < s->groups; g++)
            b->set[g] = b->set[g] == from ? to : b->set[g];
    }
}

/* Keeps the sets, if they are better and hosts hold them. */
static CliqueAnswer offer(Bundles *b)
{
    const Shape *s = b->shape;
    int32_t edges = 0, things = 0;
    for (int32_t e = 0; e < s->edge_count; e++)
        edges += within(b, e) && b->set[s->edges[e].a] == b->set[s->edges[e].b];
    if (edges <= b->least)
        return CLIQUE_NONE;
    for (int32_t g = 0; g < s->groups; g++) /* sets have the number of one of their groups */
        if (b->set[g] == g)
            b->size[things++] = b->size[g];
    const CliqueAnswer answer = b->fit(b->data, b->size, things);
    b->no_memory = b->no_memory || answer == CLIQUE_NO_MEMORY;
    if (answer == CLIQUE_FOUND) {
        b->least = edges;
        b->found = true;
        memcpy(b->bundle, b->set, (size_t)s->groups * sizeof *b->set);
    }
    return answer;
}

static void sort_edges(Bundles *b)
{
    for (int32_t i = 0; i < b->shape->edge_count; i++) {
        int32_t at = i;
        for (; at > 0 && b->part[b->sorted[at - 1]] < b->part[i]; at--)
            b->sorted[at] = b->sorted[at - 1];
        b->sorted[at] = i;
    }
}

/* ---- branches ------------------------------------------------------------------------------- */

/* The connection to decide: the most divided one; else one that is together; -1: none is open. */
static int32_t choose(const Bundles *b)
{
    int32_t best = -1;
    double most = -1;
    for (int32_t e = 0; e < b->shape->edge_count; e++) {
        const double part = b->part[e],
                     order = part > NEAR && part < 1 - NEAR ? 2 - fabs(part - 0.5) : part;
        if (b->fixed[e] == BUNDLE_OPEN && within(b, e) && order > most) {
            most = order;
            best = e;
        }
    }
    return best;
}

static void fix(Bundles *b, int32_t e, uint8_t how)
{
    BundlePrices *p = &b->prices;
    const int32_t x = b->shape->edges[e].a, y = b->shape->edges[e].b;
    const int32_t first = b->place[x] < b->place[y] ? x : y, k = b->place[first == x ? y : x];
    uint32_t bit = 1;
    for (int32_t i = p->cuts->at[k]; p->cuts->frontier[i] != first; i++)
        bit <<= 1;
    b->fixed[e] = how;
    p->together[k] = how == BUNDLE_TOGETHER ? p->together[k] | bit : p->together[k] & ~bit;
    p->apart[k] = how == BUNDLE_APART ? p->apart[k] | bit : p->apart[k] & ~bit;
}

/* No sets have more than `above` connections.  As deep as there are connections. */
static void branch(Bundles *b, int32_t above)
{
    const int32_t here = solve(b), most = here < above ? here : above;
    if (b->no_memory || most <= b->least)
        return;
    find_parts(b);
    sort_edges(b);
    const int32_t e = choose(b);
    CliqueAnswer answer = CLIQUE_NONE;
    for (double least = 0; least < 1 && answer != CLIQUE_FOUND; least += 0.5) {
        join_sets(b, least);
        answer = offer(b);
    }
    if (most <= b->least)
        return;
    if ((e < 0 && answer == CLIQUE_UNKNOWN) || effort_ended(b->effort))
        b->most = most > b->most ? most : b->most;
    else
        for (uint8_t how = BUNDLE_TOGETHER; e >= 0 && how <= BUNDLE_APART && !b->no_memory; how++) {
            fix(b, e, how);
            branch(b, most);
            fix(b, e, BUNDLE_OPEN);
        }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Rows of groups, and of hosts.  False: out of memory. */
static bool make_rows(Bundles *b, const bool *member, const int32_t *hosts, int32_t widest)
{
    int32_t sum = 0;
    b->members = b->tiers = 0;
    for (int32_t g = 0; g < b->shape->groups; g++) {
        b->row[g] = member[g] ? b->members++ : -1;
        b->bundle[g] = member[g] ? g : -1;
    }
    for (int32_t places = widest; places > 0; places--) {
        const int32_t tier = places < b->prices.width ? places : b->prices.width;
        if (hosts[places] > 0 && sum < b->members &&
            (b->tiers == 0 || b->tier[b->tiers - 1] > tier))
            b->tier[b->tiers++] = tier;
        sum += hosts[places];
    }
    if (!pack_lp_make(&b->lp, b->members + b->tiers))
        return false;
    for (int32_t i = 0; i < b->members; i++)
        b->lp.right[i] = 1;
    for (int32_t i = 0; i < b->tiers; i++)
        for (int32_t places = b->tier[i]; places <= widest; places++)
            b->lp.right[b->members + i] += hosts[places];
    return true;
}

bool bundles_find(Bundles *b, const bool *member, const int32_t *hosts, int32_t widest,
                  int32_t known)
{
    b->no_memory = !make_rows(b, member, hosts, widest);
    b->found = false;
    b->least = b->most = known;
    for (int32_t g = 0; g < b->shape->groups && !b->no_memory && b->tiers > 0; g++)
        if (member[g] && b->shape->size[g] <= b->tier[0])
            b->no_memory = !add_set(b, &g, 1);
    if (!b->no_memory && b->tiers > 0)
        branch(b, b->shape->edge_count);
    b->most = b->most > b->least ? b->most : b->least;
    pack_lp_free(&b->lp);
    return !b->no_memory;
}
