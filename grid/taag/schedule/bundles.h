/* Which groups share a host, so that most connections are within hosts: clustering with capacities.
 *
 * Branch and price.  A linear program has a column for each set of groups that one host can hold; a row for each
 * group, which is in one set; and rows of hosts: there are no more sets of more than so many processes than hosts that
 * hold these.  Sets that gain are found by a dynamic programme over the sequence of partition_cuts.h: a state is which
 * groups of the frontier are in the set, and how many places are left.  Where the solution is divided, two groups
 * that talk are together, or apart, which the programme sees as it adds the second one.
 * Source: Johnson, Mehrotra, Nemhauser, Min-cut clustering (columns of clusters); Ryan, Foster, An integer programming
 * approach to scheduling (together or apart). */
#ifndef TAAG_SCHEDULE_BUNDLES_H
#define TAAG_SCHEDULE_BUNDLES_H

#include "grid/taag/schedule/dispersion.h"
#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/pack_lp.h"
#include "grid/taag/schedule/partition_cuts.h"

enum { BUNDLE_OPEN, BUNDLE_TOGETHER, BUNDLE_APART };

/* The sets that gain most, of each size: a table of what the groups from the k-th on add. */
typedef struct {
    const PartitionCuts *cuts;
    int32_t steps, *order;      /* the sequence, then groups without connections */
    int32_t width;              /* places of a set at most */
    size_t *first, rows;        /* steps + 1: of the table */
    uint32_t *next;             /* rows: the frontier after it, without the group of the step */
    uint32_t *own;              /* steps: the bit of its group in the next frontier, or 0 */
    uint32_t *close;            /* steps: those of the frontier that talk to it, */
    uint32_t *together, *apart; /* and that are to be together, apart */
    double *value;              /* rows x (width + 1) */
    double *gain;               /* of groups; -INFINITY: not in any set */
} BundlePrices;

typedef struct {
    const Shape *shape;
    /* Do hosts hold things of such sizes? */
    CliqueAnswer (*fit)(void *data, const int32_t *size, int32_t things);
    void *data;
    Effort *effort;

    int32_t *bundle; /* result, of groups: the number of their set; -1: no member */
    bool found;      /* sets with more than is known */
    int32_t least;   /* connections that these have, or what is known */
    int32_t most;    /* no sets have more */
    bool no_memory;

    BundlePrices prices;
    PackLp lp;
    size_t words;    /* of a column: 64 groups each */
    uint64_t *holds; /* columns x words: their groups */
    size_t holds_cap;
    int32_t *row; /* of groups; -1 */
    int32_t members, tiers;
    int32_t *tier;  /* places that hosts have, descending: a row each, of sets that need as many */
    int32_t *place; /* of groups in the sequence */
    uint8_t *fixed; /* edges */
    double *part;   /* edges: how far they are together */
    int32_t *sorted, *set, *size; /* scratch: edges; groups, groups */
    PackEntry *entry;             /* scratch: rows */
} Bundles;

/* For sets of up to `width` processes.  cuts: a sequence that has all connections.  *suit: there is one, and the table has
 * no more cells than that; nothing else can be done otherwise.  False: out of memory; bundles_free in any case. */
bool bundles_make(Bundles *bundles, const Shape *shape, const PartitionCuts *cuts, int32_t width,
                  size_t cells, bool *suit);
void bundles_free(Bundles *bundles);
/* The groups with member[g] on hosts, of which hosts[p] have p places (up to `widest`); sets with no more
 * connections than are `known` do not matter.  The effort is that of bundles->effort; what it does not suffice for
 * is a gap between least and most.  False: out of memory. */
bool bundles_find(Bundles *bundles, const bool *member, const int32_t *hosts, int32_t widest,
                  int32_t known);

/* The table, for the present gains. */
void bundle_prices_fill(BundlePrices *prices, const int32_t *size, int64_t *work);
/* What the best set of up to so many places gains. */
double bundle_prices_best(const BundlePrices *prices, int32_t places);
/* Its groups, into list.  Returns how many. */
int32_t bundle_prices_trace(const BundlePrices *prices, const int32_t *size, int32_t places,
                            int32_t *list);

#endif
