/* Groups of states of which several processes have found parts, and whether they are in balance. */
#ifndef PEPA_SOLVERS_PARTS_H
#define PEPA_SOLVERS_PARTS_H

#include "solvers/solver.h"

/* Flows that are many times the residual are not hidden by it: states between which so much flows are in balance to
 * within a thousandth.  Estimates. */
#define COMMON_FLOW    1e3
#define LEAST_RESIDUAL 1e-15

/* Joins i and j: group[i] leads to the first of its group, itself if it is that. */
int32_t group_first(int32_t *group, int32_t i);
void group_join(int32_t *group, int32_t i, int32_t j);
/* The first of a group comes before the others: what led there becomes their number.  Returns how many there are. */
int32_t group_number(int32_t *group, int32_t n);

/* Of all processes the parts are numbered through: own ones are first .. first + own - 1. */
typedef struct {
    const PepaProcesses *processes;
    int32_t first, own, all;
    int32_t *group; /* per part, as of group_join */
    double *least;  /* per part: scratch */
} GroupParts;

/* Each process has so many.  False in all of them: they are more than MOST_PARTS in all, as out->all then says, or memory is out. */
bool parts_new(GroupParts *out, const PepaProcesses *processes, int32_t own);
void parts_free(GroupParts *parts);
/* When each process has joined what it knows of: what all have joined, numbered, the same in all.  Returns how many groups there
 * are. */
int32_t parts_number(GroupParts *parts);

/* What flows into groups from others, and out of them, and what they hold; in the end of all processes. */
typedef struct {
    int32_t groups;
    double *in, *out, *held;
} GroupFlows;

bool group_flows_new(GroupFlows *out, int32_t groups);
void group_flows_free(GroupFlows *flows);
/* How far groups are from what they would hold if what flows out of each came into balance with what flows in: what is held is a
 * share of time.  `in` becomes what they would hold, `held` what they do, as parts of the whole. */
Drift group_flows_off(GroupFlows *flows, const PepaProcesses *processes);

/* As flow_imbalance, of a flow that processes share, which call it together, and without groups of groups: states between which
 * more flows than some times the residual are one group.  0 as well where groups are very many; NaN as the time's where memory is out. */
Drift flow_shared_imbalance(const Flow *flow, const double *y, double residual);

#endif
