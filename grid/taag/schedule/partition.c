/* Branch and bound over the sites of groups. */
#include "grid/taag/schedule/partition.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/partition_inner.h"
#include "grid/taag/schedule/spread_place.h"

/* Groups; work of the packing of all, and of one of groups that have sites. */
enum { MOST_GROUPS = 150 };
static const int64_t ALL_WORK = 10000000, LEAF_WORK = 2000000;

typedef struct {
    const Hosts *hosts;
    const Sites *sites;
    Shape *shape;
    Best *best;
    Effort *effort;
    Homes homes;
    Neighbours near;
    Subsets sets;
    int32_t talking, *order;  /* groups with connections, as they are placed */
    int32_t *site;            /* of groups; -1 */
    double *dist;             /* groups x sites: to the groups that are placed */
    bool *barred;             /* groups x sites: one of these links is above the limit */
    int32_t *left;            /* of groups: connections to others that are not placed */
    int64_t room[MOST_SITES]; /* places left */
    int32_t sizes, *size;     /* distinct sizes, largest first */
    int32_t *held, *most;     /* sites x sizes: groups of this size or larger: now, and at most */
    double saving;            /* connections that hosts save at most */
    double limit;             /* of latencies */
    double least;             /* sums from here on do not matter */
    double unexplored;        /* the least bound of what was left out without a proof */
    double charge;            /* what a connection that is saved counts instead */
    int32_t *stack;           /* scratch: groups */
    bool *seen;               /* the same */
    bool no_memory;
} Partition;

/* ---- what sites can hold -------------------------------------------------------------------- */

static int32_t *held_at(const Partition *p, int32_t *of, int32_t a)
{
    return of + (size_t)a * (size_t)p->sizes;
}

static void list_sizes(Partition *p)
{
    const Shape *s = p->shape;
    for (int32_t k = 0; k < s->groups; k++) {
        const int32_t size = s->size[s->order[k]];
        if (p->sizes == 0 || size < p->size[p->sizes - 1])
            p->size[p->sizes++] = size;
    }
}

/* Whole groups of a size or larger that the hosts of a site have places for. */
static void count_most(Partition *p)
{
    const Hosts *h = p->hosts;
    memset(p->held, 0, (size_t)p->sites->count * (size_t)p->sizes * sizeof *p->held);
    memset(p->most, 0, (size_t)p->sites->count * (size_t)p->sizes * sizeof *p->most);
    for (int32_t a = 0; a < p->sites->count; a++)
        p->room[a] = p->sites->places[a];
    for (int32_t i = 0; i < h->count; i++)
        for (int32_t k = 0; k < p->sizes && p->sites->of[i] >= 0; k++)
            held_at(p, p->most, p->sites->of[i])[k] += h->places[i] / p->size[k];
}

static void put(Partition *p, int32_t g, int32_t a, int32_t by)
{
    const int32_t size = p->shape->size[g];
    p->room[a] -= by * size;
    for (int32_t k = 0; k < p->sizes; k++)
        if (p->size[k] <= size)
            held_at(p, p->held, a)[k] += by;
}

static bool has_room(const Partition *p, int32_t g, int32_t a)
{
    const int32_t size = p->shape->size[g];
    bool room = p->room[a] >= size;
    for (int32_t k = 0; k < p->sizes && room && !p->homes.spread; k++)
        room = p->size[k] > size || held_at(p, p->held, a)[k] < held_at(p, p->most, a)[k];
    return room;
}

/* Where the latency within a site is above the limit, groups of it that are joined are on one host. */
static bool fits_one_host(Partition *p, int32_t g, int32_t a)
{
    int32_t depth = 0;
    int64_t sum = 0;
    memset(p->seen, 0, (size_t)p->shape->groups * sizeof *p->seen);
    p->stack[depth++] = g;
    p->seen[g] = true;
    while (depth > 0) {
        const int32_t u = p->stack[--depth];
        sum += p->shape->size[u];
        for (int32_t i = p->near.at[u]; i < p->near.at[u + 1]; i++) {
            const int32_t v = p->near.to[i];
            if (p->site[v] == a && !p->seen[v]) {
                p->seen[v] = true;
                p->stack[depth++] = v;
            }
        }
    }
    p->effort->work += p->shape->groups;
    return sum == p->shape->size[g] || sum <= p->sites->widest[a];
}

/* ---- costs ---------------------------------------------------------------------------------- */

static double price(const Partition *p, int32_t a, int32_t b)
{
    return a == b ? fmin(p->charge, p->sites->ms[a][a]) : p->sites->ms[a][b];
}

