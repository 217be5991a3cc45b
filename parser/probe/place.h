/* Where in a system equation a probe is attached, and which actions can be seen there. */
#ifndef PEPA_PARSER_PROBE_PLACE_H
#define PEPA_PARSER_PROBE_PLACE_H

#include "parser/ast.h"
#include "parser/model.h"
#include "parser/probe/probe.h"

/* A name in a definition, and which definition it names. */
typedef struct {
    int32_t def;  /* in which the name is; -1: the system equation */
    int32_t node; /* the name */
} PlaceStep;

typedef struct {
    Intern names;     /* of processes */
    int32_t *def;     /* per name: its definition in ast->defs, or -1 */
    int32_t *parent;  /* per node: the node that it is an operand of, or -1 */
    PlaceStep *steps; /* from the system equation down to the name of the component */
    int32_t step_count;
    int32_t node; /* to which the probe is attached */
    /* Per action of the probe: done passively there, so that of two weights the smaller counts. */
    uint8_t *weighed;
} Place; /* starts as {0} */

/* Find the component of a probe: the first of that name from the left, or the whole system; and see
 * that it does all actions that are observed.  place_free in any case.
 * Errors: PEPA_EARG (diags), PEPA_ENOMEM.  O(nodes) for each action. */
PepaStatus place_find(Place *place, const Probe *probe, const Ast *ast, const Model *model,
                      DiagList *diags);
void place_free(Place *place);

/* The body of definition `def`, or of the system equation. */
static inline int32_t place_body(const Ast *ast, int32_t def)
{
    return def < 0 ? ast->system.body : ast->defs[def].body;
}

#endif
