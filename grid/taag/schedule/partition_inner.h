/* What the files of partition.h share.
 *
 * Connected sets on hosts: a packing with a row for each group.  Several sets may share a host, so that others come
 * from functions f with f(x) + f(y) <= f(x + y), here floor(x / width): f of what lies on hosts is not more than f
 * of their places.  So what f(set) exceeds f of its groups by, summed over sets, is at most what f of places
 * exceeds f of all groups by.
 * Source: Fekete, Schepers, New classes of fast lower bounds for bin packing problems (dual feasible functions). */
#ifndef TAAG_SCHEDULE_PARTITION_INNER_H
#define TAAG_SCHEDULE_PARTITION_INNER_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/pack_best.h"
#include "grid/taag/schedule/sites.h"
#include "grid/taag/schedule/subsets.h"

enum { WIDTHS = 24 };

/* What goes on one host as a whole: a connected set, or a group. */
typedef struct {
    int32_t size, site; /* site: -1: any */
    int32_t set;        /* of the subsets; or -1 - group */
    int32_t host;       /* result */
} Item;

typedef struct {
    const Hosts *hosts;
    const Sites *sites;
    const Shape *shape;
    const Subsets *sets;
    bool spread;
    Effort *effort;
    double limit;  /* of latencies */
    int32_t *site; /* of groups; -1: none, as it has no connections */

    PackLp lp;
    int32_t row[MOST_SITES + 1][WIDTHS]; /* of all hosts, then of each site; -1: needless */
    int32_t *set;                        /* of columns */
    size_t set_cap;
    PackEntry *entry;
    Item *item; /* scratch: groups */
    int32_t items;
    int32_t *host;   /* result, of groups: -1: anywhere in the site */
    int32_t *placed; /* result, of groups: their site */
    int32_t *free;   /* scratch: hosts */
    int64_t *room;   /* scratch: sites */
    bool *covered;   /* scratch: groups */
    int64_t tries;
} Homes;

/* False: out of memory; homes_free in any case. */
bool homes_make(Homes *homes);
void homes_free(Homes *homes);
/* The most connections that hosts can save, wherever groups are; or more.  False: out of memory. */
bool homes_most(Homes *homes, double *most, int64_t work);
/* Groups have sites.  What hosts save, in milliseconds; more than `more`, or more < 0: anything will do.  found: host
 * and placed hold such a placement, within the limit.  *bound: none saves more; below 0: there is none.
 * False: out of memory. */
bool homes_find(Homes *homes, double more, bool *found, double *saved, double *bound, int64_t work);

#endif
