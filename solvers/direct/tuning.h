/* Tuned numbers and limits of direct methods.  Seconds are those of "solve" that `pepa solve MODEL
 * --explore explicit --method gth --json` gives; bench/families.awk makes the models. */
#ifndef PEPA_SOLVERS_DIRECT_TUNING_H
#define PEPA_SOLVERS_DIRECT_TUNING_H

#include <math.h>

/* States of a front that are eliminated at once. */
enum { GTH_PIVOTS = 32 };

/* A front becomes a part of its parent where both have so many states at most and so large a share of
 * the entries is zeros then; CHOLMOD's numbers. */
static const struct {
    double states, zeros;
} merging[] = {{4, 1}, {16, 0.8}, {48, 0.1}, {HUGE_VAL, 0.05}};

/* Entries that elimination and LU factors may have: 2.4 GB, 3.2 GB.  Multiply-adds: an hour. */
#define GTH_ENTRIES      2e8
#define LU_ENTRIES       4e8
#define ELIMINATION_WORK 1e13

/* The chance of a state to get to later ones, at least.  Chances below 1e-308 are lost; they could make a difference of this
 * share to a state that is left so seldom. */
#define LEAST_OUT 1e-290

/* Bytes of finding an order, most of them in AMD, for an entry and for a state. */
#define ORDER_ENTRY_BYTES 28.0
#define ORDER_STATE_BYTES 100.0

#endif
