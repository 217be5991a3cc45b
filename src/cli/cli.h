/* Types and functions that the commands share.  Of the library this folder knows only pepa.h. */
#ifndef PEPA_CLI_CLI_H
#define PEPA_CLI_CLI_H

#include "checkpoint.h"
#include "together.h"
#include "drawing.h"
#include "tool.h"

#include <pepa_csl.h>
#include <pepa_evidence.h>
#include <pepa_experiment.h>
#include <pepa_fit.h>
#include <pepa_fluid.h>
#include <pepa_lump.h>
#include <pepa_measure.h>
#include <pepa_optimise.h>
#include <pepa_passage.h>
#include <pepa_simulate.h>
#include <pepa_structure.h>
#include <pepa_transient.h>
#include <pepa_walk.h>

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
    bool quiet, progress, no_aggregate;
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

/* Between which the exact value is. */
typedef struct {
    double low, high;
} Bounds;

/* --label: the states of which a predicate is true. */
typedef struct {
    char *name;
    PepaPredicate *predicate;
    uint8_t *holds; /* per state; NULL until they are found */
} Label;

/* One run: the model, its chain and its solution.  Findings are kept; errors, and warnings unless
 * quiet, are printed to stderr when they are found. */
typedef struct {
    const Options *options;
    Text piped;          /* what standard input said */
    PepaDefine *defines; /* the values of -D */
    size_t define_count, define_cap;
    PepaModel *model;
    PepaChain *chain;
    PepaChainInfo info;
    PepaTransitions transitions; /* all NULL if the chain stores none */
    double *pi;                  /* NULL until solved, or if processes share it: */
    PepaShared *shared;
    Checkpoint checkpoint;    /* if the options want one */
    double *peaks;            /* bytes, per process; NULL: this one is alone */
    PepaMeasures *measures;   /* those that were asked for; NULL: none */
    double *measured;         /* their values, once solved; NaN: it has none */
    Bounds *certified;        /* of each throughput, then of each of these; NULL: not wanted */
    PepaPredicate *where;     /* NULL: all states */
    PepaPredicate *from, *to; /* of a passage; NULL: by actions */
    Label *labels;            /* options->label_count of them */
    PepaFormula *formula;     /* to be checked; NULL: none */
    PepaInfo solved;
    PepaEvidence evidence; /* if options->explain */
    PepaLimit limit;       /* that exploration hit */
    double parse_seconds, derive_seconds, lump_seconds, certify_seconds;
    Findings findings;
    bool shares;  /* several processes derive the chain together */
    bool by_rows; /* they do so one by one, also where sets would suit */
    bool waits;  /* another one does what they do not share: nothing is left to be done */
    bool alone;  /* this is the one */
    bool progress_shown;
} Session;

/* The processes that share the command; 1: this one is alone. */
static inline int32_t shared_count(const Session *session)
{
    const Together *together = session->options->together;
    return together && together->processes ? together->processes->count : 1;
}

/* Each returns an exit status; unless it is EXIT_SOLVED, a message is printed. */
int session_begin(Session *session, const Options *options); /* the values of -D */
int session_load(Session *session);                         /* the model with them, and questions */
int session_read(Session *session, const Options *options); /* both */
int session_explore(Session *session);
/* Whether the error says that processes do not share this.  Then the first one does it for all, with
 * the memory and the cores of the host, and has all of the chain, unless *status says why not; the
 * others wait. */
bool session_alone(Session *session, PepaStatus *status, PepaError *err);
void session_peaks(Session *session); /* of memory, of all processes that share the chain */
int session_derive(Session *session, const Options *options); /* all three */
/* The value of `length` bytes of text, an expression over the model's rates with the defines until
 * now; messages say that it is about `option`, such as "-D mu". */
int session_value(Session *session, const char *option, const char *text, size_t length,
                  double *value);
/* One more value for session_load; of several for a rate the last counts. */
int session_define(Session *session, const char *rate, double value);
/* The settings of the options, with the callbacks of the session. */
PepaSettings session_settings(Session *session);
/* If no measures were asked for: every throughput and population of the chain. */
int session_default_measures(Session *session);
/* The same without a chain: every throughput and population that the model can have. */
int session_model_measures(Session *session);
/* The throughputs of all actions of the model, in its order. */
int session_throughputs(Session *session);
/* A warning about the model as a whole, kept like any other finding. */
void session_warn(Session *session, const char *message);
/* "1,2.5,10": ascending numbers, least <= x < below; the caller frees the list in any case.  GO_ON,
 * or EXIT_USAGE without a message. */
