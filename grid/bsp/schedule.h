/* The schedule of an exchange among all processes: rounds of pairs.
 *
 * The circle method makes a 1-factorisation of the complete graph: in p - 1 rounds (p if p is odd,
 * where one process idles in each) every process meets every other once.  Rounds are counted from 0.
 * Of a pair, the sum of whose pids is odd, the lower pid sends first, otherwise the higher.
 * Source: the schedule matrix of BSP-G (Tong, Ding and Cai, 2003, 6.4), whose section is missing;
 * the circle method: Lucas, Recreations mathematiques 2 (1883). */
#ifndef GRID_BSP_SCHEDULE_H
#define GRID_BSP_SCHEDULE_H

#include <stdint.h>

int schedule_rounds(int nprocs);
/* Whom a process meets in a round; -1: nobody. */
int schedule_partner(int nprocs, int round, int pid);
/* Of these two, who sends first. */
int schedule_first(int a, int b);
/* All others, in the order of the rounds: partners[nprocs - 1]. */
void schedule_partners(int nprocs, int pid, int *partners);

/* The h-relation of a superstep: of each process the larger of what it sends and what it receives.
 *   bytes  nprocs x nprocs, [from * nprocs + to]; what a process sends itself does not count
 *   h      nprocs */
void schedule_h_relation(int nprocs, const uint64_t *bytes, uint64_t *h);

#endif
