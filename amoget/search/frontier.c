/* Keeps the partial mappings of a search: a heap by bound and, when that is full, a stack. */
#include "amoget/search/frontier.h"

#include <math.h>
#include <string.h>

/* An entry is its bound, its depth and one uint16_t per stage. */
typedef struct {
    double bound;
    int32_t depth;
} Head;

void frontier_init(Frontier *f, int32_t stages, size_t bytes)
{
    size_t entry = sizeof(Head) + (size_t)stages * sizeof(uint16_t);
    *f = (Frontier){.stages = stages, .stride = (entry + 7) / 8 * 8};
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

static double bound_at(const Frontier *f, const char *entries, size_t i)
{
    Head head;
    memcpy(&head, entries + i * f->stride, sizeof head);
    return head.bound;
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
    size_t at = f->heap_count++;
    while (at > 0 && bound < bound_at(f, f->heap, (at - 1) / 2)) {
        memcpy(f->heap + at * f->stride, f->heap + (at - 1) / 2 * f->stride, f->stride);
        at = (at - 1) / 2;
    }
    write_entry(f, f->heap + at * f->stride, bound, mapping, depth);
    return true;
}

/* Put the last entry of the heap where the first one was. */
static void close_gap(Frontier *f)
{
    size_t count = --f->heap_count, at = 0, child;
    const char *last = f->heap + count * f->stride;
    double bound = count > 0 ? bound_at(f, f->heap, count) : 0;
    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count && bound_at(f, f->heap, child + 1) < bound_at(f, f->heap, child))
            child++;
        if (!(bound_at(f, f->heap, child) < bound))
            break;
        memcpy(f->heap + at * f->stride, f->heap + child * f->stride, f->stride);
        at = child;
    }
    if (at < count)
        memcpy(f->heap + at * f->stride, last, f->stride);
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
    close_gap(f);
    return true;
}

double frontier_least(const Frontier *f)
{
    double least = f->heap_count > 0 ? bound_at(f, f->heap, 0) : INFINITY;
    for (size_t i = 0; i < f->stack_count; i++)
        least = fmin(least, bound_at(f, f->stack, i));
    return least;
}

double frontier_next(const Frontier *f)
{
    if (f->stack_count > 0)
        return bound_at(f, f->stack, f->stack_count - 1);
    return f->heap_count > 0 ? bound_at(f, f->heap, 0) : INFINITY;
}
