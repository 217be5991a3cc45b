/* What is known of vanishing states, those in which an immediate activity can happen, and the
 * workspace for finding it (vanish.c). */
#ifndef PEPA_CTMC_SEMANTICS_VANISHED_H
#define PEPA_CTMC_SEMANTICS_VANISHED_H

#include "ctmc/semantics/block.h"
#include "ctmc/system/system.h"

/* What a state that was looked at leads to without time passing. */
typedef struct {
    size_t first_end, first_passed; /* in Vanished.portion */
    int32_t ends;   /* how many tangible states, with their probabilities; or one of the next two */
    int32_t passed; /* how many actions happen on the way, with how often they do, in the mean */
} Vanishing;

enum { STATE_TANGIBLE = -1, STATE_UNKNOWN = -2, STATE_PENDING = -3 };

typedef struct {
    int32_t id, term; /* of a state or of an action; a term for a number without a unit */
} Portion;

/* A row of the matrix: portions of Elimination.entry. */
typedef struct {
    size_t first, first_passed, end;
    int32_t out; /* the sum of its weights to other states; TERM_NONE: it is tangible */
} Row;

/* Terms that add up, by id. */
typedef struct {
    int32_t *term; /* TERM_NONE where there is none */
    int32_t *met;  /* the ids that have one, as they came */
    size_t count, cap;
} Sums;

typedef struct Elimination {
    Block moves; /* of one state */
    uint64_t *packed;
    int32_t *node; /* states to be eliminated, as they were found */
    Row *row;
    Portion *entry;
    size_t node_count, node_cap, entry_count, entry_cap;
    Sums states, actions;
    Block source; /* moves that may lead to vanishing states */
} Elimination;

/* What was found so far; emptied when it grows large (tuning.h). */
typedef struct {
    const System *system;
    bool *urgent;    /* per local state of the model: it has an immediate activity, ... */
    uint8_t *passed; /* ... and some vanishing state that was met has it */
    Table states;    /* those that were looked at: targets that may vanish, and what they lead to */
    Vanishing *result; /* of each */
    Portion *portion;
    size_t result_cap, portion_count, portion_cap;
    Elimination work;
} Vanished;

PepaStatus vanished_init(Vanished *vanished, const System *system, PepaError *err);
void vanished_free(Vanished *vanished);
/* Add the local states that vanishing states have, which another one met. */
void vanished_pass(Vanished *to, const Vanished *from);

#endif
