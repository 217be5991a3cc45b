/* What the files of the program share.  Of the libraries this folder knows pepa.h and amoget.h. */
#ifndef AMOGET_CLI_H
#define AMOGET_CLI_H

#include <amoget.h>

#include "description_file.h"
#include "together.h"

typedef struct {
    const char *path; /* of the description, or "-" */
    bool json, csv;   /* the form of the report, text without either; not both */
    bool quiet, progress, explain, no_include;
    const char *mapping; /* --model; or NULL */
    int64_t top;         /* entries to show, 0: all; -1: not said */
    int64_t now;         /* seconds since 1970, for measurements that may be stale */
    AmogetDefine *defines;
    size_t define_count;
    AmogetSettings set;
    const Together *together; /* this process, and those that share the ranking with it */
} Options;

/* Fill in options from argv.  Returns 0, or an exit status after having said why; options_free in
 * any case.  EXIT_SOLVED with options->path NULL: help or version was printed. */
int options_read(Options *options, const Together *together, int argc, char **argv);
void options_free(Options *options);

enum { ADDS_TURNS = -1 };
extern const char turns_text[];

/* The winner beside the best mapping that loses. */
typedef struct {
    const AmogetEntry *loser; /* NULL: there is none, or it was not found */
    AmogetExplanation *why;   /* the loser's */
    /* Seconds that each activity adds to the time per item, and (0 if sharing is static) stages that
     * take turns; in all 1/X2 - 1/X1. */
    double *more, turns;
    int32_t largest; /* the activity that adds most; ADDS_TURNS: turns do */
} Comparison;

/* A description on its way from a file to a ranking. */
typedef struct {
    const Options *options;
    DescriptionFile file;
    AmogetDescription *desc;
    AmogetRanker *ranker;
    AmogetRanking *ranking;
    int64_t shown;           /* entries to report */
    AmogetExplanation **why; /* of each of them; NULL: the time was up */
    AmogetRanking *wider;    /* holds the loser where the ranking does not; or NULL */
    Comparison versus;       /* if options->explain */
    double parse_seconds, derive_seconds, solve_seconds;
    bool progress_shown;
    bool interrupted; /* by SIGINT, while mappings were ranked */
} Session;

/* Each returns an exit status and has said what is wrong if it is not EXIT_SOLVED. */
int session_read(Session *session, const Options *options);
bool session_reports(const Session *session); /* of several processes the first one does */
int session_model(Session *session);          /* print the model of options->mapping */
int session_rank(Session *session);           /* ranking, shown */
int session_explain(Session *session);        /* why; versus if options->explain */
void session_free(Session *session);

/* The words for things, in one form everywhere. */
void print_mapping(FILE *to, const AmogetDescription *desc, const int32_t *mapping);
void print_resource(FILE *to, const AmogetDescription *desc, const AmogetResource *resource);
/* What limits entry i, or `unknown` where the time was up before that was found. */
void print_bottleneck(FILE *to, const Session *session, int64_t i, const char *unknown);
/* Part 0 .. 2 x stages of a mapping's activities: "move into decode", "process decode"; and where:
 * "1-2" from 1 to 2, "within 2", "2 (3 stages)". */
void print_activity(FILE *to, const AmogetDescription *desc, int32_t part);
void print_place(FILE *to, const AmogetDescription *desc, const int32_t *mapping,
                 const AmogetExplanation *why, int32_t part);
/* A count that may exceed 64 bits: "1,234", or "1.23e+45". */
enum { COUNT_SIZE = 32 };
const char *count_text(double count, char *text);

/* Close a stream of open_memstream; false, *text freed, if memory was out: then or while it was
 * written to. */
bool close_text(FILE *stream, char **text);

/* Rows of cells, each ended by a tab, each row by a newline, written to `to`. */
typedef struct {
    FILE *to;
    char *text;
    size_t size;
} Table;
/* NULL when memory is out. */
FILE *table_new(Table *table);
/* Write the rows to `to`, indented and aligned by a letter per column, 'l' or 'r', and free the
 * table.  False when memory was out. */
bool table_print(Table *table, const char *align, FILE *to);

/* The whole report, to `to`; false when memory is out. */
bool report_text(const Session *session, FILE *to);
bool report_json(const Session *session, FILE *to);
bool report_csv(const Session *session, FILE *to);
bool explain_text(const Session *session, FILE *to);

#endif
