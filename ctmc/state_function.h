/* Functions of the states of a chain: expressions over how many components are in which local
 * states, and over which actions are enabled.  They are evaluated for all states, in blocks of
 * consecutive ones: by rows from the packed states, on sets from those of the upper and of the
 * lower slots, each of which is looked at once. */
#ifndef PEPA_CTMC_STATE_FUNCTION_H
#define PEPA_CTMC_STATE_FUNCTION_H

#include "ctmc/chain.h"

typedef enum {
    STATE_NUMBER,   /* number */
    STATE_RATE,     /* a: rate of the model */
    STATE_COUNT,    /* how many components are in one of the places first[a .. b - 1] */
    STATE_ENABLED,  /* a: id of an action in the model; whether it can happen, 1 or 0 */
    STATE_DEADLOCK, /* whether nothing can happen */
    STATE_ADD,      /* a, b: nodes, here and below */
    STATE_SUB,
    STATE_MUL,
    STATE_DIV,
    STATE_MIN,
    STATE_MAX,
    STATE_EQ, /* comparisons give 1 or 0 */
    STATE_NE,
    STATE_LT,
    STATE_LE,
    STATE_AND, /* of truth values: any number but 0 is true */
    STATE_OR,
    STATE_NEG, /* a only, here and below */
    STATE_NOT
} StateOp;

typedef struct {
    StateOp op;
    int32_t a, b;
    double number;
} StateNode;

/* The value of an operator, from those of its operands; b: 0 where there is none. */
static inline double state_operate(StateOp op, double a, double b)
{
    switch (op) {
    case STATE_ADD:
        return a + b;
    case STATE_SUB:
        return a - b;
    case STATE_MUL:
        return a * b;
    case STATE_DIV:
        return a / b;
    case STATE_MIN:
        return a < b ? a : b;
    case STATE_MAX:
        return a > b ? a : b;
    case STATE_EQ:
        return a == b;
    case STATE_NE:
        return a != b;
    case STATE_LT:
        return a < b;
    case STATE_LE:
        return a <= b;
    case STATE_AND:
        return a != 0 && b != 0;
    case STATE_OR:
        return a != 0 || b != 0;
    case STATE_NEG:
        return -a;
    default:
        return a == 0;
    }
}

/* A local state of one slot: `local` is its index within the slot's component. */
typedef struct {
    int32_t slot, local;
} StatePlace;

/* Operands have smaller numbers than the nodes that use them. */
typedef struct {
    StateNode *node;
    StatePlace *place;
    size_t node_count, node_cap, place_count, place_cap;
} StateCode; /* starts as {0} */

/* Append a node: its number; -1: memory is out. */
int32_t state_node(StateCode *code, StateNode node);
/* Append a place; false: memory is out.  A node COUNT has the places appended before it, from a
 * on. */
bool state_place(StateCode *code, int32_t slot, int32_t local);
void state_code_free(StateCode *code);

/* value[i][k]: node i in state first + k, k < count. */
typedef void StateTask(void *user, int64_t first, int32_t count, const double *const *value);

/* The values of all nodes in all states, states ascending, each once.
 *   rate  of the model's rates; NULL if none is named
 * O((states x nodes) + (upper
 * and lower states, or states by rows) x places + edges, or transitions, with such actions).
 * Errors: PEPA_EARG (whether an action is enabled cannot be told: loops stand for what is immediate, too),
 * PEPA_ENOMEM. */
PepaStatus chain_each_value(const Chain *chain, const StateCode *code, const Value *rate,
                            StateTask *task, void *user, PepaError *err);

/* The same one state at a time; the states need not be those of a chain that is derived. */
typedef struct StateProbe StateProbe;
/* chain: its system is looked at only.  Errors: PEPA_ENOMEM. */
PepaStatus state_probe_new(StateProbe **out, const Chain *chain, const StateCode *code,
                           const Value *rate, PepaError *err);
void state_probe_free(StateProbe *probe);
/* The value of a node in a state.
 *   enabled   per action of the model: it can happen there
 *   deadlock  nothing can
 * O(nodes + places). */
double state_probe_value(StateProbe *probe, const uint64_t *packed, const uint8_t *enabled,
                         bool deadlock, int32_t node);

#endif
