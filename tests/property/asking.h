/* Random measures and predicates as text, together with what they mean: every expression is written
 * and kept as a tree, which is evaluated here state by state and transition by transition, from what
 * the public header says of a chain that was explored one by one. */
#ifndef PEPA_TESTS_ASKING_H
#define PEPA_TESTS_ASKING_H

#include "base/mem.h"
#include "pepa.h"

/* What is known of a chain. */
typedef struct {
    const PepaModel *model;
    const PepaChain *chain;
    PepaChainInfo info;
    int32_t *count;  /* states x counts */
    int32_t *offset; /* per position: its first count */
    uint8_t *can;    /* states x actions */
    double *pi;      /* some distribution, of which some entries are 0 */
    bool response;   /* no two copies at one position move at once: response: can be asked for */
} Facts;

/* chain: explored one by one; borrowed, as is the model. */
void facts_new(Facts *facts, const PepaModel *model, const PepaChain *chain, uint64_t seed);
void facts_free(Facts *facts);

/* What a measure is: between two numbers, nothing, or too near to an edge for doubles to tell. */
typedef enum { ANSWER_VALUE, ANSWER_NONE, ANSWER_OPEN } AskAnswerKind;
typedef struct {
    AskAnswerKind kind;
    double low, high;
} AskAnswer;

enum { ASK_NODES = 4000, ASK_ITEMS = 8 };

typedef struct {
    int kind, a, b; /* operands, or a range of places, or a name */
    double number;
} AskNode;

typedef struct {
    const Facts *facts;
    uint64_t state; /* of the random numbers */
    AskNode node[ASK_NODES];
    int nodes;
    struct {
        int32_t position, local; /* -1: all positions */
    } place[ASK_NODES];
    int places;
    struct {
        int body;
        char name[16]; /* "": its text */
        char *text;
        AskAnswer answer;
    } item[ASK_ITEMS];
    int items;
} Ask;

/* Measures, one to a line of the text, which the caller frees, and what they are. */
Text ask_measures(Ask *ask, const Facts *facts, uint64_t seed);
void ask_free(Ask *ask);
/* One predicate; whether it is true in a state. */
Text ask_predicate(Ask *ask, const Facts *facts, uint64_t seed);
bool ask_true_in(const Ask *ask, int64_t state);

#endif
