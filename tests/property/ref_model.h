/* PEPA models as plain terms, for the referee of the engine: nothing here is shared with it but
 * the memory allocator.  A model is built by random_model.h or by hand, printed as PEPA text for
 * the engine, and given its meaning by oracle.h. */
#ifndef PEPA_TESTS_REF_MODEL_H
#define PEPA_TESTS_REF_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

enum { REF_MAX_ACTIONS = 16, REF_MAX_RATES = 24, REF_MAX_PROCESSES = 48 };
enum { REF_TAU = -1 };      /* the action that is not in any set */
enum { REF_UNSTATED = -1 }; /* the priority of an activity that states none */

/* ---- rate expressions ---- */

typedef enum {
    REF_NUMBER,
    REF_RATE,  /* a rate definition: id */
    REF_COUNT, /* a process name, for the number of components in that local state: id */
    REF_NEGATE,
    REF_ADD,
    REF_SUB,
    REF_MUL,
    REF_DIV,
    REF_MIN,
    REF_MAX,
    REF_POW,
    REF_EXP,
    REF_LOG,
    REF_SQRT,
    REF_LESS, /* conditions, from here on */
    REF_LESS_EQUAL,
    REF_GREATER,
    REF_GREATER_EQUAL,
    REF_EQUAL,
    REF_UNEQUAL,
    REF_NOT,
    REF_AND,
    REF_OR,
    REF_IF /* if condition then left else right: a rate */
} RefRateKind;

typedef struct RefRate RefRate;
struct RefRate {
    RefRateKind kind;
    double number;
    int id;
    const RefRate *left, *right; /* one operand: left */
    const RefRate *condition;    /* REF_IF */
};

/* ---- sequential components ---- */

typedef enum { REF_STOP, REF_CONSTANT, REF_PREFIX, REF_CHOICE } RefTermKind;

/* Every rate of one level counts as smaller than every rate of the next. */
typedef enum { REF_TIMED, REF_IMMEDIATE, REF_PASSIVE, REF_LEVELS } RefLevel;

typedef struct RefTerm RefTerm;
struct RefTerm {
    RefTermKind kind;
    int process; /* REF_CONSTANT */
    int action;  /* REF_PREFIX: action or REF_TAU */
    RefLevel level;
    int priority;         /* REF_PREFIX: 0 and up, or REF_UNSTATED */
    const RefRate *rate;  /* of an activity that is not timed the weight, NULL for 1 */
    int notation;         /* how a weight is written; no part of the meaning */
    const RefTerm *next;  /* REF_PREFIX: the continuation */
    const RefTerm **part; /* REF_CHOICE */
    int parts;
};

/* ---- the static tree ---- */

typedef enum { REF_LEAF, REF_NAMED, REF_COOP, REF_HIDE, REF_COPIES } RefStaticKind;

typedef struct RefStatic RefStatic;
struct RefStatic {
    RefStaticKind kind;
    const RefTerm *leaf;           /* REF_LEAF */
    int process;                   /* REF_NAMED: a process definition with a static body */
    const RefStatic *left, *right; /* one operand: left */
    uint32_t set;                  /* REF_COOP, REF_HIDE, REF_COPIES: bit a for action a */
    bool star;                     /* REF_COOP: all shared actions, whatever set says */
    const RefRate *copies;         /* REF_COPIES: how many; they cooperate on set */
    int notation;                  /* which of the equivalent spellings */
};

/* ---- models ---- */

typedef struct {
    const char *name;
    const RefRate *value;
    int before; /* written before this process definition (process_count: after the last) */
} RefRateDef;

typedef struct {
    const char *name;
    const RefTerm *body;     /* a sequential component, */
    const RefStatic *system; /* or a part of the static tree */
    int notation;
} RefProcess;

typedef struct {
    Arena arena; /* holds every term */
    const char *action[REF_MAX_ACTIONS];
    int action_count;
    RefRateDef rate[REF_MAX_RATES];
    int rate_count;
    RefProcess process[REF_MAX_PROCESSES]; /* in source order */
    int process_count;
    const RefStatic *system;
    int notation;
} RefModel; /* starts as {0} */

