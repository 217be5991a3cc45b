/* Placements of trees of three levels some of whose units, leaves with their manager, are spread over hosts.
 *
 * From each root, those near to many places first, a number of units as small as can be on the nearest hosts with
 * room, and for all others few units, each as large as hosts allow that are near enough to each other, those first
 * that cost least for a process: where the places of a site do not suffice, one far unit takes what is left over. */
#ifndef TAAG_SCHEDULE_STAR_PLACE_H
#define TAAG_SCHEDULE_STAR_PLACE_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"

/* Offer such placements, groups of which have links up to this level.  About roots that differ x numbers of units x
 * hosts^2.  False: out of memory. */
bool star_place(const Hosts *hosts, const AmogetProgram *program, int32_t level, Best *best,
                Effort *effort);

#endif
