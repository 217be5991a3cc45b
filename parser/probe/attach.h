/* A model with a probe: its component defined, and cooperating where it is attached. */
#ifndef PEPA_PARSER_PROBE_ATTACH_H
#define PEPA_PARSER_PROBE_ATTACH_H

#include "parser/probe/automaton.h"
#include "parser/probe/place.h"

/* `ast` with the probe's definitions and with the probe cooperating at `place`: of copies P[n] it
 * is with one, and the others stay an array; of a cooperation that has a name and is used more than
 * once it is in one use.  It shares the names of all arguments.  The nodes of a definition need
 * not be consecutive in it, so it is good for printing only.
 *   running, stopped  out: predicates of its states, where it runs, and where it has stopped
 * False: memory is out. */
bool probe_attach(Ast **out, const Ast *ast, const Model *model, const Probe *probe,
                  const Automaton *automaton, const Place *place, Arena *arena, Text *running,
                  Text *stopped);

#endif
