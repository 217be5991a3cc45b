/* A probe compiled: a deterministic automaton that moves with every action that is observed.
 *
 * An action that does not fit is passed over: the automaton stays where it is.  At the end of the
 * expression it begins again.  Between a :start and the next :stop it is running. */
#ifndef PEPA_PARSER_PROBE_AUTOMATON_H
#define PEPA_PARSER_PROBE_AUTOMATON_H

#include "parser/probe/probe.h"

enum { AUTOMATON_MOST_STATES = 10000 };

typedef enum { PHASE_STOPPED, PHASE_RUNNING, PHASE_DONE, PHASES } ProbePhase;

typedef struct {
    int32_t state_count; /* state 0 is the initial one */
    int32_t action_count;
    int32_t *next;  /* per state and action (state_count x action_count): a state */
    uint8_t *phase; /* per state: a ProbePhase */
} Automaton;        /* starts as {0} */

/* The smallest automaton of a probe; automaton_free in any case.
 *   once  it is done for good after the first :stop, and an expression without :start runs from
 *         the beginning; else there is no PHASE_DONE
 * Errors: PEPA_EARG (diags: labels that do not fit, or more than AUTOMATON_MOST_STATES states),
 * PEPA_ENOMEM.  States x (actions + positions), as often as the smallest one has states at worst.
 * Sources: Rabin, Scott, Finite automata and their decision problems, IBM Journal 3, 1959; Moore,
 * Gedanken-experiments on sequential machines, 1956. */
PepaStatus automaton_find(Automaton *automaton, const Probe *probe, bool once, DiagList *diags);
void automaton_free(Automaton *automaton);

/* A part of it: merge states that nothing tells apart, in the order of the first of each.  False:
 * memory is out. */
bool automaton_shrink(Automaton *automaton);

#endif
