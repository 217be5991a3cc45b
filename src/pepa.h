/* libpepa: performance models in PEPA (Hillston 1996), from text to certified steady state.
 *
 *   PepaModel *model = NULL;  PepaChain *chain = NULL;  PepaError err;
 *   if (pepa_model_load(&model, "queue.pepa", NULL, &err) == PEPA_OK &&
 *       pepa_chain_derive(&chain, model, NULL, &err) == PEPA_OK)
 *       printf("%lld states\n", (long long)pepa_chain_info(chain).states);
 *   else
 *       fprintf(stderr, "%s\n", err.message);
 *   pepa_chain_free(chain);
 *   pepa_model_free(model);
 *
 * Conventions.  Outputs are written only on PEPA_OK unless stated.  `err` may be NULL.  Every
 * _free(NULL) is legal.  A function that returns a PepaStatus returns PEPA_EARG for a NULL that it
 * cannot use; the others do not check their arguments.  The library never prints, exits, or touches
 * signals, and holds no global state: threads (with at least 2 MiB of stack) may share const
 * objects.  Time is in the model's unit; rates are per unit of time.  Strings and arrays returned
 * as const belong to the object that they came from.
 *
 * In structures that a caller fills in, zero means the default.  Settings end with `reserved`
 * words, which must be zero: new members will take their place, so that sizes and offsets stay.
 * Structures without such words are frozen. */
#ifndef PEPA_H
#define PEPA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PEPA_API __attribute__((visibility("default")))
#else
#define PEPA_API
#endif

typedef enum {
    PEPA_OK,
    PEPA_EARG,    /* the caller's argument: unknown name, value out of range */
    PEPA_ENOMEM,  /* memory ran out */
    PEPA_EIO,     /* a file could not be read or written */
    PEPA_ESYNTAX, /* the text is not PEPA */
    PEPA_EMODEL,  /* it is PEPA, but has no meaning: names, rates, passive activities */
    PEPA_ELIMIT,  /* a limit was hit: PepaError.limit says which */
    PEPA_ENOCONV, /* no answer within the tolerance */
    PEPA_ECANCEL  /* the progress callback returned non-zero */
} PepaStatus;

/* Which limit stopped the work: the caller can change the setting named here. */
typedef enum {
    PEPA_LIMIT_NONE,       /* no limit, or one of the program itself, which no setting raises */
    PEPA_LIMIT_STATES,     /* PepaSettings.derive.max_states */
    PEPA_LIMIT_MEMORY,     /* PepaSettings.memory */
    PEPA_LIMIT_ITERATIONS, /* PepaSettings.solve.max_iter */
    PEPA_LIMIT_MATRIX,     /* PepaSettings.solve.matrix: this form does not suit the chain */
    PEPA_LIMIT_METHOD,     /* PepaSettings.solve.method: this method does not suit the chain */
    PEPA_LIMIT_EXPLORE,    /* PepaSettings.derive.explore: the states cannot be found in this way */
    PEPA_LIMIT_COPIES,     /* PepaSettings.derive.separate_copies: copies have to be told apart */
    PEPA_LIMIT_COMPONENTS, /* none: a chain counts at most 2,147,483,647 of them */
    PEPA_LIMIT_SIMULATION  /* PepaSimulation.runs, .events */
} PepaLimit;

typedef struct {
    PepaStatus code;
    PepaLimit limit;       /* of PEPA_ELIMIT, of PEPA_ENOCONV after max_iter iterations, and of
                            * PEPA_EARG for a setting that does not suit the chain */
    uint32_t line, column; /* from 1; 0 where the error has no place in a text */
    char message[256];
} PepaError;

typedef enum { PEPA_ERROR, PEPA_WARNING } PepaSeverity;

/* One finding about a model.  Valid during the callback only. */
typedef struct {
    PepaSeverity severity;
    const char *file;
    uint32_t line, column; /* from 1, columns in characters; 0: about the model as a whole */
    const char *message;
    const char *excerpt; /* the source line and a line of ^~~~ below it; "" without a place */
} PepaDiagnostic;
typedef void (*PepaDiagnose)(void *user, const PepaDiagnostic *each);

PEPA_API const char *pepa_version(void);
PEPA_API const char *pepa_status_text(PepaStatus status); /* "out of memory", ... */

