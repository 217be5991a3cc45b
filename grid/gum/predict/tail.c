/* The end of a run: the mean of the largest of independent lives that are left, by Simpson's rule. */
#include "grid/gum/predict/tail.h"

#include <math.h>

static double all_done(const TailGroup *group, int32_t groups, const Repeats *each, int k)
{
    double p = 1;
    for (int32_t g = 0; g < groups; g++)
        p *= pow(1 - group[g].busy * each->not_done[g][k], group[g].copies);
    return p;
}

double tail_of(const TailGroup *group, int32_t groups, const TaskWork *work, double *left)
{
    Life life;
    Repeats each;
    double slowest = 0, tail = 0;
    life_of(work, &life);
    *left = 0;
    for (int32_t g = 0; g < groups; g++)
        slowest = fmax(slowest, group[g].time);
    const int last = REPEAT_POINTS - 1;
    const double step = life.longest * slowest / last;
    repeats_of(group, groups, &life, step, &each);
    for (int k = 0; k <= last; k++) {
        const double weight = (k == 0 || k == last ? 1 : k % 2 ? 4 : 2) / 3.0;
        tail += weight * step * (1 - all_done(group, groups, &each, k));
        *left += weight * step / slowest * life_left(&life, k * step / slowest);
    }
    return tail;
}
