/* The states and transitions of a reference model, each copy of a P[n] on its own or counted. */
#ifndef PEPA_TESTS_ORACLE_SPACE_H
#define PEPA_TESTS_ORACLE_SPACE_H

#include "property/oracle.h"
#include "property/oracle_moves.h"

typedef struct {
    size_t source, target;
    int action;
    long double rate; /* out of a vanishing state a weight */
} OracleEdge;

/* Each (source, action, target) once, rates added up.  State 0 is the initial one. */
typedef struct {
    const RefTerm ***state;
    bool *vanishing; /* what happens in the state is immediate */
    size_t states, state_cap, vanishing_cap;
    OracleEdge *edge;
    size_t edges, edge_cap;
    Arena arena; /* holds the states */
} OracleSpace;   /* starts as {0} */

/* All states that can be reached.
 * Errors: those of oracle_moves; ORACLE_TOO_LARGE (more states than max_states). */
OracleStatus oracle_explore(const OracleSystem *system, OracleSpace *space, size_t max_states);
void oracle_space_free(OracleSpace *space);

/* The number of a state; it is added when new. */
size_t oracle_space_state(OracleSpace *space, const RefTerm **state, size_t leaves);
void oracle_space_edge(OracleSpace *space, OracleEdge edge);

/* The space with copies in any order taken as one state.  Rates are not those of the quotient: only
 * its shape is needed. */
OracleSpace oracle_quotient(const OracleSystem *system, const OracleSpace *space);

/* n x n: the sum of the rates between each two states. */
long double *oracle_rates(const OracleSpace *space);
OracleGraph oracle_shape(const OracleSpace *space);

#endif
