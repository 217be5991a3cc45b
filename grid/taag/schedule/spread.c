/* Numbers of groups on sites, enumerated. */
#include "grid/taag/schedule/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/ring_walk.h"
#include "grid/taag/schedule/spread_inner.h"
#include "grid/taag/schedule/spread_place.h"

/* Work: for all pairs that can share a host; for one vector of numbers. */
static const int64_t PAIRS_WORK = 5000000, CONTENTS_WORK = 3000000;

enum { MOST_SETS = 8 /* of which 2^8 are looked at */ };

static Pattern pattern_of(const Sites *sites, const Shape *s)
{
    const int32_t widest = sites_widest(sites);
    if (s->complete || (s->program->kind == AMOGET_RING && s->groups == 2))
        return EACH_TO_EACH;
    if (s->program->kind == AMOGET_TREE && s->program->levels == 3 && s->least + 1 > widest)
        return STAR;
    return s->program->kind == AMOGET_RING && 2 * s->least > widest ? RING : OTHER;
}

/* ---- what sites can hold -------------------------------------------------------------------- */

static int descending(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a < b) - (a > b);
}

/* How many parts have `places` places at least. */
static int32_t parts_on(const Spread *s, int64_t places)
{
    int32_t low = 0, high = s->shape->parts;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (s->smallest[middle] <= places)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* How many groups fit on the widest host together with the smallest other one. */
static int32_t small_parts(const Spread *s)
{
    const int32_t widest = sites_widest(s->sites);
    int32_t n = s->shape->parts;
    while (n > 1 && s->sorted[s->shape->parts - n] + s->smallest[1] > widest)
        n--;
    return n;
}

/* The most pairs of n groups that are on one host each, of a site or of all: the widest hosts hold as
 * many of the smallest groups as can be. */
static bool find_shared(Spread *s, int32_t a)
{
    const int32_t parts = s->shape->parts, small = small_parts(s);
    double *shared = s->shared + (size_t)a * ((size_t)parts + 1), pairs = 0;
    int32_t *holds = NULL, count = 0, used = 0, here = 0;
    if (!mem_new(holds, s->hosts->count))
        return false;
    for (int32_t i = 0; i < s->hosts->count; i++)
        if (a == s->sites->count || s->sites->of[i] == a)
            holds[count++] = parts_on(s, s->hosts->places[i]);
    qsort(holds, (size_t)count, sizeof *holds, descending);
    shared[0] = 0;
    for (int32_t n = 1; n <= parts; n++) {
        if (used < count && here == holds[used]) {
            used++;
            here = 0;
        }
        if (used < count && holds[used] > here && n <= small)
            pairs += here++;
        shared[n] = pairs;
    }
    mem_free(holds);
    return true;
}

/* What hosts hold bounds the pairs that share one. */
static bool prepare_given(Spread *s)
{
    const int32_t parts = s->shape->parts;
    double *all = s->shared + (size_t)s->sites->count * ((size_t)parts + 1), pairs;
    Effort effort = effort_of(s->effort, PAIRS_WORK);
    if (!contents_make(&s->contents, s->hosts, s->sites, parts, s->sorted, s->spread))
        return false;
    if (!packing_make(&s->packing, parts, s->sorted, s->sites->count, s->sites->places))
        return false;
    if (s->contents.patterns == 0)
        return true;
    if (!contents_pairs(&s->contents, &pairs, &effort))
        return false;
    effort_add(s->effort, &effort);
    all[parts] = fmin(all[parts], fmax(0, pairs));
    return true;
}

/* For all roots. */
static bool prepare(Spread *s)
{
    const Shape *shape = s->shape;
    const size_t parts = (size_t)shape->parts, sites = (size_t)s->sites->count + 1;
    if (!mem_new(s->smallest, parts + 1) || !mem_new(s->shared, sites * (parts + 1)) ||
        !mem_new(s->sorted, parts) || !mem_new(s->site, parts) || !mem_new(s->host, parts))
        return false;
    for (size_t i = 0; i < parts; i++)
        s->sorted[i] = shape->given ? shape->size[i] : s->unit;
    qsort(s->sorted, parts, sizeof *s->sorted, descending);
    s->smallest[0] = 0;
    for (size_t i = 0; i < parts; i++)
        s->smallest[i + 1] = s->smallest[i] + s->sorted[parts - 1 - i];
    for (int32_t b = 0; b < s->sites->count; b++) {
        double nearest = INFINITY;
        for (int32_t a = s->sites->count - 1; a >= 0; a--)
            s->nearest[b][a] = nearest = a != b ? fmin(nearest, s->sites->ms[b][a]) : nearest;
    }
    for (int32_t a = 0; a <= s->sites->count; a++)
        if (s->pattern == EACH_TO_EACH && !find_shared(s, a))
            return false;
    return !shape->given || prepare_given(s);
}

static void find_most(Spread *s)
{
    s->later[s->sites->count] = 0;
    for (int32_t a = s->sites->count - 1; a >= 0; a--) {
        s->most[a] = parts_on(s, s->sites->places[a] - (a == s->root));
        s->later[a] = s->later[a + 1] + s->most[a];
    }
}

/* Any set of few sites that are used, with `last` in it, holds as many of the smallest parts. */
static bool sets_can_hold(const Spread *s, int32_t last)
{
    int32_t used[MOST_SETS], n = 0;
    for (int32_t a = 0; a < last && n < MOST_SETS; a++)
        if (s->count[a] > 0)
            used[n++] = a;
    for (int32_t set = 0; set < 1 << n; set++) {
        int64_t places = s->sites->places[last];
        int32_t count = s->count[last];
        for (int32_t i = 0; i < n; i++)
            if (set >> i & 1) {
                places += s->sites->places[used[i]];
                count += s->count[used[i]];
            }
        if (s->smallest[count] > places)
            return false;
    }
    return true;
}

/* ---- enumeration ---------------------------------------------------------------------------- */

/* Have the sites that are used, and those from `open` on, the places? */
static bool has_places(const Spread *s, int32_t open)
{
    int64_t places = 0, needed = (int64_t)s->shape->rest;
    if (s->pattern == STAR)
        needed += s->shape->parts; /* managers */
    for (int32_t a = 0; a < s->sites->count; a++)
        if (s->count[a] > 0 || a >= open)
            places += s->sites->places[a] - (a == s->root);
    return places >= needed;
}

/* A cost, its mean a sum, that numbers have. */
static Cost keep(Spread *s, Cost cost)
{
    cost = spread_mean_of(s, cost);
    if (cost_compare(cost, s->least) < 0)
        s->least = cost;
    return cost;
}

/* The placement in site and host. */
static void offer(Spread *s, Cost cost, const int32_t *host)
{
    if (s->no_memory ||
        !best_beaten(s->best, cost, s->shape->parts, s->shape->size[s->shape->fixed]))
        return;
    s->effort->work += 2 * cost_work(s->hosts, s->shape);
    s->no_memory = !spread_offer(s->hosts, s->sites, s->shape, s->site, host, s->root, s->best);
}

/* Given sizes, as far as sites have the places. */
static void end_packed(Spread *s, Cost cost)
{
    CliqueAnswer answer = packing_exchange(&s->packing, s->count) ? CLIQUE_FOUND : CLIQUE_UNKNOWN;
    if (answer == CLIQUE_UNKNOWN && !s->hasty)
        answer = packing_find(&s->packing, s->count);
    s->effort->work += s->packing.work;
    if (answer == CLIQUE_NONE)
        return;
    cost = s->hasty ? spread_mean_of(s, cost) : keep(s, cost);
    if (answer == CLIQUE_UNKNOWN)
        return;
    for (int32_t g = 0; g < s->shape->parts; g++)
        s->site[s->shape->order[g]] = s->packing.node[g];
    offer(s, cost, NULL);
    if (s->hasty && s->best->cost.level == cost.level && cost_compare(s->best->cost, s->least) < 0)
        s->least = s->best->cost;
}

/* Given sizes, as hosts hold them.  all: with no pair on one host. */
static void end_exactly(Spread *s, Cost all)
{
    Saving saving;
    const Contents *c = &s->contents;
    const double wanted = all.mean - s->least.mean * cost_connections(s->shape);
    Effort effort = effort_of(s->effort, CONTENTS_WORK);
    const double more = all.most < s->least.most ? -1 : fmax(0, wanted) - (wanted < 0);
    s->no_memory = !contents_find(&s->contents, s->count, more, &saving, &effort);
    effort_add(s->effort, &effort);
    if (s->no_memory || saving.bound < 0)
        return;
    const Cost least = {all.level, all.most, all.mean - saving.bound};
    const Cost cost = spread_mean_of(s, (Cost){all.level, all.most, all.mean - saving.saved});
    if (!saving.found) {
        if (s->spread)
            end_packed(s, least);
        else
            (void)keep(s, least);
        return;
    }
    (void)keep(s, least);
    for (int32_t g = 0; g < s->shape->parts; g++) {
        s->site[s->shape->order[g]] = c->site[g];
        s->host[s->shape->order[g]] = c->host[g];
    }
    offer(s, cost, s->host);
}

static void end(Spread *s, Cost all)
{
    Cost cost = all;
    if (s->pattern == EACH_TO_EACH)
        spread_take_shared(s, s->sites->count - 1, &cost);
    if (spread_worse(s, cost) || !has_places(s, s->sites->count))
        return;
    if (s->shape->given && s->contents.patterns > 0 && !s->hasty) {
        end_exactly(s, all);
    } else if (s->shape->given) {
        end_packed(s, cost);
    } else {
        const Cost mean = keep(s, cost);
        spread_sizes(s->sites, s->shape, s->count, s->root, s->site);
        offer(s, mean, NULL);
    }
}

/* Parts on sites from a on, `left` of them. */
static void choose(Spread *s, int32_t a, int32_t left, Cost before)
{
    if (a == s->sites->count) {
        end(s, before);
        return;
    }
    int32_t n = s->most[a] < left ? s->most[a] : left;
    for (; n >= 0 && left - n <= s->later[a + 1] && !effort_ended(s->effort) && !s->no_memory;
         n--) {
        Cost cost = before, all;
        s->count[a] = n;
        s->effort->work += (a + 1) * (int64_t)(s->sites->count - a);
        if (s->shape->given && !sets_can_hold(s, a))
            continue;
        (s->pattern == STAR ? spread_add_units : spread_add_each)(s, a, &cost);
        all = cost;
        if (s->pattern == EACH_TO_EACH) {
            spread_add_rest(s, a, left - n, &all);
            spread_take_shared(s, a, &all);
        } else {
            spread_add_open_units(s, a, left - n, &all);
        }
        if (!spread_worse(s, all) && has_places(s, a + 1))
            choose(s, a + 1, left - n, cost);
    }
}

/* Placements to begin with, where those of hosts take more work. */
static void hasten(Spread *s)
{
    Effort *whole = s->effort, part = effort_of(whole, (whole->limit - whole->work) / 4);
    s->effort = &part;
    s->hasty = true;
    s->root = -1;
    find_most(s);
    choose(s, 0, s->shape->parts, (Cost){s->least.level, 0, 0});
    s->hasty = false;
    s->effort = whole;
    effort_add(whole, &part);
}

/* Which of the patterns the level has. */
static bool suits(const Spread *s, int32_t level)
{
    if (level == 0)
        return s->pattern == EACH_TO_EACH && s->shape->given &&
               s->shape->size[s->shape->order[0]] >
                   s->shape->size[s->shape->order[s->shape->parts - 1]];
    return s->pattern != OTHER && (s->pattern != RING || s->sites->count <= MOST_WALK_SITES);
}

bool spread_solve(const Hosts *hosts, const Sites *sites, Shape *shape, Cost *bound, Best *best,
                  Effort *effort)
{
    Spread s = {.hosts = hosts, .sites = sites, .shape = shape, .best = best, .effort = effort};
    s.pattern = pattern_of(sites, shape);
    s.spread = bound->level > 0;
    if (sites->count == 0 || !suits(&s, bound->level) || shape->groups < 2)
        return true;
    if (s.pattern == RING)
        return ring_walk_solve(hosts, sites, shape, bound, best, effort);
    s.unit = shape->least + (s.pattern == STAR);
    s.least = best->found && best->cost.level == bound->level
                  ? best->cost
                  : (Cost){bound->level, INFINITY, INFINITY};
    s.no_memory = !prepare(&s);
    s.root = s.pattern == STAR ? 0 : -1;
    const bool able = s.spread || s.contents.patterns > 0;
    if (!s.no_memory && s.spread && s.contents.patterns > 0)
        hasten(&s);
    do {
        if (s.no_memory || !able)
            break;
        find_most(&s);
        choose(&s, 0, shape->parts, (Cost){bound->level, bound->most, 0});
    } while (s.pattern == STAR && ++s.root < sites->count);
    if (!s.no_memory && able && !effort_ended(effort)) {
        if (!isfinite(s.least.most))
            *bound = (Cost){bound->level + 1, 0, 0};
        else if (cost_compare(s.least, *bound) > 0)
            *bound = s.least;
    }
    packing_free(&s.packing);
    contents_free(&s.contents);
    mem_free_all(s.smallest, s.shared, s.sorted, s.site, s.host);
    return !s.no_memory;
}
