/* What the numbers of a program can be, wherever they come from. */
#ifndef AMOGET_PROGRAM_PROGRAM_H
#define AMOGET_PROGRAM_PROGRAM_H

#include <stdbool.h>

#include "amoget_program.h"

/* The number of a program that is wrong. */
typedef enum {
    PROGRAM_NONE, /* all are right */
    PROGRAM_PROCESSES,
    PROGRAM_LEAST,
    PROGRAM_DIVISOR,
    PROGRAM_LEVELS,
    PROGRAM_SIZES,
    PROGRAM_EDGES,
    PROGRAM_ROUND, /* what a round costs */
    PROGRAM_MEMORY /* there is too little to tell */
} ProgramFault;

enum { PROGRAM_WHY = 200 };

/* Are all numbers in range and in harmony?  If not: which one is wrong, why, and (*index) which
 * size or edge.  Linear but for edges: they are sorted. */
ProgramFault program_fault(const AmogetProgram *program, int32_t *index, char why[PROGRAM_WHY]);

#endif
