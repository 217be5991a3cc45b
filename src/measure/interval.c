/* Arithmetic of intervals. */
#include "measure/interval.h"

#include <math.h>

Interval interval_outwards(double low, double high)
{
    if (isnan(low) || isnan(high))
        return (Interval){-HUGE_VAL, HUGE_VAL};
    return (Interval){nextafter(low, -HUGE_VAL), nextafter(high, HUGE_VAL)};
}

bool interval_is_narrow(Interval x, double tolerance)
{
    const double margin = 2; /* both sides */
    return x.high - x.low <= margin * tolerance * fmax(fabs(x.low), fabs(x.high));
}

Interval interval_of(double value)
{
    return (Interval){value, value};
}

Interval interval_add(Interval a, Interval b)
{
    return interval_outwards(a.low + b.low, a.high + b.high);
}

Interval interval_subtract(Interval a, Interval b)
{
    return interval_outwards(a.low - b.high, a.high - b.low);
}

/* Nothing, exactly: its products with finite numbers have no rounding. */
static bool is_zero(Interval x)
{
    return x.low == 0 && x.high == 0;
}

static bool is_finite(Interval x)
{
    return isfinite(x.low) && isfinite(x.high);
}

static Interval spanned(double a, double b, double c, double d)
{
    if (isnan(a) || isnan(b) || isnan(c) || isnan(d))
        return (Interval){-HUGE_VAL, HUGE_VAL};
    return interval_outwards(fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d)));
}

Interval interval_multiply(Interval a, Interval b)
{
    if ((is_zero(a) && is_finite(b)) || (is_zero(b) && is_finite(a)))
        return interval_of(0);
    return spanned(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
}

Interval interval_divide(Interval a, Interval b)
{
    if (b.low <= 0 && b.high >= 0)
        return (Interval){-HUGE_VAL, HUGE_VAL};
    if (is_zero(a))
        return interval_of(0);
    return spanned(a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high);
}

Interval interval_min(Interval a, Interval b)
{
    return (Interval){fmin(a.low, b.low), fmin(a.high, b.high)};
}

Interval interval_max(Interval a, Interval b)
{
    return (Interval){fmax(a.low, b.low), fmax(a.high, b.high)};
}
