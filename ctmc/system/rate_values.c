/* Values of the terms of a chain's rates, and derivatives by the model's rates from those by terms,
 * backwards over the terms. */
#include "ctmc/system/rates.h"

#include <math.h>
#include <string.h>

const int64_t *rates_spread(const RateTable *rates, int32_t met, int64_t *counts)
{
    const uint64_t *packed = table_state(&rates->met, met);
    for (int32_t i = 0; i < rates->counted_count; i++)
        counts[rates->counted[i]] = (int64_t)packed[i];
    return counts;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* How much of min(a, b) is a: 1, 0, or, where they are equal, a half. */
static double share_of_first(const RateTable *rates, const double *value, Term t)
{
    if (rates->level[t.a] != rates->level[t.b])
        return rates->level[t.a] < rates->level[t.b];
    return value[t.a] < value[t.b] ? 1 : value[t.a] > value[t.b] ? 0 : 0.5;
}

Value rates_evaluate(const RateTable *rates, const Value *values, const double *value,
                     int64_t *counts, Term t)
{
    double v;
    int32_t priority = PRIORITY_UNSTATED;
    switch ((TermOp)t.op) {
    case TERM_ONE:
        return (Value){.value = 1};
    case TERM_EXPR:
        return model_eval(rates->model, t.a, values, NULL);
    case TERM_FUNCTIONAL:
        return model_eval(rates->model, t.a, values, rates_spread(rates, t.b, counts));
    case TERM_SCALE:
        v = value[t.a] * t.b;
        break;
    case TERM_SUM:
        v = value[t.a] + value[t.b];
        break;
    case TERM_MIN: {
        const bool first = share_of_first(rates, value, t) > 0;
        priority = larger(rates->priority[t.a], rates->priority[t.b]);
        return (Value){value[first ? t.a : t.b], rates->level[first ? t.a : t.b], priority};
    }
    case TERM_SHARE:
        v = value[t.a] * (value[t.b] / value[t.c]);
        break;
    default:
        return (Value){.value = NAN};
    }
    return (Value){v, rates->level[t.a], rates->priority[t.a]};
}

bool rates_legal(Term t, double value)
{
    return isfinite(value) && (value > 0 || (t.op == TERM_FUNCTIONAL && value == 0));
}

/* ---- values -------------------------------------------------------------------------------- */

void rate_values_free(RateValues *values)
{
    mem_free_all(values->forced, values->rate, values->term, values->counts);
    *values = (RateValues){0};
}

static bool reserve_values(RateValues *v, const RateTable *rates)
{
    const Model *model = rates->model;
    return mem_new(v->forced, model->rate_count) && mem_new(v->rate, model->rate_count) &&
           mem_new(v->term, rates->count);
}

PepaStatus rate_values_new(RateValues *out, const RateTable *rates, PepaError *err)
{
    RateValues v = {0};
    if (!reserve_values(&v, rates) || !mem_new_zeroed(v.counts, rates->model->local_count)) {
        rate_values_free(&v);
        return error_memory(err);
    }
    for (int32_t r = 0; r < rates->model->rate_count; r++)
        v.forced[r] = NAN;
    memcpy(v.rate, rates->values, (size_t)rates->model->rate_count * sizeof *v.rate);
    memcpy(v.term, rates->value, (size_t)rates->count * sizeof *v.term);
    *out = v;
    return PEPA_OK;
}

/* The rate of the model, or the activity, whose value a term is; NULL: it is made of others. */
static const char *owner(const RateTable *rates, Term t, const char **kind)
{
    const Model *model = rates->model;
    if (t.op != TERM_EXPR && t.op != TERM_FUNCTIONAL)
        return NULL;
    if (model->exprs[t.a].op == EXPR_RATE) {
        *kind = "the rate";
        return model->rates[model->exprs[t.a].a].name;
    }
    *kind = "the rate of";
    for (int32_t k = 0; k < model->activity_count; k++)
        if (model->activities[k].expr == t.a)
            return model->actions[model->activities[k].action];
    return NULL;
}

static PepaStatus illegal(const RateTable *rates, Term t, double value, PepaError *err)
{
    const char *kind, *name = owner(rates, t, &kind);
    if (name)
        return error_set(err, PEPA_EMODEL, "%s `%s` would become %g; rates must be > 0", kind, name,
                         value);
    return error_set(err, PEPA_EMODEL, "a rate would become %g; rates must be > 0", value);
}

/* All terms of v at v->rate.  before: the values until now, and scratch. */
static PepaStatus evaluate_all(RateValues *v, const RateTable *rates, const RateValues *before,
                               PepaError *err)
{
    for (int32_t id = 0; id < rates->count; id++) {
        Term t = rates->terms[id];
        Value now = rates_evaluate(rates, v->rate, v->term, before->counts, t);
        if (now.level != rates->level[id] ||
            (t.op == TERM_FUNCTIONAL && (now.value == 0) != (before->term[id] == 0)))
            return error_set(err, PEPA_EARG,
                             "this value changes which activities there are: derive again");
        if (!rates_legal(t, now.value))
            return illegal(rates, t, now.value, err);
        v->term[id] = now.value;
    }
    return PEPA_OK;
}

PepaStatus rate_values_set(RateValues *values, const RateTable *rates, size_t count,
                           const int32_t *rate, const double *value, PepaError *err)
{
    const size_t n = (size_t)rates->model->rate_count;
    RateValues v = {0};
    PepaStatus status = reserve_values(&v, rates) ? PEPA_OK : error_memory(err);
    for (size_t i = 0; i < count && status == PEPA_OK; i++)
        if (!isfinite(value[i]))
            status = error_set(err, PEPA_EMODEL, "the rate `%s` cannot be %g",
                               rates->model->rates[rate[i]].name, value[i]);
    if (status == PEPA_OK) {
        memcpy(v.forced, values->forced, n * sizeof *v.forced);
        for (size_t i = 0; i < count; i++)
            v.forced[rate[i]] = value[i];
        model_rate_values(rates->model, v.forced, v.rate);
        status = evaluate_all(&v, rates, values, err);
    }
    if (status == PEPA_OK) { /* in place: clients look at the values */
        memcpy(values->forced, v.forced, n * sizeof *v.forced);
        memcpy(values->rate, v.rate, n * sizeof *v.rate);
        memcpy(values->term, v.term, (size_t)rates->count * sizeof *v.term);
    }
    rate_values_free(&v);
    return status;
}

/* What rates_evaluate() does.  Numbers are > 0, so that errors of operands add up in products and no sum is
 * worse than its worse operand; each operation rounds once. */
void rates_precisely(const RateTable *rates, const RateValues *at, long double *value,
                     double *roundings)
{
    const double *k = roundings;
    for (int32_t id = 0; id < rates->count; id++) {
        const Term t = rates->terms[id];
        value[id] = at->term[id];
        roundings[id] = 0;
        if (t.op == TERM_SCALE) {
            value[id] = value[t.a] * t.b;
            roundings[id] = k[t.a] + 1;
        } else if (t.op == TERM_SUM) {
            value[id] = value[t.a] + value[t.b];
            roundings[id] = fmax(k[t.a], k[t.b]) + 1;
        } else if (t.op == TERM_MIN) {
            const double share = share_of_first(rates, at->term, t);
            value[id] = share == 0.5 ? fminl(value[t.a], value[t.b]) : value[share > 0 ? t.a : t.b];
            roundings[id] = share == 0.5 ? fmax(k[t.a], k[t.b]) : k[share > 0 ? t.a : t.b];
        } else if (t.op == TERM_SHARE) {
            value[id] = value[t.a] * (value[t.b] / value[t.c]);
            roundings[id] = k[t.a] + k[t.b] + k[t.c] + 2;
        }
    }
}

/* ---- derivatives ----------------------------------------------------------------------------- */

/* Add the part of a term's derivative that each of its operands has. */
static void add_to_operands(const RateTable *rates, const double *value, Term t, double gradient,
                            double *by_term)
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
        const double share = share_of_first(rates, value, t);
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
                    int64_t *counts, double *by_rate)
{
    const Model *model = rates->model;
    for (int32_t id = rates->count; id-- > 0;) {
        Term t = rates->terms[id];
        if (by_term[id] == 0)
            continue;
        if (t.op == TERM_EXPR || t.op == TERM_FUNCTIONAL)
            model_expr_slopes(model, t.a, by_term[id], at->rate,
                              t.op == TERM_EXPR ? NULL : rates_spread(rates, t.b, counts), scratch,
                              by_rate);
        else
            add_to_operands(rates, at->term, t, by_term[id], by_term);
    }
    model_rate_slopes(model, at->forced, at->rate, scratch, by_rate);
}

bool rates_may_begin(const RateTable *rates, const RateValues *at, double *by_term, double *scratch,
                     int64_t *counts, double *by_rate)
{
    const int32_t rate_count = rates->model->rate_count;
    bool some = false, begins = false;
    for (int32_t id = 0; id < rates->count; id++) {
        const bool still = rates->terms[id].op == TERM_FUNCTIONAL && at->term[id] == 0;
        by_term[id] = still ? 1 + 1 / (2.0 + id) : 0; /* they do not cancel */
        some = some || still;
    }
    memset(by_rate, 0, (size_t)rate_count * sizeof *by_rate);
    if (some)
        rates_gradient(rates, at, by_term, scratch, counts, by_rate);
    for (int32_t r = 0; r < rate_count; r++)
        begins = begins || by_rate[r] != 0;
    return begins;
}
