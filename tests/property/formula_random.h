/* Random formulas of CSL on a chain of few states, with what they mean in each state: by brute
 * force on dense matrices of long doubles. */
#ifndef PEPA_TESTS_FORMULA_RANDOM_H
#define PEPA_TESTS_FORMULA_RANDOM_H

#include <stdbool.h>

#include "base/mem.h"
#include "pepa.h"

typedef struct {
    const PepaChain *chain;
    PepaChainInfo info;
    size_t n;
    long double *rate; /* n x n, self-loops on the diagonal */
    double fast;       /* the largest rate at which a state is left */
    uint64_t random;   /* the state of a generator */
    bool close;        /* some number was so near to its threshold that the truth is in doubt */
} FormulaWorld;

/* chain: explored one by one. */
FormulaWorld formula_world(const PepaChain *chain, uint64_t seed);
void formula_world_free(FormulaWorld *world);

/* Append a formula on states; truth: n, out. */
void formula_states(FormulaWorld *world, int depth, Text *text, bool *truth);
/* Append a formula `...=? [ ... ]`; value: n, out.  *scale: the largest of these, at least 1 */
void formula_number(FormulaWorld *world, int depth, Text *text, long double *value, double *scale);

#endif
