/* Why a residual within the tolerance may say little about the error. */
#include "solvers/internal.h"

#include <string.h>

enum {
    SLOW = 5000, /* iterations; the error is then some hundred times the residual */
    UNREST = 100 /* tolerances that a further sweep may change */
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
    if (flow_falls_apart(flow))
        return "some states are joined by rare jumps only (chances below 1e-4); the residual "
               "hardly shows how probability is divided between them: compare with the method gth";
    if (y && flow_unrest(flow, y, scratch) > UNREST * tolerance)
        return "states that are seldom visited, but long, have not come to rest: compare with the "
               "method gth, or ask for a smaller tolerance";
    return outcome_caution(out);
}
