/* Which states to put together. */
#include "solvers/multilevel/levels.h"

/* What flows from i to j. */
static double flow_back(const Flow *flow, const double *y, int32_t i, int32_t j)
{
    for (int64_t k = flow->row[j]; k < flow->row[j + 1]; k++)
        if (flow->col[k] == i)
            return flow_val(flow, k) * y[i];
    return 0;
}

/* The partner of i: with the most flow between the two, in units of what flows through them; among
 * the states that are taken, or among the others.  -1: there is none, or not nearly as much as with another state. */
static int32_t partner(const Flow *flow, const double *y, const int32_t *mate, int32_t i,
                       bool taken)
{
    int32_t best = -1;
    double most = 0, all = 0;
    for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++) {
        int32_t j = flow->col[k];
        if (j == i)
            continue;
        double between = flow_val(flow, k) * y[j] + flow_back(flow, y, i, j);
        double strength = between * (1 / y[i] + 1 / y[j]);
        all = strength > all ? strength : all;
        if ((mate[j] >= 0) == taken && strength > most) {
            most = strength;
            best = j;
        }
    }
    return most >= STRONG_PAIR * all ? best : -1;
}

/* -1 stands for a state that stays alone, -2 - j for one that joins the pair of j. */
static int32_t number(int32_t n, int32_t *mate)
{
    int32_t *group = mate, count = 0;
    for (int32_t i = 0; i < n; i++)
        if (mate[i] >= -1)
            group[i] = mate[i] >= 0 && mate[i] < i ? group[mate[i]] : count++;
    for (int32_t i = 0; i < n; i++)
        if (mate[i] <= -2)
            group[i] = group[-2 - mate[i]];
    return count;
}

/* A state without a free partner that it is strongly linked with joins the pair of one that is not free: where little
 * flows between two parts of a chain, a group that takes a state from either side hides how little it is. */
int32_t group_states(const Flow *flow, const double *y, int32_t *group)
{
    int32_t n = flow->n, *mate = group;
    for (int32_t i = 0; i < n; i++)
        mate[i] = -1;
    for (int32_t i = 0; i < n; i++) {
        int32_t j = mate[i] == -1 ? partner(flow, y, mate, i, false) : -1;
        if (j >= 0) {
            mate[i] = j;
            mate[j] = i;
        }
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t j = mate[i] == -1 ? partner(flow, y, mate, i, true) : -1;
        if (j >= 0)
            mate[i] = -2 - j;
    }
    return number(n, group);
}
