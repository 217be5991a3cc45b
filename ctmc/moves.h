/* The activities of a state: the only place that knows the semantics.
 *
 * For every action type a and component P, Hillston's apparent rate ra(P) and the multiset of
 * derivatives are computed bottom-up over the cooperation tree (1996, section 3.3):
 *     P || Q on a:   the moves of either side;        ra = ra(P) + ra(Q)
 *     P <a> Q on a:  every pair of moves, at rate
 *                    r1/ra(P) x r2/ra(Q) x min(ra(P), ra(Q));   ra = min(ra(P), ra(Q))
 * passive rates compare and divide by weight, and every active rate is below every passive one. */
#ifndef PEPA_CTMC_MOVES_H
#define PEPA_CTMC_MOVES_H

#include "ctmc/system.h"

/* What went wrong with an event in a state, if anything. */
typedef enum { MOVES_OK, MOVES_PASSIVE, MOVES_MIXED } MovesFault;
typedef struct {
    int32_t event;
    MovesFault fault;
} EventFault;

/* The moves of a program, found before: `count` rates and, flip[i * words ..], what move i flips. */
typedef struct {
    int32_t apparent, count; /* TERM_NONE: there are none */
    const int32_t *term;
    const uint64_t *flip;
} StandIn;

typedef struct {
    const System *system;
    RateTable *rates;
    const StandIn *const *stand; /* per program: what is used in its place, or NULL; or NULL */
    int32_t *cells;  /* of the state being expanded */
    int32_t *counts; /* model->local_count: components per local state, for functional rates */
    int32_t *tried;  /* per event: the last state it was tried in */
    int32_t state;
    /* The activities found; move i: action label[i], rate term[i], and the target as packed state
     * words from target[i * system->words] on. */
    int32_t *label, *term;
    uint64_t *target;
    size_t count, cap;
    bool no_memory;
    EventFault *faults; /* of this state */
    size_t fault_count, fault_cap;
} Moves;

PepaStatus moves_init(Moves *moves, const System *system, RateTable *rates, PepaError *err);
void moves_free(Moves *moves);
/* Find the activities of the packed state `packed`, number `state`.  The caller looks at faults,
 * no_memory and rates->status. */
void moves_find(Moves *moves, const uint64_t *packed, int32_t state);
/* Append the moves of one program in the state of m->cells (and m->counts, if there are functional
 * rates), as flips and without labels; returns their apparent rate, TERM_NONE if there are none,
 * TERM_MIXED if active and passive ones met; if it is not wanted, any term of its kind will do. */
int32_t moves_run(Moves *moves, int32_t prog, bool wanted);
/* Some activity of the state just expanded that takes part in `event`; a passive one if there is
 * one.  For messages. */
Span moves_blame(const Moves *moves, int32_t event);

#endif
