/* The best packing in whole numbers: the problem of pack_lp.h with x whole.
 *
 * Branch and bound: the linear program bounds what is possible; a column is used once more, or never again.  A
 * caller can have a say in whether a solution is possible.
 * Source: Gilmore, Gomory, A linear programming approach to the cutting-stock problem (patterns as columns). */
#ifndef TAAG_SCHEDULE_PACK_BEST_H
#define TAAG_SCHEDULE_PACK_BEST_H

#include "grid/taag/schedule/dispersion.h"
#include "grid/taag/schedule/pack_lp.h"

typedef struct {
    PackLp *lp;
    double cutoff; /* solutions that are not worth more do not matter */
    double unit;   /* what any solution is worth is a multiple of this; 0: not known */
    /* Whether a solution is possible, by how often its columns are used; NULL: each is. */
    CliqueAnswer (*possible)(void *data, const int32_t *times);
    void *data;
    Effort *effort;

    bool found;
    int32_t *best; /* columns: how often the best solution uses them, if found */
    double worth;  /* of it */
    double bound;  /* no possible solution is worth more; at least the cutoff */

    double scale;    /* of what columns are worth */
    int32_t *times;  /* columns: at present */
    int32_t *closed; /* columns: the depth at which they were closed */
    bool no_memory;
} PackBest;

/* Solve; the inputs are set, the rest is zero.  The columns of lp are open before and after, and its rows as
 * they were.  False: out of memory, or `possible` was; pack_best_free in any case. */
bool pack_best_find(PackBest *problem);
void pack_best_free(PackBest *problem);

#endif
