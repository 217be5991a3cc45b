/* The chains of jumps within bottom components, by rows, for potentials: a potential is carried
 * against the transitions, so that states are in the reverse order of the sweeps for the steady
 * state. */
#ifndef PEPA_MEASURE_RECURRENT_H
#define PEPA_MEASURE_RECURRENT_H

#include "measure/longrun.h"
#include "solvers/solver.h"

/* A bottom component.  Its states are order[first .. first + n); rows and columns count from there. */
typedef struct {
    int32_t first, n;
    int64_t entry;             /* where its entries begin */
    PotentialFactors *factors; /* for the jumps whose hash this is */
    uint64_t hash;
} BottomComponent;

/* P, and to which entries transitions contribute.  Borrows the chain. */
typedef struct {
    const Chain *chain;
    int32_t n; /* states in all components */
    BottomComponent *component;
    int32_t *order, *place; /* place: per state of the chain, or -1 */
    /* The row of the state at a place in component b begins at row[place + b], beyond the
     * component's `entry`, since each component has one offset more than it has states.  The i-th
     * transition out of these states that is no self-loop, as chain_each_transition has them, adds to
     * the entry at its source's row + target[i]. */
    int64_t *row;
    int32_t *col, *target;
    double *val, *exit;
} Recurrent; /* starts as {0} */

/* Structure only; recurrent_free in any case.  Errors: PEPA_ENOMEM. */
PepaStatus recurrent_new(Recurrent *r, const Chain *chain, const LongRun *run, PepaError *err);
void recurrent_free(Recurrent *r);

/* Where the entries of the row at a place in component b begin, and those of the next row. */
static inline int64_t recurrent_row(const Recurrent *r, int32_t b, int32_t place)
{
    return r->component[b].entry + r->row[place + b];
}
static inline int64_t recurrent_row_end(const Recurrent *r, int32_t b, int32_t place)
{
    return r->component[b].entry + r->row[place + b + 1];
}
/* The jumps of component b; borrowed. */
Flow recurrent_flow(const Recurrent *r, int32_t b);
/* Entries have changed: factors for other jumps go. */
void recurrent_forget(Recurrent *r);

#endif
