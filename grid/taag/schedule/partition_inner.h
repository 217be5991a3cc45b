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
#include "grid/taag/schedule/partition_cuts.h"
#include "grid/taag/schedule/transport.h"
#include "grid/taag/schedule/partition_hold.h"
#include "grid/taag/schedule/partition_savings.h"
#include "grid/taag/schedule/sites.h"
#include "grid/taag/schedule/subsets.h"

enum { WIDTHS = 24 };

/* What goes on one host as a whole: a bundle, or a group. */
typedef struct {
    int32_t size, site; /* site: -1: any */
    int32_t bundle;     /* its number; or -1 - group */
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
    int32_t *bundle; /* scratch: groups */
    int64_t tries;
    int32_t *sorted, *index; /* scratch: groups */
    Effort *leaf;            /* of the present packing */
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

/* Hosts for all items. */
CliqueAnswer homes_pack(Homes *homes);
/* Groups have sites.  A placement, into host and placed, where groups with the same number, of groups, are on one host;
 * -1: alone.  The effort is that of homes->leaf. */
CliqueAnswer homes_place(Homes *homes, const int32_t *bundle);

/* ---- the search ----------------------------------------------------------------------------- */

/* Groups that can be on certain sites only. */
typedef struct {
    uint32_t sites; /* a bit each */
    int64_t places; /* that they need */
} Demand;

typedef struct {
    const Hosts *hosts;
    const Sites *sites;
    Shape *shape;
    Best *best;
    Effort *effort;
    Homes homes;
    Neighbours near;
    Subsets sets;
    PartitionCuts cuts, whole; /* whole: the sequence of a graph in parts */
    Savings savings;
    bool by_bundles;         /* these are what hosts save */
    bool in_sequence;        /* groups are placed in the sequence of cuts */
    bool by_states;          /* the sequence has all groups, and states of it are small */
    int32_t talking, *order; /* groups with connections: first those that are placed */
    int32_t *site;           /* of groups; -1 */
    double *dist;            /* groups x sites: to the groups that are placed */
    bool *barred;            /* groups x sites: one of these links is above the limit */
    int32_t *twin;           /* of groups: the first of the same size that talks to the same ones */
    int32_t *tried;          /* groups x sites: how often a twin was tried there before */
    int32_t *left;           /* of groups: connections to others that are not placed */
    int64_t room[MOST_SITES]; /* places left */
    int32_t sizes, *size;     /* distinct sizes, largest first */
    int32_t *
        units; /* sites x sizes: the sum of floor(places / size) over hosts, less that of floor(size of
                                 group / size) over groups; where groups are whole, none is below 0 */
    int32_t *taken;          /* scratch: sites x sizes */
    Demand *demand;          /* scratch: groups + 1 */
    int32_t *needed;         /* scratch: (groups + 1) x sizes: units of demands */
    Transport transport;     /* of groups that are not placed */
    int32_t asked, beaten;   /* whether it bounds enough; that it did */
    double saving;           /* connections that hosts save at most */
    bool hasty;              /* placements at small cost, as if hosts saved nothing */
    double limit;            /* of latencies */
    double least;            /* sums from here on do not matter */
    double unexplored;       /* the least bound of what was left out without a proof */
    double charge;           /* what a connection that is saved counts instead */
    int32_t *stack, *sorted; /* scratch: groups */
    bool *seen;              /* the same */
    bool no_memory;
} Partition;

static inline int32_t *partition_units(const Partition *p, int32_t a)
{
    return p->units + (size_t)a * (size_t)p->sizes;
}

/* What a connection counts whose groups are on two sites. */
static inline double partition_price(const Partition *p, int32_t a, int32_t b)
{
    const double ms = p->sites->ms[a][b];
    return a == b && ms > p->charge ? p->charge : ms;
}

/* What groups that are not placed add at least, or a bound that is enough; INFINITY: they cannot be placed.  next:
 * where in the order the one is that can be on the fewest sites, of these the one that loses most elsewhere.
 * Groups x sites. */
double partition_rest(Partition *partition, int32_t placed, double enough, int32_t *next);
/* By the places that sites have left: what comes before and the groups of the transport are no better.  Not asked where
 * the answer is seldom yes. */
bool partition_is_beaten(Partition *partition, double before, const int64_t *room);
/* What a group that is not placed adds on a site at least, its connections to others not placed counting so much;
 * INFINITY: it cannot be there. */
double partition_score(const Partition *partition, int32_t group, int32_t site, double connection);
/* Of a connection of a group on each site, at least. */
void partition_cheapest(const Partition *partition, double *connection);
/* May the hosts of some sites hold so many groups of sizes in sorted, each on one host? */
bool partition_may_hold(Partition *partition, uint32_t sites, int32_t groups);
/* Sums from this bound on do not matter. */
bool partition_no_better(const Partition *partition, double bound);
/* Placements of this bound are left out without a proof. */
void partition_leave_out(Partition *partition, double bound);
/* All groups with connections have a site: what hosts save, and a placement. */
void partition_arrive(Partition *partition);
/* Dynamic programming over the sequence of cuts (partition_states.c).  Does it suit? */
bool partition_states_suit(Partition *partition);
/* Placements that are better than the least sum; width: of so many states of as many groups, 0: of any. */
void partition_states_explore(Partition *partition, int32_t width);
/* The least sum within the limit, or a bound, as a mean; INFINITY: no placement. */
double partition_search(Partition *partition, int32_t level);

#endif
