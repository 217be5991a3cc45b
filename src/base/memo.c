/* A table of remembered results by keys of two numbers, and one of lists of integers. */
#include "base/memo.h"

#include <string.h>

void memo_free(Memo *memo)
{
    mem_free_all(memo->keys, memo->values);
    *memo = (Memo){0};
}

double memo_bytes(const Memo *memo)
{
    return (double)memo->slot_count * (sizeof *memo->keys + sizeof *memo->values);
}

static size_t find(const Memo *memo, uint64_t a, uint64_t b)
{
    size_t mask = memo->slot_count - 1, slot = (size_t)hash_mix(hash_mix(0, a), b) & mask;
    while (memo->values[slot] >= 0 && (memo->keys[slot].a != a || memo->keys[slot].b != b))
        slot = (slot + 1) & mask;
    return slot;
}

static bool grow(Memo *memo)
{
    Memo wider = {.slot_count = memo->slot_count ? 2 * memo->slot_count : 256};
    if (!mem_new(wider.keys, wider.slot_count) || !mem_new(wider.values, wider.slot_count)) {
        memo_free(&wider);
        return false;
    }
    memset(wider.values, -1, wider.slot_count * sizeof *wider.values);
    for (size_t i = 0; i < memo->slot_count; i++) {
        if (memo->values[i] >= 0) /* there is space */
            *memo_at(&wider, memo->keys[i].a, memo->keys[i].b) = memo->values[i];
    }
    memo_free(memo);
    *memo = wider;
    return true;
}

int32_t memo_find(const Memo *memo, uint64_t a, uint64_t b)
{
    return memo->slot_count ? memo->values[find(memo, a, b)] : -1;
}

/* A place that the caller leaves at -1 stays free: counting it only makes the table grow early. */
int32_t *memo_at(Memo *memo, uint64_t a, uint64_t b)
{
    if (2 * (memo->count + 1) > memo->slot_count && !grow(memo))
        return NULL;
    size_t slot = find(memo, a, b);
    if (memo->values[slot] < 0) {
        memo->keys[slot] = (MemoKey){a, b};
        memo->count++;
    }
    return &memo->values[slot];
}

/* ---- lists --------------------------------------------------------------------------------- */

void lists_free(Lists *l)
{
    memo_free(&l->found);
    mem_free_all(l->items, l->first);
    *l = (Lists){0};
}

double lists_bytes(const Lists *l)
{
    return memo_bytes(&l->found) + (double)l->item_cap * sizeof *l->items +
           (double)l->first_cap * sizeof *l->first;
}

static bool add_list(Lists *l, const int32_t *list, size_t length)
{
    const size_t end = l->count ? l->first[l->count] : 0;
    if (!mem_grow(l->first, l->first_cap, l->count + 2) ||
        !mem_grow(l->items, l->item_cap, end + length + 1))
        return false;
    memcpy(l->items + end, list, length * sizeof *list);
    l->first[0] = 0;
    l->first[++l->count] = end + length;
    return true;
}

/* The number of a list, or -1; *key: where its number is, or is to be put. */
static int32_t look(const Lists *l, const int32_t *list, size_t length, MemoKey *key)
{
    int32_t number;
    *key = (MemoKey){length, 0};
    for (size_t i = 0; i < length; i++)
        key->a = hash_mix(key->a, (uint32_t)list[i]);
    for (; (number = memo_find(&l->found, key->a, key->b)) >= 0; key->b++) {
        const size_t first = l->first[number];
        if (l->first[number + 1] - first == length &&
            memcmp(l->items + first, list, length * sizeof *list) == 0)
            break;
    }
    return number;
}

int32_t lists_find(const Lists *l, const int32_t *list, size_t length)
{
    MemoKey key;
    return look(l, list, length, &key);
}

int32_t lists_put(Lists *l, const int32_t *list, size_t length)
{
    MemoKey key;
    int32_t number = look(l, list, length, &key);
    if (number >= 0)
        return number;
    int32_t *place = memo_at(&l->found, key.a, key.b);
    return place && add_list(l, list, length) ? *place = l->count - 1 : -1;
}
