/* Trees of three levels, each group on one host with its manager: bounds, and the best placements.
 *
 * The root talks to managers, and managers to leaves on their own host.  So the cost depends only
 * on the root's host and on how many units, of leaves and a manager, each host has: a median
 * problem with capacities.  For a root, hosts are taken from the nearest on until they have room:
 * that is the least largest latency.  A knapsack over units and places then finds the least sum.
 * Source of the problem: Mirchandani, Francis, Discrete location theory, chapter 2; of the
 * knapsack: Kellerer, Pferschy, Pisinger, Knapsack problems, chapter 9. */
#ifndef TAAG_SCHEDULE_STAR_H
#define TAAG_SCHEDULE_STAR_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"

/* Is the program such a tree? */
bool star_suits(const AmogetProgram *program);
/* Raise lower[parts], a bound for each number of parts, and offer the best placements of level 0.
 * Exact for that level, as far as the effort goes; largest latencies always.  Knapsacks take, for
 * each of the roots that are as near as can be: hosts in reach x units x processes x units of a
 * host.  False: out of memory. */
bool star_solve(const Hosts *hosts, const AmogetProgram *program, Cost *lower, Best *best,
                Effort *effort);

#endif
