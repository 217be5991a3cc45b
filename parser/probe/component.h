/* The component that a probe is compiled to, as definitions. */
#ifndef PEPA_PARSER_PROBE_COMPONENT_H
#define PEPA_PARSER_PROBE_COMPONENT_H

#include "parser/ast.h"
#include "parser/model.h"
#include "parser/probe/automaton.h"

/* The component of a probe, defined in a tree under construction: in each state it does every
 * observed action, passively, and so leaves the times of the others as they are. */
typedef struct {
    AstBuild *build;
    const Ast *ast; /* of the model */
    const Model *model;
    const Probe *probe;
    const Automaton *automaton;
    const uint8_t *weighed; /* per action: as in Place */
    Arena *arena;
    const char **name; /* per state; by component_name */
} ProbeComponent;

/* Gives names to the states that no process of the model has.  False: memory is out. */
bool component_name(ProbeComponent *component);
/* Append the definitions; where memory is out, build->failed. */
void component_define(ProbeComponent *component);

#endif
