/* Branch and bound over placements, host by host. */
#include "grid/taag/schedule/dive.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* The cost of what is placed so far; the mean is a sum here. */
typedef struct {
    int32_t level;
    double most, sum;
} Partial;

bool dive_make(Dive *d, const Hosts *h, const LatencyTree *t, int32_t processes, Best *best)
{
    *d = (Dive){.hosts = h, .tree = t, .best = best};
    if (!mem_new(d->free, h->count) || !mem_new(d->host_of, processes) ||
        !mem_new(d->first, processes + 1) || !mem_new(d->place, processes + 1) ||
        !mem_new(d->near_at, processes + 2))
        return false;
    memcpy(d->free, h->places, (size_t)h->count * sizeof *d->free);
    return true;
}

void dive_free(Dive *d)
{
    mem_free_all(d->free, d->host_of, d->first, d->place, d->near, d->near_at);
    *d = (Dive){0};
}

bool dive_ended(Dive *d)
{
    bool tied = d->best->found && cost_compare(d->best->cost, d->proved) <= 0;
    if (tied && d->effort.work > d->tie_limit)
        d->effort.ended = true;
    return effort_ended(&d->effort);
}

/* Can what is placed so far become better than the best? */
static bool hopeful(const Dive *d, Partial now)
{
    const Shape *s = d->shape;
    double connections = cost_connections(s);
    Cost least = {now.level, now.most, connections > 0 ? now.sum / connections : 0};
    /* The partition's bound is for its own level, and its mean for its own largest latency. */
    least.level = least.level > d->bound.level ? least.level : d->bound.level;
    if (least.level == d->bound.level) {
        least.most = fmax(least.most, d->bound.most);
        least.mean = fmax(least.mean, d->bound.mean);
    }
    return best_beaten(d->best, least, s->parts, s->size[s->fixed]);
}

/* The groups placed before the i-th one to which it talks. */
static const int32_t *talks_to(const Dive *d, int32_t i, int32_t *count)
{
    int32_t g = d->shape->order[i];
    *count = d->shape->complete ? i : d->near_at[g + 1] - d->near_at[g];
    return d->shape->complete ? d->shape->order : &d->near[d->near_at[g]];
}

/* What the cost becomes when the group uses another host; `filled` of its processes are placed. */
static Partial with_host(Dive *d, int32_t i, int32_t filled, int32_t host, Partial now)
{
    const Shape *s = d->shape;
    const Hosts *h = d->hosts;
    int32_t g = s->order[i], count, leaf = i > 0 ? s->order[i - 1] : g;
    const int32_t *near = talks_to(d, i, &count);
    const int32_t *mine = &d->host_of[d->first[g]];
    for (int32_t j = 0; j < filled; j++)
        if (hosts_level(h, mine[j], host) > now.level)
            now.level = hosts_level(h, mine[j], host);
    for (int32_t j = 0; leaf != g && s->unit[leaf] == g && j < s->size[leaf]; j++)
        if (hosts_level(h, d->host_of[d->first[leaf] + j], host) > now.level)
            now.level = hosts_level(h, d->host_of[d->first[leaf] + j], host);
    d->effort.work += filled + s->size[leaf];
    for (int32_t k = 0; k < count; k++) {
        const int32_t *its = &d->host_of[d->first[near[k]]];
        for (int32_t j = 0; j < s->size[near[k]]; j++)
            now.most = fmax(now.most, hosts_ms(h, its[j], host));
        d->effort.work += s->size[near[k]];
    }
    return now;
}

/* The connections of a group that is wholly placed. */
static double connections_of(Dive *d, int32_t i)
{
    const Shape *s = d->shape;
    int32_t g = s->order[i], count;
    const int32_t *near = talks_to(d, i, &count), *mine = &d->host_of[d->first[g]];
    double sum = 0;
    for (int32_t k = 0; k < count; k++) {
        const int32_t *its = &d->host_of[d->first[near[k]]];
        double most = 0;
        for (int32_t a = 0; a < s->size[g]; a++) {
            if (a > 0 && mine[a] == mine[a - 1])
                continue;
            for (int32_t b = 0; b < s->size[near[k]]; b++)
                most = fmax(most, hosts_ms(d->hosts, mine[a], its[b]));
            d->effort.work += s->size[near[k]];
        }
        sum += most;
    }
    return sum;
}

