/* Connected sets of groups that fit on one host together.
 *
 * Groups that talk save a connection if one host holds them, so that what hosts save is a packing of connected
 * sets.  Each set is found once, from its first group on.
 * Source: Wernicke, Efficient detection of network motifs (ESU). */
#ifndef TAAG_SCHEDULE_SUBSETS_H
#define TAAG_SCHEDULE_SUBSETS_H

#include "grid/taag/schedule/shape.h"

typedef struct {
    int32_t count; /* -1: there are too many */
    int32_t *member;
    size_t *first;        /* count + 1: members of each, two or more */
    int32_t *sum, *edges; /* processes; connections within */
    size_t members, member_cap, first_cap, sum_cap, edges_cap;
} Subsets;

/* Neighbours of groups: to[at[g]] .. to[at[g + 1] - 1], each once. */
typedef struct {
    int32_t *at, *to;
} Neighbours;

/* False: out of memory, and nothing is held. */
bool neighbours_make(Neighbours *out, const Shape *shape);
void neighbours_free(Neighbours *neighbours);
/* All sets of at most `most` processes.  False: out of memory, and nothing is held. */
bool subsets_make(Subsets *out, const Shape *shape, const Neighbours *near, int32_t most);
void subsets_free(Subsets *subsets);

#endif