/* The links of a group to those that are placed, from each site. */
static void measure(Partition *p, int32_t g)
{
    const int32_t sites = p->sites->count;
    p->left[g] = 0;
    for (int32_t a = 0; a < sites; a++) {
        double sum = 0;
        bool barred = false;
        for (int32_t i = p->near.at[g]; i < p->near.at[g + 1]; i++) {
            const int32_t b = p->site[p->near.to[i]];
            if (b >= 0) {
                sum += price(p, a, b);
                barred = barred || (a != b && p->sites->ms[a][b] > p->limit);
            }
            p->left[g] += a == 0 && b < 0;
        }
        p->dist[(size_t)g * (size_t)sites + (size_t)a] = sum;
        p->barred[(size_t)g * (size_t)sites + (size_t)a] = barred;
    }
    p->effort->work += (int64_t)sites * (1 + p->near.at[g + 1] - p->near.at[g]);
}

/* Of a connection of a group on a site, at least. */
static double cheapest(const Partition *p, int32_t a)
{
    double least = price(p, a, a);
    for (int32_t b = 0; b < p->sites->count; b++)
        if (p->sites->ms[a][b] <= p->limit)
            least = fmin(least, price(p, a, b));
    return least;
}

/* What a group that is not placed adds on a site at least; INFINITY: it cannot be there. */
static double score(const Partition *p, int32_t g, int32_t a, double connection)
{
    const size_t at = (size_t)g * (size_t)p->sites->count + (size_t)a;
    if (p->barred[at] || !has_room(p, g, a))
        return INFINITY;
    return p->dist[at] + 0.5 * p->left[g] * connection;
}

/* What the groups from a place of the order on add at least. */
static double least_rest(Partition *p, int32_t from)
{
    double sum = 0, connection[MOST_SITES];
    for (int32_t a = 0; a < p->sites->count; a++)
        connection[a] = cheapest(p, a);
    for (int32_t k = from; k < p->talking && isfinite(sum); k++) {
        double least = INFINITY;
        for (int32_t a = 0; a < p->sites->count; a++)
            least = fmin(least, score(p, p->order[k], a, connection[a]));
        sum += least;
    }
    p->effort->work += (int64_t)p->sites->count * (p->sites->count + p->talking - from);
    return sum;
}

/* ---- search --------------------------------------------------------------------------------- */

static void leave_out(Partition *p, double bound)
{
    p->unexplored = fmin(p->unexplored, bound);
}

static bool is_no_better(const Partition *p, double bound)
{
    return bound >= p->least * (1 - 1e-12) || !isfinite(bound);
}

/* All groups with connections have a site. */
static void arrive(Partition *p)
{
    const Shape *s = p->shape;
    double all = 0, saved, bound;
    bool found;
    for (int32_t e = 0; e < s->edge_count; e++)
        all += p->sites->ms[p->site[s->edges[e].a]][p->site[s->edges[e].b]];
    const double more = isfinite(p->least) ? all - p->least : -1;
    p->homes.limit = p->limit;
    p->no_memory = !homes_find(&p->homes, more, &found, &saved, &bound, LEAF_WORK);
    if (p->no_memory || bound < 0)
        return;
    if (found) {
        p->least = all - saved;
        p->no_memory =
            !spread_offer(p->hosts, p->sites, s, p->homes.placed, p->homes.host, -1, p->best);
    }
    if (all - bound < p->least * (1 - 1e-12))
        leave_out(p, all - bound);
}

/* A site of the k-th group; then those after it. */
static void branch(Partition *p, int32_t k, double fixed)
{
    const int32_t g = k < p->talking ? p->order[k] : -1;
    bool tried[MOST_SITES] = {false};
    if (g < 0) {
        arrive(p);
        return;
    }
    for (;;) {
        int32_t a = -1;
        double best = INFINITY;
        for (int32_t b = 0; b < p->sites->count; b++) {
            const double cost = tried[b] ? INFINITY : score(p, g, b, cheapest(p, b));
            if (cost < best || (cost <= best && a >= 0 && p->room[b] > p->room[a])) {
                best = cost;
                a = b;
            }
        }
        p->effort->work += (int64_t)p->sites->count * p->sites->count;
        if (a < 0 || p->no_memory)
            return;
        tried[a] = true;
        const bool within = p->sites->ms[a][a] <= p->limit || fits_one_host(p, g, a);
        const double then = fixed + p->dist[(size_t)g * (size_t)p->sites->count + (size_t)a];
        if (!within)
            continue;
        p->site[g] = a;
        put(p, g, a, 1);
        for (int32_t i = p->near.at[g]; i < p->near.at[g + 1]; i++)
            measure(p, p->near.to[i]);
        const double bound = then + least_rest(p, k + 1) - p->charge * p->saving;
        if (!is_no_better(p, bound)) {
            if (effort_ended(p->effort))
                leave_out(p, bound);
            else
                branch(p, k + 1, then);
        }
        p->site[g] = -1;
        put(p, g, a, -1);
        for (int32_t i = p->near.at[g]; i < p->near.at[g + 1]; i++)
            measure(p, p->near.to[i]);
    }
}

