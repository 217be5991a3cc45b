/* Placements of groups whose sites are known: sizes, if they are not given, and hosts. */
#ifndef TAAG_SCHEDULE_SPREAD_PLACE_H
#define TAAG_SCHEDULE_SPREAD_PLACE_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/sites.h"

/* Sizes of the shape's parts, and the site of each: count[a] on site a, which has the places.  One
 * part of a site is as large as can be.  root: the site of a tree's root; -1. */
void spread_sizes(const Sites *sites, Shape *shape, const int32_t *count, int32_t root,
                  int32_t *site);
/* Give each process a host of its part's site, and offer that: the part's host, if it has one; where none are
 * known, small groups a host of their own or one with others; managers of a tree the root's host while it has
 * room.  host: of parts, -1: none; NULL.  False: out of memory. */
bool spread_offer(const Hosts *hosts, const Sites *sites, const Shape *shape, const int32_t *site,
                  const int32_t *host, int32_t root, Best *best);

#endif
