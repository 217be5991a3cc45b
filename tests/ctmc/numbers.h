/* The activities of a state with doubles for rates: a second instance of the semantics
 * (traverse.h), against which that with terms is tested.
 *
 * No terms are built, and nothing that is shared is written: what simulates a model asks event by
 * event, and threads share the system and its rates. */
#ifndef TESTS_CTMC_NUMBERS_H
#define TESTS_CTMC_NUMBERS_H

#include "ctmc/semantics/number.h"
#include "ctmc/system/system.h"

typedef struct {
    const System *system;
    const RateTable *rates; /* the values of its rates and of the system's own terms are read */
    int32_t *cells;         /* the state; the caller's */
    int64_t *counts;        /* model->local_count, if there are functional rates; the caller's */
    /* The moves found: move i has rate[i], and adds the words delta[i * words ..] to the packed
     * state, modulo 2^64 each. */
    Number *rate;
    uint64_t *delta;
    size_t words, count, cap;
    bool no_memory;
} NumberMoves;

/* cells, counts: borrowed; see above. */
void number_moves_init(NumberMoves *moves, const System *system, const RateTable *rates,
                       int32_t *cells, int64_t *counts);
void number_moves_free(NumberMoves *moves);

/* Append the moves of a program in the state; returns its apparent rate, if that is wanted, else
 * any rate of its kind.  A rate that is not finite is the caller's to notice.  Errors:
 * no_memory. */
Number number_moves_run(NumberMoves *moves, int32_t prog, bool wanted);

#endif