/* ---- methods and settings -------------------------------------------------------------- */

typedef enum {
    PEPA_AUTO,
    PEPA_DIRECT,
    PEPA_GTH,
    PEPA_GAUSS_SEIDEL,
    PEPA_SOR,
    PEPA_JACOBI,
    PEPA_POWER,
    PEPA_BICGSTAB,
    PEPA_GMRES,
    PEPA_MULTILEVEL,
    PEPA_IDR,
    PEPA_METHOD_COUNT
} PepaMethod;

PEPA_API const char *pepa_method_name(PepaMethod method);  /* "gauss-seidel"; NULL out of range */
PEPA_API const char *pepa_method_about(PepaMethod method); /* one line */
PEPA_API PepaStatus pepa_method_find(const char *name, PepaMethod *method, PepaError *err);

typedef struct {
    const char *phase; /* "derive": states found so far; "solve": iterations so far */
    int64_t count;
    double measure;     /* derive: transitions found; solve: the residual */
    double seconds;     /* since the phase began */
    const char *method; /* solve: the one at work; derive: NULL */
    /* solve: the mean change of log(residual) per recent iteration, 0: not known; seconds until the
     * tolerance is met at that speed, an estimate, < 0: not known */
    double slope;
    double left;
} PepaProgress;

/* How the states are found. */
typedef enum {
    PEPA_EXPLICIT,    /* one by one: every function below works on the chain */
    PEPA_SYMBOLIC,    /* as sets, by a decision diagram: see pepa_chain_derive */
    PEPA_EXPLORE_AUTO /* as sets if they are many, or memory is short, and the model suits */
} PepaExplore;

/* How the matrix of the chain is kept while it is solved. */
typedef enum {
    PEPA_MATRIX_AUTO,     /* chosen by the chain and the method */
    PEPA_MATRIX_EXPLICIT, /* by rows: 12 bytes for each of its entries */
    PEPA_MATRIX_COMPACT,  /* by rows: 6 bytes; at most 65,536 different chances of jumps */
    /* as blocks that repeat, not by rows: for chains explored as sets, and PEPA_AUTO,
     * PEPA_GAUSS_SEIDEL and PEPA_SOR */
    PEPA_MATRIX_FREE
} PepaMatrixForm;

/* How Krylov methods (PEPA_BICGSTAB, PEPA_GMRES, PEPA_IDR) are preconditioned. */
typedef enum {
    PEPA_PRECONDITION_AUTO,       /* as suits the method */
    PEPA_PRECONDITION_NONE,       /* not at all */
    PEPA_PRECONDITION_SWEEP,      /* by a sweep of Gauss-Seidel */
    PEPA_PRECONDITION_SYMMETRIC,  /* by a sweep and one back */
    PEPA_PRECONDITION_ILU0,       /* by incomplete LU factors without fill-in */
    PEPA_PRECONDITION_ILUT,       /* ... with fill-in where it is large */
    PEPA_PRECONDITION_BLOCK,      /* by a sweep over blocks of consecutive states, solved exactly */
    PEPA_PRECONDITION_MULTILEVEL, /* by a cycle over groups of states */
    PEPA_PRECONDITION_COUNT
} PepaPrecondition;

/* How states are found: for pepa_chain_derive. */
typedef struct {
    int64_t max_states;    /* PEPA_ELIMIT beyond; 0: 20 million one by one, 2^36 as sets */
    int separate_copies;   /* non-zero: every copy of P[n] by itself, not in counted form */
    PepaExplore explore;   /* PEPA_EXPLICIT by default */
    PepaDiagnose diagnose; /* receives findings about the chain; or NULL */
    uint64_t reserved[8];
} PepaDerive;

/* Keeps what has been found now and then, so that a long solution of a steady state can go on after an
 * interruption: iterates of all methods but direct ones, in the order of the chain's states.  Of several
 * bottom components each has what it has come to, those to come 0.  A failure is not the end of a solution.
 * No digit depends on it, but going on may be another way to the answer, within the tolerance.  Experiments,
 * optimisations and lumpings take no notice of it.  Processes that share a chain call these functions
 * together, each with its own states. */
