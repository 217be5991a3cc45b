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
    double *tail; /* tail[k - left]: the weights beyond k; of poisson_integral only */
    double missing, beyond;
} PoissonWeights;

/* The largest mean: 340 MB of weights, which no sequence of steps comes to the end of. */
#define POISSON_MOST 1e12

/* Those of mean `mean` >= 0, with missing <= `missing`, and beyond <= `missing`.
 * O(sqrt(mean)), 8 bytes for each weight.  The caller frees by poisson_free.  Errors:
 * PEPA_ELIMIT (a mean beyond POISSON_MOST), PEPA_ENOMEM.
 *
 * From the mode outwards, by the ratio of neighbours, so that nothing underflows; the sum of what
 * is kept replaces exp(-mean).  Ratios fall with the distance from the mode, so that geometric
 * series bound both tails: a proof that takes no table of constants.
 * Source: Fox, Glynn, Computing Poisson probabilities, Comm. ACM 31 (1988), whose own bounds have
 * errors: Jansen, Understanding Fox and Glynn's "Computing Poisson probabilities", 2011. */
PepaStatus poisson_new(PoissonWeights *out, double mean, double missing, PepaError *err);
/* The same for integrals, which are sums of tails, and all tails sum to the mean: what these are off in all
 * (poisson_tails_off) is some 4 share x mean at most.  Where the mean is below 1, missing is <= share x mean^2, a
 * small part also of the tail beyond one jump.  16 bytes for each weight. */
PepaStatus poisson_integral(PoissonWeights *out, double mean, double share, PepaError *err);
void poisson_free(PoissonWeights *w);

/* What stands for P(N > k), 0 <= k <= right. */
static inline double poisson_tail(const PoissonWeights *w, int64_t k)
{
    return k < w->left ? 1 : w->tail[k - w->left];
}
/* Bound of the sum, over all k, of |poisson_tail - P(N > k)|, rounding apart: each of those up to `right`
 * lacks what is beyond or before the weights, and these are scaled by as much. */
static inline double poisson_tails_off(const PoissonWeights *w)
{
    return 2 * ((double)w->right + 1) * w->missing + w->beyond;
}

#endif
