/* A sample window: the newest measurements of one quantity. */
#include "grid/machine/window.h"

#include <math.h>
#include <stdlib.h>

int window_new(Window *window, int32_t capacity, int32_t run)
{
    *window = (Window){.capacity = capacity, .run = run, .since = -INFINITY, .until = -INFINITY};
    window->ring = calloc((size_t)capacity, sizeof *window->ring);
    return window->ring ? 0 : -1;
}

void window_free(Window *window)
{
    free(window->ring);
    *window = (Window){0};
}

Measurement *window_at(const Window *window, int32_t i)
{
    return &window->ring[(window->first + i) % window->capacity];
}

/* Do all but a tenth of the first `others` values lie below all that come later, by a factor? */
static bool is_above(const Window *window, int32_t others, double factor)
{
    double least = INFINITY;
    for (int32_t i = others; i < window->count; i++)
        least = fmin(least, window_at(window, i)->value);
    int32_t not_below = 0;
    for (int32_t i = 0; i < others; i++)
        not_below += window_at(window, i)->value * factor > least;
    return not_below <= others / EXCEPTIONS;
}

static bool is_below(const Window *window, int32_t others, double factor)
{
    double most = 0;
    for (int32_t i = others; i < window->count; i++)
        most = fmax(most, window_at(window, i)->value);
    int32_t not_above = 0;
    for (int32_t i = 0; i < others; i++)
        not_above += window_at(window, i)->value < most * factor;
    return not_above <= others / EXCEPTIONS;
}

/* How many of the oldest values a change has made invalid. */
static int32_t outdated(const Window *window)
{
    int32_t others = window->count - window->run, far_others = window->count - FAR_RUN;
    if (others >= window->run &&
        (is_above(window, others, CHANGED) || is_below(window, others, CHANGED)))
        return others;
    return far_others >= FAR_RUN && is_above(window, far_others, CHANGED_FAR) ? far_others : 0;
}

static void drop_oldest(Window *window, int32_t values)
{
    window->first = (window->first + values) % window->capacity;
    window->count -= values;
}

void window_add(Window *window, Measurement measurement)
{
    if (window->count == window->capacity)
        drop_oldest(window, 1);
    *window_at(window, window->count++) = measurement;
    int32_t old = window->run > 0 ? outdated(window) : 0;
    if (old > 0)
        window_restart(window, window_at(window, old)->time);
}

void window_restart(Window *window, double since)
{
    window->since = window->until = since;
    while (window->count > 0 && window_at(window, 0)->time < since) {
        window->until = window_at(window, 0)->time;
        drop_oldest(window, 1);
    }
}

double window_newest(const Window *window)
{
    return window->count > 0 ? window_at(window, window->count - 1)->time : -INFINITY;
}

int32_t window_recent(const Window *window, double max_age)
{
    int32_t oldest = window->count;
    if (oldest == 0)
        return 0;
    double newest = window_newest(window);
    while (oldest > 0 && (window->count - oldest < WINDOW_LEAST ||
                          newest - window_at(window, oldest - 1)->time <= max_age))
        oldest--;
    return oldest;
}

/* ---- estimates ---------------------------------------------------------------------------- */

/* Quickselect with the middle one as pivot (Hoare's partition). */
double median_of(double *values, int32_t count)
{
    int32_t low = 0, high = count - 1, wanted = (count - 1) / 2;
    while (low < high) {
        double pivot = values[low + (high - low) / 2];
        int32_t i = low - 1, j = high + 1;
        for (;;) {
            do
                i++;
            while (values[i] < pivot);
            do
                j--;
            while (values[j] > pivot);
            if (i >= j)
                break;
            double value = values[i];
            values[i] = values[j];
            values[j] = value;
        }
        if (wanted <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[wanted];
}

Estimate estimate_of(double *values, int32_t count, bool whole)
{
    double median = median_of(values, count), sum = 0, squares = 0;
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        double part = values[i] / median;
        if (part < LEAST_PART || (part > MOST_PART && !whole))
            continue;
        sum += part;
        squares += part * part;
        kept++;
    }
    double mean = sum / kept, variance = kept > 1 ? (squares - sum * mean) / (kept - 1) : 0;
    return (Estimate){.mean = median * mean,
                      .error = sqrt(fmax(variance, 0) / kept) / mean,
                      .count = kept};
}
