/* Builds the terms of a chain's rates. */
#include "ctmc/system/rates.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"

/* Stands for a term that is not there: a view does not build terms, or memory is out. */
static int32_t absent(RateTable *rates)
{
    if (rates->frozen)
        rates->missing = true;
    else if (rates->status == PEPA_OK)
        rates->status = PEPA_ENOMEM;
    return 0;
}

/* ---- building ------------------------------------------------------------------------------ */

static bool reserve_term(RateTable *rates)
{
    const MemColumn columns[] = {{&rates->terms, sizeof *rates->terms},
                                 {&rates->value, sizeof *rates->value},
                                 {&rates->level, sizeof *rates->level},
                                 {&rates->priority, sizeof *rates->priority},
                                 {&rates->scaled, sizeof *rates->scaled}};
    return mem_reserve_columns(columns, 5, &rates->cap, (size_t)rates->count + 1);
}

double rates_bytes(const RateTable *rates)
{
    const size_t term = sizeof *rates->terms + sizeof *rates->value + sizeof *rates->level +
                        sizeof *rates->priority + sizeof *rates->scaled;
    return (double)rates->cap * (double)term + memo_bytes(&rates->ids) + table_bytes(&rates->met) +
           (double)rates->evaluated_cap * sizeof *rates->evaluated;
}

double rates_next_bytes(const RateTable *rates)
{
    const double growth = 2; /* arrays double */
    return growth * rates_bytes(rates);
}

/* A term that is new; -1: memory is out, or there are too many. */
static int32_t build(RateTable *rates, Term t)
{
    if (rates->most > 0 && rates_next_bytes(rates) > rates->most) {
        if (rates->status == PEPA_OK)
            rates->status = PEPA_ELIMIT;
        return -1;
    }
    if (rates->count == INT32_MAX - 1 || !reserve_term(rates))
        return -1;
    const int32_t id = rates->count;
    Value v = rates_evaluate(rates, rates->values, rates->value, rates->counts, t);
    if (!rates_legal(t, v.value) && rates->status == PEPA_OK) {
        rates->status = PEPA_EMODEL;
        rates->bad = id;
    }
    rates->terms[id] = t;
    rates->value[id] = v.value;
    rates->level[id] = (uint8_t)v.level;
    rates->priority[id] = v.priority;
    rates->scaled[id] = -1;
    rates->largest = fmax(rates->largest, v.value);
    return rates->count++;
}

/* The term whose id is at *place, where it is put if it is new; place: NULL: memory is out. */
static int32_t find_or_build(RateTable *rates, int32_t *place, Term t)
{
    if (!place)
        return absent(rates);
    if (*place < 0 && !rates->frozen)
        *place = build(rates, t);
    return *place < 0 ? absent(rates) : *place;
}

static int32_t put(RateTable *rates, Term t)
{
    const uint64_t ab = hash_pair(t.a, t.b), c_op = hash_pair(t.c, t.op);
    if (rates->frozen) {
        int32_t id = memo_find(&rates->ids, ab, c_op);
        return id < 0 ? absent(rates) : id;
    }
    return find_or_build(rates, memo_at(&rates->ids, ab, c_op), t);
}

int32_t rates_expr(RateTable *rates, int32_t expr)
{
    return put(rates, (Term){TERM_EXPR, expr, 0, 0});
}

/* The number of a count vector as an expression sees it, or -1; several expressions ask one after the
 * other, as a rule. */
static int32_t meet(RateTable *rates, int32_t row, const int64_t *counts)
{
    const size_t width = (size_t)rates->counted_count;
    const uint8_t *uses = rates->uses + (size_t)row * width;
    bool same = rates->last >= 0;
    for (size_t i = 0; i < width; i++) {
        const uint64_t now = uses[i] ? (uint64_t)counts[rates->counted[i]] : 0;
        same = same && rates->packed[i] == now;
        rates->packed[i] = now;
    }
    if (!same) {
        const uint32_t hash = table_hash(&rates->met, rates->packed);
        rates->last = rates->frozen ? table_find(&rates->met, rates->packed, hash)
                                    : table_put(&rates->met, rates->packed, hash);
    }
    return rates->last;
}

/* Where the term of an expression with a vector is, or NULL. */
static int32_t *evaluated_at(RateTable *rates, int32_t row, int32_t met)
{
    const size_t rows = (size_t)rates->rows, need = ((size_t)met + 1) * rows;
    if (need > rates->evaluated_count) {
        if (rates->frozen || !mem_grow(rates->evaluated, rates->evaluated_cap, need))
            return NULL;
        for (; rates->evaluated_count < need; rates->evaluated_count++)
            rates->evaluated[rates->evaluated_count] = -1;
    }
    return &rates->evaluated[(size_t)met * rows + (size_t)row];
}

int32_t rates_functional(RateTable *rates, int32_t expr, const int64_t *counts)
{
    const int32_t row = rates->functional[expr], met = meet(rates, row, counts);
    if (met < 0)
        return absent(rates);
    return find_or_build(rates, evaluated_at(rates, row, met),
                         (Term){TERM_FUNCTIONAL, expr, met, 0});
}

