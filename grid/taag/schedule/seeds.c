/* Greedy placements. */
#include "grid/taag/schedule/seeds.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

enum { MOST_HOMES = 12 /* sets that could hold the program, which are tried */ };

/* Which of several sets of the same level a group takes.  FULLEST: the last one while it has room, then a large one
 * nearby; groups are then taken smallest first, so that as many as can be are together. */
typedef enum { NEAREST, TIGHTEST, WIDEST, FULLEST, MANNERS } Manner;

bool seeds_make(Seeds *s, const Hosts *h, const LatencyTree *t, int32_t processes, Effort *effort)
{
    *s = (Seeds){.hosts = h, .tree = t, .effort = effort};
    return mem_new(s->free, t->nodes) && mem_new(s->left, h->count) &&
           mem_new(s->host_of, processes) && mem_new(s->first, processes + 1) &&
           mem_new(s->sizes, processes + 1) && mem_new(s->order, t->nodes) &&
           mem_new(s->far, h->count);
}

void seeds_free(Seeds *s)
{
    mem_free_all(s->free, s->left, s->host_of, s->first, s->sizes, s->order, s->far);
    *s = (Seeds){0};
}

static bool is_within(const LatencyTree *t, int32_t node, int32_t home)
{
    const Cluster *a = &t->node[node], *b = &t->node[home];
    return a->first >= b->first && a->first + a->count <= b->first + b->count;
}

static int32_t level_of(const Hosts *h, double height)
{
    int32_t level = 0;
    while (level < h->levels && h->most[level] < height)
        level++;
    return level;
}

/* For each leaf, the height of the smallest set that holds it and a node. */
static void measure_from(Seeds *s, int32_t near)
{
    const LatencyTree *t = s->tree;
    int32_t from = t->node[near].first, to = from;
    for (int32_t a = near; a >= 0; a = t->node[a].parent) {
        int32_t first = t->node[a].first, end = first + t->node[a].count;
        for (int32_t i = first; i < from; i++)
            s->far[i] = t->node[a].height;
        for (int32_t i = to; i < end; i++)
            s->far[i] = t->node[a].height;
        from = first;
        to = end;
    }
}

/* The height of the smallest set that holds both: of what comes to a set that holds the node, it
 * is at one of the ends. */
static double joint_height(const Seeds *s, int32_t c)
{
    const Cluster *set = &s->tree->node[c];
    return fmax(s->far[set->first], s->far[set->first + set->count - 1]);
}

/* The set for a group; -1: none has room. */
static int32_t choose(Seeds *s, int32_t home, int32_t size, int32_t near, Manner manner)
{
    const LatencyTree *t = s->tree;
    int32_t best = -1;
    double best_score[3] = {0};
    if (near >= 0)
        measure_from(s, near);
    s->effort->work += 2 * t->nodes;
    for (int32_t c = 0; c < t->nodes; c++) {
        if (s->free[c] < size || !is_within(t, c, home))
            continue;
        double room = (double)s->free[c], far = near < 0 ? 0 : joint_height(s, c);
        double score[3] = {level_of(s->hosts, t->node[c].height), 0, 0};
        score[1] = manner == NEAREST || manner == FULLEST ? far
                   : manner == TIGHTEST                   ? room
                                                          : t->node[c].height;
        score[2] = manner == NEAREST ? room : manner == TIGHTEST ? far : -room;
        int i = 0;
        while (i < 2 && !(score[i] < best_score[i]) && !(score[i] > best_score[i]))
            i++;
        if (best < 0 || score[i] < best_score[i]) {
            best = c;
            memcpy(best_score, score, sizeof score);
        }
    }
    return best;
}

/* Hosts of a set for `count` processes, those with most places left first. */
static void take(Seeds *s, int32_t node, int32_t count, int32_t *hosts)
{
    const Cluster *set = &s->tree->node[node];
    for (int32_t n = 0; n < count;) {
        s->effort->work += set->count;
        int32_t most = s->tree->leaves[set->first];
        for (int32_t i = 1; i < set->count; i++)
            if (s->left[s->tree->leaves[set->first + i]] > s->left[most])
                most = s->tree->leaves[set->first + i];
        int32_t here = s->left[most] < count - n ? s->left[most] : count - n;
        s->left[most] -= here;
        for (int32_t c = most; c >= 0; c = s->tree->node[c].parent)
            s->free[c] -= here;
        for (int32_t i = 0; i < here; i++)
            hosts[n++] = most;
    }
}

static void reset(Seeds *s, const Shape *shape)
{
    for (int32_t c = 0; c < s->tree->nodes; c++)
        s->free[c] = s->tree->node[c].capacity;
    memcpy(s->left, s->hosts->places, (size_t)s->hosts->count * sizeof *s->left);
    for (int32_t g = 0, rank = 0; g < shape->groups; rank += shape->size[g++])
        s->first[g] = rank;
}

