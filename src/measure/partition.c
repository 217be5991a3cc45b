/* Splits blocks of states by weights. */
#include "measure/partition.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

void partition_free(Partition *p)
{
    mem_free_all(p->state, p->place, p->block, p->first, p->end, p->marked);
    *p = (Partition){0};
}

bool partition_init(Partition *p, int32_t n)
{
    *p = (Partition){.n = n, .count = 1};
    bool ok = mem_new(p->state, n) && mem_new(p->place, n) && mem_new_zeroed(p->block, n) &&
              mem_new_zeroed(p->first, n) && mem_new_zeroed(p->end, n) &&
              mem_new_zeroed(p->marked, n);
    if (!ok) {
        partition_free(p);
        return false;
    }
    for (int32_t s = 0; s < n; s++)
        p->state[s] = p->place[s] = s;
    p->end[0] = n;
    return true;
}

/* Move a state to a place; what was there goes where it came from. */
static void put(Partition *p, int32_t state, int32_t place)
{
    const int32_t other = p->state[place], from = p->place[state];
    p->state[from] = other;
    p->place[other] = from;
    p->state[place] = state;
    p->place[state] = place;
}

int32_t partition_mark(Partition *p, int32_t state)
{
    const int32_t b = p->block[state];
    put(p, state, p->first[b] + p->marked[b]);
    return p->marked[b]++;
}

bool weights_same(double a, double b, double share)
{
    if (!isfinite(a) || !isfinite(b))
        return a == b || (isnan(a) && isnan(b));
    return fabs(a - b) <= share * fmax(fabs(a), fabs(b));
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Ascending, NaN last. */
static int by_weight(const void *a, const void *b)
{
    const Weighted *x = a, *y = b;
    if (isnan(x->weight) != isnan(y->weight))
        return isnan(x->weight) ? 1 : -1;
    if (x->weight != y->weight && !isnan(x->weight))
        return x->weight < y->weight ? -1 : 1;
    return (x->state > y->state) - (x->state < y->state);
}

/* A weight of which more than half of the items are within SAME_WEIGHT / 2, if there is one.
 * Source: Boyer, Moore, MJRTY, 1991. */
static double majority(const Weighted *item, int32_t count)
{
    double weight = 0;
    int32_t votes = 0;
    for (int32_t i = 0; i < count; i++) {
        if (votes == 0)
            weight = item[i].weight;
        votes += votes == 0 || weights_same(item[i].weight, weight, SAME_WEIGHT / 2) ? 1 : -1;
    }
    return weight;
}

/* Items of the majority come first, the others behind them in order: how many are the former. */
static int32_t arrange(Weighted *item, int32_t count)
{
    const double weight = majority(item, count);
    int32_t first = 0;
    for (int32_t i = 0; i < count; i++)
        if (weights_same(item[i].weight, weight, SAME_WEIGHT / 2)) {
            const Weighted moved = item[i];
            item[i] = item[first];
            item[first++] = moved;
        }
    qsort(item + first, (size_t)(count - first), sizeof *item, by_weight);
    return first;
}

/* Where the group of arranged items ends that begins at `at`. */
static int32_t group_end(const Weighted *item, int32_t count, int32_t first, int32_t at)
{
    int32_t end = at + 1;
    if (at == 0)
        return first;
    while (end < count && weights_same(item[end].weight, item[at].weight, SAME_WEIGHT))
        end++;
    return end;
}

static void new_block(Partition *p, int32_t first, int32_t end)
{
    const int32_t b = p->count++;
    p->first[b] = first;
    p->end[b] = end;
    for (int32_t i = first; i < end; i++)
        p->block[p->state[i]] = b;
}

void partition_split(Partition *p, int32_t b, Weighted *item, int32_t count)
{
    const int32_t base = p->first[b], size = p->end[b] - base;
    for (int32_t i = 0; i < count;)
        if (item[i].weight == 0) {
            const Weighted moved = item[i];
            item[i] = item[--count];
            item[count] = moved;
        } else {
            i++;
        }
    if (count == 0)
        return;
    const int32_t first = arrange(item, count), rest = size - count;
    int32_t most = rest, keeps = count; /* where the largest group begins */
    for (int32_t at = 0, end; at < count; at = end) {
        end = group_end(item, count, first, at);
        if (end - at > most) {
            most = end - at;
            keeps = at;
        }
    }
    if (most == size)
        return;
    for (int32_t i = 0; i < count; i++)
        put(p, item[i].state, base + i);
    for (int32_t at = 0, end; at < count; at = end) {
        end = group_end(item, count, first, at);
        if (at != keeps)
            new_block(p, base + at, base + end);
    }
    if (rest && keeps != count)
        new_block(p, base + count, base + size);
    p->first[b] = base + keeps;
    p->end[b] = base + keeps + most;
}
