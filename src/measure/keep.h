/* What is kept of a solution, and what it goes on from: PepaKeeping by states. */
#ifndef PEPA_MEASURE_KEEP_H
#define PEPA_MEASURE_KEEP_H

#include "ctmc/diagram/diagram.h"
#include "pepa_shared.h"
#include "solvers/solver.h"

/* The states of a vector in lexicographic order, which does not depend on who has found them. */
typedef struct {
    int64_t first, all;   /* it has those from the first-th on, of so many */
    bool by_first;        /* which order it is */
    const int32_t *place; /* per state of it: its entry of vectors; NULL: the same, or ... */
    bool reversed;        /* ... the last one comes first */
    const double *exit;   /* per entry: what is kept is the flow by this; NULL: probabilities */
} KeepOrder;              /* borrows */

typedef struct {
    const PepaKeeping *keeping; /* borrowed; NULL: nothing is kept */
    int64_t states;
    const KeepOrder *order; /* borrowed; NULL: as the chain numbers them */
    const Diagram *part;    /* borrowed: states are those of its own upper states; NULL: all */
    const PepaProcesses *processes; /* borrowed; NULL: this one is alone */
    double began, last;             /* on the clock: the solution; when it was kept, or began */
    Keeper keeper;
} Keep;

/* Sets it up for vectors of so many states, in the order of the chain; or, for a part, as its diagram
 * has them.  The solution begins.  NULL if nothing is to be kept; else good as long as *keep stays where
 * it is. */
const Keeper *keep_init(Keep *keep, const PepaKeeping *keeping, int64_t states);
const Keeper *keep_init_part(Keep *keep, const PepaKeeping *keeping, const Diagram *part,
                             const PepaProcesses *processes);
/* For a vector of so many states in lexicographic order. */
const Keeper *keep_init_ordered(Keep *keep, const PepaKeeping *keeping, int64_t states,
                                const KeepOrder *order, const PepaProcesses *processes);
/* In which order `all` states were kept; *by_first stays as it is if they were not.  Errors: PEPA_EIO. */
PepaStatus keep_find_order(const PepaKeeping *keeping, int64_t all, bool *by_first, PepaError *err);

/* pi as it was kept: *loaded tells whether there is anything to go on from.  Errors: PEPA_EIO. */
PepaStatus keep_load(const Keep *keep, double *pi, bool *loaded, PepaError *err);

#endif
