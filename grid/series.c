#include "grid/series.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Cuts of an estimate, in medians: their logarithms' places make a exp(-a) = b exp(-b), for a and b
 * the cuts in means of an exponential distribution. */
static const double least_part = 0.1, most_part = 6;
/* How far a change is from nine tenths of what was before, and from how few values a large one is
 * seen: a process that has slowed down has few. */
static const double apart = 1.2, far_apart = 3;
enum { FAR_TURN = 4 };

int series_new(GridSeries *series, int32_t room, int32_t turn)
{
    *series = (GridSeries){.room = room, .turn = turn, .since = -INFINITY, .until = -INFINITY};
    series->ring = calloc((size_t)room, sizeof *series->ring);
    return series->ring ? 0 : -1;
}

void series_free(GridSeries *series)
{
    free(series->ring);
    *series = (GridSeries){0};
}

GridValue *series_at(const GridSeries *series, int32_t i)
{
    return &series->ring[(series->first + i) % series->room];
}

/* Do all but a tenth of the first `others` values lie below all that come later, by a factor? */
static bool is_above(const GridSeries *series, int32_t others, double factor)
{
    double least = INFINITY;
    for (int32_t i = others; i < series->count; i++)
        least = fmin(least, series_at(series, i)->value);
    int32_t not_below = 0;
    for (int32_t i = 0; i < others; i++)
        not_below += series_at(series, i)->value * factor > least;
    return not_below <= others / 10;
}

static bool is_below(const GridSeries *series, int32_t others, double factor)
{
    double most = 0;
    for (int32_t i = others; i < series->count; i++)
        most = fmax(most, series_at(series, i)->value);
    int32_t not_above = 0;
    for (int32_t i = 0; i < others; i++)
        not_above += series_at(series, i)->value < most * factor;
    return not_above <= others / 10;
}

/* How many of the oldest are no longer true. */
static int32_t outdated(const GridSeries *series)
{
    int32_t others = series->count - series->turn, far_others = series->count - FAR_TURN;
    if (others >= series->turn &&
        (is_above(series, others, apart) || is_below(series, others, apart)))
        return others;
    return far_others >= FAR_TURN && is_above(series, far_others, far_apart) ? far_others : 0;
}

static void drop_oldest(GridSeries *series, int32_t values)
{
    series->first = (series->first + values) % series->room;
    series->count -= values;
}

void series_add(GridSeries *series, GridValue value)
{
    if (series->count == series->room)
        drop_oldest(series, 1);
    *series_at(series, series->count++) = value;
    int32_t old = series->turn > 0 ? outdated(series) : 0;
    if (old > 0)
        series_change(series, series_at(series, old)->time);
}

void series_change(GridSeries *series, double since)
{
    series->since = series->until = since;
    while (series->count > 0 && series_at(series, 0)->time < since) {
        series->until = series_at(series, 0)->time;
        drop_oldest(series, 1);
    }
}

int32_t series_recent(const GridSeries *series, double max_age)
{
    int32_t oldest = series->count;
    if (oldest == 0)
        return 0;
    double newest = series_at(series, series->count - 1)->time;
    while (oldest > 0 && (series->count - oldest < SERIES_LEAST ||
                          newest - series_at(series, oldest - 1)->time <= max_age))
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

GridEstimate estimate_of(double *values, int32_t count)
{
    double median = median_of(values, count), sum = 0, squares = 0;
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        double part = values[i] / median;
        if (part < least_part || part > most_part)
            continue;
        sum += part;
        squares += part * part;
        kept++;
    }
    double mean = sum / kept, variance = kept > 1 ? (squares - sum * mean) / (kept - 1) : 0;
    return (GridEstimate){.mean = median * mean,
                          .error = sqrt(fmax(variance, 0) / kept) / mean,
                          .count = kept};
}
