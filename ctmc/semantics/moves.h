/* The activities of a state, one program or event or state at a time, with terms for rates: an
 * instance of the semantics (traverse.h). */
#ifndef PEPA_CTMC_SEMANTICS_MOVES_H
#define PEPA_CTMC_SEMANTICS_MOVES_H

#include "ctmc/system/system.h"

/* What there is to know of the moves of a program as a whole. */
typedef struct {
    int32_t
        apparent; /* their apparent rate, if it was wanted, else any term of its level and priority;
                       * TERM_NONE: there are no moves; TERM_MIXED: rates met that do not add up */
    bool duplicates; /* two of them lead to the same state */
    bool self_loops; /* one of them leaves the state as it is */
} MovesSummary;

/* Moves that take the place of those of a program: `count` rates and words, as of Moves. */
typedef struct {
    int32_t apparent, count;
    const int32_t *rate;
    const uint64_t *delta;
} Substitute;

typedef struct {
    const System *system;
    RateTable *rates;
    const Substitute *const *substitute; /* per program, or NULL; or NULL: there are none */
    int32_t *cells;                      /* of the state being expanded */
    int64_t *counts; /* model->local_count: components per local state, for functional rates */
    /* The moves found: move i has the term rate[i], and adds the words delta[i * words ..] to the
     * packed state, modulo 2^64 each. */
    int32_t *rate;
    uint64_t *delta;
    size_t words; /* system->words; more if substitutes have more, which are added as well */
    size_t count, cap;
    bool no_memory;
} Moves;

PepaStatus moves_init(Moves *moves, const System *system, RateTable *rates, PepaError *err);
void moves_free(Moves *moves);

/* Append the moves of a program in the state of m->cells (and m->counts, if there are functional
 * rates).  wanted: the apparent rate is. */
MovesSummary moves_run(Moves *moves, int32_t prog, bool wanted);
/* Those of several programs as operands of a sum. */
MovesSummary moves_run_sum(Moves *moves, const int32_t *progs, int32_t count, bool wanted);
/* Those of the components of a counted slot that are in local state `local`; prog: PROG_SLOT. */
MovesSummary moves_run_local(Moves *moves, int32_t prog, int32_t local, bool wanted);
/* Can the program move at all?  A functional rate that is off counts as ready: running it tells. */
bool moves_ready(Moves *moves, int32_t prog);

/* Some activity of the state just expanded that takes part in `event`; a passive one if there is
 * one.  For messages. */
Span moves_blame(const Moves *moves, int32_t event);

#endif
