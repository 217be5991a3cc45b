/* Elimination of a sparse chain's states, front by front: what is left of each waits until its parent takes it over.
 * Source: Liu, SIAM Review 34 (1992). */
#ifndef PEPA_SOLVERS_DIRECT_ELIMINATION_H
#define PEPA_SOLVERS_DIRECT_ELIMINATION_H

#include "solvers/direct/fronts.h"

/* Numbers of all fronts but the last, one front after the other, as front_eliminate leaves them, are kept for whom gives
 * room for them: set visits, later and out between elimination_start and elimination_run; NULL: nobody wants them. */
typedef struct {
    const Jumps *jumps; /* borrowed */
    Jumps back;         /* the same by targets */
    Fronts fronts;
    int32_t *row, *column; /* per state: its places in the front at work */
    Front now;             /* that front; the last one stays here */
    double *update; /* of fronts whose parents are to come, each rows x columns without pivots */
    size_t used;    /* of that */
    int32_t *waits; /* these fronts */
    int32_t waiting;
    size_t largest, deepest; /* numbers of a front, and of updates, at most */
    double *visits;          /* rows x pivots, elimination_visits in all */
    double *later;           /* pivots x states that are left, elimination_later in all */
    double *out;             /* per state: the chance to leave for later ones */
} Elimination;

/* Finds the fronts.  elimination_free in any case.  False: memory is out. */
bool elimination_start(Elimination *e, const Jumps *jumps);
void elimination_free(Elimination *e);

/* Of a front: how many states are left; numbers of visits and of later that are kept, none of the last front. */
int32_t elimination_left(const Elimination *e, int32_t f);
size_t elimination_visits(const Elimination *e, int32_t f);
size_t elimination_later(const Elimination *e, int32_t f);

/* Eliminates all states; again, after the chances to absorbing states have changed.
 *   monitor  NULL: nothing cancels it
 *   closed   the last state need not lead anywhere
 * Errors: PEPA_ENOCONV when the chance of a state to get to later ones is below LEAST_OUT, or not finite;
 * PEPA_ECANCEL; PEPA_ENOMEM. */
PepaStatus elimination_run(Elimination *e, Monitor *monitor, bool closed);

#endif
