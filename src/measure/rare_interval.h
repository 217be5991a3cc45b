/* A confidence interval of the mean of values of which a few large ones make much, as those of
 * splitting do.
 *
 * Student's interval holds for values that are not skewed.  Here its statistic T is replaced by
 * Hall's transformation
 *     T + g T^2 / 3 + g^2 T^3 / 27 + g / (6 n),   T = (mean of n values - exact) / deviation,
 * g the sample skewness, which has almost no skewness and is monotone, so that the interval is
 * where this is within +- t / sqrt(n).  Values that are larger than any of the sample are missing
 * from it, more of them the heavier the tail: as if it were that of a Pareto distribution from the
 * largest value on, its part of the mean, (largest - mean) / n x a / (a - 1), is added to the upper
 * end.  Hill's estimate of the index a is that of the sqrt(n) largest values, fewer than
 * RARE_TAIL, and no less than 1.5.
 * Sources: Hall, J. Royal Statistical Society B 54 (1992); Hill, Annals of Statistics 3 (1975). */
#ifndef PEPA_MEASURE_RARE_INTERVAL_H
#define PEPA_MEASURE_RARE_INTERVAL_H

#include "measure/estimate.h"

enum { RARE_TAIL = 65 };

typedef struct {
    double count, mean;
    double square, cube;       /* sums of powers of deviations from the mean */
    double sum, squares;       /* plain sums */
    double largest[RARE_TAIL]; /* descending; 0 where there are fewer */
} RareSample;                  /* starts as {0} */

/* One more value, >= 0. */
void rare_sample_add(RareSample *sample, double x);
/* Hill's index, at least 1.5; HUGE_VAL where the largest values are equal. */
double rare_sample_tail(const RareSample *sample);
/* Of at least two values that are not all equal. */
Estimate rare_sample_interval(const RareSample *sample, double confidence);

#endif
