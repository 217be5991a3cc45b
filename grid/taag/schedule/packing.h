/* Groups of given sizes on nodes with places: bin packing in which a node also has a largest number
 * of groups. */
#ifndef TAAG_SCHEDULE_PACKING_H
#define TAAG_SCHEDULE_PACKING_H

#include "grid/taag/schedule/dispersion.h"

typedef struct {
    int32_t groups, nodes;
    const int32_t *size;   /* of groups, largest first */
    const int64_t *places; /* of nodes */
    int32_t *node;         /* result: of each group */
    int64_t *free;         /* scratch of nodes */
    int32_t *left;         /* the same */
    int64_t *rest;         /* groups + 1: processes of groups from here on */
    int64_t work;
} Packing;

/* size and places are the caller's, and stay.  False: out of memory. */
bool packing_make(Packing *out, int32_t groups, const int32_t *size, int32_t nodes,
                  const int64_t *places);
void packing_free(Packing *packing);
/* count: groups on each node, all of them.  True: found, as far as exchanges of two groups lead from the
 * smallest groups where the least room is for each. */
bool packing_exchange(Packing *packing, const int32_t *count);
/* most: groups on each node.  A fixed amount of work, after which the answer is not known. */
CliqueAnswer packing_find(Packing *packing, const int32_t *most);

#endif