typedef struct {
    void *user;
    /* Non-zero: it is time.  seconds: since it was kept the last time, or since the beginning.  Asked
     * between iterations, and when the solution is cancelled. */
    int (*due)(void *user, double seconds);
    /* One begin, pieces of consecutive states by their numbers, one end.  0: it worked.
     *   pi  up to a factor
     *   ok  in end: whether it has worked until then */
    int (*begin)(void *user, const PepaProgress *now);
    int (*piece)(void *user, int64_t first, int64_t count, const double *pi);
    int (*end)(void *user, int ok);
    /* The solution goes on from what this gives, piece by piece; non-zero: it fails (PEPA_EIO).  NULL: it
     * begins anew. */
    int (*load)(void *user, int64_t first, int64_t count, double *pi);
    /* Non-zero: of a chain by rows, states are numbered in lexicographic order, and one number more, at
     * the place after them, says in which.  So any number of processes can go on from it.  4 bytes per
     * state more.  Of a chain that processes have spread it is always so. */
    int64_t portable;
    uint64_t reserved[3];
} PepaKeeping;

/* How linear systems are solved. */
typedef struct {
    PepaMethod method;             /* PEPA_AUTO by default */
    PepaMatrixForm matrix;         /* PEPA_MATRIX_AUTO by default */
    PepaPrecondition precondition; /* PEPA_PRECONDITION_AUTO by default */
    int warm_start;                /* non-zero: begin from the vector passed in */
    double tolerance;              /* on the residual, see PepaInfo; 0: 1e-10 */
    int64_t max_iter;              /* sweeps or iterations of one method; 0: the method chooses */
    const PepaKeeping *keeping;    /* borrowed; NULL: nothing is kept */
    uint64_t reserved[7];
} PepaSolve;

/* What was decided, and why: pepa_evidence.h. */
typedef struct PepaEvidence PepaEvidence;

/* All-zero, or a NULL pointer in its place, means the defaults. */
typedef struct {
    int threads;    /* most to use; 0: 1.  No result depends on it. */
    int64_t memory; /* bytes that a chain, its pi and the solution may take; 0: no limit.  A step
                     * whose estimate exceeds it ends with PEPA_ELIMIT before it begins.  The use
                     * may exceed the limit by some tens of per cent.  With less memory PEPA_AUTO
                     * and PEPA_EXPLORE_AUTO can choose other ways, and digits within the
                     * tolerance can differ */
    int (*progress)(void *user, const PepaProgress *now); /* non-zero: PEPA_ECANCEL; or NULL */
    void *user;                                           /* passed to all callbacks */
    PepaDerive derive;
    PepaSolve solve;
    PepaEvidence *evidence; /* written by deriving and solving; or NULL */
    uint64_t reserved[7];
} PepaSettings;

/* ---- models: checked text, immutable ---------------------------------------------------- */

typedef struct PepaModel PepaModel;

/* A value that replaces the definition of a rate: what -D does on the command line. */
typedef struct {
    const char *rate;
    double value;
} PepaDefine;

/* How to read a text; all-zero (or a NULL pointer to it) is the default. */
typedef struct {
    const PepaDefine *defines;
    size_t define_count;
    PepaDiagnose diagnose; /* every error and warning, in order of place; or NULL */
    void *user;
    int no_files; /* 1: the text is a stranger's: a `trace` in it, which names a file, is an error */
    uint64_t reserved[7];
} PepaReading;

/* Parse and check `length` bytes of text; diagnostics call it `name`.  Everything is copied.
 * Errors: PEPA_ESYNTAX, PEPA_EMODEL (err: the first finding), PEPA_EARG (no rate has the name of a
 * define). */
PEPA_API PepaStatus pepa_model_parse(PepaModel **out, const char *name, const char *text,
                                     size_t length, const PepaReading *how, PepaError *err);
/* The same from a file. */
PEPA_API PepaStatus pepa_model_load(PepaModel **out, const char *path, const PepaReading *how,
                                    PepaError *err);
PEPA_API void pepa_model_free(PepaModel *model);

