/* The options of pepa's commands, and the commands.  Of the library this folder knows only its public
 * headers. */
#ifndef PEPA_CLI_OPTIONS_H
#define PEPA_CLI_OPTIONS_H

#include "together.h"
#include "tool.h"

typedef struct Command Command;

/* --measure, or a file of --measures. */
typedef struct {
    const char *text; /* or path */
    bool file;
} Asked;

/* -D rate=value, --vary rate=values, --within rate=low:high: texts that have not been looked at. */
typedef struct {
    const char *rate, *text;
} Given;

typedef struct {
    const Command *command;
    const char *model; /* path or "-" */
    bool json, csv;    /* the form of the report, text without either; not both */
    bool quiet, progress, no_aggregate, no_files;
    Given *defines, *vary, *within;
    size_t define_count, vary_count, within_count;
    PepaSettings set; /* memory: what --memory says, or what is free */
    Asked *asked;     /* in their order */
    size_t asked_count;
    const char *plot; /* file for a picture */
    /* transient */
    const char *at;
    double until; /* 0: not given */
    int64_t points;
    bool accumulated;
    bool steady; /* fluid, simulate */
    bool moments;
    /* simulate */
    bool rare;
    int64_t runs, max_events; /* 0: not given, as the next two */
    double relative_width, confidence;
    /* sensitivity */
    const char *of;
    /* optimise */
    const char *maximise, *minimise;
    const char **subject; /* constraints */
    size_t subject_count;
    /* check */
    const char *csl;
    /* passage */
    const char *from_action, *from, *to_action, *to, *quantiles;
    bool from_start;
    const char *probe; /* export too */
    bool field;        /* --fluid */
    bool simulate;
    /* solve */
    const char *method; /* NULL: auto */
    bool explain, certify, lump, resume;
    const char *checkpoint; /* a file; NULL: none */
    double every;           /* seconds; 0: not given */
    const char *compare;    /* transient too */
    /* states */
    bool solve;
    const char **with; /* local states that must be present */
    size_t with_count;
    const char *enables, *where;
    double least, most; /* probability */
    int64_t top;        /* 0: all */
    /* export, graph */
    const char *format, *output;
    /* export */
    char **labels; /* "name = predicate" */
    size_t label_count;
    bool actions;
    /* graph */
    const char *picture; /* --of */
    /* walk */
    int64_t seed, max_steps; /* 0: not given; fit too */
    /* fit */
    const char *column, *family, *criterion, *action;
    int64_t phases, max_phases, bootstrap; /* 0: not given */
    bool states, no_test;
    const char *hosts;        /* a description of their machines; or NULL */
    const Together *together; /* the processes that share the command */
    int32_t threads_alone; /* where one of them works for all: of the host, unless they are given */
    int64_t memory_alone;
    bool
        host_limits; /* memory is what the description says of the host, which is less than was given */
} Options;

/* Which options a command takes. */
enum {
    TAKES_FORM = 1,
    TAKES_DERIVE = 2,
    TAKES_SOLVE = 4,
    TAKES_FILTER = 8,
    TAKES_EXPORT = 16,
    TAKES_EXPLORE = 32,
    TAKES_EXPLAIN = 64,
    TAKES_MEASURES = 128,
    TAKES_TIMES = 256,
    TAKES_PASSAGE = 512,
    TAKES_ACCUMULATED = 1024,
    TAKES_OF = 2048,
    TAKES_VARY = 4096,
    TAKES_MODEL = 8192, /* of TAKES_DERIVE, what does not need a chain */
    TAKES_GRAPH = 16384,
    TAKES_WALK = 32768,
    TAKES_PLOT = 65536,
    TAKES_OPTIMISE = 131072,
    TAKES_PROBE = 262144,
    TAKES_CSL = 524288,
    TAKES_FLUID = 1048576,
    TAKES_SIMULATE = 2097152,
    TAKES_FIT = 4194304, /* samples in place of a model */
    TAKES_COMPARE = 8388608,
    TAKES_POINTS = 16777216,  /* experiment, by simulation */
    TAKES_SAMPLED = 33554432, /* passage, by simulation */
    TAKES_SHARES = 67108864,  /* several processes share its work */
    TAKES_INTERVALS = TAKES_SIMULATE | TAKES_POINTS | TAKES_SAMPLED
};

struct Command {
    const char *name, *called, *help; /* "solve", "pepa solve", "pepa help solve" */
    const char *about;                /* one line */
    int (*run)(Options *options);
    unsigned takes;
};

/* Fill in options from argv (argv[0]: the command).  Returns 0, or an exit status with a message
 * printed; options_free in any case.  beside: processes on this host that share the command.  EXIT_SOLVED with options->model NULL: help was printed. */
int options_read(Options *options, const Command *command, int32_t beside, int argc, char **argv);
/* No more memory than a description says that this host has, of which each process has its part. */
void options_limit(Options *options, const Together *together);
void options_free(Options *options);
void options_help(const Command *command, FILE *to);

const char *model_name(const Options *options);

int cmd_solve(Options *options);
int cmd_check(Options *options);
int cmd_states(Options *options);
int cmd_export(Options *options);
int cmd_transient(Options *options);
int cmd_fluid(Options *options);
int cmd_simulate(Options *options);
int cmd_passage(Options *options);
int cmd_sensitivity(Options *options);
int cmd_experiment(Options *options);
int cmd_optimise(Options *options);
int cmd_fit(Options *options);
int cmd_graph(Options *options);
int cmd_walk(Options *options);
int cmd_lsp(int argc, char **argv); /* the words behind the command's name */
/* pepa serve, with its words from "serve" on: returns only if it cannot be run, an exit status. */
int workbench(char *const *words);

#endif
