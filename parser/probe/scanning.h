/* What scanner, grammar and error messages share while a probe is read.  Private to them. */
#ifndef PEPA_PARSER_PROBE_SCANNING_H
#define PEPA_PARSER_PROBE_SCANNING_H

#include "base/flex.h"
#include "parser/probe/probe.h"

enum {
    SCANNING_MOST_ERRORS = 20,
    SCANNING_MOST_STACK = 100000, /* symbols on the grammar's stack */
    SCANNING_MOST_TIMES = 1000000 /* a larger number is read as this one, which is too large */
};

typedef struct {
    Scanning scan;
    DiagList *diags;
    Probe *probe;
    bool stop;   /* pretend that the text ends here, say nothing more */
    bool failed; /* memory is out */
} ProbeReading;

/* Report an error, the twentieth being the last. */
void probe_error(ProbeReading *ctx, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Report that a token cannot stand here.
 *   found, expected  what the grammar calls the tokens; expected: all that could */
void probe_unexpected(ProbeReading *ctx, const char *found, Span span, const char *const *expected,
                      int count);

/* Append a node: its id is its place. */
int32_t probe_node(ProbeReading *ctx, ProbeNode node);

/* Set the scanner up over the text.  Out of memory: longjmp to scan.failed. */
void probe_begin(ProbeReading *ctx);

#endif
