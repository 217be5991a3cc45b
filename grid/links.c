#include "grid/links.h"

#include <math.h>
#include <stdlib.h>

enum { LINK_TURN = 8, LEAST_FOR_LINE = 4, FIRST_MOVES = 8 };
static const double sizes_differ = 2;

int links_new(GridLinks *links, int32_t processes, int32_t window)
{
    size_t pairs = (size_t)processes * ((size_t)processes + 1) / 2;
    *links = (GridLinks){.processes = processes, .window = window, .last = &links->first};
    links->of_pair = calloc(pairs, sizeof *links->of_pair);
    links->sorted = calloc((size_t)window, sizeof *links->sorted);
    return links->of_pair && links->sorted ? 0 : -1;
}

void links_free(GridLinks *links)
{
    for (GridLink *link = links->first, *next; link; link = next) {
        next = link->next;
        series_free(&link->moves);
        free(link);
    }
    free(links->of_pair);
    free(links->sorted);
}

static GridLink **place_of(const GridLinks *links, int32_t a, int32_t b)
{
    size_t low = (size_t)(a < b ? a : b), high = (size_t)(a < b ? b : a);
    return &links->of_pair[high * (high + 1) / 2 + low];
}

const GridLink *links_of(const GridLinks *links, int32_t a, int32_t b)
{
    return *place_of(links, a, b);
}

static GridLink *link_new(const GridLinks *links, const AmogetDescription *desc, int32_t a,
                          int32_t b)
{
    GridLink *link = calloc(1, sizeof *link);
    if (!link)
        return NULL;
    link->a = a < b ? a : b;
    link->b = a < b ? b : a;
    if (series_new(&link->moves, links->window, LINK_TURN) != 0) {
        series_free(&link->moves);
        free(link);
        return NULL;
    }
    link->base[0] = amoget_latency(desc, a, b);
    link->base[1] = amoget_bandwidth(desc, a, b);
    link->known = !isnan(link->base[0]);
    return link;
}

/* ---- lines -------------------------------------------------------------------------------- */

static int by_size(const void *x, const void *y)
{
    const GridValue *v = x, *w = y;
    return (v->size > w->size) - (v->size < w->size);
}

/* Are there enough moves of different sizes for a line?  An eighth at either end, and at least one,
 * is left out, so that an odd one does not make sizes differ. */
static bool can_fit(const GridValue *sorted, int32_t count)
{
    if (count < LEAST_FOR_LINE)
        return false;
    int32_t end = count / 8 > 1 ? count / 8 : 1;
    return sorted[count - 1 - end].size >= sizes_differ * fmax(sorted[end].size, 1);
}

/* Seconds per byte; not positive: size does not tell. */
static double slope_of(const GridValue *sorted, int32_t count, double *room)
{
    int32_t half = count / 2, apart = count - half, slopes = 0;
    for (int32_t i = 0; i < half; i++) {
        const GridValue *small = &sorted[i], *large = &sorted[i + apart];
        if (large->size > small->size)
            room[slopes++] = (large->value - small->value) / (large->size - small->size);
    }
    return slopes > 0 ? median_of(room, slopes) : 0;
}

/* What is left of moves when their sizes are paid for, at least a thousandth of them. */
static double intercept_of(const GridValue *sorted, int32_t count, double slope, double *room)
{
    const double least = 1e-3;
    for (int32_t i = 0; i < count; i++)
        room[i] = sorted[i].value - slope * sorted[i].size;
    double rest = median_of(room, count);
    for (int32_t i = 0; i < count; i++)
        room[i] = sorted[i].value;
    return fmax(rest, least * median_of(room, count));
}

static bool fit(GridLink *link, const GridValue *sorted, int32_t count, double *room)
{
    if (!can_fit(sorted, count))
        return false;
    double slope = slope_of(sorted, count, room);
    if (!(slope > 0))
        return false;
    link->base[0] = intercept_of(sorted, count, slope, room);
    link->base[1] = 1 / slope;
    link->known = true;
    return true;
}

/* A run's first moves are pings of two sizes; its items soon leave no room for these, and may all
 * have one size. */
static void first_line(GridLink *link, GridValue *sorted)
{
    double room[FIRST_MOVES];
    int32_t count = link->moves.count;
    for (int32_t i = 0; i < count; i++)
        sorted[i] = *series_at(&link->moves, i);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    (void)fit(link, sorted, count, room);
}

int links_move(GridLinks *links, const AmogetDescription *desc, int32_t a, int32_t b,
               GridValue move)
{
    GridLink **place = place_of(links, a, b), *link = *place;
    if (!link) {
        link = link_new(links, desc, a, b);
        if (!link)
            return -1;
        *place = *links->last = link;
        links->last = &link->next;
    }
    series_add(&link->moves, move);
    if (link->moves.count <= FIRST_MOVES)
        first_line(link, links->sorted);
    link->fresh = link->unwritten = true;
    return 0;
}

/* Scale the line so that moves take as long as it says. */
static void scale(GridLink *link, const GridValue *sorted, int32_t count, double *room)
{
    for (int32_t i = 0; i < count; i++) {
        double line = link->known ? link->base[0] + sorted[i].size / link->base[1] : 1;
        room[i] = sorted[i].value / line;
    }
    GridEstimate times = estimate_of(room, count);
    link->latency = times.mean * (link->known ? link->base[0] : 1);
    link->bandwidth = link->known ? link->base[1] / times.mean : INFINITY;
    link->error = times.error;
}

static void link_update(GridLink *link, double max_age, GridValue *sorted, double *room)
{
    int32_t count = 0;
    for (int32_t i = series_recent(&link->moves, max_age); i < link->moves.count; i++)
        sorted[count++] = *series_at(&link->moves, i);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    (void)fit(link, sorted, count, room);
    scale(link, sorted, count, room);
    link->fresh = false;
}

double number_in_range(double value)
{
    const double least = 1e-30, most = 1e30;
    return value >= most ? most : value >= least ? value : least;
}

PepaStatus links_update(GridLinks *links, AmogetDescription *desc, double max_age, double *room,
                        PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (GridLink *link = links->first; link && status == PEPA_OK; link = link->next) {
        if (!link->fresh)
            continue;
        link_update(link, max_age, links->sorted, room);
        status = amoget_set_latency(desc, link->a, link->b, number_in_range(link->latency), err);
        if (status == PEPA_OK && isfinite(link->bandwidth))
            status =
                amoget_set_bandwidth(desc, link->a, link->b, number_in_range(link->bandwidth), err);
    }
    return status;
}
