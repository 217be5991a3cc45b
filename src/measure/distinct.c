/* A hash table of distinct doubles. */
#include "measure/flow_build.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

enum { SLOT_BITS = 17, SLOTS = 1 << SLOT_BITS };

/* Untouched pages cost nothing: small matrices use a few. */
bool chances_init(Chances *c)
{
    *c = (Chances){.value = mem_calloc(MOST_CHANCES, sizeof *c->value),
                   .slot = mem_calloc(SLOTS, sizeof *c->slot)};
    if (c->value && c->slot)
        return true;
    chances_free(c);
    return false;
}

void chances_free(Chances *c)
{
    mem_free_all(c->value, c->slot);
    *c = (Chances){0};
}

void chances_close(Chances *c)
{
    mem_free(c->slot);
    c->slot = NULL;
    mem_trim(c->value, c->count);
}

static uint32_t home_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (uint32_t)(bits * HASH_STEP >> (64 - SLOT_BITS));
}

int32_t chances_find(Chances *c, double x)
{
    if (c->value[c->last] == x && c->count > 0)
        return c->last;
    uint32_t at = home_of(x);
    while (c->slot[at] && c->value[c->slot[at] - 1] != x)
        at = (at + 1) % SLOTS;
    if (!c->slot[at]) {
        if (c->count == MOST_CHANCES)
            return -1;
        c->value[c->count++] = x;
        c->slot[at] = c->count;
    }
    return c->last = c->slot[at] - 1;
}