PEPA_API int32_t pepa_model_rate_count(const PepaModel *model);
PEPA_API const char *pepa_model_rate_name(const PepaModel *model, int32_t rate);
PEPA_API double pepa_model_rate_value(const PepaModel *model, int32_t rate);
/* The action types of the text, tau first, whether they ever occur or not. */
PEPA_API int32_t pepa_model_action_count(const PepaModel *model);
PEPA_API const char *pepa_model_action_name(const PepaModel *model, int32_t action);
/* The model's text in the plug-in's notation, laid out afresh: free with pepa_text_free. */
PEPA_API PepaStatus pepa_model_print(const PepaModel *model, char **text, PepaError *err);
PEPA_API void pepa_text_free(char *text);

/* ---- chains: the explored CTMC; structure fixed, rates settable ------------------------- */

typedef struct PepaChain PepaChain;

/* The reachable states, breadth first from the system equation (state 0).
 * As sets (set->derive.explore), states have other numbers, and nothing is stored per state or
 * transition: pepa_chain_transitions returns PEPA_EARG.  Only where some states are left for ever
 * are transitions stored, in 8 bytes each, to find and solve the bottom components.  Sets need a
 * system of several components with much in common and no functional rates; for other models
 * PEPA_SYMBOLIC returns PEPA_ELIMIT.
 * The chain keeps what it needs of the model, which may be freed.
 * Errors: PEPA_EMODEL (in a reachable state: passive and active rates of one action meet in one
 * component, or a passive activity has nothing to drive it; all go to set->derive.diagnose),
 * PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL.  set: NULL for the default. */
PEPA_API PepaStatus pepa_chain_derive(PepaChain **out, const PepaModel *model,
                                      const PepaSettings *set, PepaError *err);
PEPA_API void pepa_chain_free(PepaChain *chain);

typedef struct {
    int64_t states;
    int64_t transitions; /* distinct (source, action, target); self-loops count */
    int32_t deadlocks;
    int32_t bottom_components; /* strongly connected components without a way out; 0: not known,
                                * of a chain that processes have spread (pepa_shared_bottoms) */
    int32_t actions;           /* that occur, tau among them */
    int32_t positions;         /* sequential components of the system equation */
    int32_t local_states;      /* names of local states, over all positions */
    int32_t counts;            /* length of a state's count vector: sum of positions' local_count */
    int aggregated;
    int symbolic; /* explored as sets */
    uint64_t reserved[8];
} PepaChainInfo;
PEPA_API PepaChainInfo pepa_chain_info(const PepaChain *chain);

/* A sequential component of the system equation, in reading order.  P[n] is one position with n
 * copies, however it was explored. */
typedef struct {
    const char *component; /* name of its initial local state */
    int32_t copies;
    int32_t local_count;  /* its local states */
    const int32_t *local; /* their ids, for pepa_chain_local_name; local_count of them */
} PepaPosition;
PEPA_API PepaPosition pepa_chain_position(const PepaChain *chain, int32_t position);
PEPA_API const char *pepa_chain_local_name(const PepaChain *chain, int32_t local);
PEPA_API const char *pepa_chain_action_name(const PepaChain *chain, int32_t action);

/* How many copies are in each local state of each position: counts has info.counts entries,
 * position after position. */
PEPA_API PepaStatus pepa_chain_state_counts(const PepaChain *chain, int64_t state, int32_t *counts,
                                            PepaError *err);
/* "(Stage1, Stage2_2, Client:3|ClientWait:1)": free with pepa_text_free. */
PEPA_API PepaStatus pepa_chain_state_text(const PepaChain *chain, int64_t state, char **text,
                                          PepaError *err);

/* The bottom component of a state, 0 .. info.bottom_components - 1; -1: the state belongs to none,
 * so that it is left for ever, or does not exist, or processes have spread the chain. */
PEPA_API int32_t pepa_chain_bottom(const PepaChain *chain, int64_t state);

/* Transitions by source: those of state s are row[s] .. row[s+1]-1, sorted by action, then target.
 * Transition k leads to target[k].  Its kind gives its action and which of the chain's distinct
 * rates it has; see the functions below.  Borrowed until the chain is freed; values follow
 * pepa_chain_set_rate.  Errors: PEPA_EARG for a chain explored as sets that stores none: all its
 * states are one component. */
typedef struct {
    const int64_t *row;
    const int32_t *target;
    const uint16_t *narrow; /* kinds of the transitions; NULL if they take more than 16 bits */
    const int32_t *wide;    /* ... then here */
    const int32_t *action, *rate; /* per kind */
    const double *value;          /* per rate */
} PepaTransitions;
PEPA_API PepaStatus pepa_chain_transitions(const PepaChain *chain, PepaTransitions *out,
                                           PepaError *err);

