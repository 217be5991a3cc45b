/* The measures of a solved model, with names, and sorted for a report. */
#ifndef PEPA_CLI_MEASURES_H
#define PEPA_CLI_MEASURES_H

#include "cli.h"

/* A value of a measure: a row of a report. */
typedef struct {
    const char *measure, *component; /* "throughput", ""; "utilisation", "P"; "population", "" */
    int32_t position;                /* of the component, from 1; or 0 */
    const char *name;                /* of the action or local state */
    double value;
    double shown;  /* for sort_largest: the value to the digits that a report prints, so that */
    int32_t place; /* rounding decides no order; and the place before sorting */
} Named;

/* One of several bottom strongly connected components (BSCC). */
typedef struct {
    double probability;
    int64_t states;
    int64_t first; /* one of its states: the one found first */
} Bottom;

typedef struct {
    Named *row; /* all of the following */
    int32_t rows;
    Named *throughput; /* info.actions */
    Named *share;      /* info.counts: utilisation, position after position */
    Named *population; /* info.local_states */
    Bottom *bottom;    /* info.bottom_components, most probable first */
} Measures;

/* Compute all measures, in the library's order.  False (with a message) when memory is out. */
bool measures_new(Measures *m, const Session *session);
void measures_free(Measures *m);
/* Largest first; equal ones keep their order. */
void sort_largest(Named *items, int32_t count);

#endif
