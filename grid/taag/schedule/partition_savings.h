/* What hosts of a site save at most, when it is known which groups it has: branch and bound over connected sets.
 *
 * Sets of groups are put together one after the other, and all must still fit on hosts: bin packing.  What fits, and
 * what is saved, is remembered, since many placements have the same groups on a site. */
#ifndef TAAG_SCHEDULE_PARTITION_SAVINGS_H
#define TAAG_SCHEDULE_PARTITION_SAVINGS_H

#include "base/memo.h"
#include "grid/taag/schedule/clique.h"
#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/sites.h"
#include "grid/taag/schedule/subsets.h"

enum { SAVINGS_NONE = -1, SAVINGS_UNKNOWN = -2, SAVINGS_AGAIN = -3 /* the effort ended */ };

typedef struct {
    const Hosts *hosts;
    const Sites *sites;
    const Shape *shape;
    const Subsets *sets;
    Effort *effort;
    Lists packed;  /* a site, and sizes */
    int8_t *fits;  /* of these */
    Lists loaded;  /* a site, and groups */
    int32_t *most; /* of these */
    size_t fits_cap, most_cap;

    int32_t site; /* at present */
    int32_t widest;
    int32_t *list;          /* scratch: groups + 1 */
    int32_t *sorted;        /* the same */
    int32_t *things, *room; /* widest + 1: how many things, and hosts with room, of each size */
    int32_t *set, count;    /* within the site */
    double *share;          /* groups: what it saves at most, where those of a set share that */
    bool *covered;          /* groups */
    int64_t end;            /* of the site's share of the effort */
    int32_t best, tries;
    int32_t *chosen, *best_set; /* groups: sets, so far and of the best */
    int32_t best_sets;
    bool unsure, no_memory;
} Savings;

/* False: out of memory; savings_free in any case. */
bool savings_make(Savings *out, const Hosts *hosts, const Sites *sites, const Shape *shape,
                  const Subsets *sets);
void savings_free(Savings *savings);
/* The most connections that hosts of a site save, if site[g] is the site of each group; SAVINGS_NONE: they cannot hold
 * them; SAVINGS_UNKNOWN: that took more than a third of the effort that is left, or than a fixed limit, or no_memory. */
int32_t savings_most(Savings *savings, const int32_t *site, int32_t a);
/* The sets that do, after savings_most was not negative: best_set, best_sets of them. */
void savings_sets(Savings *savings, const int32_t *site, int32_t a);

#endif
