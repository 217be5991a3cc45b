/* Poisson probabilities from the mode outwards. */
#include "solvers/transient/poisson.h"

#include <math.h>

#include "base/mem.h"

/* Weights relative to the mode's are kept until what is beyond is so small a share of theirs. */
typedef struct {
    double mean, share;
    long double *left, *right; /* left[i]: of mode - 1 - i; right[i]: of mode + i */
    size_t left_count, left_cap, right_count, right_cap;
    long double tail_left, tail_right, beyond; /* bounds, relative to the mode's weight */
} Weights;

/* The ratio of the weights of k + 1 and k is mean / (k + 1): beyond k they sum to at most a
 * geometric series, and so do the sums of tails. */
static bool go_right(Weights *w, double mode)
{
    long double weight = 1, sum = 0;
    for (double k = mode;; k++) {
        if (!mem_grow(w->right, w->right_cap, w->right_count + 1))
            return false;
        w->right[w->right_count++] = weight;
        sum += weight;
        weight *= (long double)w->mean / (k + 1);
        long double ratio = (long double)w->mean / (k + 2);
        w->tail_right = ratio < 1 ? weight / (1 - ratio) : HUGE_VALL;
        w->beyond = ratio < 1 ? w->tail_right * ratio / (1 - ratio) : HUGE_VALL;
        if (w->tail_right <= w->share * sum && w->beyond <= w->share * sum)
            return true;
    }
}

static bool go_left(Weights *w, double mode)
{
    long double weight = 1, sum = 1;
    for (double k = mode; k > 0; k--) {
        weight *= k / (long double)w->mean;
        long double ratio = (k - 1) / (long double)w->mean;
        w->tail_left = weight / (1 - ratio);
        if (w->tail_left <= w->share * sum)
            return true;
        if (!mem_grow(w->left, w->left_cap, w->left_count + 1))
            return false;
        w->left[w->left_count++] = weight;
        sum += weight;
    }
    w->tail_left = 0;
    return true;
}

static bool store(const Weights *w, double mode, PoissonWeights *out)
{
    const size_t count = w->left_count + w->right_count;
    long double sum = 0;
    double *weight = mem_alloc(count, sizeof *weight);
    if (!weight)
        return false;
    for (size_t i = w->left_count; i > 0; i--) /* from the small to the large */
        sum += w->left[i - 1];
    long double right = 0;
    for (size_t i = w->right_count; i > 0; i--)
        right += w->right[i - 1];
    sum += right;
    for (size_t i = 0; i < w->left_count; i++)
        weight[i] = (double)(w->left[w->left_count - 1 - i] / sum);
    for (size_t i = 0; i < w->right_count; i++)
        weight[w->left_count + i] = (double)(w->right[i] / sum);
    *out = (PoissonWeights){.left = (int64_t)mode - (int64_t)w->left_count,
                            .right = (int64_t)mode + (int64_t)w->right_count - 1,
                            .weight = weight,
                            .missing = (double)((w->tail_left + w->tail_right) / sum),
                            .beyond = (double)(w->beyond / sum)};
    return true;
}

PepaStatus poisson_new(PoissonWeights *out, double mean, double missing, PepaError *err)
{
    const double mode = floor(mean);
    Weights w = {.mean = mean, .share = missing / 2};
    if (!(mean <= POISSON_MOST))
        return error_set(
            err, PEPA_ELIMIT,
            "so long a time has %.2g jumps at the rate of the fastest state, and %g can "
            "be followed: give a shorter time, or solve for the long run",
            mean, POISSON_MOST);
    bool ok = go_right(&w, mode) && go_left(&w, mode) && store(&w, mode, out);
    mem_free_all(w.left, w.right);
    return ok ? PEPA_OK : error_memory(err);
}

/* Where the mean is about 1, some 14 tails lack what is missing.  They are added from the small weights to
 * the large ones: 1 minus the others would leave small tails no digits. */
PepaStatus poisson_integral(PoissonWeights *out, double mean, double share, PepaError *err)
{
    const double few = fmin(mean, 1);
    PepaStatus status = poisson_new(out, mean, share / 8 * few * few, err);
    if (status != PEPA_OK)
        return status;
    const int64_t count = out->right - out->left + 1;
    if (!mem_new(out->tail, count)) {
        poisson_free(out);
        return error_memory(err);
    }
    double beyond = 0;
    for (int64_t i = count; i-- > 0; beyond += out->weight[i])
        out->tail[i] = beyond;
    return PEPA_OK;
}

void poisson_free(PoissonWeights *w)
{
    mem_free_all(w->weight, w->tail);
    *w = (PoissonWeights){0};
}
