/* Lower bounds of costs by single-linkage clusters. */
#include "grid/taag/schedule/bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many heights are looked at one by one; of more those that differ by this factor. */
enum { FINENESS = 128 };
static const double STEP = 1.05;

typedef struct {
    const LatencyTree *tree;
    const Shape *shape;
    bool sizes;
    int32_t processes;
    bool manager; /* every part has a manager */
} Bound;

static const int32_t *sets_at(const Bound *b, int32_t i, int32_t *count)
{
    *count = b->tree->sets[i];
    return &b->tree->capacity[(size_t)i * (size_t)b->tree->hosts];
}

/* Could the parts, of `size` or more processes each, `count` of them and `sum` in all, be placed
 * each within a set? */
static bool room_for(const Bound *b, int32_t i, int32_t size, int32_t count, int64_t sum)
{
    int32_t sets;
    const int32_t *capacity = sets_at(b, i, &sets);
    int64_t groups = 0, room = 0;
    for (int32_t j = 0; j < sets && capacity[j] >= size; j++) {
        groups += capacity[j] / size;
        room += capacity[j];
        if (groups >= count && room >= sum)
            return true;
    }
    return false;
}

/* Can every unit be within a set at height i, as far as sizes alone say?  Parts are in descending
 * order but in graphs, where `order` has it. */
static bool fits(const Bound *b, int32_t i)
{
    const Shape *s = b->shape;
    int32_t more = b->manager ? 1 : 0, seen = 0;
    int64_t sum = 0;
    if (!b->sizes) {
        int32_t largest = (int32_t)(((int64_t)s->rest + s->parts - 1) / s->parts);
        return room_for(b, i, s->least + more, s->parts, (int64_t)s->rest + more * s->parts) &&
               room_for(b, i, largest + more, 1, largest + more);
    }
    for (int32_t j = 0; j < s->groups; j++) {
        int32_t g = s->order[j];
        if (g < s->fixed)
            continue;
        int32_t next = seen + 1 < s->parts ? s->order[j + 1] : -1, size = s->size[g] + more;
        if (b->manager && next >= 0)
            next = s->order[j + 2];
        seen++;
        sum += size;
        bool last_of_size = next < 0 || s->size[next] + more < size;
        if (last_of_size && !room_for(b, i, size, seen, sum))
            return false;
    }
    return true;
}

/* How many groups a set can hold. */
static int32_t groups_in(const Bound *b, int32_t capacity)
{
    const Shape *s = b->shape;
    if (!b->sizes)
        return capacity / s->least;
    int32_t count = 0;
    for (int32_t j = s->groups - 1; j >= 0 && s->size[s->order[j]] <= capacity; j--, count++)
        capacity -= s->size[s->order[j]];
    return count;
}

/* The most pairs of `groups` groups that can be within a set, at least q sets being used. */
static double most_pairs(const Bound *b, int32_t i, int32_t groups, int32_t q)
{
    int32_t sets;
    const int32_t *capacity = sets_at(b, i, &sets);
    double pairs = 0;
    for (int32_t j = 0; j < sets && groups > 0; j++) {
        int32_t kept = q - 1 - j > 0 ? q - 1 - j : 0, all = groups_in(b, capacity[j]);
        int32_t here = all < groups - kept ? all : groups - kept;
        if (here <= 0)
            break;
        pairs += 0.5 * here * (here - 1.0);
        groups -= here;
    }
    return pairs;
}

static int descending(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a < b) - (a > b);
}

/* How many groups each node of the tree can hold, if none is spread over sets of more than
 * `allowed`: in scratch. */
static void hold_groups(const Bound *b, double allowed)
{
    const LatencyTree *t = b->tree;
    int32_t *held = t->scratch;
    memset(held, 0, (size_t)t->nodes * sizeof *held);
    for (int32_t c = 0; c < t->nodes; c++) { /* parents come after their parts */
        int32_t parent = t->node[c].parent;
        if (t->node[c].height <= allowed) {
            int64_t capacity = t->node[c].capacity;
            bool top = parent < 0 || t->node[parent].height > allowed;
            capacity = capacity < b->processes ? capacity : b->processes;
            held[c] = top ? groups_in(b, (int32_t)capacity) : 0;
        }
        if (parent >= 0)
            held[parent] += held[c];
    }
}

/* most_pairs where no group is spread: sets at height i hold what their parts hold, and q of them
 * at least are used. */
