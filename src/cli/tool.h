/* Functions that the command-line programs share: exit statuses, options by table, findings,
 * strings as reports need them.  Of the engine they know pepa.h only; of src/base, what has nothing
 * to do with it.  Every message begins with `program`. */
#ifndef PEPA_CLI_TOOL_H
#define PEPA_CLI_TOOL_H

#include <pepa.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/clock.h"
#include "cores.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/number.h"

/* The program's name, "pepa", for messages; defined in its main.c. */
extern const char program[];

enum { EXIT_SOLVED, EXIT_MODEL, EXIT_USAGE, EXIT_UNSOLVED, EXIT_LIMIT, EXIT_INPUT };

int exit_status(PepaStatus status);
/* Print a line to stderr; returns `status`. */
int fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Print that memory is out; EXIT_LIMIT. */
int out_of_memory(void);
/* Flush stdout; EXIT_INPUT with a message if anything written there was lost. */
int finish_output(void);
/* Print on stdout what `write` writes, as a whole or not at all; `write` returns false when memory is
 * out.  Returns an exit status. */
int print_whole(bool (*write)(const void *what, FILE *to), const void *what);

/* A line of progress on stderr in place of the one before; *shown: there is one.  Clear it before
 * anything else is printed. */
void progress_show(bool *shown, const char *format, ...) __attribute__((format(printf, 2, 3)));
void progress_clear(bool *shown);

/* ---- options -------------------------------------------------------------------------------- */

/* What to do with an option.  The first kinds store its value in the program's structure of options;
 * --help and --version print; the rest is for the program's own function. */
enum {
    OPT_FLAG,    /* bool: true */
    OPT_TEXT,    /* const char *: borrowed from argv */
    OPT_OUTPUT,  /* the same; -o as well */
    OPT_COUNT,   /* int64_t: a whole number from 1 */
    OPT_SHARE,   /* double: between 0 and 1 */
    OPT_THREADS, /* int: 1 .. 4096 */
    OPT_HELP,    /* -h as well */
    OPT_VERSION, /* of the program */
    OPT_DEFINE,  /* -D as well */
    OPT_OWN      /* the program's codes begin here */
};

/* An option of a program. */
typedef struct {
    int code;
    size_t at;      /* offsetof the member that takes the value; 0 from OPT_HELP on */
    unsigned takes; /* bits of the commands that have it */
    const char *name, *argument,
        *about; /* argument: NULL if it takes none; about: NULL for another name of the row before */
    const char *values; /* what it takes, for the message about another value; or NULL */
} OptionRow;

/* The options of one command of a program. */
typedef struct OptionTable OptionTable;
struct OptionTable {
    const OptionRow *row;
    size_t rows; /* at most MOST_OPTIONS */
    unsigned takes;
    const char *command, *help;   /* "pepa solve", and what to try: "pepa help solve" */
    const char *operands, *about; /* of --help: "MODEL", and what stands above the options */
    void (*print_help)(FILE *to); /* --help, if it is not made of these; or NULL */
    /* The program starts another one, which the first argument that is no option names, as mpirun does: one dash is
     * enough, and what comes behind is the other program's.  Operands are all that follows the command's name. */
    bool starts;
    /* Store a value of an option of the program's own; false: it is no good. */
    bool (*set)(void *options, int code, char *value);
};

enum { MOST_OPTIONS = 96, GO_ON = -1 };

/* One line per option. */
void option_help(const OptionTable *table, FILE *to);
/* What --help prints. */
void print_help(const OptionTable *table, FILE *to);
/* Store the options of argv in the program's structure `options`.  Returns GO_ON, or an exit status
 * with a message or what was asked for printed: EXIT_USAGE for options that the table lacks, and values
 * that are no good.  With GO_ON, the arguments that are no options are in argv from optind. */
int options_store(const OptionTable *table, int argc, char **argv, void *options);
/* "pepa solve: WHAT 'VALUE'; try 'pepa help solve'": EXIT_USAGE. */
int usage(const OptionTable *table, const char *what, const char *value);
/* The same as usage for a value that an option cannot take. */
int bad_value(const OptionTable *table, const OptionRow *row, const char *value);

/* All of text is a whole number >= least; a finite decimal number. */
bool whole(const char *text, int64_t least, int64_t *out);
bool number(const char *text, double *out);

/* ---- findings ------------------------------------------------------------------------------- */

/* A finding kept for the report. */
typedef struct {
    PepaSeverity severity;
    uint32_t line, column;
    char *message, *file; /* file: NULL: the one that the report is about */
} Finding;

typedef struct {
    Finding *each;
    size_t count, cap;
} Findings;

/* Keep one; dropped when memory is out: it has been printed as well.
 *   about  the file that the report is about */
void findings_add(Findings *findings, const PepaDiagnostic *d, const char *about);
void findings_free(Findings *findings);
/* To stderr, with its place and caret. */
void print_finding(const PepaDiagnostic *d);

/* ---- reports -------------------------------------------------------------------------------- */

void json_string(FILE *to, const char *text);
void json_findings(FILE *to, const Findings *findings);
void csv_string(FILE *to, const char *text);
/* The conversion of a double in JSON and CSV: 17 significant digits. */
#define FULL "%.17g"

#endif
