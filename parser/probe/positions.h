/* The position automaton of a probe: which mention of an action can come after which.
 *
 * Repetitions are written out first, so that each mention is a position.  The expression is
 * repeated without end.  Source: Glushkov, The abstract theory of automata, Russian Mathematical
 * Surveys 16, 1961; Berry, Sethi, From regular expressions to deterministic automata, Theoretical
 * Computer Science 48, 1986. */
#ifndef PEPA_PARSER_PROBE_POSITIONS_H
#define PEPA_PARSER_PROBE_POSITIONS_H

#include "parser/probe/probe.h"

enum { POSITIONS_MOST = 2000 };

typedef struct {
    int32_t count;
    int32_t *node;    /* per position: the action's node in the probe */
    size_t words;     /* of a set of positions, as in bits.h */
    uint64_t *first;  /* those that can come first */
    uint64_t *follow; /* per position: the set of those that can come next */
} Positions;          /* starts as {0} */

/* The positions of a probe; positions_free in any case.  Errors: PEPA_EARG (diags: an impossible
 * repetition, or more than POSITIONS_MOST positions), PEPA_ENOMEM.
 * O(positions^2 / 64) bytes, and as many steps for each level of repetition at worst. */
PepaStatus positions_find(Positions *positions, const Probe *probe, DiagList *diags);
void positions_free(Positions *positions);

/* The set of positions that can come next. */
static inline const uint64_t *positions_after(const Positions *positions, int32_t position)
{
    return positions->follow + (size_t)position * positions->words;
}

#endif
