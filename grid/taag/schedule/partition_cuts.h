/* What connections between groups that are both open cost at least: cuts.
 *
 * Sites are a metric, and so their latencies are at least a sum of cuts of the sites, each with a weight: two sites
 * that a cut separates are that much apart.  For each cut the fewest connections between its sides are a graph
 * bisection with capacities.  Groups are in a fixed order; once some of them have a side, only those matter that are
 * connected with later ones, the frontier, and how many processes one side has; or how much of another measure of places.  So a dynamic programme from the last
 * group on gives the fewest connections that are still to be cut, for each frontier and number: a table for each cut.
 * Weights: the linear program that makes the sum of cuts largest.
 * Source: Deza, Laurent, Geometry of cuts and metrics (weights); Kinnersley, The vertex separation number of a graph
 * equals its path-width (frontiers). */
#ifndef TAAG_SCHEDULE_PARTITION_CUTS_H
#define TAAG_SCHEDULE_PARTITION_CUTS_H

#include "grid/taag/schedule/shape.h"
#include "grid/taag/schedule/sites.h"
#include "grid/taag/schedule/subsets.h"

/* Of a frontier; cells of all tables, a byte each; of a table: there is no way. */
enum { MOST_FRONTIER = 14, MOST_CUT_CELLS = 100000000, CUT_NO_WAY = 255 };

/* What hosts of sites can hold where groups are on one host each: f of their places, for f(x) = floor(x / size), summed
 * over the hosts of each site.  What groups of a site come to is not more.  No sizes: places alone count. */
typedef struct {
    int32_t sizes;
    const int32_t *size;
    const int32_t *units; /* sites x sizes */
} CutUnits;

/* The fewest connections to be cut, by how much the groups on one side come to: processes, or units of a size. */
typedef struct {
    int32_t z, width; /* the size and its number; -1, 1: processes */
    int32_t total;    /* of all groups of the sequence */
    uint8_t *fewest;  /* of each frontier and amount; 255: no way; NULL: no such table */
} CutTable;

typedef struct {
    uint32_t side, within; /* sites: a bit each; `within` has all that links join */
    double weight;
    CutTable table[2]; /* by processes; by units of the size that bounds most */
} Cut;

typedef struct {
    int32_t groups, *order; /* a sequence, of these groups; see partition_cuts_make */
    int32_t processes;      /* of them */
    int32_t *open; /* groups + 1: connections of the first so many that are not within them */
    int32_t *at, *frontier; /* groups + 2; frontier[at[k]] .. of the first k groups */
    int32_t *from;          /* of the frontier: the place in the one before it; -1: it is new */
    uint32_t
        *close; /* groups: those of the frontier before it that it is connected with, a bit each */
    size_t *first, rows; /* groups + 2: of tables, in rows: frontiers */
    CutUnits units;
    int32_t cuts;
    Cut *cut;
    uint32_t joined[MOST_SITES]; /* the sites that links join with each */
    double within[MOST_SITES];   /* the least price of a connection on these */
    bool bars[MOST_SITES];       /* these cannot hold the groups */
    int64_t work;
} PartitionCuts;

/* The sequence: of the most groups that connections join; or, `whole`, of all that have connections, those that are
 * joined side by side, for which nothing else below is to be called.  groups = 0: there is none whose tables are
 * small.  False: out of memory; partition_cuts_free in any case. */
bool partition_cuts_make(PartitionCuts *out, const Shape *shape, const Neighbours *near,
                         bool whole);
void partition_cuts_free(PartitionCuts *cuts);
/* Tables for latencies up to a limit.  price: of connections, sites x sites, MOST_SITES apart.  units: borrowed.  False:
 * out of memory. */
bool partition_cuts_set(PartitionCuts *cuts, const Shape *shape, const Sites *sites, double limit,
                        const double *price, CutUnits units);
/* What connections cost at least; INFINITY: no sites that links join hold the sequence.  0: there is none. */
double partition_cuts_least(const PartitionCuts *cuts, int32_t sites);
/* The first k groups of the sequence have sites: the first one of these, those of their frontier, and how many
 * processes each site has.  What connections of all cost at least that are not within these; INFINITY: there is no
 * way. */
double partition_cuts_rest(const PartitionCuts *cuts, int32_t k, int32_t first,
                           const int8_t *frontier, const int32_t *used, const int32_t *taken);

#endif
