/* What must be true of a mapping as a whole, apart from the values of single attributes. */
#ifndef GRID_TAAG_MAPPING_CHECK_H
#define GRID_TAAG_MAPPING_CHECK_H

#include "base/diag.h"
#include "grid/taag/files/mapping.h"

/* Where findings point: the element `schema`, and that of each group. */
typedef struct {
    Span schema, *groups;
} MappingPlaces;

/* Groups are of the number, sizes and shape that the schema says; no host has more processes than
 * places; every pair of hosts has a latency (not NAN).  Adds findings to the list. */
void mapping_check(const Mapping *mapping, const MappingPlaces *places, DiagList *found);

#endif
