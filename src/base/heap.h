/* Binary heaps: of numbers, the least of them first; and of entries of any kind. */
#ifndef PEPA_BASE_HEAP_H
#define PEPA_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* heap: room for one more than *count. */
static inline void heap_push(int32_t *heap, int32_t *count, int32_t number)
{
    int32_t at = (*count)++;
    for (; at > 0 && heap[(at - 1) / 2] > number; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = number;
}

/* Removes the least, and returns it.  *count > 0. */
static inline int32_t heap_pop(int32_t *heap, int32_t *count)
{
    int32_t least = heap[0], last = heap[--*count], at = 0;
    for (int32_t child = 1; child < *count; child = 2 * at + 1) {
        if (child + 1 < *count && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= last)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return least;
}

/* Is entry a to come out before b?  Neither, if they are equal. */
typedef bool HeapBefore(const void *a, const void *b);

/* heap: of entries of `size` bytes, with room for one more than *count.  entry: not in it. */
static inline void heap_add(void *heap, size_t *count, size_t size, const void *entry,
                            HeapBefore *before)
{
    char *const entries = heap;
    size_t at = (*count)++;
    for (; at > 0 && before(entry, entries + (at - 1) / 2 * size); at = (at - 1) / 2)
        memcpy(entries + at * size, entries + (at - 1) / 2 * size, size);
    memcpy(entries + at * size, entry, size);
}

/* Removes the first entry; there is one. */
static inline void heap_drop(void *heap, size_t *count, size_t size, HeapBefore *before)
{
    char *const entries = heap, *const last = entries + --*count * size;
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < *count; at = child) {
        if (child + 1 < *count && before(entries + (child + 1) * size, entries + child * size))
            child++;
        if (!before(entries + child * size, last))
            break;
        memcpy(entries + at * size, entries + child * size, size);
    }
    if (at < *count)
        memcpy(entries + at * size, last, size);
}

#endif
