/* Gives equal terms one id, by a hash table. */
#include "parser/cons.h"

#include <string.h>

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static size_t hash(const ConsKey *key)
{
    const uint64_t parts[] = {(uint32_t)key->kind, (uint32_t)key->a, (uint32_t)key->b,
                              (uint32_t)key->c, bits_of(key->number)};
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        h = (h ^ parts[i]) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return (size_t)h;
}

static bool same(const ConsKey *x, const ConsKey *y)
{
    return x->kind == y->kind && x->a == y->a && x->b == y->b && x->c == y->c &&
           bits_of(x->number) == bits_of(y->number);
}

/* The slot that holds the key, or the free one where it belongs. */
static size_t probe(const Cons *cons, const ConsKey *key)
{
    size_t mask = cons->slot_count - 1, slot = hash(key) & mask;
    while (cons->slots[slot] >= 0 && !same(&cons->keys[cons->slots[slot]], key))
        slot = (slot + 1) & mask;
    return slot;
}

static bool grow(Cons *cons)
{
    size_t count = cons->slot_count ? cons->slot_count * 2 : 64;
    int32_t *slots = mem_alloc(count, sizeof *slots);
    if (!slots)
        return false;
    memset(slots, -1, count * sizeof *slots);
    mem_free(cons->slots);
    cons->slots = slots;
    cons->slot_count = count;
    for (size_t id = 0; id < cons->count; id++)
        slots[probe(cons, &cons->keys[id])] = (int32_t)id;
    return true;
}

int32_t cons_put(Cons *cons, ConsKey key)
{
    if ((cons->count + 1) * 2 > cons->slot_count && !grow(cons))
        return -1;
    size_t slot = probe(cons, &key);
    if (cons->slots[slot] >= 0)
        return cons->slots[slot];
    if (!mem_reserve(&cons->keys, &cons->cap, cons->count + 1, sizeof key))
        return -1;
    cons->keys[cons->count] = key;
    cons->slots[slot] = (int32_t)cons->count;
    return (int32_t)cons->count++;
}

void cons_free(Cons *cons)
{
    mem_free(cons->keys);
    mem_free(cons->slots);
    *cons = (Cons){0};
}
