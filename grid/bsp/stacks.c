/* Stacks of registrations, found by what they are of. */
#include "grid/bsp/stacks.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKETS = 64, FIRST_CAPACITY = 16 };

/* ---- memory --------------------------------------------------------------------------------- */

int stacks_new(Stacks *stacks)
{
    *stacks = (Stacks){.free = -1};
    stacks->buckets = malloc(FIRST_BUCKETS * sizeof *stacks->buckets);
    if (!stacks->buckets)
        return -1;
    stacks->bucket_count = FIRST_BUCKETS;
    memset(stacks->buckets, -1, FIRST_BUCKETS * sizeof *stacks->buckets);
    return 0;
}

void stacks_free(Stacks *stacks)
{
    free(stacks->each);
    free(stacks->buckets);
    *stacks = (Stacks){0};
}

static int grow_buckets(Stacks *stacks)
{
    size_t count = 2 * stacks->bucket_count;
    int32_t *buckets = malloc(count * sizeof *buckets), *old = stacks->buckets;
    if (!buckets)
        return -1;
    memset(buckets, -1, count * sizeof *buckets);
    stacks->bucket_count = count;
    stacks->buckets = buckets;
    for (size_t b = 0; b < count / 2; b++)
        for (int32_t at = old[b], next; at >= 0; at = next) {
            int32_t *head = &buckets[stacks_bucket(stacks, stacks->each[at].key.number)];
            next = stacks->each[at].next;
            stacks->each[at].next = *head;
            *head = at;
        }
    free(old);
    return 0;
}

/* One that nothing uses; -1: out of memory. */
static int32_t take_free(Stacks *stacks)
{
    int32_t at = stacks->free;
    if (at >= 0) {
        stacks->free = stacks->each[at].below;
        return at;
    }
    if (stacks->count == stacks->capacity) {
        size_t capacity = stacks->capacity > 0 ? 2 * stacks->capacity : FIRST_CAPACITY;
        Stacked *each = realloc(stacks->each, capacity * sizeof *each);
        if (!each)
            return -1;
        stacks->each = each;
        stacks->capacity = capacity;
    }
    return (int32_t)stacks->count++;
}

/* ---- changes -------------------------------------------------------------------------------- */

/* What points to the newest of a stack from its bucket. */
static int32_t *link_to(Stacks *stacks, int32_t newest)
{
    int32_t *link = &stacks->buckets[stacks_bucket(stacks, stacks->each[newest].key.number)];
    while (*link != newest)
        link = &stacks->each[*link].next;
    return link;
}

int32_t stacks_push(Stacks *stacks, StackKey key, uint64_t serial)
{
    if (stacks->used >= stacks->bucket_count && grow_buckets(stacks))
        return -1;
    int32_t at = take_free(stacks);
    if (at < 0)
        return -1;
    int32_t below = stacks_newest(stacks, key);
    int32_t *link =
        below < 0 ? &stacks->buckets[stacks_bucket(stacks, key.number)] : link_to(stacks, below);
    int32_t next = below < 0 ? *link : stacks->each[below].next;
    stacks->each[at] = (Stacked){.key = key, .serial = serial, .below = below, .next = next};
    *link = at;
    stacks->used++;
    return at;
}

void stacks_pop(Stacks *stacks, int32_t newest)
{
    Stacked *old = &stacks->each[newest];
    int32_t *link = link_to(stacks, newest);
    *link = old->below < 0 ? old->next : old->below;
    if (old->below >= 0)
        stacks->each[old->below].next = old->next;
    old->below = stacks->free;
    stacks->free = newest;
    stacks->used--;
}
