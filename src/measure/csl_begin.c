/* A formula where a chain begins in several states. */
#include <float.h>
#include <math.h>

#include "measure/csl_private.h"

void csl_begin_numbers(const Csl *c, CslNumbers *x)
{
    const Chain *chain = c->job->chain;
    const int64_t n = chain->state_count;
    const int32_t starts = chain->start_count;
    double value = 0, error = 0, size = 0;
    bool same = true;
    for (int32_t i = 0; i < starts; i++) {
        const double share = c->job->at->term[chain->start_term[i]];
        value += share * x->value[i];
        size += share * fabs(x->value[i]);
        error += share * x->error[i];
        same = same && x->value[i] == x->value[0] && x->sure[i] == x->sure[0];
    }
    x->value[n] = same ? x->value[0] : value;
    x->error[n] = same || isinf(value) ? error : error + (2 * starts + 8) * DBL_EPSILON * size;
    x->sure[n] = same ? x->sure[0] : CSL_ANY;
}

uint8_t csl_begin_truth(const Csl *c, const uint8_t *truth)
{
    for (int32_t i = 1; i < c->job->chain->start_count; i++)
        if (truth[i] != truth[0])
            return CSL_UNKNOWN;
    return truth[0];
}
