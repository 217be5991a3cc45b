/* The syntax tree of questions about a model: measures, predicates and formulas of CSL over them,
 * before names mean anything.
 *
 * As in ast.h, nodes are in one array, operands before operators, so that passes are loops. */
#ifndef PEPA_PARSER_QUERY_QUERY_H
#define PEPA_PARSER_QUERY_QUERY_H

#include <stdbool.h>

#include "base/diag.h"
#include "parser/model.h"

typedef enum {
    QUERY_NUMBER, /* number */
    QUERY_NAME,   /* name, and its position in the system equation or 0 */
    QUERY_ATOM,   /* name:operand, or name:{operands} */
    QUERY_CALL,   /* name(operands) */
    QUERY_ADD,    /* a, b: nodes, here and below */
    QUERY_SUB,
    QUERY_MUL,
    QUERY_DIV,
    QUERY_EQ,
    QUERY_NE,
    QUERY_LT,
    QUERY_LE,
    QUERY_GT,
    QUERY_GE,
    QUERY_AND,
    QUERY_OR,
    QUERY_NEG, /* a only, here and below */
    QUERY_NOT
} QueryKind;

/* What a name, an atom or a call means in a model: see query_resolve. */
typedef enum {
    MEANS_NOTHING,  /* yet, or an operator */
    MEANS_NUMBER,   /* of a NAME, here and below: number, as true and false */
    MEANS_RATE,     /* id: of the model, here and below */
    MEANS_LOCAL,    /* how many components are in this local state */
    MEANS_ACTION,   /* the operand of another node */
    MEANS_DEADLOCK, /* no activity is possible */
    MEANS_EARLIER,  /* id: an item before this one */
    MEANS_ENABLED,  /* of a CALL, here and below: an activity of its operand is possible */
    MEANS_FUNCTION, /* id: an ExprOp */
    MEANS_VALUE,    /* of an ATOM, here and below: of a rate */
    MEANS_THROUGHPUT,
    MEANS_POPULATION,
    MEANS_UTILISATION,
    MEANS_RESPONSE,
    MEANS_PROBABILITY, /* that an expression over states is not 0 */
    MEANS_REWARD       /* the mean of one */
} QueryMeaning;

typedef struct {
    QueryKind kind;
    int32_t a, b; /* nodes, or -1; of ATOM and CALL a is the first operand */
    int32_t next; /* the next operand of the same ATOM or CALL, or -1 */
    int32_t position;
    bool braces; /* of an ATOM: its operands are in braces */
    bool states; /* its value depends on the state; set by query_resolve, as what follows */
    QueryMeaning meaning;
    int32_t id;
    const char *name;
    double number;
    Span span;
} QueryNode;

/* What an item is.  A constraint is two items, its sides. */
typedef enum {
    ROLE_MEASURE,
    ROLE_AT_MOST,   /* the left side of a constraint <=, called by the text of the constraint */
    ROLE_AT_LEAST,  /* the same of >= */
    ROLE_BOUND,     /* the right side, after either: names of rates stand for their values there */
    ROLE_REWARD,    /* of a formula: what an operator R is about */
    ROLE_PREDICATE, /* by itself, or of a formula */
    ROLE_VALUE      /* an expression over rates */
} QueryRole;

/* `name = body`, or `body` alone: then the name is its text. */
typedef struct {
    const char *name; /* of a predicate: NULL */
    Span span;        /* of the name, or of the text */
    int32_t first;    /* its nodes: first .. body */
    int32_t body;
    QueryRole role;
} QueryItem;

/* ---- formulas of CSL ------------------------------------------------------------------------- */

typedef enum {
    FORMULA_TRUE,
    FORMULA_FALSE,
    FORMULA_ATOM, /* item: a predicate */
    FORMULA_NOT,  /* a: a node, here and below */
    FORMULA_AND,  /* a, b: nodes, here and below */
    FORMULA_OR,
    FORMULA_IMPLIES,
    /* What follows compares a number with a threshold. */
    FORMULA_NEXT,       /* P: the next activity completes within from .. to and leads to a */
    FORMULA_UNTIL,      /* P: a until b, which begins to hold, or holds, within from .. to */
    FORMULA_LONG_RUN,   /* S: the share of time in a */
    FORMULA_EARNED,     /* R: item, a measure, integrated from 0 to `to`; here and below */
    FORMULA_EARNED_TO,  /* R: integrated until a holds */
    FORMULA_EARNS_AT,   /* R: at the time `to` */
    FORMULA_EARNS_EVER, /* R: in the long run */
} FormulaKind;

typedef enum {
    FORMULA_ASKS, /* =?: for the number itself */
    FORMULA_LESS,
    FORMULA_AT_MOST,
    FORMULA_MORE,
    FORMULA_AT_LEAST
} FormulaTest;

/* In one array, operands before operators; the last is the formula. */
typedef struct {
    FormulaKind kind;
    int32_t a, b, item; /* or -1 */
    bool complement;    /* of UNTIL: the probability that it is not so, as of `G` */
    FormulaTest test;
    double threshold;
    double from, to; /* times; to: +inf, no limit */
    Span span;
} FormulaNode;

static inline bool formula_compares(FormulaKind kind)
{
    return kind >= FORMULA_NEXT;
}

typedef struct {
    QueryNode *nodes;
    QueryItem *items; /* in the order of the text */
    FormulaNode *formula;
    size_t node_count, node_cap, item_count, item_cap, formula_count, formula_cap;
    Arena arena; /* of the names */
} Query;         /* starts as {0} */

/* What a text is. */
typedef enum {
    QUERY_MEASURES,   /* any number of measures, one to a line, with comments from # to its end */
    QUERY_PREDICATE,  /* one expression without a name, which may go over lines */
    QUERY_VALUE,      /* the same, over rates, which stand for their values */
    QUERY_CONSTRAINT, /* one EXPRESSION <= VALUE, or >=, which makes two items */
    QUERY_FORMULA     /* a formula of CSL: items are its predicates and rewards, in its order */
} QueryForm;

/* Append what a text says, with the meaning of its names in the model.  A failure leaves the query
 * as it was.  Errors: PEPA_EARG (diags says what), PEPA_ENOMEM.
 * O(text x (names of the model + items)), and O(activities) for each name with a position; the C
 * stack's depth depends on none of these. */
PepaStatus query_read(Query *query, const Source *source, QueryForm form, const Model *model,
                      DiagList *diags);
void query_free(Query *query);

/* The same query about another model, in which its names mean something too; its names are those of
 * `query`, which must outlive it.  Errors: PEPA_EARG (diags), PEPA_ENOMEM: *out is as it was. */
PepaStatus query_copy(Query *out, const Query *query, const Model *model, DiagList *diags);

/* The value of an item at the model's rates; not finite where it has none.
 *   known  or NULL; out: whether rates alone decide it; else the value is unspecified
 * Errors: PEPA_ENOMEM. */
PepaStatus query_value(const Query *query, size_t item, const Model *model, double *value,
                       bool *known);

/* A part of query_read: give the nodes from `node` on, and the items from `item` on, their meaning.
 * False: memory is out. */
bool query_resolve(Query *query, size_t node, size_t item, const Model *model, DiagList *diags);
/* Another: what is wrong with a formula beyond names and syntax: `=?` within it, and rewards that
 * are not linear in the distribution.  False: memory is out. */
bool query_check_formula(const Query *query, DiagList *diags);

#endif
