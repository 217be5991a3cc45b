/* The baseline: hosts are filled in the order of the description, as MPICH-G2 fills the hosts of a
 * "machines" file, whatever processes talk to each other.
 *
 * Ranks count from the first host on, each host taking as many as it has places.  Where the program
 * leaves sizes of groups open, each of its partitions is placed so, and the cheapest counts.
 * Source: Bosa, Schreiner, section 7. */
#ifndef TAAG_SCHEDULE_IN_ORDER_H
#define TAAG_SCHEDULE_IN_ORDER_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"

/* Offer these placements to `best`, one at least.  The hosts have places enough.  The effort has ended unless all partitions were tried.  Errors: PEPA_ENOMEM. */
PepaStatus in_order_schedule(const Hosts *hosts, const AmogetProgram *program, Effort *effort,
                             Best *best, PepaError *err);

#endif
