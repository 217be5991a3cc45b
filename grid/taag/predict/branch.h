/* Branch and bound over the placements of one partition: groups from the largest on, host by host,
 * the fastest first.
 *
 * What is placed bounds what can follow: times of groups that have hosts only grow; those without
 * take at least their steps on the fastest places left (in descending order of size, the first j
 * groups together take the fastest places that are left for all of them), and messages on the
 * nearest link.  A connection is at least the nearest one, and some message goes as far as
 * all processes together are apart (apart.h).  round.h says why the mean of a round is
 * bounded then as well.
 * Of hosts that are alike and not in use, the earlier ones get as many processes as the later ones
 * or more; groups of equal size that all talk to each other have placements in descending order. */
#ifndef TAAG_PREDICT_BRANCH_H
#define TAAG_PREDICT_BRANCH_H

#include "grid/taag/predict/apart.h"
#include "grid/taag/predict/fastest.h"

/* Processes of a group on a host, which is order[at]. */
typedef struct {
    int32_t at, count;
} Share;

typedef struct {
    Fastest *fastest;
    const Costs *costs;
    int64_t limit; /* of fastest->work */
    int64_t nodes; /* result: shares looked at */
    bool ended;    /* result: the limit or the deadline was met, or memory */

    const Shape *shape;
    int32_t *order; /* hosts, the fastest first */
    int32_t *rank;  /* of hosts, in this order */
    int32_t *load;  /* processes of hosts */
    int32_t *own;   /* of these, those of the group that is placed now */
    Share *share;
    int32_t *first;      /* by place in the shape's order: its first share */
    int32_t *place;      /* of groups, in that order */
    int32_t *first_rank; /* of groups */
    int32_t *host_of;
    double *pass; /* by place: the slowest message so far */
    double *most; /* by place: the slowest connection of the groups before it */
    Apart apart;
    Round bound;
    int32_t placed; /* groups that have all their hosts */
} Branch;

/* False: out of memory. */
bool branch_make(Branch *branch, Fastest *fastest, int32_t processes);
void branch_free(Branch *branch);
/* Is the search to stop? */
bool branch_ended(Branch *branch);
/* No round of a placement of any partition with so many parts is shorter. */
double branch_bound(Branch *branch, const Shape *shape);
/* The same, less sharp: in the work of groups x hosts. */
double branch_least(Branch *branch, const Shape *shape);
/* Offer what is better than the best so far. */
void branch_into(Branch *branch, const Shape *shape);

#endif
