/* The graph whose nodes are groups: its edges, distances and shortest ways. */
#ifndef GRID_TAAG_EDGES_H
#define GRID_TAAG_EDGES_H

#include "grid/taag/files/mapping.h"

/* Distances of all groups from one along the edges of the mapping, in both directions; -1: no way.
 * A tree's edges are those between groups and their managers.  Without edges, groups and graphs
 * are complete graphs.  Cost: groups x edges at most. */
void edges_distances(const Mapping *mapping, int32_t from, int32_t *distance);
/* Whether two groups are joined by an edge. */
int edges_join(const Mapping *mapping, int32_t a, int32_t b);
/* RING: the right neighbour of each group.  See TAAG_Ring_right. */
void edges_ring(const Mapping *mapping, int32_t *right_of);

#endif
