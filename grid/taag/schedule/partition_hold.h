/* Whether hosts of sites can hold things as wholes: an integer packing of patterns. */
#ifndef TAAG_SCHEDULE_PARTITION_HOLD_H
#define TAAG_SCHEDULE_PARTITION_HOLD_H

#include "grid/taag/schedule/dispersion.h"
#include "grid/taag/schedule/sites.h"

/* Can the hosts of some sites, a bit each, hold things of such sizes, largest first, each on one host?  host: of
 * each, if found; NULL; may be `sorted`. */
CliqueAnswer homes_hold(const Hosts *hosts, const Sites *sites, uint32_t set, const int32_t *sorted,
                        int32_t things, int32_t *host, Effort *effort);

#endif
