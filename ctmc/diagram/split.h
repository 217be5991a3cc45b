/* Divides the slots of a system into two parts, for exploration by sets of states: upper slots, and
 * lower ones, which are so few that all their joint local states can be listed.  Constant slots
 * (slot_is_constant) count as upper ones, but programs do not look at them: their rates are known
 * in either part.  The units of an event are the programs within it that look at upper slots only.
 * If its units offer the same moves in two upper states, apart from where these lead, the event
 * does the same to the lower slots in both. */
#ifndef PEPA_CTMC_DIAGRAM_SPLIT_H
#define PEPA_CTMC_DIAGRAM_SPLIT_H

#include "ctmc/semantics/moves.h"

/* Bits; neither: a program of constant slots only. */
typedef enum { PART_UPPER = 1, PART_LOWER = 2, PART_BOTH = 3 } SplitPart;

/* The unit_prog entries first .. end - 1: the upper operands of a sum, or one program. */
typedef struct {
    int32_t first, end;
} Unit;

typedef struct {
    const System *system;
    int32_t *sequence;   /* the slots in the order of their significance when states are ordered */
    int32_t constant;    /* sequence[0 .. constant - 1] are the constant ones */
    int32_t first;       /* sequence[first ..] are lower ones */
    int32_t **order;     /* per component: its local states in order */
    int32_t **rank;      /* per component: the place of each local state in that order */
    Arena arena;         /* of these two */
    Table lower;         /* all joint local states of the lower slots, packed, with upper cells 0 */
    uint8_t *upper;      /* per slot */
    uint64_t *mask;      /* per word: the bits of lower cells */
    uint8_t *part;       /* per program: which slots it looks at */
    int32_t *event_unit; /* event e has units event_unit[e] .. event_unit[e+1]-1 if it looks at
                          * both parts, else none */
    Unit *units;
    int32_t *unit_prog;
} Split;

/* The slots in their order, or the reverse one (`mirrored`), behind the constant ones.  The lower
 * part is some slots at the end that have at most `most_lower` joint local states, but not all that
 * change: so many that neither part has far more joint local states than the other.  If there are
 * constant slots it may also be the only slot that changes, or empty.  *out is NULL if there is no
 * such split: one slot only, or the last one is too large.
 * Errors: PEPA_ENOMEM. */
PepaStatus split_new(Split **out, const System *system, int32_t most_lower, bool mirrored,
                     PepaError *err);
void split_free(Split *split);
/* What a search with that split takes, about, in lower states; +inf: there is none. */
double split_work(const System *system, int32_t most_lower, bool mirrored);

/* Joint local states of one slot: may be very large. */
double split_slot_states(const System *system, int32_t slot);

/* A lower state's number, from packed words in which upper cells are ignored: -1 if memory is out.
 *   scratch  system->words */
int32_t split_lower(Split *split, const uint64_t *packed, uint64_t *scratch);

#endif