void ref_model_free(RefModel *model);

/* Constructors: the term lives as long as the model.  Memory running out ends the program. */
int ref_action(RefModel *model, const char *name);
int ref_rate_define(RefModel *model, const char *name, const RefRate *value);
int ref_process_declare(RefModel *model, const char *name);
RefRate *ref_number(RefModel *model, double value);
RefRate *ref_rate(RefModel *model, int id);
RefRate *ref_count(RefModel *model, int process);
RefRate *ref_conditional(RefModel *model, const RefRate *condition, const RefRate *yes,
                         const RefRate *no);
RefRate *ref_operation(RefModel *model, RefRateKind kind, const RefRate *a, const RefRate *b);
RefTerm *ref_stop(RefModel *model);
RefTerm *ref_constant(RefModel *model, int process);
RefTerm *ref_prefix(RefModel *model, int action, const RefRate *rate, const RefTerm *next);
RefTerm *ref_passive(RefModel *model, int action, const RefRate *weight, const RefTerm *next);
RefTerm *ref_immediate(RefModel *model, int action, const RefRate *weight, const RefTerm *next);
RefTerm *ref_choice(RefModel *model, const RefTerm **part, int parts);
RefStatic *ref_leaf(RefModel *model, const RefTerm *term);
RefStatic *ref_named(RefModel *model, int process);
RefStatic *ref_coop(RefModel *model, const RefStatic *left, uint32_t set, const RefStatic *right);
RefStatic *ref_hide(RefModel *model, const RefStatic *of, uint32_t set);
RefStatic *ref_copies(RefModel *model, const RefStatic *of, const RefRate *count, uint32_t set);

/* Value of an expression; count[p] stands for process p (NULL: there is no REF_COUNT in it). */
double ref_rate_value(const RefModel *model, const RefRate *rate, const double *count);
bool ref_rate_functional(const RefModel *model, const RefRate *rate);
/* Whether the expression depends on a rate definition, through others too. */
bool ref_rate_uses(const RefModel *model, const RefRate *rate, int id);
/* How many copies a REF_COPIES node has. */
int ref_copy_count(const RefModel *model, const RefStatic *copies);

/* Total order of structure: 0 for the same term.  Constants compare by name, never by body; a
 * choice is the sequence of its summands, whatever parentheses are between them. */
int ref_term_compare(const RefTerm *a, const RefTerm *b);

/* Local states reachable from a term by its own activities, blocked or not. */
typedef struct {
    const RefTerm **item;
    size_t count, cap;
} RefTerms;                                               /* starts as {0} */
void ref_terms_add(RefTerms *terms, const RefTerm *term); /* unless it is there */
void ref_terms_free(RefTerms *terms);
void ref_derivatives(const RefModel *model, const RefTerm *from, RefTerms *found);

/* Action types of a part of the static tree: what `<*>` looks at.  Hidden ones and tau are not. */
uint32_t ref_alphabet(const RefModel *model, const RefStatic *part);

/* Names of local states: the constant's own; Stop; D_2, D_3, ... for the terms without a name that
 * follow a prefix, D the definition where the term comes first in the source, counted in order of
 * appearance over D's own terms, names of definitions left out.  Terms without a name that stand in
 * the static tree are numbered alike; those of the system equation itself System_1, System_2, ...
 */
typedef struct {
    RefTerms term;
    char **name; /* name[i] of term.item[i] */
} RefNames;
RefNames ref_names(const RefModel *model);
const char *ref_name(const RefModel *model, const RefNames *names, const RefTerm *term);
void ref_names_free(RefNames *names);

/* The model as PEPA text; free with text_free. */
typedef struct {
    double scale; /* every timed rate is multiplied by it; 0: left alone */
    bool mirror;  /* the two sides of every cooperation change places */
} RefPrinting;
Text ref_model_print(const RefModel *model, RefPrinting how);

#endif
