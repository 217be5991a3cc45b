/* The activities of a state: the only place that knows the semantics.
 *
 * For every action type a and component P, Hillston's apparent rate ra(P) and the multiset of
 * derivatives are computed bottom-up over the cooperation tree (1996, section 3.3):
 *     P || Q on a:   the moves of either side;        ra = ra(P) + ra(Q)
 *     P <a> Q on a:  every pair of moves, at rate
 *                    r1/ra(P) x r2/ra(Q) x min(ra(P), ra(Q));   ra = min(ra(P), ra(Q))
 * passive rates compare and divide by weight, and every active rate is below every passive one. */
#ifndef PEPA_CTMC_SEMANTICS_MOVES_H
#define PEPA_CTMC_SEMANTICS_MOVES_H

#include "ctmc/system/system.h"

/* What went wrong with an event in a state, if anything. */
typedef enum { MOVES_OK, MOVES_PASSIVE, MOVES_MIXED } MovesFault;
typedef struct {
    int32_t event;
    MovesFault fault;
} EventFault;

/* The moves of a program, found before: `count` rates and, flip[i * words ..], what move i flips.
 */
typedef struct {
    int32_t apparent, count; /* TERM_NONE: there are none */
    const int32_t *term;
    const uint64_t *flip;
} StandIn;

typedef struct {
    const System *system;
    RateTable *rates;
    const StandIn *const *stand; /* per program: what is used in its place, or NULL; or NULL */
    int32_t *cells;              /* of the state being expanded */
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
/* The same for the components of a counted slot that are in local state `local` only; prog:
 * PROG_SLOT. Some must be. */
int32_t moves_run_local(Moves *moves, int32_t prog, int32_t local, bool wanted);
/* Can the program move at all?  A functional rate that is off counts as ready; it is found out
 * later. */
bool moves_ready(const Moves *moves, int32_t prog);
/* Append the moves of an event, with labels, and note what is wrong with it. */
void moves_try(Moves *moves, int32_t event);

/* The rules of rates.  Apparent rate b added to a; the sum itself is built only if wanted, else any
 * term of the same kind will do. */
int32_t moves_add(Moves *moves, int32_t a, int32_t b, bool wanted);
/* The apparent rate of a cooperation of sides whose apparent rates are ra and rb, and the rate of a
 * pair of their moves, at rates r1 and r2. */
int32_t moves_least(RateTable *rates, int32_t ra, int32_t rb);
int32_t moves_pair(RateTable *rates, int32_t least, int32_t r1, int32_t ra, int32_t r2, int32_t rb);

/* Some activity of the state just expanded that takes part in `event`; a passive one if there is
 * one.  For messages. */
Span moves_blame(const Moves *moves, int32_t event);

#endif