/* Most terms that are multiplied are by one number of copies. */
int32_t rates_scale(RateTable *rates, int32_t term, int32_t copies)
{
    const Term t = {TERM_SCALE, term, copies, 0};
    const int32_t first = rates->scaled[term];
    if (copies == 1)
        return term;
    if (first >= 0)
        return rates->terms[first].b == copies ? first : put(rates, t);
    const int32_t id = rates->frozen ? -1 : build(rates, t);
    if (id < 0)
        return absent(rates);
    return rates->scaled[term] = id;
}

int32_t rates_sum(RateTable *rates, int32_t a, int32_t b)
{
    return put(rates, (Term){TERM_SUM, a, b, 0});
}

int32_t rates_min(RateTable *rates, int32_t a, int32_t b)
{
    return a == b ? a : put(rates, (Term){TERM_MIN, a < b ? a : b, a < b ? b : a, 0});
}

int32_t rates_prior(RateTable *rates, int32_t low, int32_t high)
{
    return rates->priority[high] <= rates->priority[low] ? low : rates_min(rates, low, high);
}

int32_t rates_share(RateTable *rates, int32_t rate, int32_t activity, int32_t apparent)
{
    if (activity == apparent)
        return rate;
    if (rate == apparent)
        return activity;
    return put(rates, (Term){TERM_SHARE, rate, activity, apparent});
}

/* ---- life ---------------------------------------------------------------------------------- */

/* Marks in `used` the local states that an expression counts. */
static void mark_counted(const Model *model, int32_t expr, uint8_t *used)
{
    const Expr *e = &model->exprs[expr];
    if (!e->functional)
        return;
    if (e->op == EXPR_COUNT) {
        used[e->a] = 1;
    } else if (e->op == EXPR_RATE) {
        mark_counted(model, model->rates[e->a].expr, used);
    } else {
        mark_counted(model, e->a, used);
        if (expr_is_binary(e->op))
            mark_counted(model, e->b, used);
    }
}

/* The functional expressions of activities, numbered, and the local states that they count. */
static bool find_functional(RateTable *rates, uint8_t *used)
{
    const Model *model = rates->model;
    size_t locals = (size_t)model->local_count;
    int32_t rows = 0;
    memset(rates->functional, -1, (size_t)model->expr_count * sizeof *rates->functional);
    for (int32_t i = 0; i < model->activity_count; i++) {
        int32_t expr = model->activities[i].expr;
        if (!model->exprs[expr].functional || rates->functional[expr] >= 0)
            continue;
        rates->functional[expr] = rows++;
        mark_counted(model, expr, used);
    }
    rates->rows = rows;
    for (int32_t l = 0; l < model->local_count; l++)
        if (used[l])
            rates->counted[rates->counted_count++] = l;
    size_t width = (size_t)rates->counted_count;
    rates->uses = mem_calloc((size_t)rows, width);
    rates->packed = mem_alloc(width, sizeof *rates->packed);
    if (!rates->uses || !rates->packed)
        return false;
    for (int32_t e = 0; e < model->expr_count; e++) {
        if (rates->functional[e] < 0)
            continue;
        memset(used, 0, locals);
        mark_counted(model, e, used);
        for (size_t i = 0; i < width; i++)
            rates->uses[(size_t)rates->functional[e] * width + i] = used[rates->counted[i]];
    }
    return true;
}

PepaStatus rates_init(RateTable *rates, const Model *model, PepaError *err)
{
    *rates = (RateTable){.model = model, .last = -1};
    size_t locals = (size_t)model->local_count;
    uint8_t *used = mem_calloc(locals, sizeof *used);
    bool ok = used && mem_new(rates->values, model->rate_count) &&
              mem_new(rates->counted, locals) && mem_new_zeroed(rates->counts, locals) &&
              mem_new(rates->functional, model->expr_count);
    if (ok) {
        for (int32_t i = 0; i < model->rate_count; i++)
            rates->values[i] = model->rates[i].value;
        ok = find_functional(rates, used) && table_init(&rates->met, (size_t)rates->counted_count);
    }
    if (ok)
        (void)put(rates, (Term){TERM_ONE, 0, 0, 0}); /* term 0 is there whatever fails later */
    mem_free(used);
    if (ok && rates->status == PEPA_OK)
        return PEPA_OK;
    rates_free(rates);
    return error_memory(err);
}

void rates_free(RateTable *rates)
{
    table_free(&rates->met);
    memo_free(&rates->ids);
    mem_free_all(rates->values, rates->terms, rates->value, rates->level, rates->priority,
                 rates->scaled, rates->counted, rates->functional, rates->uses, rates->counts,
                 rates->packed, rates->evaluated);
    *rates = (RateTable){0};
}

void rates_view(RateTable *view, const RateTable *rates, uint64_t *packed)
{
    *view = *rates;
    view->packed = packed;
    view->last = -1;
    view->frozen = true;
    view->missing = false;
}

void rates_seal(RateTable *rates)
{
    memo_free(&rates->ids);
    mem_free_all(rates->scaled, rates->evaluated);
    rates->scaled = rates->evaluated = NULL;
    table_seal(&rates->met);
}