/* The charge for which nothing placed has the largest bound. */
static void choose_charge(Partition *p)
{
    double most = -INFINITY, best = 0;
    for (int32_t a = 0; a < p->sites->count; a++) {
        p->charge = p->sites->ms[a][a];
        for (int32_t k = 0; k < p->talking; k++)
            measure(p, p->order[k]);
        const double bound = least_rest(p, 0) - p->charge * p->saving;
        if (isfinite(bound) && bound > most) {
            most = bound;
            best = p->charge;
        }
    }
    p->charge = best;
    for (int32_t k = 0; k < p->talking; k++)
        measure(p, p->order[k]);
}

/* The least sum within the limit, from what is known; INFINITY: no placement. */
static double solve(Partition *p, Cost known, int32_t level)
{
    const double connections = cost_connections(p->shape);
    const bool usable = p->best->found && known.level == level && known.most <= p->limit;
    p->least = usable ? known.mean * connections : INFINITY;
    p->unexplored = INFINITY;
    choose_charge(p);
    branch(p, 0, 0);
    return fmax(0, fmin(p->least, p->unexplored)) / connections;
}

/* ---- limits --------------------------------------------------------------------------------- */

/* The least latency of two sites, or within one, that is more; INFINITY: none is. */
static double next_limit(const Sites *s, double ms)
{
    double next = INFINITY;
    for (int32_t a = 0; a < s->count; a++)
        for (int32_t b = 0; b <= a; b++)
            if (s->ms[a][b] > ms)
                next = fmin(next, s->ms[a][b]);
    return next;
}

static void solve_limits(Partition *p, Cost *bound)
{
    const int32_t level = bound->level;
    p->limit = bound->most;
    while (!p->no_memory) {
        const double mean = solve(p, p->best->cost, level);
        if (isfinite(mean)) {
            const Cost least = {level, p->limit, mean};
            if (!p->no_memory && cost_compare(least, *bound) > 0)
                *bound = least;
            return;
        }
        p->limit = next_limit(p->sites, p->limit);
        if (!isfinite(p->limit)) {
            *bound = (Cost){level + 1, 0, 0};
            return;
        }
        *bound = (Cost){level, p->limit, 0};
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Groups with connections: next the one that has most with those before, the largest of these. */
static void order_groups(Partition *p)
{
    const Shape *s = p->shape;
    memset(p->left, 0, (size_t)s->groups * sizeof *p->left);
    memset(p->seen, 0, (size_t)s->groups * sizeof *p->seen);
    for (;;) {
        int32_t best = -1;
        for (int32_t g = 0; g < s->groups; g++) {
            if (p->seen[g] || p->near.at[g + 1] == p->near.at[g])
                continue;
            if (best < 0 || p->left[g] > p->left[best] ||
                (p->left[g] == p->left[best] && s->size[g] > s->size[best]))
                best = g;
        }
        if (best < 0)
            return;
        p->seen[best] = true;
        p->order[p->talking++] = best;
        for (int32_t i = p->near.at[best]; i < p->near.at[best + 1]; i++)
            p->left[p->near.to[i]]++;
    }
}

static bool prepare(Partition *p, bool spread)
{
    const size_t n = (size_t)p->shape->groups, sites = (size_t)p->sites->count;
    int32_t widest = 0;
    for (size_t a = 0; a < sites; a++)
        widest = p->sites->widest[a] > widest ? p->sites->widest[a] : widest;
    if (!neighbours_make(&p->near, p->shape) ||
        !subsets_make(&p->sets, p->shape, &p->near, widest) || !mem_new(p->order, n) ||
        !mem_new(p->site, n) || !mem_new(p->dist, n * sites) || !mem_new(p->barred, n * sites) ||
        !mem_new(p->left, n) || !mem_new(p->size, n) || !mem_new(p->stack, n) ||
        !mem_new(p->seen, n))
        return false;
    for (size_t g = 0; g < n; g++)
        p->site[g] = -1;
    order_groups(p);
    list_sizes(p);
    p->homes = (Homes){.hosts = p->hosts,
                       .sites = p->sites,
                       .shape = p->shape,
                       .sets = &p->sets,
                       .spread = spread,
                       .effort = p->effort,
                       .site = p->site};
    if (!mem_new(p->held, sites * (size_t)p->sizes) ||
        !mem_new(p->most, sites * (size_t)p->sizes) || !homes_make(&p->homes))
        return false;
    count_most(p);
    return p->sets.count < 0 || homes_most(&p->homes, &p->saving, ALL_WORK);
}

bool partition_solve(const Hosts *hosts, const Sites *sites, Shape *shape, Cost *bound, Best *best,
                     Effort *effort)
{
    Partition p = {.hosts = hosts, .sites = sites, .shape = shape, .best = best, .effort = effort};
    if (!shape->given || shape->edge_count == 0 || shape->groups > MOST_GROUPS || sites->count == 0)
        return true;
    bool good = prepare(&p, bound->level > 0);
    if (good && p.sets.count >= 0)
        solve_limits(&p, bound);
    homes_free(&p.homes);
    neighbours_free(&p.near);
    subsets_free(&p.sets);
    mem_free_all(p.order, p.site, p.dist, p.barred, p.left, p.size, p.stack, p.seen, p.held,
                 p.most);
    return good && !p.no_memory;
}
