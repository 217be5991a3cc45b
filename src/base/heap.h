/* A binary heap of numbers, the least of them first. */
#ifndef PEPA_BASE_HEAP_H
#define PEPA_BASE_HEAP_H

#include <stdint.h>

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

#endif
