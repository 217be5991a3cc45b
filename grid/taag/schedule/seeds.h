/* Good first placements: groups into the smallest set of near hosts with room (tree.h), all within
 * each of the sets that can hold the program.  The search for the best starts from them. */
#ifndef TAAG_SCHEDULE_SEEDS_H
#define TAAG_SCHEDULE_SEEDS_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/tree.h"

typedef struct {
    const Hosts *hosts;
    const LatencyTree *tree;
    int64_t *free;                            /* of nodes of the tree */
    int32_t *left;                            /* of hosts */
    int32_t *host_of, *first, *sizes, *order; /* of processes, groups, parts; of sets */
    double *far;                              /* of leaves of the tree */
    Effort *effort;                           /* in sets looked at; nothing is offered beyond it */
} Seeds;

bool seeds_make(Seeds *seeds, const Hosts *hosts, const LatencyTree *tree, int32_t processes,
                Effort *effort);
void seeds_free(Seeds *seeds);
/* Offer placements of the shape with its sizes; and (its sizes are lost) with sizes that suit the
 * sets of hosts.  Sets that can hold the program x groups x nodes of the tree. */
void seeds_offer(Seeds *seeds, Shape *shape, Best *best);
void seeds_offer_suited(Seeds *seeds, Shape *shape, Best *best);

#endif
