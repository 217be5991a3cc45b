/* A checked model: immutable arrays in which names have become ids.
 * Everything later (exploration, fluid limits, simulation) reads this and nothing of the text. */
#ifndef PEPA_PARSER_MODEL_H
#define PEPA_PARSER_MODEL_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/source.h"

/* Rate expressions, hash-consed: structurally equal expressions have one id, and an expression's
 * operands have smaller ids than it has. */
typedef enum {
    EXPR_NUMBER,    /* number */
    EXPR_RATE,      /* a: rate id */
    EXPR_COUNT,     /* a: local state id; how many components are in it now (a functional rate) */
    EXPR_PASSIVE,   /* infty, weight 1 */
    EXPR_IMMEDIATE, /* immediate, weight 1 */
    EXPR_FILE,      /* a: number of a file */
    EXPR_ADD,       /* a, b: expression ids, here and below */
    EXPR_SUB,
    EXPR_MUL,
    EXPR_DIV,
    EXPR_MIN,
    EXPR_MAX,
    EXPR_POW,
    EXPR_LESS, /* a comparison is 1 or 0, here and below */
    EXPR_LESS_EQUAL,
    EXPR_GREATER,
    EXPR_GREATER_EQUAL,
    EXPR_EQUAL,
    EXPR_UNEQUAL,
    EXPR_AND, /* b counts only if a is not 0 */
    EXPR_OR,  /* b counts only if a is 0 */
    EXPR_IF,  /* a: a condition; b: EXPR_ELSE, of which one operand counts */
    EXPR_ELSE,
    EXPR_NEG, /* a only, here and below */
    EXPR_NOT,
    EXPR_EXP,
    EXPR_LOG,
    EXPR_SQRT,
    EXPR_PRIORITY, /* a, with priority number - 1 */
    EXPR_ERLANG,   /* as in the syntax tree, here and below; no activity of a model has these */
    EXPR_HYPER,
    EXPR_COX,
    EXPR_DET, /* durations, as in the syntax tree; only for simulation */
    EXPR_UNIFORM,
    EXPR_LOGNORMAL,
    EXPR_TRACE,
    EXPR_LIST,
    EXPR_PAIR
} ExprOp;

typedef struct {
    ExprOp op;
    int32_t a, b;
    double number;
    bool functional; /* depends on some EXPR_COUNT */
} Expr;

static inline bool expr_is_binary(ExprOp op)
{
    return op >= EXPR_ADD && op < EXPR_NEG;
}

/* How fast an activity can be: every timed rate is below every immediate one, and each of these is
 * below every passive one. */
typedef enum { LEVEL_TIMED, LEVEL_IMMEDIATE, LEVEL_PASSIVE } RateLevel;

/* The value of an expression: a rate, or the weight of an immediate or passive one. */
typedef struct {
    double value;
    RateLevel level;
    int32_t priority; /* one more than stated, or PRIORITY_UNSTATED */
} Value;

enum { PRIORITY_UNSTATED = 0, PRIORITY_DEFAULT = 2, PRIORITY_MOST = 1000000 };

typedef struct {
    const char *name;
    int32_t expr;    /* its definition */
    Value value;     /* its value; NaN if functional */
    bool structural; /* some number of copies P[n], or the phases of some duration, depend on it */
    bool whole;      /* of copies, or of phases: only whole numbers make sense */
    Span span;       /* the name in its definition */
    bool given;      /* the value was given in place of the definition */
} Rate;

typedef struct {
    int32_t action, expr, target; /* target: a local state */
    Span span;                    /* (action, rate) */
} Activity;

/* A local state: a derivative of a sequential component.  Terms that are the same are one. */
typedef struct {
    const char *name;     /* as defined, or made up for derivatives without a name: Stage_2 */
    int32_t whole;        /* the local state of which this one is a phase; or this one */
    int32_t first, count; /* its activities; equal ones are repeated as often as they occur */
    Span span;
} Local;

/* As many as doubles count one by one, and some room. */
#define MODEL_MOST_COPIES 1e15

