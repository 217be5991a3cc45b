/* What the files of the program share. */
#ifndef TAAG_CLI_H
#define TAAG_CLI_H

#include "description_file.h"
#include "grid/taag/predict/predict.h"

typedef struct {
    const char *path;         /* of the description, or "-" */
    const char *program_path; /* --program, or NULL */
    const char *output;       /* --output, or NULL */
    bool json, quiet;
    bool by_time, model;     /* --by time, --model */
    bool here, prefix, show; /* of taag run; of taag probe but prefix */
    char **program;          /* with its arguments; NULL: taag map */
    int64_t now, coefficient;
    ScheduleSettings set;
    AmogetDefine *defines;
    size_t define_count;
} Options;

/* Fill in options from argv, which begins with "map", "run" or "probe".  Returns 0, or an exit
 * status after having said why; options_free in any case.  EXIT_SOLVED with path NULL: help or
 * version was printed. */
int options_read(Options *options, int argc, char **argv);
void options_free(Options *options);
void usage_of_taag(FILE *to);

/* A description on its way to a mapping. */
typedef struct {
    const Options *options;
    DescriptionFile file;
    AmogetMachine *machine;
    AmogetProgram *program;
    Schedule schedule;
    bool timed; /* the program says what a round costs: */
    Prediction time;
    double bound;   /* --by time: no mapping has a shorter round, seconds */
    char *model;    /* of --model, or NULL */
    double seconds; /* of the search */
} Session;

/* Each returns an exit status and has said what is wrong if it is not EXIT_SOLVED. */
int session_read(Session *session, const Options *options);
int session_map(Session *session);
int session_time(Session *session);  /* of the mapping's rounds, and their model */
int session_write(Session *session); /* the mapping file, if one is wanted */
/* The same to a stream that is open, and is closed. */
int session_write_to(Session *session, FILE *to, const char *path);
int session_run(Session *session); /* start the program; its exit status */
/* taag probe: measure the hosts of a description.  An exit status. */
int probe(const Options *options);
void session_free(Session *session);

/* To `to`; false: out of memory. */
bool report_json(const Session *session, FILE *to);
bool report_text(const Session *session, FILE *to);
bool report_model(const Session *session, FILE *to);

#endif
