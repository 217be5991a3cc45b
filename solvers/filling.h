/* Whether states that hold next to nothing may have to fill up.
 *
 * A group of states that is entered next to never, and left more seldom still, may hold nearly all in the long run, and
 * sweeps bring it next to nothing: neither their residual nor what they change shows it, for all that is below rounding.
 * But there jumps do not lead back to states that hold more.  Let h be the logarithm of what a state holds; the mean of h
 * after some jumps, of which those end that come to a state that counts, is at least h for all others if jumps lead back
 * from everywhere, as from the long queues of a system that is seldom full.  Where that is so after no number of jumps up to
 * a limit, a group may have to fill up.  It grows as a whole then, so that states that do not grow may be left out.  Such a
 * drift condition is Foster's (F. G. Foster, "On the stochastic matrices associated with certain queuing processes", Annals
 * of Mathematical Statistics 24, 1953); with this h it is an estimate. */
#ifndef PEPA_SOLVERS_FILLING_H
#define PEPA_SOLVERS_FILLING_H

#include <stdbool.h>
#include <stdint.h>

#include "pepa_shared.h"

typedef enum { FILLING_OPEN, FILLING_NONE, FILLING_LIKELY } FillingFound;

typedef struct {
    int32_t n, steps;
    float *level, *mean;  /* per state: h; its mean after so many jumps */
    double *next;         /* per state, and beyond: the mean after one more */
    const uint8_t *grown; /* per state, borrowed: whether it counts; NULL: all do */
} Filling;

/* next: of so many entries, n or more.  False: memory is out. */
bool filling_new(Filling *out, int32_t n, int64_t next);
void filling_free(Filling *filling);
double filling_bytes(int64_t states);

/* y: shares of the states, with the sum 1. */
void filling_begin(Filling *filling, const double *y);
/* When `next` has the means of `mean` after a jump from each state; it is 0 afterwards.  Of processes that have these states and
 * others (NULL: one has all) the same in all, which call it together. */
FillingFound filling_look(Filling *filling, const PepaProcesses *processes);

#endif
