/* Derivatives by rates, handed back through what rates are made of. */
#include "ctmc/system/rates.h"

#include <string.h>

#include "base/mem.h"

bool slope_room(SlopeRoom *room, const Model *model)
{
    room->each = mem_alloc((size_t)model->expr_count, sizeof *room->each);
    room->counts = mem_calloc((size_t)model->local_count, sizeof *room->counts);
    return room->each && room->counts;
}

void slope_room_free(SlopeRoom *room)
{
    mem_free(room->each);
    mem_free(room->counts);
    *room = (SlopeRoom){0};
}

/* Hand the slope of a term that is built from others on to them. */
static void hand_on(const double *value, Term t, double slope, double *by_term)
{
    switch ((TermOp)t.op) {
    case TERM_SCALE:
        by_term[t.a] += slope * t.b;
        break;
    case TERM_SUM:
        by_term[t.a] += slope;
        by_term[t.b] += slope;
        break;
    case TERM_MIN: {
        double share = value[t.a] < value[t.b] ? 1 : value[t.a] > value[t.b] ? 0 : 0.5;
        by_term[t.a] += slope * share;
        by_term[t.b] += slope * (1 - share);
        break;
    }
    case TERM_SHARE: {
        double share = value[t.b] / value[t.c];
        by_term[t.a] += slope * share;
        by_term[t.b] += slope * (value[t.a] / value[t.c]);
        by_term[t.c] -= slope * (value[t.a] / value[t.c]) * share;
        break;
    }
    case TERM_ONE:
    case TERM_EXPR:
    case TERM_FUNCTIONAL:
        break;
    }
}

void rates_slopes(const RateTable *rates, const RateValues *at, double *by_term,
                  const SlopeRoom *room, double *by_rate)
{
    const Model *model = rates->model;
    memset(by_rate, 0, (size_t)model->rate_count * sizeof *by_rate);
    for (int32_t id = rates->count; id-- > 0;) {
        Term t = rates->terms[id];
        if (by_term[id] == 0)
            continue;
        if (t.op == TERM_EXPR || t.op == TERM_FUNCTIONAL)
            model_expr_slopes(model, t.a, by_term[id], at->rate,
                              t.op == TERM_EXPR ? NULL : rates_spread(rates, t.b, room->counts),
                              room->each, by_rate);
        else
            hand_on(at->term, t, by_term[id], by_term);
    }
    model_rate_slopes(model, at->forced, at->rate, room->each, by_rate);
}
