/* How far a distribution is from samples. */
#ifndef PEPA_FIT_GOODNESS_H
#define PEPA_FIT_GOODNESS_H

#include "fit/search.h"

typedef struct {
    double kolmogorov, cramer;
} Distance;

/* From `count` ascending values; survival: count entries of scratch. */
Distance goodness_distance(const Phases *p, const double *ascending, size_t count,
                           double *survival);
/* As pepa_fit_test, with the distance of the samples themselves.  False: memory is out, or the watch
 * has stopped. */
bool goodness_bootstrap(const Phases *p, size_t count, Distance seen, int64_t runs, uint64_t seed,
                        Watch *watch, PepaFitTest *test);
/* For qsort. */
int goodness_ascending(const void *a, const void *b);

#endif
