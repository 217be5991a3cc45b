/* Sets that gain most: dynamic programming from the last group of the sequence on. */
#include <math.h>
#include <string.h>

#include "grid/taag/schedule/bundles.h"

static int32_t ones(uint32_t bits)
{
    return __builtin_popcount(bits);
}

static double *row_at(const BundlePrices *p, int32_t k, uint32_t sides)
{
    return p->value + (p->first[k] + sides) * ((size_t)p->width + 1);
}

/* May the group of a step be left out, or join, beside these of the frontier? */
static bool may_stay(const BundlePrices *p, int32_t k, uint32_t sides)
{
    return (sides & p->together[k]) == 0;
}

static bool may_join(const BundlePrices *p, int32_t k, uint32_t sides)
{
    return (~sides & p->together[k]) == 0 && (sides & p->apart[k]) == 0;
}

void bundle_prices_fill(BundlePrices *p, const int32_t *size, int64_t *work)
{
    double *last = row_at(p, p->steps, 0);
    for (int32_t u = 0; u <= p->width; u++)
        last[u] = 0;
    for (int32_t k = p->steps - 1; k >= 0; k--) {
        const int32_t g = p->order[k], z = size[g];
        for (uint32_t sides = 0; sides < p->first[k + 1] - p->first[k]; sides++) {
            const uint32_t next = p->next[p->first[k] + sides];
            const double *off = row_at(p, k + 1, next), *on = row_at(p, k + 1, next | p->own[k]);
            const double gain = p->gain[g] + ones(sides & p->close[k]);
            double *row = row_at(p, k, sides);
            if (may_stay(p, k, sides))
                memcpy(row, off, ((size_t)p->width + 1) * sizeof *row);
            else
                for (int32_t u = 0; u <= p->width; u++)
                    row[u] = -INFINITY;
            if (isfinite(gain) && may_join(p, k, sides))
                for (int32_t u = z; u <= p->width; u++) {
                    const double with = on[u - z] + gain;
                    row[u] = with > row[u] ? with : row[u];
                }
        }
    }
    *work += (int64_t)(p->rows * ((size_t)p->width + 1) / 32);
}

double bundle_prices_best(const BundlePrices *p, int32_t places)
{
    return row_at(p, 0, 0)[places];
}

int32_t bundle_prices_trace(const BundlePrices *p, const int32_t *size, int32_t places,
                            int32_t *list)
{
    uint32_t sides = 0;
    int32_t count = 0;
    for (int32_t k = 0; k < p->steps; k++) {
        const int32_t g = p->order[k];
        const uint32_t next = p->next[p->first[k] + sides];
        const double here = row_at(p, k, sides)[places];
        const bool stays = may_stay(p, k, sides) && here <= row_at(p, k + 1, next)[places];
        sides = stays ? next : next | p->own[k];
        if (!stays) {
            list[count++] = g;
            places -= size[g];
        }
    }
    return count;
}
