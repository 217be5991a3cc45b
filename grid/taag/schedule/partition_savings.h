/* What hosts of a site save at most, when it is known which groups it has.
 *
 * Bundles (bundles.h), all of which must fit on hosts: bin packing.  What fits, and what is saved, is remembered, since
 * many placements have the same groups on a site. */
#ifndef TAAG_SCHEDULE_PARTITION_SAVINGS_H
#define TAAG_SCHEDULE_PARTITION_SAVINGS_H

#include "base/memo.h"
#include "grid/taag/schedule/bundles.h"
#include "grid/taag/schedule/sites.h"

enum { SAVINGS_NONE = -1 };

/* Connections that hosts of a site save: found, or SAVINGS_NONE; and at most, or SAVINGS_NONE: they do not hold the
 * groups. */
typedef struct {
    int32_t least, most;
} Saved;

typedef struct {
    Saved saved;
    int32_t known; /* no less than this was looked for; INT32_MAX: the effort ended */
} Remembered;

typedef struct {
    const Hosts *hosts;
    const Sites *sites;
    const Shape *shape;
    Effort *effort;
    Lists packed;           /* a site, and sizes */
    int8_t *fits;           /* of these */
    Lists loaded;           /* a site, and groups */
    Remembered *remembered; /* of these */
    size_t fits_cap, remembered_cap;
    Bundles bundles;
    int32_t *bundle; /* result: groups on one host have the same number; -1: alone */

    int32_t *degree; /* of groups: connections */
    int32_t site;    /* at present */
    int32_t widest, tries;
    int32_t *list;          /* scratch: groups + 1 */
    int32_t *sorted;        /* the same */
    int32_t *things, *room; /* widest + 1: how many things, and hosts with room, of each size */
    bool *member;           /* scratch: groups */
    int32_t *hosts_of;      /* widest + 1: hosts of each number of places */
    bool unsure, no_memory;
} Savings;

/* cells, *suit: as of bundles_make; nothing else can be done otherwise.  False: out of memory; savings_free in any
 * case. */
bool savings_make(Savings *out, const Hosts *hosts, const Sites *sites, const Shape *shape,
                  const PartitionCuts *cuts, size_t cells, bool *suit);
void savings_free(Savings *savings);
/* What hosts of a site save, if site[g] is the site of each group; no more than is known does not matter.  Least
 * and most differ beyond that if more was needed than half of the effort that is left, or than a fixed limit;
 * or no_memory. */
Saved savings_find(Savings *savings, const int32_t *site, int32_t a, int32_t known);
/* The same, into bundle of the groups of the site, if it is found. */
Saved savings_bundle(Savings *savings, const int32_t *site, int32_t a, int32_t known);
/* What all hosts save at most, wherever groups are. */
int32_t savings_anywhere(Savings *savings, int64_t work);

#endif
