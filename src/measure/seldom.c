/* Counts visits, and computes intervals from their number. */
#include "measure/seldom.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define PRIOR 10.0 /* visits */
#define OFTEN 1000 /* visits: the sum is nearly normal, and its variance well known */
#define SHARE 0.25 /* of the bins: in more, visits have no bins between them */

void seldom_end(Seldom *s)
{
    if (s->now > 0) {
        s->visits++;
        s->sum += s->now;
        s->squares += s->now * s->now;
    }
    s->now = 0;
}

void seldom_add(Seldom *s, double amount)
{
    s->bins++;
    s->negative = s->negative || amount < 0;
    if (!(amount > 0)) {
        seldom_end(s);
        return;
    }
    s->seen++;
    s->now += amount;
}

/* The number of Poisson's distribution that varies as the sum does. */
static double effective(const Seldom *s)
{
    const double n = (double)s->visits, mean = s->sum / n;
    const double spread = fmax(s->squares - n * mean * mean, 0) / (mean * mean);
    return n / (1 + (spread + 2 * PRIOR) / (n + PRIOR));
}

bool seldom_interval(const Seldom *s, int64_t trials, double confidence, double *less, double *more)
{
    const double tail = (1 - confidence) / 2;
    *less = *more = 0;
    if (s->negative || s->bins == 0)
        return false;
    if (s->visits == 0) {
        *more = trials > 0 ? 1 - pow(tail, 1 / (double)trials) : 0;
        return trials > 0;
    }
    if (s->visits >= OFTEN || (double)s->seen > SHARE * (double)s->bins)
        return false;
    const double mean = s->sum / (double)s->bins, n = effective(s);
    *less = mean * (1 - gsl_cdf_chisq_Pinv(tail, 2 * n) / (2 * n));
    *more = mean * (gsl_cdf_chisq_Qinv(tail, 2 * n + 2) / (2 * n) - 1);
    return true;
}
