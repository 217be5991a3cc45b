/* Reports: text, JSON, CSV, pictures of tables. */
#ifndef PEPA_CLI_REPORT_H
#define PEPA_CLI_REPORT_H

#include "session.h"

/* The first line of a text report: the model, its states and transitions. */
void text_begin(const Session *session);
/* "by uniformisation, 3,000 steps, then Laguerre series, 40 terms" */
void text_steps(int64_t steps, int64_t terms);
/* Lines of the beginning and the end of a JSON report: "model" to "transitions"; "seconds", of which
 * `what` took so many, "memory" and "warnings".  json_number: a value, or null where it is not finite. */
void json_begin(const Session *session);
void json_processes(const Session *session);   /* how many share it, if there are several */
void json_begin_alone(const Session *session); /* there is no chain: states and transitions null */
void json_end(const Session *session, const char *what, double seconds);
void json_number(double value);
/* Parts of these reports: the measures that were asked for; what the solution was made by. */
void text_measures(const Session *session);
void text_solved(const Session *session);
void json_measures(const Session *session);
void json_solver(const Session *session);
void json_memory(const Session *session);
void csv_measures(const Session *session);
/* A decimal with `digits` digits, or as many as it takes, next to x and not above it (`below`) or
 * not below it; "none" if x is infinite. */
enum { BOUND_SIZE = 40 };
void bound_text(double x, bool below, int digits, char text[BOUND_SIZE]);

/* A table: columns with names, of which the first `keys` say what a row is about. */
typedef struct {
    int32_t keys, columns;
    size_t rows;
    const char *(*name)(const void *user, int32_t column);
    double (*value)(const void *user, size_t row, int32_t column); /* NaN: it has none */
    const void *user;
} Grid;
void grid_text(const Grid *grid); /* in parts, each with the keys, that fit on a line */
void grid_csv(const Grid *grid);

/* Measures at times or in the long run, of one number each, or of more: a value and its deviation,
 * or a value and the ends of an interval. */
typedef struct {
    Session *s;
    const double *time; /* NULL: the long run, one point */
    size_t points;
    int32_t measures, parts;
    const char *const *part, *const *title; /* their names in JSON and CSV, and in text */
    double (*value)(const void *user, size_t point, int32_t measure, int32_t part);
    void (*json)(const void *user, int32_t measure); /* what else a measure has; NULL: nothing */
    const void *user;
} Measured;
enum { MEASURED_INTERVAL = 3 };
void measured_text(const Measured *measured);
void measured_csv(const Measured *measured);
void measured_json(const Measured *measured); /* ,"time" and ,"measures" */
/* The picture, if one is wanted, and then the report in the form that is wanted. */
typedef int MeasuredReport(const Measured *measured);
int measured_report(const Measured *measured, MeasuredReport *json, MeasuredReport *text);
/* --until, --at or --steady, one of them; points is 1 in the long run.  The caller frees time. */
int read_when(const Session *session, double **time, size_t *points);

int report_text(const Session *session);
int report_json(const Session *session);
int report_csv(const Session *session);

/* What was chosen, why, what it cost, how it converged and how sure the answer is: a sentence or
 * two each for states, matrix, methods before, method and certainty.  The caller frees the lines.
 * False: memory is out.
 *   solved  there is an answer */
enum { EXPLAINED = 5 };
bool explain_lines(const Session *session, bool solved, Text lines[EXPLAINED]);
/* The same, printed; false with a message when memory is out. */
bool explain_text(const Session *session, bool solved, FILE *to);

/* ---- pictures ------------------------------------------------------------------------------ */

/* Labels of a picture of a table. */
typedef struct {
    const char *x;     /* of the last key; NULL: its name */
    const char *y;     /* of several measures together */
    const char *right; /* of the last column, which gets an axis of its own; or NULL */
    bool shares;       /* the others are probabilities */
    bool bands;        /* a third of the columns are values, then come the lower ends of the bands
                        * around them, then the upper ones */
} Axes;
/* The file of --plot has an ending that says what it is to be. */
int plot_check(const Options *options);
/* A picture of a table in that file.  An exit status; the report is printed whatever it is, as it can
 * have taken hours, and plot_status is that of both. */
int plot(const Session *session, const Grid *grid, const Axes *axes);
int plot_status(int drawn, int reported);

/* ---- measures, with names, and sorted for a report ------------------------------------------ */

/* A value of a measure: a row of a report. */
typedef struct {
    const char *measure, *component; /* "throughput", ""; "utilisation", "P"; "population", "" */
    int32_t position;                /* of the component, from 1; or 0 */
    const char *name;                /* of the action or local state */
    double value;
    const Bounds *within; /* NULL: not certified */
    double shown;  /* for sort_largest: the value to the digits that a report prints, so that */
    int32_t place; /* rounding decides no order; and the place before sorting */
} Named;

/* One of several bottom strongly connected components (BSCC). */
typedef struct {
    double probability;
    int64_t states;
    int64_t
        first; /* one of its states: the one found first; or its number where processes share the chain */
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
/* One of its states, to be freed by pepa_text_free; NULL: memory is out.  Called by all processes. */
char *bottom_text(const Session *session, const Bottom *bottom);
/* Largest first; equal ones keep their order. */
void sort_largest(Named *items, int32_t count);

#endif
