/* Where a search looks: the ranges of the variables, or less of them, and variables as shares of it.
 *
 * Starts that are spread over many powers of ten measure the objective where it is largest, and a
 * search that goes by so large a size sees nothing of the rest.  Then the window is made narrower,
 * around the best point. */
#include <math.h>
#include <string.h>

#include "optimise/program.h"

#define WIDE  1e9 /* the ends of a logarithmic window apart; a square of the following */
#define WIDER 3e4 /* the end of one from 0 and the best point apart */

void window_open(Optimiser *s)
{
    const Program *p = s->program;
    memcpy(s->low, p->low, (size_t)p->variables * sizeof *s->low);
    memcpy(s->high, p->high, (size_t)p->variables * sizeof *s->high);
}

static bool is_wide(const Optimiser *s, int32_t i)
{
    return !s->program->whole[i] &&
           (s->low[i] > 0 ? s->high[i] / s->low[i] > WIDE
                          : s->low[i] == 0 && s->high[i] > WIDER * s->x[i]);
}

bool window_is_wide(const Optimiser *s)
{
    for (int32_t i = 0; i < s->program->variables; i++)
        if (is_wide(s, i))
            return true;
    return false;
}

bool window_ends_here(const Optimiser *s)
{
    const Program *p = s->program;
    for (int32_t i = 0; i < p->variables; i++) {
        const double share = p->whole[i] ? 0.5 : share_of(s, i, s->x[i]);
        if ((share < WINDOW_NEAR && s->low[i] > p->low[i]) ||
            (share > 1 - WINDOW_NEAR && s->high[i] < p->high[i]))
            return true;
    }
    return false;
}

void window_around(Optimiser *s, double reach)
{
    const Program *p = s->program;
    for (int32_t i = 0; i < p->variables; i++) {
        const double x = s->x[i];
        if (p->whole[i] || p->low[i] < 0 || !(p->high[i] > p->low[i]))
            continue;
        if (p->low[i] > 0)
            s->low[i] = fmax(p->low[i], x / reach);
        s->high[i] = fmin(p->high[i], x > 0 ? x * reach : s->high[i] / reach);
    }
}

double share_of(const Optimiser *s, int32_t i, double x)
{
    const double low = s->low[i], high = s->high[i];
    if (!(high > low))
        return 0;
    const double share = low > 0 ? log(x / low) / log(high / low) : (x - low) / (high - low);
    return fmin(fmax(share, 0), 1);
}

double share_value(const Optimiser *s, int32_t i, double share)
{
    const double low = s->low[i], high = s->high[i];
    if (!(share > 0) || !(high > low))
        return low;
    if (share >= 1)
        return high;
    const double x = low > 0 ? low * pow(high / low, share) : low + share * (high - low);
    return fmin(fmax(x, low), high);
}

double share_slope(const Optimiser *s, int32_t i, double share)
{
    const double low = s->low[i], high = s->high[i];
    if (!(high > low))
        return 0;
    return low > 0 ? share_value(s, i, share) * log(high / low) : high - low;
}
