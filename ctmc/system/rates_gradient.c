/* Computes derivatives by the model's rates from those by terms, backwards over the terms. */
#include "ctmc/system/rates.h"

#include <string.h>

/* Add the part of a term's derivative that each of its operands has. */
static void add_to_operands(const double *value, Term t, double gradient, double *by_term)
{
    switch ((TermOp)t.op) {
    case TERM_SCALE:
        by_term[t.a] += gradient * t.b;
        break;
    case TERM_SUM:
        by_term[t.a] += gradient;
        by_term[t.b] += gradient;
        break;
    case TERM_MIN: {
        double share = value[t.a] < value[t.b] ? 1 : value[t.a] > value[t.b] ? 0 : 0.5;
        by_term[t.a] += gradient * share;
        by_term[t.b] += gradient * (1 - share);
        break;
    }
    case TERM_SHARE: {
        double share = value[t.b] / value[t.c];
        by_term[t.a] += gradient * share;
        by_term[t.b] += gradient * (value[t.a] / value[t.c]);
        by_term[t.c] -= gradient * (value[t.a] / value[t.c]) * share;
        break;
    }
    case TERM_ONE:
    case TERM_EXPR:
    case TERM_FUNCTIONAL:
        break;
    }
}

void rates_gradient(const RateTable *rates, const RateValues *at, double *by_term, double *scratch,
                    double *by_rate)
{
    const Model *model = rates->model;
    memset(by_rate, 0, (size_t)model->rate_count * sizeof *by_rate);
    for (int32_t id = rates->count; id-- > 0;) {
        Term t = rates->terms[id];
        if (by_term[id] == 0)
            continue;
        if (t.op == TERM_EXPR || t.op == TERM_FUNCTIONAL)
            model_expr_slopes(model, t.a, by_term[id], at->rate,
                              t.op == TERM_EXPR ? NULL : rates_spread(rates, t.b, at->counts),
                              scratch, by_rate);
        else
            add_to_operands(at->term, t, by_term[id], by_term);
    }
    model_rate_slopes(model, at->forced, at->rate, scratch, by_rate);
}
