/* Durations that were observed, and what they say of their distribution, with intervals.
 *
 * Durations come in runs.  Those of different runs are independent; those of one run, which follow
 * each other in one trajectory, are not.  A mean is a ratio of sums over runs, and its variance is
 * that of the runs' linearised deviations.  A share p has as much of it as n* independent durations
 * would have, with
 *     n* = p (1 - p) / variance x (z / t)^2,   z and t: quantiles of the normal distribution, and of
 *                                              Student's with as many degrees of freedom as runs - 1,
 * and never more than there are; its interval is that of Clopper and Pearson for n*.  A quantile lies
 * between two order statistics, whose ranks are those of the same binomial distribution.  Where each
 * run has one duration, n* is their number: both are then exact, whatever the distribution is.
 * Sources: Clopper, Pearson, Biometrika 26 (1934); Woodruff, JASA 47 (1952); Korn, Graubard, Survey
 * Methodology 24 (1998); David, Nagaraja, Order statistics, 3rd ed. 2003, section 7.1. */
#ifndef PEPA_MEASURE_SAMPLES_H
#define PEPA_MEASURE_SAMPLES_H

#include "measure/estimate.h"

typedef struct {
    double took; /* HUGE_VAL: it never ends */
    int32_t run;
} Sample;

typedef struct {
    Sample *sample; /* ascending, once samples_sort was called */
    size_t count, cap;
    int32_t runs;
    bool single;   /* each run has one */
    double *sum;   /* scratch, per run */
    double spread; /* the most that dependence multiplies the variance of a quartile's share by */
} Samples;         /* starts as {0} */

/* False: memory is out. */
bool samples_add(Samples *samples, double took, int32_t run);
void samples_free(Samples *samples);
/* Before what follows.  Of at least one duration.  False: memory is out. */
bool samples_sort(Samples *samples, int32_t runs);

/* +inf in all three where some never end. */
Estimate samples_mean(Samples *samples, double confidence);
Estimate samples_variance(Samples *samples, double confidence);
/* Of durations from after `from` to `to`; from < 0: those of 0 as well.  Where all or none are,
 * dependence is taken to be as strong as it is at the quartiles. */
Estimate samples_share(Samples *samples, double from, double to, double confidence);
/* The duration that a share of them do not exceed; high: +inf where there are too few. */
Estimate samples_quantile(Samples *samples, double share, double confidence);

#endif
