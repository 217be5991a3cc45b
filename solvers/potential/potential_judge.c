/* How good a potential is. */
#include <math.h>

#include "solvers/potential/potential_private.h"

double potential_unevenness(const Search *s, const double *defect)
{
    const double *pi = s->problem->pi, *exit = s->flow.exit;
    double weight = 0, mean = 0, most = 0;
    for (int32_t i = 0; i < s->flow.n; i++) {
        const double off = exit[i] * fabs(defect[i]);
        weight += pi[i];
        mean += pi[i] * off;
        most = fmax(most, off);
    }
    return (s->problem->everywhere ? most : mean / weight) / s->mean;
}

void potential_mean(Search *s, double mean)
{
    s->mean = mean;
    for (int32_t i = 0; i < s->flow.n; i++)
        s->c[i] = (s->problem->reward[i] - mean) / s->flow.exit[i];
}

void potential_judge(Search *s)
{
    const double *pi = s->problem->pi, *exit = s->flow.exit;
    const int32_t n = s->flow.n;
    double drift = 0, level = 0, weight = 0;
    for (int32_t i = 0; i < n; i++) {
        s->defect[i] = flow_into(&s->flow, s->h, i) - s->h[i];
        drift += pi[i] * exit[i] * s->defect[i];
        level += pi[i] * s->h[i];
        weight += pi[i];
    }
    drift /= weight;
    level /= weight;
    for (int32_t i = 0; i < n; i++) {
        double less = drift / exit[i];
        s->defect[i] -= less;
        s->c[i] -= less;
        s->h[i] -= level;
    }
    s->mean += drift;
    s->try.criterion = s->try.residual = potential_unevenness(s, s->defect);
    if (!(s->mean > 0) || !isfinite(s->try.criterion)) {
        s->try.criterion = s->try.residual = HUGE_VAL;
        s->try.why = "met numbers that are not finite";
    }
}

void potential_turn(Search *s, const char *method, const char *unit, StallRule rule)
{
    Attempt *try = &s->try;
    try->method = method;
    try->unit = unit;
    try->why = NULL;
    try->trend = (Trend){0};
    try->rule = (StallRule){try->iterations + rule.patience, rule.horizon};
}
