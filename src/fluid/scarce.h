/* Where the differential equations do not know how a scarce population divides.
 *
 * Components that leave a local state as fast as they enter it are a few at a time, of which the numbers
 * change fast.  If what they do has one and the same part of time (flow_rate.h), as where all their
 * actions are possible as long as there is one of them, it divides as the rates of the partners do.  Else,
 * as where another scarce local state takes part in one of the actions and not in the other, it depends on
 * how the few of both are distributed, which no equation of their means says.
 *
 * Nor do they know the mean of min(a, b), where a is a sum of rates one of which comes and goes with a
 * scarce population, and b is between what a is with it and without it. */
#ifndef PEPA_FLUID_SCARCE_H
#define PEPA_FLUID_SCARCE_H

#include "ctmc/semantics/population_form.h"
#include "base/error.h"

typedef struct {
    int32_t variable, move;
    int32_t part; /* an expression, below 1 where there are few */
    int32_t
        weights; /* the sum of weights that it is a share of, an expression; -1: of equal ones */
} ScarceMove;

typedef struct {
    int32_t kink, move; /* a move whose rate has it */
} ScarceKink;

typedef struct {
    ScarceMove *move; /* by variable; of those alone that have moves of several parts or weights */
    size_t count, cap;
    ScarceKink *blurred; /* between rates that are no multiples of one part */
    size_t blurred_count;
    bool *has_part;   /* per flow of the moves */
    double *in, *out; /* per variable: scratch */
} Scarce;             /* starts as {0} */

typedef struct {
    /* A scarce population, and two of its moves; or one, whose rate has such a min, and -1.  Variable -1:
     * none. */
    int32_t variable, move, other;
} ScarceChoice;

/* used_by: per kink, a move whose rate has it.  scarce_free in any case.  False: out of memory. */
bool scarce_new(Scarce *out, const Population *population, const int32_t *used_by);
void scarce_free(Scarce *scarce);
/* What is not known at these values of all flows, of populations that leave as they enter.  O(moves), or
 * nothing where there is no such model. */
ScarceChoice scarce_find(const Scarce *scarce, const Population *population, const double *value);

#endif
