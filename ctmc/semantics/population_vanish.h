/* Local states that take no time, in the population view.
 *
 * A component that does an immediate activity by itself does so whatever the others do, and leaves its
 * local state as it enters it.  So the local state is always empty, and who would enter it is at once where
 * its immediate activities end.  This is exact: a move into such local states becomes moves to where they
 * lead to, its rate times the probability of each.  Immediate activities that cooperate have no such meaning:
 * when they happen depends on all populations. */
#ifndef PEPA_CTMC_SEMANTICS_POPULATION_VANISH_H
#define PEPA_CTMC_SEMANTICS_POPULATION_VANISH_H

#include "ctmc/semantics/population_form.h"

/* What a local state that takes no time leads to. */
typedef struct {
    int32_t event; /* that is immediate; how often it happens on the way */
    double times;
} PassedEvent;
typedef struct {
    int32_t variable; /* of a local state that takes time */
    double probability;
} PassedTo;

typedef struct {
    bool any;            /* the model has immediate activities; else nothing below is there */
    uint8_t *kinds;      /* per program: 1 << RateLevel of each level that its activities have */
    uint8_t *is_passed;  /* per variable: it takes no time */
    int32_t *to_row;     /* variables + 1 */
    PassedTo *to;        /* where it leads to */
    int32_t *event_row;  /* variables + 1 */
    PassedEvent *events; /* what happens on the way */
    size_t to_cap, event_cap;
} Passing; /* starts as {0} */

/* The local states of the population's slots.  Errors: PEPA_EARG (an immediate activity that cooperates,
 * that is timed elsewhere, or whose weight counts local states), PEPA_EMODEL (immediate activities go on for
 * ever), PEPA_ENOMEM. */
PepaStatus passing_new(Passing *out, const Population *p, const RateTable *rates, PepaError *err);
void passing_free(Passing *passing);

/* Is it an event of immediate activities, which makes no moves of its own? */
bool passing_is_immediate(const Passing *passing, const System *system, int32_t event);
/* The initial populations, without those in local states that take no time. */
void passing_start(const Passing *passing, Population *p);
/* Moves from `begin` on lead to local states that take time.  `most`: of all moves.  Errors: PEPA_ELIMIT,
 * PEPA_ENOMEM. */
PepaStatus passing_moves(const Passing *passing, Population *p, size_t begin, size_t most,
                         PepaError *err);

#endif