/* An untouched host, before which there is an untouched one that it can be exchanged with. */
static bool is_repeated(Dive *d, int32_t host)
{
    const Hosts *h = d->hosts;
    if (d->free[host] != h->places[host])
        return false;
    d->effort.work += (host - h->alike[host]) / 4;
    for (int32_t a = h->alike[host]; a < host; a++)
        if (h->alike[a] == h->alike[host] && d->free[a] == h->places[a])
            return true;
    return false;
}

static void extend(Dive *d, int32_t i, int32_t filled, int32_t from, Partial now);

/* The i-th group is placed. */
static void next_group(Dive *d, int32_t i, Partial now)
{
    const Shape *s = d->shape;
    now.sum += connections_of(d, i);
    if (!hopeful(d, now))
        return;
    if (i + 1 == s->groups) {
        best_offer(d->best, d->hosts, s, d->host_of);
        return;
    }
    int32_t g = s->order[i], next = s->order[i + 1];
    bool same = s->complete && s->size[next] == s->size[g];
    extend(d, i + 1, 0, same ? d->host_of[d->first[g]] : 0, now);
}

/* Place the processes of the i-th group from `filled` on, on hosts from `from` on.
 * Cycle with next_group: one after the other, as deep as there are groups and hosts. */
static void extend(Dive *d, int32_t i, int32_t filled, int32_t from, Partial now)
{
    const Shape *s = d->shape;
    int32_t g = s->order[i], *mine = &d->host_of[d->first[g]], rest = s->size[g] - filled;
    for (int32_t host = from; host < d->hosts->count && !dive_ended(d); host++) {
        d->effort.work++;
        if (d->free[host] == 0 || is_repeated(d, host))
            continue;
        Partial then = with_host(d, i, filled, host, now);
        if (!hopeful(d, then))
            continue;
        for (int32_t n = d->free[host] < rest ? d->free[host] : rest; n > 0; n--) {
            d->nodes++;
            for (int32_t j = 0; j < n; j++)
                mine[filled + j] = host;
            d->free[host] -= n;
            if (n == rest)
                next_group(d, i, then);
            else
                extend(d, i, filled + n, host + 1, then);
            d->free[host] += n;
            if (d->effort.ended)
                break;
        }
    }
}

/* near and near_at, from the edges. */
static bool list_near(Dive *d, const Shape *s)
{
    for (int32_t i = 0; i < s->groups; i++)
        d->place[s->order[i]] = i;
    if (!mem_reserve(&d->near, &d->near_cap, (size_t)s->edge_count + 1, sizeof *d->near))
        return false;
    memset(d->near_at, 0, ((size_t)s->groups + 2) * sizeof *d->near_at);
    for (int32_t e = 0; e < s->edge_count; e++) {
        int32_t a = s->edges[e].a, b = s->edges[e].b;
        d->near_at[(d->place[a] > d->place[b] ? a : b) + 2]++;
    }
    for (int32_t g = 0; g < s->groups; g++)
        d->near_at[g + 2] += d->near_at[g + 1];
    for (int32_t e = 0; e < s->edge_count; e++) {
        int32_t a = s->edges[e].a, b = s->edges[e].b;
        bool later = d->place[a] > d->place[b];
        d->near[d->near_at[(later ? a : b) + 1]++] = later ? b : a;
    }
    return true;
}

void dive_into(Dive *d, const Shape *s, Cost bound)
{
    d->shape = s;
    d->bound = bound;
    if (!list_near(d, s)) {
        d->no_memory = true;
        return;
    }
    for (int32_t g = 0, rank = 0; g < s->groups; rank += s->size[g++])
        d->first[g] = rank;
    extend(d, 0, 0, 0, (Partial){0, 0, 0});
}
