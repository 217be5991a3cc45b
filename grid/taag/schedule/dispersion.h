/* Groups that each talk to each, on the fewest and nearest nodes: the minimum dispersion problem
 * with multiplicities.
 *
 * A node holds k groups, 0 <= k <= most; all nodes together hold `groups`, and those that hold any
 * have at least `processes` places.  Least are first the largest latency between two groups, then
 * the sum over all pairs.  Where each group is on one host, hosts are the nodes, and this is the
 * scheduler's problem itself as far as numbers of groups go; where groups are spread over
 * hosts, sets of hosts are the nodes, and it is a relaxation.
 *
 * The largest latency is found by bisection: at a latency, a clique of links no longer than it must
 * have room (dispersion_clique.c).  The sum is found by branch and bound (dispersion_sum.c) from a
 * local optimum (dispersion_local.c).
 * Source of the problem: Kuby, Programming models for facility dispersion, with the opposite sign;
 * of the bound: Gilmore, Optimal and suboptimal algorithms for the quadratic assignment problem. */
#ifndef TAAG_SCHEDULE_DISPERSION_H
#define TAAG_SCHEDULE_DISPERSION_H

#include <stddef.h>

#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/link_graph.h"

typedef enum { CLIQUE_NONE, CLIQUE_FOUND, CLIQUE_UNKNOWN, CLIQUE_NO_MEMORY } CliqueAnswer;

typedef struct {
    int32_t nodes, groups;
    double *ms;      /* nodes^2, symmetric; on the diagonal: of two groups on one node */
    int32_t *most;   /* groups that a node can hold */
    int64_t *places; /* of a node */
    int64_t processes;
    int64_t *sum; /* groups + 1: the places that so many groups take at least */
    bool uniform; /* groups take equally many places, at least */
    /* If not all that meets the conditions is possible: can the groups be on nodes with at most
     * `most` on each?  count: with how many, if found. */
    CliqueAnswer (*possible)(void *data, const int32_t *most, int32_t *count);
    void *data;

    /* What follows from this, but for the number of groups. */
    int32_t *near;   /* nodes^2: of each node all others, nearest first; itself is not there */
    bool *dominates; /* nodes^2: exchanging what two nodes hold does not help if [a][b], and a
                           has as many groups as b: some optimum is such for all pairs */
    bool *dominated; /* the same, [b][a] */
    bool extreme;    /* some optimum has at most one node with other numbers than 0, 1, most */
    int32_t value_count;
    double *values; /* the distinct latencies between nodes that can hold groups, ascending */
} Dispersion;

static inline double dispersion_ms(const Dispersion *d, int32_t a, int32_t b)
{
    return d->ms[(size_t)a * (size_t)d->nodes + (size_t)b];
}

typedef struct {
    bool found;                   /* count holds a solution */
    int32_t *count;               /* nodes: groups on each */
    double most, sum;             /* its latencies */
    double least_most, least_sum; /* bounds; the sum's for a largest latency of least_most;
                                     INFINITY: no solution at all */
    double cutoff_sum;            /* sums from here on do not matter */
} Dispersed;

/* Room for a problem, zeroed; inputs are the caller's to set: ms, most, places, processes, sum,
 * uniform, possible.  False: out
 * of memory, and nothing is held. */
bool dispersion_make(Dispersion *out, int32_t nodes, int32_t groups);
/* To be called once the inputs are there; groups and processes may be changed later.  Nodes^2 log
 * nodes, and nodes^3 if all dominate each other.  False: out of memory. */
bool dispersion_prepare(Dispersion *problem);
void dispersion_free(Dispersion *problem);
/* Solve.  cutoff, cutoff_sum: solutions that are not better do not matter: bounds are then at least
 * these.  False: out of memory. */
bool dispersion_solve(Dispersed *out, const Dispersion *problem, double cutoff, double cutoff_sum,
                      Effort *effort);
void dispersed_free(Dispersed *result);

/* ---- its parts ------------------------------------------------------------------------------ */

/* What `groups` groups on a node take of its room, and what all have to find. */
Room dispersion_room(const Dispersion *problem, int32_t node, int32_t groups);
Room dispersion_wanted(const Dispersion *problem);
/* Is there a clique of links of at most ms with room?  member: nodes; its members if found. */
CliqueAnswer dispersion_clique(const Dispersion *problem, double ms, bool *member, Effort *effort);
/* The largest and the sum. */
void dispersion_measure(const Dispersion *problem, const int32_t *count, double *most, double *sum);
/* Local optima of the sum with latencies of at most ms, from a clique with room and from nodes and
 * those near them; the best one, if any is found, into count.  False: out of memory. */
bool dispersion_improve(bool *found, const Dispersion *problem, double ms, const bool *member,
                        int32_t *count, Effort *effort);
/* The least sum with latencies of at most ms: `out` has a solution or none, out->sum and count
 * become better ones; least_sum a bound (out->sum: proved).  False: out of memory. */
bool dispersion_sum(Dispersed *out, const Dispersion *problem, double ms, Effort *effort);

#endif