static inline int32_t pepa_transition_kind(const PepaTransitions *t, int64_t k)
{
    return t->narrow ? t->narrow[k] : t->wide[k];
}
static inline int32_t pepa_transition_action(const PepaTransitions *t, int64_t k)
{
    return t->action[pepa_transition_kind(t, k)];
}
static inline double pepa_transition_rate(const PepaTransitions *t, int64_t k)
{
    return t->value[t->rate[pepa_transition_kind(t, k)]];
}

/* The generator Q in compressed rows, diagonal included, columns ascending, of any chain, explored
 * as sets or not.  It belongs to the caller, who frees it by pepa_matrix_free.  O(transitions). */
typedef struct {
    int32_t n;
    int64_t *row;
    int32_t *col;
    double *val;
} PepaMatrix;
PEPA_API PepaStatus pepa_chain_generator(const PepaChain *chain, PepaMatrix *out, PepaError *err);
PEPA_API void pepa_matrix_free(PepaMatrix *matrix);

/* Give a named rate another value; values given before stay.  Every transition that depends on it
 * gets its new rate, and nothing is explored again.  Costs one evaluation of each distinct rate of
 * the chain.  Errors leave the chain as it was: PEPA_EARG (unknown name; a rate that depends on the
 * state, decides the number of copies of a P[n], or switches a functional rate on or off),
 * PEPA_EMODEL (some rate would not be finite and > 0). */
PEPA_API PepaStatus pepa_chain_set_rate(PepaChain *chain, const char *rate, double value,
                                        PepaError *err);
/* The same for several rates at once, at the cost of one. */
PEPA_API PepaStatus pepa_chain_set_rates(PepaChain *chain, const PepaDefine *rates, size_t count,
                                         PepaError *err);

/* ---- steady state ----------------------------------------------------------------------- */

typedef struct {
    int64_t iterations; /* of the method that answered; 0 for direct ones */
    double residual; /* sum |(pi Q)_i| / sum pi_i q_i, q_i exit rates: recomputed from the chain */
    double tolerance;
    double seconds;
    double matrix_seconds;    /* of these: to make the matrix */
    const char *method;       /* what answered: "gth", "gauss-seidel with extrapolation", ...; of
                               * several bottom components, for the largest; "none": nothing to
                               * solve */
    const char *matrix;       /* how it was kept: "explicit", "compact", "free", or "none" */
    const char *precondition; /* "sweep", "symmetric", "ilu0", "ilut", "block", "multilevel", or
                               * "none" */
    const char *caution;      /* why the error can be large though the residual is small; or "" */
    char trail[256];          /* what was tried before it and why it stopped; "" if nothing */
    uint64_t reserved[8];
} PepaInfo;

/* The long-run distribution from the initial state: with several bottom components, each one's
 * steady state weighted by the probability of ending in it.
 *   pi  states entries; in: a guess if set->solve.warm_start; out: the distribution, sum 1
 * PEPA_OK only if the recomputed residual is <= tolerance and every entry is finite and >= 0.
 * Errors: PEPA_ENOCONV (info is filled in; the message says what to try next), PEPA_ENOMEM,
 * PEPA_ELIMIT (set->memory, or the method is not for this size), PEPA_ECANCEL: pi is unspecified;
 * PEPA_EARG. */
PEPA_API PepaStatus pepa_solve_steady(const PepaChain *chain, const PepaSettings *set, double *pi,
                                      PepaInfo *info, PepaError *err);

/* The same repeatedly, for one chain whose rates change: keeps what depends on the structure only.
 * The chain is borrowed and must outlive it.  pepa_steady_new has no limit on memory; what it has
 * taken counts against that of pepa_steady_solve. */
typedef struct PepaSteady PepaSteady;
PEPA_API PepaStatus pepa_steady_new(PepaSteady **out, const PepaChain *chain, PepaError *err);
PEPA_API PepaStatus pepa_steady_solve(PepaSteady *steady, const PepaSettings *set, double *pi,
                                      PepaInfo *info, PepaError *err);
PEPA_API void pepa_steady_free(PepaSteady *steady);

/* ---- measures of a distribution pi over the states -------------------------------------- */

