/* Expressions over counts of components, as the rates of populations are.
 *
 * They are built by the rules of cooperation in a form whose value exists wherever counts are 0:
 *     min(a, b) r1/a r2/b  =  r1 r2 / max(a, b).
 * Equal expressions have one number; operands have smaller numbers than what is built from them.
 * Truth values are numbers from 0 to 1 (condition.h). */
#ifndef PEPA_CTMC_SEMANTICS_FLOW_H
#define PEPA_CTMC_SEMANTICS_FLOW_H

#include "base/memo.h"
#include "parser/model.h"

/* Of EXPR_NUMBER number; of EXPR_COUNT variable a; of EXPR_IF a, and b or else c; of other operators
 * of a and b, expressions; -1 where there is none.  No EXPR_RATE, EXPR_PASSIVE, EXPR_ELSE and no
 * comparisons occur. */
typedef struct {
    ExprOp op;
    int32_t a, b, c;
    double number;
    int32_t kink; /* of EXPR_MIN and EXPR_MAX, else -1 */
    bool share;   /* of EXPR_DIV: by an apparent rate; where that is not > 0, the share is 0 */
    bool rise; /* of EXPR_SUB: it is at most `number`, and that where both operands are infinite */
    bool part; /* a share of time, from 0 to 1 (flow_rate.h) */
    int32_t ready; /* of passive rates: how many components are ready, an expression; else -1 */
} Flow;

/* Where a < b turns into b < a, min(a, b) and max(a, b) have a kink. */
typedef struct {
    int32_t a, b;
    bool passive;   /* one side is passive: it is about to run out */
    bool condition; /* it begins or ends the change of a condition */
} Kink;
/* The side of a kink: which operand is the smaller one. */
enum { SIDE_FIRST, SIDE_SECOND };
static inline uint8_t kink_side(double a, double b)
{
    return a <= b ? SIDE_FIRST : SIDE_SECOND;
}

/* Mixed: active and passive rates met in a sum. */
typedef enum { FLOW_ACTIVE, FLOW_PASSIVE, FLOW_MIXED } FlowKind;

typedef struct {
    Flow *flow;
    uint8_t *kind; /* a FlowKind each */
    Kink *kink;
    size_t count, cap, kink_count, kink_cap;
    Memo ids, numbers, kinks;
    double passive; /* 1 / `few` components, which are as good as none (flow_rate.h) */
    bool no_memory; /* the functions below then return 0 */
} Flows;            /* starts as {0} */

void flows_free(Flows *flows);

int32_t flow_number(Flows *flows, double number, FlowKind kind);
int32_t flow_count(Flows *flows, int32_t variable);
/* a op b; b: -1 of operators of one operand.  A sum is as active or passive as its operands, a min
 * as the active one of them, other operations passive if one operand is. */
int32_t flow_operate(Flows *flows, ExprOp op, int32_t a, int32_t b); /* no comparison */
/* then where the condition is 1, otherwise where it is 0, and between in proportion. */
int32_t flow_if(Flows *flows, int32_t condition, int32_t then, int32_t otherwise);
/* a - b, which is at most `most`, even where both are infinite. */
int32_t flow_rise(Flows *flows, int32_t a, int32_t b, double most);
/* a b / divisor, where 0 / 0 is 0: a share of a rate, of this kind. */
int32_t flow_quotient(Flows *flows, int32_t a, int32_t b, int32_t divisor, FlowKind kind);

/* The value of one expression, given those of its operands and of the variables.
 *   side  per kink: which side to take, whatever the values are; NULL: that of the values */
double flow_value(const Flows *flows, const Flow *flow, const double *value, const double *x,
                  const uint8_t *side);
/* slope[operand] += slope x the derivative by it, for an expression that is no number or count. */
void flow_descend(const Flows *flows, const Flow *flow, const double *value, const uint8_t *side,
                  double by, double *slope);

#endif