typedef enum { NODE_LEAF, NODE_COOP, NODE_HIDE, NODE_COPIES } NodeKind;

/* The system equation with all names of cooperations unfolded, children before parents; the root is
 * the last node; the nodes of a subtree are consecutive.  A set is
 * sets[set_first .. set_first + set_count), ascending action ids without repetition; <*> is
 * resolved. */
typedef struct {
    NodeKind kind;
    int32_t left;                 /* COOP, HIDE, COPIES: child */
    int32_t right;                /* COOP: second child */
    int32_t local;                /* LEAF: its initial local state */
    int64_t copies;               /* COPIES: how many, 1 to MODEL_MOST_COPIES */
    int32_t set_first, set_count; /* COOP, COPIES: cooperate on; HIDE: hidden */
    Span span;
} Node;

enum { ACTION_TAU = 0 };

/* A file of durations that a model names, and what was read from it. */
typedef struct {
    const char *name; /* as in the text */
    Span span;
    const double *value; /* count of them, > 0 */
    size_t count;        /* 0: it has not been read */
} Trace;

typedef struct {
    Arena arena; /* holds everything below */
    Source source;
    Expr *exprs;
    Rate *rates;
    const char **actions; /* names; actions[ACTION_TAU] is "tau"; order of first appearance */
    Activity *activities;
    Local *locals;
    Node *nodes;
    int32_t *sets;
    Trace *traces;
    int32_t *rate_order; /* rate_count: a rate comes after the rates that its definition names */
    int32_t expr_count, rate_count, action_count, activity_count, local_count, node_count;
    int32_t trace_count;
    /* Of the model of one component in the mean field: what it does immediately, and so is not in
     * this model.  Else none. */
    const char **timeless;
    int32_t timeless_count;
    bool phases;    /* some local states are phases of others */
    bool durations; /* some activities take a time that is neither exponential nor of phases */
} Model;

/* a op b, for operators from EXPR_ADD on but EXPR_IF and EXPR_ELSE; not finite where that has no
 * value. */
double model_operate(ExprOp op, double a, double b);

/* The derivatives of a op b by a and by b; not finite where there is none.  Where the operands of
 * min or max are equal, each counts half. */
typedef struct {
    double a, b;
} Slopes;
Slopes model_slopes(ExprOp op, double a, double b);

/* Evaluate expression `expr`.
 *   values  rate_count: the value of each rate
 *   counts  local_count: components now in each local state; may be NULL if not functional
 * Passive operands are legal only as w * infty, infty * w, or alone (checked at parse time). */
Value model_eval(const Model *model, int32_t expr, const Value *values, const int64_t *counts);

/* Is it in the place of a rate, and no rate?  May some activity of the action have such a duration? */
bool model_is_duration(const Model *model, int32_t expr);
bool model_action_has_duration(const Model *model, int32_t action);

/* Is a rate expression immediate?  May some activity of the action be? */
bool model_is_immediate(const Model *model, int32_t expr);
bool model_action_is_immediate(const Model *model, int32_t action);

/* The values of all rates, in dependence order, from their definitions.
 *   forced  rate_count: what a rate is given in place of its definition, or NaN; NULL: none is
 *   values  rate_count, out */
void model_rate_values(const Model *model, const double *forced, Value *values);

/* Derivatives backwards, from an expression to the rates that it names: by_rate[r] += slope x
 * d expr / d rate r, with each rate a variable of its own (functional ones are looked into).  Where
 * the operands of min or max are equal, each counts half, the mean of the slopes to either side.
 *   values, counts  as for model_eval;  each: expr_count entries of scratch
 * Source: Griewank, Walther, Evaluating Derivatives, 2008, ch. 3. */
void model_expr_slopes(const Model *model, int32_t expr, double slope, const Value *values,
                       const int64_t *counts, double *each, double *by_rate);

/* From the slopes by rates as variables of their own to those by what a rate does in all: adds to
 * by_rate[r] what comes through the definitions that name r, except those of forced rates. */
void model_rate_slopes(const Model *model, const double *forced, const Value *values, double *each,
                       double *by_rate);

void model_free(Model *model);

#endif
