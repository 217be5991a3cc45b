/* Places in ascending numbers. */
#ifndef PEPA_BASE_SORTED_H
#define PEPA_BASE_SORTED_H

#include <stdint.h>

/* The first place from `at` on whose number is not below `number`, or count: in O(log of how far it
 * is), so that few numbers are placed among many in little time, and many among many in linear time. */
static inline int32_t sorted_from(const int32_t *numbers, int32_t at, int32_t count, int32_t number)
{
    int32_t low = at, high = at, step = 1;
    while (high < count && numbers[high] < number) {
        low = high + 1;
        high = step < count - high ? high + step : count;
        step = step < count - step ? 2 * step : count;
    }
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The place of a number, or -1. */
static inline int32_t sorted_find(const int32_t *numbers, int32_t count, int32_t number)
{
    const int32_t at = sorted_from(numbers, 0, count, number);
    return at < count && numbers[at] == number ? at : -1;
}

#endif