int read_list(const char *text, double least, double below, double **list, size_t *count);
/* The times of --at, or of --until and --points; none if there is neither.  The caller frees them.
 */
int session_times(const Session *session, double **time, size_t *count);
int session_solve(Session *session); /* measures as well */
/* Bounds of all throughputs and measures of a solution, if the options want them. */
int session_certify(Session *session);
/* The measures, or else the default ones, from the lumped chain; and the report of them. */
int solve_lumped(Session *session);
/* A throughput as it is to be reported: within its bounds, if there are any. */
double certified_throughput(const Session *session, int32_t action, double value);
void session_free(Session *session);

/* Parts of these.  Questions: the measures and predicates of the options, read before anything
 * takes long; measure: the values of the former, with a warning for each that has none. */
int session_questions(Session *session);
/* The model with the probe of the options, if there is one, and its predicates of a passage. */
int session_probe(Session *session);
int session_measure(Session *session);
void session_warn_missing(Session *session);
void session_diagnose(void *session, const PepaDiagnostic *each);
int session_labels(Session *session); /* a part of the questions */
int labels_find(Session *session);    /* of a session that is derived: where they hold */
void labels_free(Session *session);

/* Formats of export with labels; each writes to a stream and returns an exit status, with a message
 * unless it is EXIT_SOLVED. */
int write_sta(const Session *session, FILE *to);
int write_lab(const Session *session, FILE *to);
int write_tra(const Session *session, FILE *to);
int write_drn(const Session *session, FILE *to);
/* A name in letters, digits and _ only, others replaced by _; one of its characters. */
char identifier_char(char c);
void write_identifier(FILE *to, const char *name);
/* The entries of the generator.  mtx: with its head, states from 1.  Else states from 0, and no
 * diagonal: it is none of a CTMC's rates. */
int write_generator(const Session *session, bool mtx, FILE *to);

int complain(const Session *session, PepaStatus status, const PepaError *err);
/* The same, with where it happened, such as "at r = 2: "; printed in any case. */
int complain_at(const Session *session, PepaStatus status, const PepaError *err, const char *where);
const char *model_name(const Options *options);

/* Bytes of memory available to this process: what the machine or the control group has, less a
 * twentieth; 0 if that is not known. */
int64_t memory_free(void);
/* Bytes of memory at the process's largest. */
long long peak_bytes(void);
/* The same of each process that shares the command: one entry per process. */
void peaks_of_all(const Together *together, double *bytes);
/* "1.5GB", "800 MiB", "1e9": bytes, at least 1.  False: something else. */
bool memory_size(const char *text, int64_t *bytes);

/* The values of --vary: count of them, as written; the caller frees them in any case. */
typedef struct {
    const char *rate;
    double *value;
    size_t count;
} Varied;
int vary_read(Session *session, const Given *given, Varied *out);
/* The ends of --within, as written. */
int within_read(Session *session, const Given *given, PepaWithin *out);
/* Print that there are more points than an experiment can have; EXIT_USAGE. */
int too_many_points(const Options *options);

/* pepa experiment by simulation, of a session that is loaded, and the report; an exit status. */
int experiment_simulate(Session *session, const Varied *varied, int32_t axes, size_t points);
/* "lambda = 2, mu = 3": the values of point `row`. */
void vary_name(const Varied *varied, int32_t axes, size_t row, Text *out);
double vary_value(const Varied *varied, int32_t axes, int32_t axis, size_t row);
void vary_json(const Varied *varied, int32_t axes); /* ,"vary" */
/* The simulation that the options ask for; time: as read_when, borrowed. */
PepaSimulation simulation_asked(const Options *options, const double *time, size_t points);

/* What pepa passage was asked.  Lists are borrowed, but for those of `ends`. */
typedef struct {
    PepaPassageEnds ends;
    char *from, *to;               /* what the names of actions there are parts of */
    const double *time, *quantile; /* quantiles: per cent */
    size_t count, quantiles;
} PassageAsked;
/* The same by simulation, and the report; an exit status. */
int passage_simulate(Session *session, const PassageAsked *asked);