/* All groups within a set. */
static void fill(Seeds *s, const Shape *shape, int32_t home, Manner manner, Best *best)
{
    int32_t near = -1;
    reset(s, shape);
    for (int32_t i = 0; i < shape->groups; i++) {
        if (effort_ended(s->effort))
            return;
        const bool turned = manner == FULLEST;
        int32_t g = shape->order[turned ? shape->groups - 1 - i : i];
        int32_t leaf = turned || i == 0 ? g : shape->order[i - 1];
        bool manager = i > 0 && shape->unit[leaf] == g && leaf != g;
        int32_t from = manager && near >= 0 && s->free[near] > 0 ? near : home;
        int32_t more = shape->unit[g] != g ? 1 : 0; /* room for its manager */
        int32_t node = choose(s, from, shape->size[g] + more, near, manner);
        node = node < 0 ? choose(s, home, shape->size[g], near, manner) : node;
        if (node < 0)
            return;
        take(s, node, shape->size[g], &s->host_of[s->first[g]]);
        near = node;
    }
    s->effort->work += cost_work(s->hosts, shape);
    best_offer(best, s->hosts, shape, s->host_of);
}

/* The next set, from `home` on, that holds the program and whose parts do not, or that is low. */
static int32_t next_home(const Seeds *s, const Shape *shape, int32_t home)
{
    while (home < s->tree->nodes && s->tree->node[home].capacity < shape->fixed + shape->rest)
        home++;
    return home < s->tree->nodes ? home : -1;
}

void seeds_offer(Seeds *s, Shape *shape, Best *best)
{
    int tried = 0;
    for (int32_t home = 0; tried < MOST_HOMES; home++, tried++) {
        home = next_home(s, shape, home);
        if (home < 0)
            return;
        for (int manner = 0; manner < (shape->given ? MANNERS : FULLEST); manner++)
            fill(s, shape, home, (Manner)manner, best);
    }
}

/* The largest sets within `home` that a group may be spread over, most capacity first. */
static int32_t list_sets(Seeds *s, int32_t home, double spread)
{
    const LatencyTree *t = s->tree;
    int32_t count = 0;
    for (int32_t c = 0; c < t->nodes; c++) {
        int32_t parent = t->node[c].parent;
        bool top = c == home || (parent >= 0 && t->node[parent].height > spread);
        if (!top || t->node[c].height > spread || !is_within(t, c, home))
            continue;
        int32_t at = count++;
        for (; at > 0 && t->node[s->order[at - 1]].capacity < t->node[c].capacity; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = c;
    }
    return count;
}

/* Groups for the sets: as many as can be in the largest; then the processes, each set filled in
 * turn.  False: they do not fit in this way. */
static bool suit(Seeds *s, Shape *shape, int32_t sets)
{
    const LatencyTree *t = s->tree;
    int32_t more = shape->unit[shape->fixed] != shape->fixed ? 1 : 0, least = shape->least + more;
    int64_t room = 0, holds = 0, wanted = (int64_t)shape->rest + more * (int64_t)shape->parts;
    int32_t q = 0, at = 0, groups = shape->parts;
    for (; q < sets && (room < wanted || holds < shape->parts); q++) {
        room += t->node[s->order[q]].capacity;
        holds += t->node[s->order[q]].capacity / least;
    }
    if (room < wanted || holds < shape->parts || q > shape->parts)
        return false;
    int64_t extra = shape->rest - (int64_t)shape->parts * shape->least;
    for (int32_t j = 0; j < q; j++) {
        int64_t capacity = t->node[s->order[j]].capacity, all = capacity / least;
        int32_t kept = q - 1 - j, here = all < groups - kept ? (int32_t)all : groups - kept;
        if (here < 1)
            return false;
        int64_t spare = capacity - (int64_t)here * least, gain = spare < extra ? spare : extra;
        for (int32_t i = 0; i < here; i++)
            s->sizes[at++] = shape->least;
        s->sizes[at - here] += (int32_t)gain;
        extra -= gain;
        groups -= here;
    }
    return extra == 0 && at == shape->parts;
}

void seeds_offer_suited(Seeds *s, Shape *shape, Best *best)
{
    int tried = 0;
    if (shape->given)
        return;
    for (int32_t home = 0; tried < MOST_HOMES; home++, tried++) {
        home = next_home(s, shape, home);
        if (home < 0)
            return;
        for (int32_t level = 0; level <= s->hosts->levels && !effort_ended(s->effort); level++)
            if (suit(s, shape, list_sets(s, home, s->hosts->most[level]))) {
                division_set(shape, s->sizes);
                for (int manner = 0; manner < FULLEST; manner++)
                    fill(s, shape, home, (Manner)manner, best);
            }
    }
}
