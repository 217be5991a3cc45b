/* Elimination by fronts: dense matrices of the states that are eliminated together and of those that
 * these lead to.
 * Source: Duff, Reid, ACM TOMS 9 (1983); Liu, SIAM Review 34 (1992). */
#ifndef PEPA_SOLVERS_DIRECT_FRONTS_H
#define PEPA_SOLVERS_DIRECT_FRONTS_H

#include <stdbool.h>
#include <stdint.h>

#include "solvers/internal.h"

/* States, the pivots[f] ones that are eliminated first, ascending. */
typedef struct {
    int64_t *start; /* per front, count + 1 */
    int32_t *state;
} FrontStates;

/* Fronts, children before parents and in postorder: when one is begun, its children are the last
 * ones whose updates nobody has taken over.  The last one has the chain's last state.  Rows are of the pivots and of later
 * states that lead to these; columns of the pivots, of later states to which they lead, and then of absorbing ones. */
typedef struct {
    int32_t count;
    int32_t *pivots;
    int32_t *parent; /* the front that takes over the update; -1: there is none */
    int32_t *absorbing; /* columns of absorbing states */
    FrontStates row, column;
} Fronts;

static inline int32_t front_count(const FrontStates *of, int32_t f)
{
    return (int32_t)(of->start[f + 1] - of->start[f]);
}

static inline const int32_t *front_states(const FrontStates *of, int32_t f)
{
    return of->state + of->start[f];
}

/* The fronts of a chain whose states are eliminated in the order of their numbers: of states that
 * lead to the same ones, and of so few others that zeros take less time than more fronts.
 *   back  the chain's jumps by targets
 * False: memory is out.  O(rows + entries of the factors).  Give back with fronts_free. */
bool fronts_new(Fronts *fronts, const Jumps *jumps, const Jumps *back);
void fronts_free(Fronts *fronts);

/* A front of rows x stride numbers, row-major; columns beyond its own are 0. */
typedef struct {
    double *a;
    int32_t rows, stride;
    double *out;   /* rows entries: chances to leave pivots for later states */
    int32_t *busy; /* rows entries, scratch */
} Front;

/* Stride of a front of so many columns. */
int32_t front_stride(int32_t columns);

/* Eliminate pivots begin .. end - 1, of which those before are eliminated: a_ik with i > k becomes
 * the expected visits to k from i before later states, a_ij with i, j >= end the chances of the
 * chain that does not see them.  All numbers are sums, products and quotients of non-negative ones:
 * nothing cancels.  The diagonal is not read. */
void front_eliminate(const Front *front, int32_t begin, int32_t end);

#endif
