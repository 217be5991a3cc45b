/* Poisson probabilities for uniformisation. */
#ifndef PEPA_SOLVERS_TRANSIENT_POISSON_H
#define PEPA_SOLVERS_TRANSIENT_POISSON_H

#include <stdint.h>

#include "base/error.h"

/* weight[k - left]: the probability of k, for left <= k <= right, scaled to sum 1.
 *   missing   bound of the probability outside, so that all weights together differ from the
 *             probabilities by 2 missing at most
 *   beyond    bound of the sum over k > right of P(N > k): what a sum of tails leaves out */
typedef struct {
    int64_t left, right;
    double *weight;
    double missing, beyond;
} PoissonWeights;

/* The largest mean: 340 MB of weights, which no sequence of steps comes to the end of. */
#define POISSON_MOST 1e12

/* Those of mean `mean` >= 0, with missing <= `missing`, and beyond <= `missing`.
 * O(sqrt(mean)), 8 bytes for each weight.  The caller frees weight.  Errors:
 * PEPA_ELIMIT (a mean beyond POISSON_MOST), PEPA_ENOMEM.
 *
 * From the mode outwards, by the ratio of neighbours, so that nothing underflows; the sum of what
 * is kept replaces exp(-mean).  Ratios fall with the distance from the mode, so that geometric
 * series bound both tails: a proof that takes no table of constants.
 * Source: Fox, Glynn, Computing Poisson probabilities, Comm. ACM 31 (1988), whose own bounds have
 * errors: Jansen, Understanding Fox and Glynn's "Computing Poisson probabilities", 2011. */
PepaStatus poisson_new(PoissonWeights *out, double mean, double missing, PepaError *err);

#endif
