/* Which process sweeps which chunks, and when. */
#ifndef PEPA_CTMC_SHARE_PLAN_H
#define PEPA_CTMC_SHARE_PLAN_H

#include "ctmc/share/order.h"

typedef struct {
    ShareGraph graph;
    int32_t *process; /* per chunk: who has it */
    int32_t *turn;    /* per chunk: those of a process are swept in ascending order */
} SharePlan;

/* Of some ways to deal out the chunks, refined or not, the one that promises the shortest sweeps;
 * every process finds the same.  False: memory is out; to be freed in both cases. */
bool share_plan_new(SharePlan *out, const Diagram *diagram, ShareParts parts,
                    const ShareCosts *costs);
void share_plan_free(SharePlan *plan);

#endif
