/* Whether states that hold next to nothing may have to fill up.
 *
 * A group of states that is entered next to never, and left more seldom still, may hold nearly all in the long run, and
 * sweeps bring it next to nothing: neither their residual nor what they change shows it, for all that is below rounding.
 * But there jumps do not lead back to states that hold more.  Let h be the logarithm of what a state holds; the mean of h
 * after some jumps, of which those end that come to a state that counts, is at least h for all others if jumps lead back
 * from everywhere, as from the long queues of a system that is seldom full.  How many jumps may differ from state to state, and
 * from path to path.  Where that is not so for all after a number of steps, a group may have to fill up; in a step all states
 * jump once more, in the order of sweeps, so that many follow the way back at once.  A group grows as a whole when it fills up,
 * so that states that do not grow may be left out.  Such a drift condition is Foster's (F. G. Foster, "On the stochastic matrices
 * associated with certain queuing processes", Annals of Mathematical Statistics 24, 1953), with numbers of jumps that differ
 * Malyshev and Menshikov's (S. P. Meyn, R. L. Tweedie, "State-dependent criteria for convergence of Markov chains", Annals of
 * Applied Probability 4, 1994); with this h it is an estimate. */
#ifndef PEPA_SOLVERS_FILLING_H
#define PEPA_SOLVERS_FILLING_H

#include <stdbool.h>
#include <stdint.h>

#include "pepa_shared.h"
#include "solvers/tuning.h"

typedef enum { FILLING_OPEN, FILLING_NONE, FILLING_LIKELY } FillingFound;

typedef struct {
    int32_t n, steps;
    float *level, *mean; /* per state: h; its mean after some jumps */
    double *
        next; /* per state, and beyond: the sum of the means to which jumps lead, times their rates */
    const uint8_t *grown; /* per state, borrowed: whether it counts; NULL: all do */
} Filling;

/* next: of so many entries, n or more.  False: memory is out. */
bool filling_new(Filling *out, int32_t n, int64_t next);
void filling_free(Filling *filling);
double filling_bytes(int64_t states);

/* y: shares of the states, with the sum 1.  `next` is then the caller's to find. */
void filling_begin(Filling *filling, const double *y);
/* One more jump from state i, which is left at rate `exit`, unless it counts.  Returns the change of its mean; what changes adds to
 * `next` of all states with a jump to it. */
static inline double filling_jump(Filling *f, int64_t i, double exit)
{
    if (f->level[i] >= LEVEL_SEEN)
        return 0;
    const float before = f->mean[i];
    f->mean[i] = (float)(f->next[i] / exit);
    return (double)f->mean[i] - (double)before;
}
/* After a step.  Of processes that have these states and others (NULL: one has all) the same in all, which call it together. */
FillingFound filling_look(Filling *filling, const PepaProcesses *processes);

#endif
