/* The syntax tree of a stochastic probe: a regular expression over the actions that it observes.
 *
 * As in ast.h, nodes are in one array, operands before operators and the nodes of a subtree
 * consecutive, so that passes are loops.  The last node is the whole expression.  Source:
 * Argent-Katwala, Bradley, Dingle, Expressing performance requirements using regular expressions
 * to specify stochastic probes over process algebra models, WOSP 2004. */
#ifndef PEPA_PARSER_PROBE_PROBE_H
#define PEPA_PARSER_PROBE_PROBE_H

#include "base/diag.h"
#include "base/intern.h"

typedef enum {
    PROBE_ACTION,   /* name, action, label */
    PROBE_SEQUENCE, /* a, then b */
    PROBE_CHOICE,   /* a, or b */
    PROBE_REPEAT    /* a, from least to most times */
} ProbeKind;

typedef enum { PROBE_UNLABELLED, PROBE_START, PROBE_STOP } ProbeLabel;

enum { PROBE_EVER = -1 }; /* most, where there is no end; least is then 0 or 1 */

typedef struct {
    ProbeKind kind;
    int32_t a, b; /* nodes, or -1 */
    int32_t least, most;
    int32_t action; /* its number in `actions` */
    ProbeLabel label;
    const char *name;
    Span span;
} ProbeNode;

typedef struct {
    const char *component; /* to which it is attached; NULL: to the whole system */
    Span component_span;
    ProbeNode *nodes;
    size_t node_count, node_cap;
    Intern actions; /* observed, in the order of the text */
    Arena arena;    /* of the names */
} Probe;            /* starts as {0} */

/* Read a probe; probe_free in any case.  Errors: PEPA_EARG (diags says what), PEPA_ENOMEM.
 * Linear in the text; the C stack's depth does not depend on it. */
PepaStatus probe_read(Probe *probe, const Source *source, DiagList *diags);
void probe_free(Probe *probe);

#endif
