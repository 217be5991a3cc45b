/* Programs whose groups each talk to each, as dispersion problems. */
#include "grid/taag/schedule/complete.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/packing.h"

/* What is known of a level. */
typedef struct {
    bool made;
    int32_t *set; /* of each host: its node; -1: it has no places */
    Dispersion problem;
} Level;

struct Complete {
    const Hosts *hosts;
    const LatencyTree *tree;
    int32_t groups;
    Shape *shape;     /* of the present problem */
    Level *levels;    /* levels + 1 */
    Level *level;     /* of the present problem */
    int32_t *host_of; /* by rank */
    int32_t *size;    /* of groups, largest first: the least that they can have */
    Packing packing;  /* of level 0, if sizes are given and differ */
};

static int descending(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a < b) - (a > b);
}

/* Hosts, or on higher levels the sets that links up to the level join, as nodes.  Returns their
 * number. */
static int32_t find_nodes(Complete *c, int32_t level)
{
    const LatencyTree *t = c->tree;
    double most = c->hosts->most[level];
    int32_t count = 0;
    for (int32_t i = 0; i < c->hosts->count; i++)
        c->level->set[i] = level == 0 && c->hosts->places[i] > 0 ? count++ : -1;
    for (int32_t n = 0; n < t->nodes && level > 0; n++) {
        bool top = t->node[n].parent < 0 || t->node[t->node[n].parent].height > most;
        if (t->node[n].height > most || !top || t->node[n].capacity == 0)
            continue;
        for (int32_t i = 0; i < t->node[n].count; i++) {
            int32_t host = t->leaves[t->node[n].first + i];
            c->level->set[host] = c->hosts->places[host] > 0 ? count : -1;
        }
        count++;
    }
    return count;
}

/* The groups that fit on so many places: the smallest ones. */
static int32_t groups_on(const Complete *c, int64_t places)
{
    int32_t count = 0;
    while (count < c->groups && c->level->problem.sum[count + 1] <= places)
        count++;
    return count;
}

/* The latency of groups on two nodes is at least the least of their hosts; of two on one node, 0 if
 * a host can hold both. */
static void set_latencies(Complete *c)
{
    const Hosts *h = c->hosts;
    Dispersion *d = &c->level->problem;
    size_t n = (size_t)d->nodes;
    int64_t two = d->sum[2];
    for (size_t i = 0; i < n * n; i++)
        d->ms[i] = INFINITY;
    for (int32_t a = 0; a < h->count; a++)
        for (int32_t b = 0; b < h->count; b++) {
            if (c->level->set[a] < 0 || c->level->set[b] < 0)
                continue;
            double *ms = &d->ms[(size_t)c->level->set[a] * n + (size_t)c->level->set[b]];
            if (a != b || h->places[a] >= two)
                *ms = fmin(*ms, hosts_ms(h, a, b));
        }
    for (size_t a = 0; a < n; a++) /* of a single host without room for two */
        d->ms[a * n + a] = isfinite(d->ms[a * n + a]) ? d->ms[a * n + a] : 0;
}

static CliqueAnswer possible(void *data, const int32_t *most, int32_t *count)
{
    Complete *c = data;
    CliqueAnswer answer = packing_find(&c->packing, most);
    memset(count, 0, (size_t)c->level->problem.nodes * sizeof *count);
    for (int32_t g = 0; g < c->shape->groups && answer == CLIQUE_FOUND; g++)
        count[c->packing.node[g]]++;
    return answer;
}

static bool make_problem(Complete *c, int32_t level)
{
    Dispersion *d = &c->level->problem;
    bool equal = c->size[0] == c->size[c->groups - 1];
    if (!mem_new(c->level->set, c->hosts->count) ||
        !dispersion_make(d, find_nodes(c, level), c->groups))
        return false;
    for (int32_t g = 0; g < c->groups; g++)
        d->sum[g + 1] = d->sum[g] + c->size[c->groups - 1 - g];
    for (int32_t i = 0; i < c->hosts->count; i++)
        if (c->level->set[i] >= 0)
            d->places[c->level->set[i]] += c->hosts->places[i];
    for (int32_t a = 0; a < d->nodes; a++)
        d->most[a] = groups_on(c, d->places[a]);
    set_latencies(c);
    d->uniform = equal;
    if (level == 0 && !equal) {
        d->possible = possible;
        d->data = c;
        if (!packing_make(&c->packing, c->groups, c->size, d->nodes, d->places))
            return false;
    }
    return dispersion_prepare(d);
}

/* The problem of the shape on a level. */
static bool set_problem(Complete *c, int32_t level)
{
    c->level = &c->levels[level];
    if (!c->level->made && !make_problem(c, level))
        return false;
    Dispersion *d = &c->level->problem;
    c->level->made = true;
    d->groups = c->shape->groups;
    d->processes = c->shape->given && d->uniform ? 0 : c->shape->rest;
    return true;
}

/* ---- placements ----------------------------------------------------------------------------- */

/* Sizes of groups where they are not given: the places of hosts are filled, one group on each host
 * as large as can be, those with most room first.  sizes, node: of parts, in any order. */
