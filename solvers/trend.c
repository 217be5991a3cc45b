/* Convergence history: the slope of the logarithm, and how many iterations it leaves. */
#include "solvers/internal.h"

#include <math.h>

void trend_add(Trend *trend, int64_t iteration, double measure)
{
    int32_t n = trend->count;
    if (n > 0 && iteration - trend->at[n - 1] < trend->stride)
        return;
    if (n == TREND_MARKS) {
        for (int32_t i = 0; i < n / 2; i++) {
            trend->at[i] = trend->at[2 * i + 1];
            trend->level[i] = trend->level[2 * i + 1];
        }
        n /= 2;
        trend->stride = 2 * (trend->at[n - 1] - trend->at[0]) / n;
    }
    trend->at[n] = iteration;
    trend->level[n] = log(measure > 0 ? measure : 1e-300);
    trend->count = n + 1;
}

/* From the mean of the third quarter to the mean of the last: single ups and downs do not count,
 * where there are more than a few entries. */
double trend_slope(const Trend *trend)
{
    int32_t n = trend->count, from = 0;
    if (n < 2)
        return 0;
    if (n < 4)
        return (trend->level[n - 1] - trend->level[n - 2]) /
               (double)(trend->at[n - 1] - trend->at[n - 2]);
    while (from < n - 4 && trend->at[from] < trend->at[n - 1] / 2)
        from++;
    int32_t middle = (from + n) / 2;
    double early = 0, early_at = 0, late = 0, late_at = 0;
    for (int32_t i = from; i < n; i++) {
        *(i < middle ? &early : &late) += trend->level[i];
        *(i < middle ? &early_at : &late_at) += (double)trend->at[i];
    }
    double earlier = middle - from, later = n - middle;
    return (late / later - early / earlier) / (late_at / later - early_at / earlier);
}

double trend_left(const Trend *trend, double target)
{
    if (trend->count == 0)
        return HUGE_VAL;
    double way = trend->level[trend->count - 1] - log(target > 0 ? target : 1e-300);
    double slope = trend_slope(trend);
    if (way <= 0)
        return 0;
    return slope < 0 ? way / -slope : HUGE_VAL;
}

double trend_seconds(const Trend *trend, double target, double pace)
{
    const int32_t enough = 5;
    const double far = 1000; /* times as far ahead as has been seen */
    double left = trend_left(trend, target);
    if (trend->count < enough || !(left <= far * (double)trend->at[trend->count - 1]))
        return -1;
    return left * pace;
}
