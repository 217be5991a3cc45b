/* Numbers from repeated measurements on a machine that does other work as well. */
#ifndef GRID_BSP_PREDICT_ESTIMATE_H
#define GRID_BSP_PREDICT_ESTIMATE_H

#include <stddef.h>

/* Fewer measurements have no interval at this confidence. */
enum { ESTIMATE_LEAST = 6 };
#define ESTIMATE_CONFIDENCE 0.95

typedef struct {
    double value;     /* the median */
    double low, high; /* with at least ESTIMATE_CONFIDENCE the median of the distribution is within,
                       * whatever the distribution: order statistics; -inf and +inf: too few */
} Estimate;

/* Of n >= 1 independent measurements; x becomes sorted.  O(n log n).
 * Source: H. A. David, H. N. Nagaraja, Order Statistics, 2003, sec. 7.1. */
Estimate estimate_median(double *x, size_t n);

/* The line y = a + b x of least squares through n >= 2 points with different x. */
typedef struct {
    double a, b;
} Line;
Line estimate_line(const double *x, const double *y, size_t n);

#endif
