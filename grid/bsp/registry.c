/* Registrations: which address of another process belongs to an address of this one. */
#include "grid/bsp/registry.h"

#include <stdlib.h>
#include <string.h>

struct Slot {
    uint64_t serial;
    int32_t below; /* the next older slot of this bucket, or the next free one; -1: none */
    uint8_t in_use;
    uint8_t popped; /* this process has popped it in this superstep */
};

enum { FIRST_BUCKETS = 64 };

/* ---- memory --------------------------------------------------------------------------------- */

int registry_new(Registry *registry, int nprocs, int pid)
{
    *registry = (Registry){.nprocs = nprocs, .pid = pid, .free_slot = -1};
    registry->buckets = malloc(FIRST_BUCKETS * sizeof *registry->buckets);
    if (!registry->buckets)
        return -1;
    registry->bucket_count = FIRST_BUCKETS;
    memset(registry->buckets, -1, FIRST_BUCKETS * sizeof *registry->buckets);
    return 0;
}

void registry_free(Registry *registry)
{
    free(registry->slots);
    free(registry->areas);
    free(registry->buckets);
    grid_buffer_free(&registry->changes);
    *registry = (Registry){0};
}

/* Fibonacci hashing (Knuth, volume 3, 6.4). */
static size_t bucket_of(const Registry *registry, uint64_t address)
{
    return (size_t)((address * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (registry->bucket_count - 1);
}

static Area *areas_of(const Registry *registry, int32_t slot)
{
    return registry->areas + (size_t)slot * (size_t)registry->nprocs;
}

static uint64_t own_address(const Registry *registry, int32_t slot)
{
    return areas_of(registry, slot)[registry->pid].address;
}

static int grow_buckets(Registry *registry)
{
    size_t count = 2 * registry->bucket_count;
    int32_t *buckets = malloc(count * sizeof *buckets), *old = registry->buckets;
    if (!buckets)
        return -1;
    memset(buckets, -1, count * sizeof *buckets);
    registry->bucket_count = count;
    registry->buckets = buckets;
    /* Oldest first, as each goes before those that are there. */
    for (size_t b = 0; b < count / 2; b++) {
        int32_t reversed = -1;
        for (int32_t slot = old[b], next; slot >= 0; slot = next) {
            next = registry->slots[slot].below;
            registry->slots[slot].below = reversed;
            reversed = slot;
        }
        for (int32_t slot = reversed, next; slot >= 0; slot = next) {
            int32_t *head = &buckets[bucket_of(registry, own_address(registry, slot))];
            next = registry->slots[slot].below;
            registry->slots[slot].below = *head;
            *head = slot;
        }
    }
    free(old);
    return 0;
}

static int grow_slots(Registry *registry)
{
    size_t capacity = registry->capacity > 0 ? 2 * registry->capacity : 16;
    Slot *slots = realloc(registry->slots, capacity * sizeof *slots);
    if (!slots)
        return -1;
    registry->slots = slots;
    Area *areas =
        realloc(registry->areas, capacity * (size_t)registry->nprocs * sizeof *registry->areas);
    if (!areas)
        return -1;
    registry->areas = areas;
    registry->capacity = capacity;
    return 0;
}

/* A slot that nothing uses; -1: out of memory. */
static int32_t new_slot(Registry *registry)
{
    int32_t slot = registry->free_slot;
    if (slot >= 0) {
        registry->free_slot = registry->slots[slot].below;
        return slot;
    }
    if (registry->count == registry->capacity && grow_slots(registry))
        return -1;
    return (int32_t)registry->count++;
}

/* ---- this process's calls ------------------------------------------------------------------- */

const Area *registry_search(Registry *registry, uint64_t address)
{
    for (int32_t slot = registry->buckets[bucket_of(registry, address)]; slot >= 0;
         slot = registry->slots[slot].below)
        if (own_address(registry, slot) == address) {
            registry->last_address = address;
            return registry->last_areas = areas_of(registry, slot);
        }
    return NULL;
}

static size_t change_count(const Registry *registry)
{
    return registry->changes.size / sizeof(Change);
}

int registry_push(Registry *registry, uint64_t address, size_t size)
{
    Change change = {.address = address, .size = size, .kind = CHANGE_PUSH};
    return grid_put(&registry->changes, &change, sizeof change);
}

static size_t push_count(const Registry *registry, const Change *changes)
{
    size_t count = 0;
    for (size_t i = 0; i < change_count(registry); i++)
        count += changes[i].kind == CHANGE_PUSH;
    return count;
}

/* The newest push of this superstep with this address that has not been popped: its serial number;
 * -1: none.  Pops of an address take its newest push each, so from the end back they pair as
 * brackets do. */
static int64_t find_pushed(const Registry *registry, uint64_t address)
{
    const Change *changes = (const Change *)(const void *)registry->changes.bytes;
    uint64_t serial = registry->next_serial + push_count(registry, changes);
    size_t popped = 0;
    for (size_t i = change_count(registry); i-- > 0;) {
        int is_push = changes[i].kind == CHANGE_PUSH;
        serial -= (uint64_t)is_push;
        if (changes[i].address != address)
            continue;
        if (!is_push)
            popped += changes[i].serial >= registry->next_serial;
        else if (popped-- == 0)
            return (int64_t)serial;
    }
    return -1;
}

int registry_pop(Registry *registry, uint64_t address)
{
    Change change = {.address = address, .kind = CHANGE_POP};
    if (address == 0) /* which one the others know */
        return grid_put(&registry->changes, &change, sizeof change);
    int64_t pushed = find_pushed(registry, change.address);
    if (pushed >= 0) {
        change.serial = (uint64_t)pushed;
        return grid_put(&registry->changes, &change, sizeof change);
    }
    int32_t slot = registry->buckets[bucket_of(registry, change.address)];
    while (slot >= 0 &&
           (own_address(registry, slot) != change.address || registry->slots[slot].popped))
        slot = registry->slots[slot].below;
    if (slot < 0)
        return -2;
    change.serial = registry->slots[slot].serial;
    if (grid_put(&registry->changes, &change, sizeof change))
        return -1;
    registry->slots[slot].popped = 1;
    return 0;
}

/* ---- the end of a superstep ----------------------------------------------------------------- */

/* By this process's address; if that is not the one that it registered, among all. */
static int32_t find_serial(const Registry *registry, uint64_t address, uint64_t serial)
{
    for (int32_t slot = registry->buckets[bucket_of(registry, address)]; slot >= 0;
         slot = registry->slots[slot].below)
        if (registry->slots[slot].serial == serial)
            return slot;
    for (size_t slot = 0; slot < registry->count; slot++)
        if (registry->slots[slot].in_use && registry->slots[slot].serial == serial)
            return (int32_t)slot;
    return -1;
}

static int all_null(const Registry *registry, int32_t slot)
{
    for (int p = 0; p < registry->nprocs; p++)
        if (areas_of(registry, slot)[p].address != 0)
            return 0;
    return 1;
}

/* A registration in which all gave NULL, all of which are alike; -1: none. */
static int32_t find_all_null(const Registry *registry)
{
    for (size_t slot = 0; slot < registry->count; slot++)
        if (registry->slots[slot].in_use && all_null(registry, (int32_t)slot))
            return (int32_t)slot;
    return -1;
}

static void remove_slot(Registry *registry, int32_t slot)
{
    int32_t *link = &registry->buckets[bucket_of(registry, own_address(registry, slot))];
    while (*link != slot)
        link = &registry->slots[*link].below;
    *link = registry->slots[slot].below;
    registry->slots[slot] = (Slot){.below = registry->free_slot};
    registry->free_slot = slot;
    registry->used--;
}

static int apply_push(Registry *registry, const Change *const *changes, size_t at)
{
    if (registry->used >= registry->bucket_count && grow_buckets(registry))
        return -1;
    int32_t slot = new_slot(registry);
    if (slot < 0)
        return -1;
    for (int p = 0; p < registry->nprocs; p++)
        areas_of(registry, slot)[p] = (Area){changes[p][at].address, changes[p][at].size};
    int32_t *head = &registry->buckets[bucket_of(registry, own_address(registry, slot))];
    registry->slots[slot] = (Slot){.serial = registry->next_serial++, .below = *head, .in_use = 1};
    *head = slot;
    registry->used++;
    return 0;
}

/* The registration that all mean; -1: *mismatch says why not. */
static int32_t popped_slot(const Registry *registry, const Change *const *changes, size_t at,
                           Mismatch *mismatch)
{
    int namer = -1;
    for (int p = 0; p < registry->nprocs; p++) {
        if (changes[p][at].address == 0)
            continue;
        if (namer >= 0 && changes[p][at].serial != changes[namer][at].serial) {
            *mismatch = (Mismatch){.what = MISMATCH_SERIAL, .at = at, .first = namer, .other = p};
            return -1;
        }
        if (namer < 0)
            namer = p;
    }
    int32_t slot = namer < 0 ? find_all_null(registry)
                             : find_serial(registry, changes[registry->pid][at].address,
                                           changes[namer][at].serial);
    if (slot < 0) {
        *mismatch = (Mismatch){.what = MISMATCH_NULL, .at = at};
        return -1;
    }
    for (int p = 0; p < registry->nprocs; p++)
        if (areas_of(registry, slot)[p].address != changes[p][at].address) {
            *mismatch = (Mismatch){.what = MISMATCH_SERIAL, .at = at, .first = namer, .other = p};
            return -1;
        }
    return slot;
}

/* All changed as often, and in the same order. */
static Mismatch compare(const Registry *registry, const Change *const *changes,
                        const size_t *counts)
{
    for (int p = 1; p < registry->nprocs; p++) {
        size_t common = counts[p] < counts[0] ? counts[p] : counts[0];
        for (size_t i = 0; i < common; i++)
            if (changes[p][i].kind != changes[0][i].kind)
                return (Mismatch){.what = MISMATCH_KIND, .at = i, .other = p};
        if (counts[p] != counts[0]) {
            const Change *more = changes[counts[p] > counts[0] ? p : 0];
            return (Mismatch){.what = MISMATCH_COUNT,
                              .at = common,
                              .other = p,
                              .counts = {counts[0], counts[p]},
                              .pops = more[common].kind == CHANGE_POP};
        }
    }
    return (Mismatch){.what = MISMATCH_NONE};
}

Mismatch registry_apply(Registry *registry, const Change *const *changes, const size_t *counts)
{
    Mismatch mismatch = compare(registry, changes, counts);
    registry->last_address = 0;
    registry->last_areas = NULL;
    for (size_t i = 0; i < counts[0] && mismatch.what == MISMATCH_NONE; i++) {
        if (changes[0][i].kind == CHANGE_PUSH) {
            if (apply_push(registry, changes, i))
                mismatch.what = MISMATCH_MEMORY;
            continue;
        }
        int32_t slot = popped_slot(registry, changes, i, &mismatch);
        if (slot >= 0)
            remove_slot(registry, slot);
    }
    registry->changes.size = 0;
    return mismatch;
}
