/* Groups of given sizes on the hosts of sites, so many on each site: the most that pairs on one host save.
 *
 * Two groups wholly on one host have a latency of 0, and others of a site have that of the site.  What a host
 * can hold wholly is a pattern: so many groups of each size.  A packing of patterns (pack_best.h) has rows for
 * the groups of each size, for the groups of each site, and for each width of the hosts of a site: patterns
 * that need it are not more than hosts that have it; and, for the bound, rows for the pairs of a size.  So any solution has a placement, the largest pattern on
 * the widest host.  Each group placed counts more than all that can be saved.
 *   spread: groups that share no host may lie anywhere in their site, and sites have to have the places. */
#ifndef TAAG_SCHEDULE_CONTENTS_H
#define TAAG_SCHEDULE_CONTENTS_H

#include "grid/taag/schedule/pack_best.h"
#include "grid/taag/schedule/sites.h"

typedef struct {
    const Hosts *hosts;
    const Sites *sites;
    bool spread;
    int32_t groups, sizes;
    int32_t *size, *number; /* distinct sizes, largest first, and their groups */
    int32_t widest;         /* places of a host, at most */
    int32_t patterns;       /* 0: there are too many */
    int32_t *times;         /* patterns x sizes: groups of each size */
    int32_t *sum, *held;    /* of patterns: processes; groups */
    size_t times_cap, sum_cap, held_cap;
    int32_t *by_width; /* hosts of each site, widest first: by_width[first[site]] .. */
    int32_t first[MOST_SITES + 1];
    int32_t *site,
        *host; /* a placement of the groups in descending order; host: -1: anywhere in the site */
    int32_t *left; /* scratch: sizes */
    bool no_memory;
} Contents;

/* sorted: sizes, largest first.  False: out of memory, and nothing is held. */
bool contents_make(Contents *out, const Hosts *hosts, const Sites *sites, int32_t groups,
                   const int32_t *sorted, bool spread);
void contents_free(Contents *contents);

typedef struct {
    bool found;   /* a placement, in site and host, which saves more than was wanted */
    double saved; /* by it */
    double bound; /* no placement saves more; or what was wanted */
} Saving;
/* count: groups on each site, all of them; more: what has to be saved and more, in milliseconds; below 0: any
 * placement will do.  False: out of memory. */
bool contents_find(Contents *contents, const int32_t *count, double more, Saving *out,
                   Effort *effort);
/* The most pairs that can be on one host each, wherever groups are; or more.  False: out of memory. */
bool contents_pairs(const Contents *contents, double *most, Effort *effort);

#endif
