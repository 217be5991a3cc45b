/* One run of a command: the model, its chain, its solution, its measures. */
#ifndef PEPA_CLI_SESSION_H
#define PEPA_CLI_SESSION_H

#include "checkpoint.h"
#include "options.h"

#include <pepa_csl.h>
#include <pepa_evidence.h>
#include <pepa_measure.h>

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
    Text piped;          /* the model, as standard input or the first of several processes has it */
    PepaDefine *defines; /* the values of -D */
    size_t define_count, define_cap;
    PepaModel *model;
    PepaChain *chain;
    PepaChainInfo info;
    PepaTransitions transitions; /* all NULL if the chain stores none */
    double *start;               /* NULL: it begins in the first state (starts_find) */
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
    bool waits;   /* another one does what they do not share: nothing is left to be done */
    bool alone;   /* this is the one */
    bool progress_shown;
    bool advised; /* how to have fewer states */
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
/* Whether the model has a meaning with the values so far; nothing is printed. */
bool session_has_meaning(Session *session);
/* The settings of the options, with the callbacks of the session. */
PepaSettings session_settings(Session *session);
/* If no measures were asked for: every throughput and population of the chain. */
int session_default_measures(Session *session);
/* The same without a chain: every throughput and population that the model can have. */
int session_model_measures(Session *session);
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
/* A warning that a measure has no value at `count` places, "time" or the like; "": anywhere.
 * unrated: it may be that activities have no rates there */
void session_warn_no_value(Session *session, int32_t measure, size_t count, const char *place,
                           bool unrated);
void session_diagnose(void *session, const PepaDiagnostic *each);
/* Of a session that is derived: the states in which the chain begins. */
int starts_find(Session *session);
void starts_warn(Session *session); /* if they are several: their probabilities are not said */
static inline bool starts_in(const Session *session, int32_t state)
{
    return session->start ? session->start[state] > 0 : state == 0;
}
int session_labels(Session *session); /* a part of the questions */
int labels_find(Session *session);    /* of a session that is derived: where they hold */
void labels_free(Session *session);

int complain(const Session *session, PepaStatus status, const PepaError *err);
/* The same, with where it happened, such as "at r = 2: "; printed in any case. */
int complain_at(const Session *session, PepaStatus status, const PepaError *err, const char *where);

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

#endif
