/* Why a residual within the tolerance may say little about the error. */
#include "solvers/internal.h"

#include <string.h>

enum {
    SLOW = 5000, /* iterations; the error is then some hundred times the residual */
    DRIFT = 100  /* tolerances that one more sweep may change */
};

const char *outcome_caution(const Outcome *out)
{
    if (out->shaky || out->iterations > SLOW)
        return "convergence was slow, which makes the error much larger than the residual: ask for "
               "a smaller tolerance and compare";
    return "";
}

const char *flow_caution(const Flow *flow, const double *y, const Outcome *out, double tolerance,
                         double *scratch)
{
    if (strcmp(out->method, "gth") == 0)
        return outcome_caution(out);
    if (flow_nearly_decomposable(flow))
        return decomposable_caution;
    if (y && flow_drift(flow, y, scratch) > DRIFT * tolerance)
        return "one more sweep still moves probability between states with long stays: compare "
               "with "
               "the method gth, or ask for a smaller tolerance";
    return outcome_caution(out);
}
