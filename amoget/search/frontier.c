/* Keeps the partial mappings of a search: a heap by bound and, when that is full, a stack. */
#include "amoget/search/frontier.h"

#include <math.h>
#include <string.h>

#include "base/heap.h"

/* An entry is its bound, its depth and one uint16_t per stage, to a multiple of 8 bytes. */
#define ENTRY_BYTES(stages) ((sizeof(Head) + (size_t)(stages) * sizeof(uint16_t) + 7) / 8 * 8)
typedef struct {
    double bound;
    int32_t depth;
} Head;

void frontier_init(Frontier *f, int32_t stages, size_t bytes)
{
    *f = (Frontier){.stages = stages, .stride = ENTRY_BYTES(stages)};
    f->most = bytes / f->stride;
}

bool frontier_is_full(const Frontier *f)
{
    return f->stack_count > 0 || f->heap_count >= f->most;
}

void frontier_free(Frontier *f)
{
    mem_free(f->heap);
    mem_free(f->stack);
    *f = (Frontier){0};
}

static double bound_of(const void *entry)
{
    Head head;
    memcpy(&head, entry, sizeof head);
    return head.bound;
}

static bool entry_before(const void *a, const void *b)
{
    return bound_of(a) < bound_of(b);
}

static void write_entry(const Frontier *f, char *entry, double bound, const int32_t *mapping,
                        int32_t depth)
{
    Head head = {bound, depth};
    uint16_t place[MOST_STAGES] = {0};
    for (int32_t i = 0; i < depth; i++)
        place[i] = (uint16_t)mapping[i];
    memcpy(entry, &head, sizeof head);
    memcpy(entry + sizeof head, place, (size_t)f->stages * sizeof *place);
}

static void read_entry(const Frontier *f, const char *entry, double *bound, int32_t *mapping,
                       int32_t *depth)
{
    Head head;
    uint16_t place[MOST_STAGES];
    memcpy(&head, entry, sizeof head);
    memcpy(place, entry + sizeof head, (size_t)f->stages * sizeof *place);
    *bound = head.bound;
    *depth = head.depth;
    for (int32_t i = 0; i < head.depth; i++)
        mapping[i] = place[i];
}

bool frontier_at(const Frontier *f, size_t i, double *bound, int32_t *mapping, int32_t *depth)
{
    if (i >= f->heap_count)
        return false;
    read_entry(f, f->heap + i * f->stride, bound, mapping, depth);
    return true;
}

bool frontier_push(Frontier *f, double bound, const int32_t *mapping, int32_t depth)
{
    bool deep = f->heap_count >= f->most;
    if (deep ? !mem_reserve(&f->stack, &f->stack_cap, f->stack_count + 1, f->stride)
             : !mem_reserve(&f->heap, &f->heap_cap, f->heap_count + 1, f->stride))
        return false;
    if (deep) {
        write_entry(f, f->stack + f->stack_count++ * f->stride, bound, mapping, depth);
        return true;
    }
    char entry[ENTRY_BYTES(MOST_STAGES)] = {0};
    write_entry(f, entry, bound, mapping, depth);
    heap_add(f->heap, &f->heap_count, f->stride, entry, entry_before);
    return true;
}

bool frontier_pop(Frontier *f, double *bound, int32_t *mapping, int32_t *depth)
{
    if (f->stack_count > 0) {
        read_entry(f, f->stack + --f->stack_count * f->stride, bound, mapping, depth);
        return true;
    }
    if (f->heap_count == 0)
        return false;
    read_entry(f, f->heap, bound, mapping, depth);
    heap_drop(f->heap, &f->heap_count, f->stride, entry_before);
    return true;
}

double frontier_least(const Frontier *f)
{
    double least = f->heap_count > 0 ? bound_of(f->heap) : INFINITY;
    for (size_t i = 0; i < f->stack_count; i++)
        least = fmin(least, bound_of(f->stack + i * f->stride));
    return least;
}

double frontier_next(const Frontier *f)
{
    if (f->stack_count > 0)
        return bound_of(f->stack + (f->stack_count - 1) * f->stride);
    return f->heap_count > 0 ? bound_of(f->heap) : INFINITY;
}