/* What pepa optimise was asked and has found. */
typedef struct {
    Session *session;
    PepaWithin *within; /* options->within_count */
    PepaConstraint *subject;
    int32_t objective; /* the measure; those before it were asked for beside */
    double *rate, *value;
    uint8_t *binding;
    PepaOptimum found;
} Optimised;
/* The report in the form of the options; an exit status. */
int report_optimum(const Optimised *optimised);

/* The first line of a text report: the model, its states and transitions. */
void text_begin(const Session *session);
/* "by uniformisation, 3,000 steps, then Laguerre series, 40 terms" */
void text_steps(int64_t steps, int64_t terms);
/* Lines of the beginning and the end of a JSON report: "model" to "transitions"; "seconds", of which
 * `what` took so many, "memory" and "warnings".  json_number: a value, or null for NaN. */
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
    const Session *s;
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

/* --compare, of a session that has not begun: all of the command but its options.  time: NULL in
 * the long run, with 1 point. */
int session_compare(Session *session, double *time, size_t points);
/* Whether exploration hit a limit that other analyses do not have. */
static inline bool too_large(const Session *s)
{
    return s->limit == PEPA_LIMIT_STATES || s->limit == PEPA_LIMIT_MEMORY ||
           s->limit == PEPA_LIMIT_COMPONENTS;
}
/* After a chain was too large: which analyses would answer, and how soon. */
void advise(Session *session);

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
/* A picture of a table in that file. */
int plot(const Session *session, const Grid *grid, const Axes *axes);

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

/* ---- a walk: where it is, for the user ----------------------------------------------------- */

/* The last run at random; or none. */
typedef struct {
    int64_t taken;
    PepaRunEnd end;
} Ran;

/* The present state by components, and the enabled steps; or one line of JSON, with what ran unless
 * that is NULL.  An exit status, as above. */
int show_walk(const Session *session, const PepaWalk *walk);
int show_walk_json(const Session *session, const PepaWalk *walk, const Ran *ran);

/* ---- a fit ----------------------------------------------------------------------------------- */

/* What pepa fit has found. */
typedef struct {
    Session *session;
    PepaFit *fit;
    PepaFitInfo info;
    PepaFitTest test;    /* runs 0: none was wanted */
    char *text, *states; /* what to paste; states: NULL unless it was wanted */
    double seconds;
} Fitted;
/* The report in the form of the options; an exit status.  The same for the picture, if there is
 * to be one.  Warnings and advice, before both. */
int report_fit(const Fitted *fitted);
int draw_fit(const Fitted *fitted);
void advise_fit(const Fitted *fitted);

/* ---- pictures: DOT, the language of Graphviz ----------------------------------------------- */

/* Begin a directed graph: its settings, which all pictures share. */
void dot_begin(FILE *to, const char *direction);
/* A string in quotes that stands for this text.  In labels '\n' ends a line. */
void dot_string(FILE *to, const char *text);
/* The same within a label of tags <...>. */
void dot_tagged(FILE *to, const char *text);
/* `[label="..."` of the activities of an arrow, heavy if they are shared, with the rest to come. */
void dot_activities(FILE *to, const char *label, bool shared);
/* What that means, below the picture. */
void dot_legend(FILE *to);

/* The structure of the system equation, as far as pictures need it. */
typedef struct {
    PepaStructure *model;
    PepaStructureInfo info;
    int32_t *parent; /* per node; -1: the root */
    /* Per node: what is drawn for it, itself; or, for a cooperation on the same actions as the one
     * that it is an operand of, what is drawn for that one: cooperation is associative. */
    int32_t *stands;
} Tree;
/* An exit status, with a message unless it is EXIT_SOLVED; tree_free in any case. */
int tree_new(Tree *tree, const Session *session);
void tree_free(Tree *tree);
/* Whether an action that component `leaf` offers, a node, is one on which it cooperates. */
bool tree_shares(const Tree *tree, int32_t leaf, int32_t action);

/* Each writes a picture; an exit status, as above. */
int draw_cooperation(const Session *session, FILE *to);
int draw_components(const Session *session, FILE *to);
int draw_states(const Session *session, FILE *to); /* of a session that is derived */

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
