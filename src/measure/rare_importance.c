/* Makes the importance function of a predicate, from its comparisons. */
#include "measure/rare_importance.h"

#include <math.h>

static int32_t add(StateCode *code, StateOp op, int32_t a, int32_t b)
{
    return a < 0 || b < 0 ? -1 : state_node(code, (StateNode){op, a, b, 0});
}

static int32_t add_number(StateCode *code, double number)
{
    return state_node(code, (StateNode){STATE_NUMBER, -1, -1, number});
}

/* a - b, less one step where they must not be equal. */
static int32_t distance(StateCode *code, int32_t a, int32_t b, bool strict)
{
    const int32_t difference = add(code, STATE_SUB, a, b);
    return strict ? add(code, STATE_SUB, difference, add_number(code, 1)) : difference;
}

static int32_t importance(StateCode *code, int32_t node, bool negated)
{
    const StateNode n = code->node[node];
    const bool both = (n.op == STATE_AND) != negated;
    int32_t a, b;
    switch (n.op) {
    case STATE_NOT:
        return importance(code, n.a, !negated);
    case STATE_AND:
    case STATE_OR:
        a = importance(code, n.a, negated);
        b = importance(code, n.b, negated);
        return add(code, both ? STATE_MIN : STATE_MAX, a, b);
    case STATE_LT: /* negated: a >= b */
        return negated ? distance(code, n.a, n.b, false) : distance(code, n.b, n.a, true);
    case STATE_LE:
        return negated ? distance(code, n.a, n.b, true) : distance(code, n.b, n.a, false);
    case STATE_EQ:
    case STATE_NE:
        negated = negated != (n.op == STATE_NE);
        a = distance(code, n.a, n.b, negated);
        b = distance(code, n.b, n.a, negated);
        return add(code, negated ? STATE_MAX : STATE_MIN, a, b);
    case STATE_NUMBER:
        return add_number(code, (n.number != 0) != negated ? HUGE_VAL : -HUGE_VAL);
    default: /* a number that is true unless it is 0 */
        return negated ? add(code, STATE_SUB, add_number(code, 0), node)
                       : add(code, STATE_SUB, node, add_number(code, 1));
    }
}

int32_t rare_importance(StateCode *code, int32_t node)
{
    return importance(code, node, false);
}