/* Mean number of completions per unit of time, per action: per_time has info.actions entries. */
PEPA_API void pepa_throughputs(const PepaChain *chain, const double *pi, double *per_time);
/* The same for one action by name ("tau": all hidden ones together).  Errors: PEPA_EARG. */
PEPA_API PepaStatus pepa_throughput(const PepaChain *chain, const double *pi, const char *action,
                                    double *per_time, PepaError *err);
/* Share of time that a copy spends in each local state: info.counts entries, laid out as in
 * pepa_chain_state_counts; each position's entries sum to 1.  Errors: PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_utilisations(const PepaChain *chain, const double *pi, double *share,
                                      PepaError *err);
/* Mean number of components in each local state, over all positions: info.local_states entries.
 * Errors: PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_populations(const PepaChain *chain, const double *pi, double *mean,
                                     PepaError *err);

/* An interval that contains the exact throughput X of an action, at the chain's present rates as
 * doubles: *low <= X <= *high, whatever the errors of pi, of methods and of rounding.  With any
 * vector h, X = pi (r + Q h) for the exact pi, r the rate of the action out of each state; so X is
 * between the least and the greatest entry of r + Q h, which is computed with a bound of its rounding
 * errors.  The interval is as narrow as h is good.  With several bottom components that is done in
 * each, and X is their mean by where the chain ends, which linear equations over the transient states
 * give, with a proved error.
 *   pi    as of pepa_steady_solve, or about so
 *   info  or NULL: of the linear solution for h; that of the largest bottom component
 * Cost and methods as pepa_steady_sensitivities, and for each state 40 bytes more.
 * Errors: as there, without PEPA_ENOCONV: the interval is then wide. */
PEPA_API PepaStatus pepa_throughput_bounds(PepaSteady *steady, const PepaSettings *set,
                                           const double *pi, const char *action, double *low,
                                           double *high, PepaInfo *info, PepaError *err);

/* Derivatives of the throughput X of an action: derivative[r] = dX / d rate r, for every rate of
 * the model that the chain was derived from, in the order of pepa_model_rate_name.  They hold at
 * the chain's present rates, for changes by pepa_chain_set_rate: a rate from which others are
 * computed includes its effect through them; a rate that was set stands for itself.  NaN for rates
 * that cannot be set: functional ones, passive ones, those that decide numbers of copies.
 * Where two equal numbers meet in a min or max (two partners of a cooperation at the same rate,
 * say), X has a kink: each side counts half, which gives the mean of the derivatives to the left
 * and to the right, as long as no third number is equal as well.
 *   pi          as solved by pepa_steady_solve at these rates, to this tolerance or better
 *   potential   states entries or NULL; in: a guess if set->solve.warm_start; out: h with
 *               Q h = X 1 - r, r the rate of the action out of each state, and pi h = 0, in each
 *               bottom component with its own X and pi: how many
 *               completions more than on average are to come in the long run, starting there; 0
 *               for transient states
 *   derivative  pepa_model_rate_count entries
 *   info        residual: pi |w - (pi w) 1| / pi w with w = r + Q h, recomputed from the chain; the
 *               elasticities rate / X x dX / d rate are right to that times the largest elasticity
 *               of the probability of any state (mostly no more than the number of customers).
 *               With several bottom components that of the worst of them, each by itself, or a
 *               proved error of how X follows from where the chain ends, if that is more
 * PEPA_OK only if the residual is <= tolerance.  One linear solution, about as costly as a steady
 * state, whatever the number of rates, and some over the transient states if there are several bottom
 * components; the first call finds what depends on the structure only.
 * Chains explored as sets are solved by rows.
 * Methods are gauss-seidel, bicgstab and direct; others stand for auto.
 * Errors: PEPA_EARG (no such action; pi is not the steady state at these rates), PEPA_ENOCONV (info
 * is filled in), PEPA_ENOMEM, PEPA_ELIMIT, PEPA_ECANCEL: potential is unspecified. */
PEPA_API PepaStatus pepa_steady_sensitivities(PepaSteady *steady, const PepaSettings *set,
                                              const double *pi, const char *action,
                                              double *potential, double *derivative, PepaInfo *info,
                                              PepaError *err);

#ifdef __cplusplus
}
#endif
#endif