static double pairs_within(const Bound *b, int32_t i, int32_t q)
{
    const LatencyTree *t = b->tree;
    int32_t *held = t->scratch, *sets = t->scratch + t->nodes, count = 0, needed = 0;
    int32_t groups = b->shape->groups;
    for (int32_t c = 0; c < t->nodes; c++) {
        int32_t parent = t->node[c].parent;
        bool top = parent < 0 || t->node[parent].height > t->height[i];
        if (top && t->node[c].height <= t->height[i] && held[c] > 0)
            sets[count++] = held[c];
    }
    qsort(sets, (size_t)count, sizeof *sets, descending);
    for (int64_t room = 0; needed < count && room < groups; needed++)
        room += sets[needed];
    q = needed > q ? needed : q;
    double pairs = 0;
    for (int32_t j = 0; j < count && groups > 0; j++) {
        int32_t kept = q - 1 - j > 0 ? q - 1 - j : 0;
        int32_t here = sets[j] < groups - kept ? sets[j] : groups - kept;
        if (here <= 0)
            break;
        pairs += 0.5 * here * (here - 1.0);
        groups -= here;
    }
    return pairs;
}

/* The fewest sets at height i that hold all groups but managers, where none is spread. */
static int32_t sets_for_groups(const Bound *b, int32_t i)
{
    const LatencyTree *t = b->tree;
    int32_t *held = t->scratch, *number = t->scratch + t->nodes, needed = 0; /* number: of sets */
    int64_t left = b->manager ? b->shape->parts : b->shape->groups;
    memset(number, 0, (size_t)t->nodes * sizeof *number);
    for (int32_t c = 0; c < t->nodes; c++) {
        int32_t parent = t->node[c].parent;
        bool top = parent < 0 || t->node[parent].height > t->height[i];
        if (!top || t->node[c].height > t->height[i])
            continue;
        if (held[c] >= t->nodes)
            return 1; /* groups of few processes on few hosts */
        number[held[c]]++;
    }
    for (int32_t each = t->nodes - 1; each > 0 && left > 0; each--)
        for (; number[each] > 0 && left > 0; number[each]--, needed++)
            left -= each;
    return needed;
}

/* The fewest connections of more than the height i; spread: groups may be in several sets. */
static double crossing(const Bound *b, int32_t i, bool spread)
{
    const Shape *s = b->shape;
    int32_t q = b->tree->needed[i];
    if (s->groups < 2)
        return 0;
    if (s->complete && !spread) {
        double pairs = fmin(pairs_within(b, i, q), most_pairs(b, i, s->groups, q));
        return cost_connections(s) - (q > s->groups ? 0 : pairs);
    }
    if (!s->complete && !spread) {
        int32_t needed = sets_for_groups(b, i);
        q = needed > q ? needed : q;
    }
    if (q <= 1)
        return 0;
    if (s->complete) {
        double pairs = q > s->groups ? 0 : most_pairs(b, i, s->groups, q);
        return cost_connections(s) - fmax(pairs, most_pairs(b, i, s->groups - 1, 1));
    }
    bool ring = s->program->kind == AMOGET_RING && s->groups > 2;
    double apart = ring ? q : q > s->joined ? q - s->joined : 0;
    apart = fmin(apart, s->edge_count);
    return spread ? fmin(apart, s->degree) : apart;
}

int64_t bound_work(const LatencyTree *t, const Shape *s)
{
    int64_t heights = t->heights < 2 * FINENESS ? t->heights : 2 * FINENESS;
    return s->groups + heights * t->nodes / 8; /* most sets are seldom looked at */
}

Cost bound_of(const Hosts *h, const LatencyTree *t, const Shape *s, bool sizes, int32_t level)
{
    Bound b = {.tree = t, .shape = s, .sizes = sizes || s->given, .processes = s->fixed + s->rest};
    Cost cost = {level, 0, 0};
    b.manager = s->program->kind == AMOGET_TREE;
    while (cost.level < h->levels && !fits(&b, linkage_at(t, h->most[cost.level])))
        cost.level++;
    double allowed = h->most[cost.level];
    hold_groups(&b, allowed);
    double done = 0;
    for (int32_t i = 0; i + 1 < t->heights; i++) {
        double next = t->height[i + 1];
        if (t->heights > FINENESS && i + 2 < t->heights && next < STEP * done)
            continue; /* fewer cross from the next height on: that is counted for this one too */
        double cross = crossing(&b, i, t->height[i] < allowed);
        if (cross > 0) {
            cost.most = next;
            cost.mean += cross * (next - done);
        }
        done = next;
    }
    if (cost_connections(s) > 0)
        cost.mean /= cost_connections(s);
    return cost;
}
