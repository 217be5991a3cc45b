/* How far the mean of what seldom happens can be off, from how often it was seen.
 *
 * Where a long run has seen an event a few times, the means of runs or batches are mostly 0 and their
 * spread says little: Student's interval contains the mean too seldom, and is a point where nothing
 * was seen.  So visits are counted: bins of time in which a functional is not 0, those next to each
 * other being one visit.  Visits far apart are independent, and their number is about Poisson's.  If V
 * visits contribute amounts with a mean of a and a variance of c a^2, the relative variance of the sum
 * is (1 + c) / V: that of a Poisson number E = V / (1 + c), whose interval is Garwood's, scaled.  As a
 * few visits do not show how their amounts vary, PRIOR more count whose c is 2: 1 as of exponential
 * ones, and 1 because their mean is not known better than that.
 *
 * The same holds of what a probability is short of 1.  Of a probability of which no run has seen anything
 * else than 0 or 1, n runs can tell what Clopper's and Pearson's interval says of n trials.
 *
 * Sources: Garwood, Biometrika 28 (1936); Fay, Feuer, Statistics in Medicine 16 (1997). */
#ifndef PEPA_MEASURE_SELDOM_H
#define PEPA_MEASURE_SELDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t bins, visits, seen; /* seen: bins in which there was some of it */
    double sum, squares;        /* of the amounts of visits that have ended */
    double now;                 /* the amount of the one that goes on; 0: none */
    bool negative;              /* some amount was: then nothing can be said */
} Seldom;                       /* starts as {0} */

/* The amount of the next bin of a run, and that the run is over. */
void seldom_add(Seldom *seldom, double amount);
void seldom_end(Seldom *seldom);

/* Fewer visits do not show how long others may last, nor how a run begins without any. */
enum { SELDOM_FEW = 30 };

/* By what the mean of the bins can be less and more than it was, with this confidence.
 *   trials  runs, where the amount lies between 0 and 1; else 0, and nothing is said of what was
 *           not seen
 * False: it was seen too often for this to be needed, and Student's interval is right. */
bool seldom_interval(const Seldom *seldom, int64_t trials, double confidence, double *less,
                     double *more);

#endif
