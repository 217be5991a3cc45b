/* Forces the decisions by which the engine goes from one way to the next, at random points: a
 * method stalls, a search for sets is abandoned, memory is refused, although none of this would
 * happen.
 *
 * The linker puts the functions of forcing.c in place of those that decide (--wrap, see the
 * Makefile), in this program only.  While nothing is forced they do what the library's do.
 * Decisions are forced where one thread is at work; the clock may be read by several. */
#ifndef PEPA_TESTS_FORCING_H
#define PEPA_TESTS_FORCING_H

#include "ctmc/chain.h"
#include "solvers/blocks/blocks.h"

typedef enum {
    FORCE_STALL,        /* a method is told that too many iterations are left */
    FORCE_ITERATIONS,   /* ... that none is left */
    FORCE_FILL,         /* elimination would fill up too much */
    FORCE_MEMORY,       /* a step would take too much memory */
    FORCE_COSTLY,       /* a search for sets takes too much work */
    FORCE_ALONE,        /* ... finds too few states for each set */
    FORCE_SETS_MEMORY,  /* ... takes too much memory */
    FORCE_TOO_MANY,     /* there are too many states to explore one by one */
    FORCE_SETS_COUPLED, /* sets cannot rule out that rare jumps join groups of states */
    FORCE_COUPLED,      /* rare jumps join groups of states */
    FORCE_UNSETTLED,    /* the shares of these groups do not settle */
    FORCE_PLAIN,        /* extrapolation finds nothing better */
    FORCE_JOIN,         /* blocks are aggregated */
    FORCE_PART,         /* ... and no longer, as that did not pay */
    FORCE_NO_GUESS,     /* the aggregated chain gives no first guess */
    FORCE_VISITS,       /* absorption cannot be found by elimination */
    FORCED              /* how many there are */
} Force;

extern const char *const force_name[FORCED];

/* Decisions are forced from here to forcing_end, at points that the seed chooses. */
void forcing_begin(uint64_t seed);
/* How often each was forced, added to `taken`. */
void forcing_end(int64_t taken[FORCED]);
/* How often since forcing_begin. */
int64_t forcing_count(Force force);

/* ---- for the copies of the library's files that have other tuned numbers --------------------- */

int32_t forcing_few_states(void);
int32_t forcing_fewest_for_sets(void);
int64_t forcing_most_one_by_one(void);
int32_t forcing_slow_sweeps(void);
double forcing_join_gain(void);

PepaStatus forced_chain_derive(Chain **out, const Model *model, const PepaSettings *set,
                               DiagList *diags, PepaError *err);
PepaStatus forced_solve_flow(PepaMethod method, const Flow *flow, const Control *control, double *y,
                             Outcome *out, PepaError *err);
PepaStatus forced_solve_blocks(const Blocks *blocks, PepaMethod method, int32_t threads,
                               double patience, const Control *control, double *pi, Outcome *out,
                               PepaError *err);

/* ---- the clock ------------------------------------------------------------------------------- */

typedef enum { CLOCK_TRUE, CLOCK_STOPPED, CLOCK_JUMPING, CLOCK_TURNING } Clock;
/* What the engine reads from now on: the time; always the same; any time from one reading to the
 * next, later or earlier; later and earlier in turn. */
void forcing_clock(Clock clock);
/* How often it was read since, and how many sweeps were made by several threads, and by one
 * although there were several. */
typedef struct {
    int64_t readings, together, alone;
} Clocked;
Clocked forcing_clocked(void);

#endif
