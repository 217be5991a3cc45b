/* Registrations: which address of another process belongs to an address of this one. */
#include "grid/bsp/registry.h"

#include <stdlib.h>

/* ---- memory --------------------------------------------------------------------------------- */

int registry_new(Registry *registry, int nprocs, int pid)
{
    *registry = (Registry){.nprocs = nprocs, .pid = pid};
    return stacks_new(&registry->held) || stacks_new(&registry->called) ? -1 : 0;
}

void registry_free(Registry *registry)
{
    stacks_free(&registry->held);
    stacks_free(&registry->called);
    free(registry->areas);
    grid_buffer_free(&registry->changes);
    *registry = (Registry){0};
}

static Area *areas_of(const Registry *registry, int32_t at)
{
    return registry->areas + (size_t)at * (size_t)registry->nprocs;
}

/* As many as `held` has room for. */
static int grow_areas(Registry *registry)
{
    size_t capacity = registry->held.capacity;
    if (capacity <= registry->area_capacity)
        return 0;
    Area *areas =
        realloc(registry->areas, capacity * (size_t)registry->nprocs * sizeof *registry->areas);
    if (!areas)
        return -1;
    registry->areas = areas;
    registry->area_capacity = capacity;
    return 0;
}

/* ---- this process's calls ------------------------------------------------------------------- */

static StackKey of_address(uint64_t address)
{
    return (StackKey){.number = address};
}

const Area *registry_search(Registry *registry, uint64_t address)
{
    int32_t at = stacks_newest(&registry->held, of_address(address));
    if (at < 0)
        return NULL;
    registry->last_address = address;
    return registry->last_areas = areas_of(registry, at);
}

int registry_push(Registry *registry, uint64_t address, size_t size)
{
    Change change = {.address = address, .size = size, .kind = CHANGE_PUSH};
    if (grid_put(&registry->changes, &change, sizeof change))
        return -1;
    uint64_t serial = registry->next_called++;
    return address && stacks_push(&registry->called, of_address(address), serial) < 0 ? -1 : 0;
}

int registry_pop(Registry *registry, uint64_t address)
{
    Change change = {.address = address, .kind = CHANGE_POP};
    if (address == 0) /* which one the others know */
        return grid_put(&registry->changes, &change, sizeof change);
    int32_t popped = stacks_newest(&registry->called, of_address(address));
    if (popped < 0)
        return -2;
    change.serial = registry->called.each[popped].serial;
    if (grid_put(&registry->changes, &change, sizeof change))
        return -1;
    stacks_pop(&registry->called, popped);
    return 0;
}

/* ---- the end of a superstep ----------------------------------------------------------------- */

static int all_null(const Registry *registry, const Change *const *changes, size_t at)
{
    for (int p = 0; p < registry->nprocs; p++)
        if (changes[p][at].address != 0)
            return 0;
    return 1;
}

/* Where this process holds a registration in which it gave this address, and another one did not
 * give NULL. */
static StackKey held_as(uint64_t address, uint64_t serial)
{
    return address != 0 ? of_address(address) : (StackKey){.number = serial, .is_serial = 1};
}

static int apply_push(Registry *registry, const Change *const *changes, size_t i)
{
    uint64_t serial = registry->next_serial++;
    if (all_null(registry, changes, i)) {
        registry->all_null++;
        return 0;
    }
    StackKey key = held_as(changes[registry->pid][i].address, serial);
    int32_t at = stacks_push(&registry->held, key, serial);
    if (at < 0 || grow_areas(registry))
        return -1;
    for (int p = 0; p < registry->nprocs; p++)
        areas_of(registry, at)[p] = (Area){changes[p][i].address, changes[p][i].size};
    return 0;
}

/* One pop, of the registration that all mean. */
static Mismatch apply_pop(Registry *registry, const Change *const *changes, size_t i)
{
    int namer = -1;
    for (int p = 0; p < registry->nprocs; p++) {
        if (changes[p][i].address == 0)
            continue;
        if (namer >= 0 && changes[p][i].serial != changes[namer][i].serial)
            return (Mismatch){.what = MISMATCH_SERIAL, .at = i, .first = namer, .other = p};
        if (namer < 0)
            namer = p;
    }
    if (namer < 0) {
        if (registry->all_null == 0)
            return (Mismatch){.what = MISMATCH_NULL, .at = i};
        registry->all_null--;
        return (Mismatch){.what = MISMATCH_NONE};
    }
    StackKey key = held_as(changes[registry->pid][i].address, changes[namer][i].serial);
    int32_t at = stacks_newest(&registry->held, key);
    if (at < 0) /* this process gave NULL, but had not registered it */
        return (Mismatch){.what = MISMATCH_SERIAL, .at = i, .first = namer, .other = registry->pid};
    for (int p = 0; p < registry->nprocs; p++)
        if (areas_of(registry, at)[p].address != changes[p][i].address)
            return (Mismatch){.what = MISMATCH_SERIAL, .at = i, .first = namer, .other = p};
    stacks_pop(&registry->held, at);
    return (Mismatch){.what = MISMATCH_NONE};
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
        } else {
            mismatch = apply_pop(registry, changes, i);
        }
    }
    registry->changes.size = 0;
    return mismatch;
}
