/* Which process has which chunks of a diagram. */
#ifndef PEPA_CTMC_DIAGRAM_SHARE_PLAN_H
#define PEPA_CTMC_DIAGRAM_SHARE_PLAN_H

#include "ctmc/diagram/diagram.h"

typedef struct {
    int32_t chunks;
    int32_t *bound;   /* chunks + 1, ascending: chunk c, numbered by upper states, has bound[c] .. */
    double *cost;     /* per chunk */
    uint8_t *reads;   /* reads[a * chunks + b]: a has edges from b */
    int32_t *process; /* per chunk: who has it */
    bool up;          /* as sweeps go; else the last chunk comes first */
} SharePlan;

/* Chunks and rounds that promise the shortest sweeps.  False: memory is out; to be freed in both
 * cases. */
bool share_plan_new(SharePlan *out, const Diagram *diagram, int32_t processes);
void share_plan_free(SharePlan *plan);

static inline int32_t share_plan_chunk(const SharePlan *plan, int32_t upper)
{
    int32_t low = 0, high = plan->chunks; /* bound[low] <= upper < bound[high] */
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (plan->bound[middle] <= upper)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
