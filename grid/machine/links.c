/* The link estimator. */
#include "grid/machine/links.h"

#include <math.h>
#include <stdlib.h>

#include "grid/machine/tuning.h"

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
        window_free(&link->transfers);
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

static GridLink *link_new(const GridLinks *links, const AmogetMachine *machine, int32_t a,
                          int32_t b)
{
    GridLink *link = calloc(1, sizeof *link);
    if (!link)
        return NULL;
    link->a = a < b ? a : b;
    link->b = a < b ? b : a;
    if (window_new(&link->transfers, links->window, LINK_RUN) != 0) {
        window_free(&link->transfers);
        free(link);
        return NULL;
    }
    link->base[0] = amoget_latency(machine, a, b);
    link->base[1] = amoget_bandwidth(machine, a, b);
    link->known = !isnan(link->base[0]);
    return link;
}

/* ---- lines -------------------------------------------------------------------------------- */

static int by_size(const void *x, const void *y)
{
    const Measurement *v = x, *w = y;
    return (v->bytes > w->bytes) - (v->bytes < w->bytes);
}

/* Are there enough transfers of different sizes for a line?  An eighth at either end, at least one,
 * is left out, so that a single one does not count as a difference. */
static bool can_fit(const Measurement *sorted, int32_t count)
{
    if (count < LEAST_FOR_LINE)
        return false;
    int32_t end = count / SIZE_EXCEPTIONS > 1 ? count / SIZE_EXCEPTIONS : 1;
    return sorted[count - 1 - end].bytes >= LEAST_SIZE_RATIO * fmax(sorted[end].bytes, 1);
}

/* Seconds per byte; not positive: durations do not depend on size. */
static double slope_of(const Measurement *sorted, int32_t count, double *workspace)
{
    int32_t half = count / 2, apart = count - half, slopes = 0;
    for (int32_t i = 0; i < half; i++) {
        const Measurement *small = &sorted[i], *large = &sorted[i + apart];
        if (large->bytes > small->bytes)
            workspace[slopes++] = (large->value - small->value) / (large->bytes - small->bytes);
    }
    return slopes > 0 ? median_of(workspace, slopes) : 0;
}

/* The median of durations without the part that depends on size; at least a thousandth of the
 * median duration. */
static double intercept_of(const Measurement *sorted, int32_t count, double slope,
                           double *workspace)
{
    for (int32_t i = 0; i < count; i++)
        workspace[i] = sorted[i].value - slope * sorted[i].bytes;
    double rest = median_of(workspace, count);
    for (int32_t i = 0; i < count; i++)
        workspace[i] = sorted[i].value;
    return fmax(rest, LEAST_INTERCEPT * median_of(workspace, count));
}

static bool fit(GridLink *link, const Measurement *sorted, int32_t count, double *workspace)
{
    if (!can_fit(sorted, count))
        return false;
    double slope = slope_of(sorted, count, workspace);
    if (!(slope > 0))
        return false;
    link->base[0] = intercept_of(sorted, count, slope, workspace);
    link->base[1] = 1 / slope;
    link->known = true;
    return true;
}

/* A run's first transfers are pings of two sizes.  Later ones soon push these out of the window,
 * and may all have one size: so the line is fitted early. */
static void first_line(GridLink *link, Measurement *sorted)
{
    double workspace[FIRST_TRANSFERS];
    int32_t count = link->transfers.count;
    for (int32_t i = 0; i < count; i++)
        sorted[i] = *window_at(&link->transfers, i);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    (void)fit(link, sorted, count, workspace);
}

int links_transfer(GridLinks *links, const AmogetMachine *machine, int32_t a, int32_t b,
                   Measurement transfer)
{
    GridLink **place = place_of(links, a, b), *link = *place;
    if (!link) {
        link = link_new(links, machine, a, b);
        if (!link)
            return -1;
        *place = *links->last = link;
        links->last = &link->next;
    }
    window_add(&link->transfers, transfer);
    if (link->transfers.count <= FIRST_TRANSFERS)
        first_line(link, links->sorted);
    link->fresh = link->unwritten = true;
    return 0;
}

/* Scale the line to the mean duration. */
static void scale(GridLink *link, const Measurement *sorted, int32_t count, double *workspace)
{
    for (int32_t i = 0; i < count; i++) {
        double line = link->known ? link->base[0] + sorted[i].bytes / link->base[1] : 1;
        workspace[i] = sorted[i].value / line;
    }
    Estimate times = estimate_of(workspace, count, false);
    link->latency = times.mean * (link->known ? link->base[0] : 1);
    link->bandwidth = link->known ? link->base[1] / times.mean : INFINITY;
    link->error = times.error;
}

static void link_update(GridLink *link, double max_age, Measurement *sorted, double *workspace)
{
    int32_t count = 0;
    for (int32_t i = window_recent(&link->transfers, max_age); i < link->transfers.count; i++)
        sorted[count++] = *window_at(&link->transfers, i);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    (void)fit(link, sorted, count, workspace);
    scale(link, sorted, count, workspace);
    link->fresh = false;
}

double number_in_range(double value)
{
    const double least = 1e-30, most = 1e30;
    return value >= most ? most : value >= least ? value : least;
}

PepaStatus links_update(GridLinks *links, AmogetMachine *machine, double max_age, double *workspace,
                        PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (GridLink *link = links->first; link && status == PEPA_OK; link = link->next) {
        if (!link->fresh)
            continue;
        link_update(link, max_age, links->sorted, workspace);
        status = amoget_set_latency(machine, link->a, link->b, number_in_range(link->latency), err);
        if (status == PEPA_OK && isfinite(link->bandwidth))
            status = amoget_set_bandwidth(machine, link->a, link->b,
                                          number_in_range(link->bandwidth), err);
    }
    return status;
}
