/* What the files of measures as expressions share. */
#ifndef PEPA_MEASURE_EXPRESSION_PRIVATE_H
#define PEPA_MEASURE_EXPRESSION_PRIVATE_H

#include "base/memo.h"
#include "measure/expression.h"

typedef enum {
    FUNCTIONAL_FLOW,  /* completions per time of an action of the model, id a */
    FUNCTIONAL_COUNT, /* mean number of components in the places first .. end - 1: of node a */
    FUNCTIONAL_MEAN,  /* mean of node a of the functions of states */
    FUNCTIONAL_INFLOW /* components that enter these places per time */
} FunctionalKind;

typedef struct {
    FunctionalKind kind;
    int32_t a, first, end;
} Functional;

typedef enum { EACH_NUMBER, EACH_RATE, EACH_FUNCTIONAL, EACH_OPERATOR } EachKind;

/* A node of the expressions over functionals. */
typedef struct {
    EachKind kind;
    ExprOp op;    /* of an operator */
    int32_t a, b; /* its operands; or the rate, or the functional */
    double number;
} Each;

struct Expressions {
    const Query *query;
    const Chain *chain;
    StateCode code; /* of all predicates and rewards; its places are those of functionals too */
    Each *each;
    Functional *functional;
    size_t each_count, each_cap, functional_count, functional_cap;
    int32_t *node; /* per node of the query: its place in `code` or in `each`; -1: nothing */
    /* While they are made: functionals by what they are, and the places of each local state of the
     * model, those of its phases included. */
    Lists known;
    int32_t *key, *place_row;
    size_t key_cap;
    StatePlace *place;
};

/* The values of all nodes, from those of the functionals: each has each_count entries. */
void expressions_each(const Expressions *e, const RateValues *at, const double *mean, double *each);

/* slope: per node, of the node with slope 1 by it; in: 0 but for that one. */
void expressions_descend(const Expressions *e, const double *each, double *slope);
/* The step of it from one node to its operands. */
void expressions_descend_from(const Expressions *e, int32_t node, const double *each,
                              double *slope);

#endif