static void choose_sizes(const Complete *c, const int32_t *count, int32_t *size, int32_t *node)
{
    const Shape *s = c->shape;
    const Dispersion *d = &c->level->problem;
    int64_t extra = s->rest - (int64_t)s->parts * s->least;
    int32_t at = 0;
    for (int32_t a = 0; a < d->nodes; a++)
        for (int32_t i = 0; i < count[a]; i++, at++) {
            node[at] = a;
            size[at] = s->least;
        }
    while (extra > 0) {
        int32_t widest = -1;
        int64_t most = 0;
        for (int32_t i = 0; i < at; i++) {
            bool first = i == 0 || node[i] != node[i - 1];
            int64_t room = d->places[node[i]] - (int64_t)count[node[i]] * s->least;
            if (first && size[i] == s->least && room > most) {
                widest = i;
                most = room;
            }
        }
        if (widest < 0)
            return; /* not with solutions, which have the places */
        size[widest] += (int32_t)(most < extra ? most : extra);
        extra -= most < extra ? most : extra;
    }
}

static void offer(Complete *c, const int32_t *group, const int32_t *node, Best *best)
{
    const Shape *s = c->shape;
    for (int32_t g = 0, rank = 0; g < s->groups; g++)
        for (int32_t i = 0; i < s->size[g]; i++, rank++)
            for (int32_t h = 0; h < c->hosts->count; h++)
                if (c->level->set[h] == node[group[g]])
                    c->host_of[rank] = h;
    best_offer(best, c->hosts, s, c->host_of);
}

static bool offer_solution(Complete *c, const int32_t *count, Best *best)
{
    Shape *s = c->shape;
    int32_t *size = NULL, *node = NULL, *group = NULL;
    bool good = mem_new(size, s->groups) && mem_new(node, s->groups) && mem_new(group, s->groups);
    if (good && !s->given)
        choose_sizes(c, count, size, node);
    if (good && s->given && c->level->problem.possible) {
        (void)packing_find(&c->packing, count);
        memcpy(node, c->packing.node, (size_t)s->groups * sizeof *node);
        memcpy(size, c->size, (size_t)s->groups * sizeof *size);
    } else if (good && s->given) {
        for (int32_t a = 0, at = 0; a < c->level->problem.nodes; a++)
            for (int32_t i = 0; i < count[a]; i++)
                node[at++] = a;
        memcpy(size, c->size, (size_t)s->groups * sizeof *size);
    }
    if (good && !s->given)
        division_set(s, size);
    for (int32_t g = 0; g < s->groups && good;
         g++) /* a group of this size that has no number yet */
        for (int32_t i = 0; i < s->groups; i++)
            if (size[i] == s->size[g]) {
                group[g] = i;
                size[i] = 0;
                break;
            }
    if (good)
        offer(c, group, node, best);
    mem_free_all(size, node, group);
    return good;
}

/* ---- bounds -------------------------------------------------------------------------------- */

/* One level.  False: out of memory. */
static bool solve(Complete *c, Cost *bound, Best *best, Effort *effort)
{
    bool cut = best->found && best->cost.level == bound->level;
    double pairs = cost_connections(c->shape);
    double cutoff = cut ? best->cost.most : INFINITY,
           sum = cut ? best->cost.mean * pairs : INFINITY;
    Dispersed found = {0};
    bool good = set_problem(c, bound->level) &&
                dispersion_solve(&found, &c->level->problem, cutoff, sum, effort);
    if (good && found.found && bound->level == 0)
        good = offer_solution(c, found.count, best);
    if (good && !isfinite(found.least_most)) {
        bound->level++;
        bound->most = 0;
    } else if (good && found.least_most >= bound->most) {
        bound->most = found.least_most;
        bound->mean = fmax(bound->mean, found.least_sum / pairs);
    }
    dispersed_free(&found);
    return good;
}

Complete *complete_new(const Hosts *h, const LatencyTree *t, int32_t processes, int32_t groups)
{
    Complete *c = NULL;
    if (!mem_new_zeroed(c, 1))
        return NULL;
    c->hosts = h;
    c->tree = t;
    c->groups = groups > 2 ? groups : 2;
    if (mem_new_zeroed(c->levels, h->levels + 1) && mem_new(c->host_of, processes) &&
        mem_new_zeroed(c->size, c->groups))
        return c;
    complete_free(c);
    return NULL;
}

void complete_free(Complete *c)
{
    if (!c)
        return;
    for (int32_t level = 0; c->levels && level <= c->hosts->levels; level++) {
        dispersion_free(&c->levels[level].problem);
        mem_free(c->levels[level].set);
    }
    packing_free(&c->packing);
    mem_free_all(c->levels, c->host_of, c->size, c);
}

bool complete_solve(Complete *c, Cost *bound, Shape *s, Best *best, Effort *effort)
{
    bool good = true;
    c->shape = s;
    for (int32_t g = 0; g < c->groups; g++)
        c->size[g] = s->given ? s->size[g] : s->least;
    qsort(c->size, (size_t)c->groups, sizeof *c->size, descending);
    for (int32_t level = -1; good && bound->level > level && bound->level <= c->hosts->levels;) {
        level = bound->level;
        good = solve(c, bound, best, effort);
    }
    return good;
}
