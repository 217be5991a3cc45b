/* Which process solves for which states of a chain by rows that processes have explored together: the
 * states in lexicographic order, a run of about the same length for each process, so that most jumps
 * stay within one. */
#ifndef PEPA_MEASURE_SPREAD_ORDER_H
#define PEPA_MEASURE_SPREAD_ORDER_H

#include "ctmc/chain.h"

/* A state of a run: whose, and its place in it. */
typedef struct {
    int32_t process, place;
} Berth;

typedef struct {
    const Chain *chain; /* borrowed */
    ChosenOrder chosen;
    bool in_place; /* states are solved for where they are */
    Berth *berth;  /* per state of this process: where it is solved for */
    int32_t n;     /* states of this process's run */
    double *exit;  /* per place of it: exit rate, self-loops apart */
    Berth *origin; /* per place of it: the state's process, and its index there */
} SpreadOrder;     /* starts as {0} */

/* All processes call these, and agree.  O(states log states + transitions).
 *   value     per term
 * States that are in runs stay where they are, unless they are to be `sorted`:
 *   sorted    in lexicographic order
 *   by_first  this one, alike in all; NULL: one of the two
 *   part      per process: of the states, in the sum 1, alike in all; NULL: all the same
 * Errors: PEPA_ENOMEM. */
PepaStatus spread_order_new(SpreadOrder *out, const Chain *chain, const double *value, bool sorted,
                            const bool *by_first, const double *part, PepaError *err);
void spread_order_free(SpreadOrder *order);

/* x[state] = y[place], for all states. */
PepaStatus spread_order_return(const SpreadOrder *order, const double *y, double *x,
                               PepaError *err);
/* y[place] = x[state x stride]. */
PepaStatus spread_order_bring(const SpreadOrder *order, const double *x, size_t stride, double *y,
                              PepaError *err);
/* y[place]: the probability that the chain begins there.
 *   value  per term: its rate */
PepaStatus spread_order_start(const SpreadOrder *order, const double *value, double *y,
                              PepaError *err);
/* The number of the state at a place: as in a transition's target. */
static inline double spread_order_number(const SpreadOrder *order, int32_t place)
{
    const Berth origin = order->origin[place];
    return (double)origin.place * order->chain->spread->processes->count + origin.process;
}
/* Where the chain begins, if in one state; alike in all processes. */
Berth spread_order_begin(const SpreadOrder *order);

#endif
