/* What a round of a program costs: statements of the block `program` beside its kind.
 *
 *   work 30;  data 80kB;  exchange 1MB;  phases 20;
 *
 * Values are those of pipelines: plain numbers of units of work, sizes with units, and names of
 * definitions. */
#ifndef AMOGET_PROGRAM_ROUND_H
#define AMOGET_PROGRAM_ROUND_H

#include "amoget/machine/check.h"
#include "amoget_program.h"

enum { ROUND_COSTS = 4 };

typedef struct {
    const Say *first[ROUND_COSTS]; /* the statement of each, or NULL */
    double value[ROUND_COSTS];
} RoundCheck;

/* "work", "data", "exchange", "phases". */
const char *round_cost_name(int cost);
/* Read a statement if it is about a round; false: it is not.  Errors are reported. */
bool round_statement(Check *check, const Say *say, RoundCheck *round);
/* Write what was read into a program. */
void round_set(const RoundCheck *round, AmogetProgram *program);

#endif
