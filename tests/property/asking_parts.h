/* What the files share that write random measures and that know their values. */
#ifndef PEPA_TESTS_ASKING_PARTS_H
#define PEPA_TESTS_ASKING_PARTS_H

#include "property/asking.h"
#include "property/random_model.h"

/* What the members of an AskNode are: a, b are operands unless it is said. */
enum {
    ASK_NUMBER,
    ASK_RATE,     /* a: rate of the model; of a measure: rate:NAME */
    ASK_COUNT,    /* a: a place */
    ASK_ENABLED,  /* a: action of the chain; -1: tau, which does not occur */
    ASK_DEADLOCK, /* nothing */
    ASK_EARLIER,  /* a: item */
    ASK_PROBABILITY,
    ASK_REWARD,
    ASK_POPULATION, /* places a .. b - 1, here and below */
    ASK_UTILISATION,
    ASK_RESPONSE,
    ASK_THROUGHPUT, /* their `local` is an action */
    ASK_OR,
    ASK_AND,
    ASK_NOT,
    ASK_EQ,
    ASK_NE,
    ASK_LT,
    ASK_LE,
    ASK_GT,
    ASK_GE,
    ASK_ADD,
    ASK_SUB,
    ASK_MUL,
    ASK_DIV,
    ASK_NEGATE,
    ASK_MIN,
    ASK_MAX,
    ASK_POW,
    ASK_EXP,
    ASK_LOG,
    ASK_SQRT
};

/* What an expression over the model as a whole is; earlier items have their answers. */
AskAnswer ask_answer(const Ask *ask, int node);

#endif
