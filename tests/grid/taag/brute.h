/* All partitions and placements of a program on a few hosts, written apart from the scheduler: processes
 * one by one, costs by pairs of processes. */
#ifndef TAAG_TESTS_BRUTE_H
#define TAAG_TESTS_BRUTE_H

#include <amoget_machine.h>
#include <amoget_program.h>
#include <stdbool.h>

enum { MOST = 8 }; /* hosts, processes and groups */

typedef struct {
    const AmogetProgram *program;
    int32_t only; /* so many parts alone; 0: any number */
    int32_t hosts, places[MOST];
    double ms[MOST][MOST];
    int32_t n, groups, size[MOST], group[MOST], unit[MOST], at[MOST], free[MOST];
    bool talks[MOST][MOST];
    int32_t parts, largest;
    bool found;
    int32_t level, best_parts, best_largest;
    double most, mean;
    int32_t number[64]; /* of orders of magnitude, from -32 */
} Brute;

/* Fills what comes after `only` and the hosts; returns the number of partitions. */
int32_t enumerate(Brute *brute);
/* The hosts as a machine, owned by the caller; the test fails where there is no memory. */
AmogetMachine *brute_machine(const Brute *brute);

#endif
