/* Evaluates functions of states, a block of states at a time. */
#include "ctmc/state_function.h"

#include <string.h>

enum { BLOCK = 512 }; /* states: a few kB for each node */

int32_t state_node(StateCode *code, StateNode node)
{
    if (!mem_grow(code->node, code->node_cap, code->node_count + 1))
        return -1;
    code->node[code->node_count] = node;
    return (int32_t)code->node_count++;
}

bool state_place(StateCode *code, int32_t slot, int32_t local)
{
    if (!mem_grow(code->place, code->place_cap, code->place_count + 1))
        return false;
    code->place[code->place_count++] = (StatePlace){slot, local};
    return true;
}

void state_code_free(StateCode *code)
{
    mem_free_all(code->node, code->place);
    *code = (StateCode){0};
}

/* ---- counts from packed states --------------------------------------------------------------- */

/* Adds to a count: 1 if the field has the value `equals`; or, equals < 0, weight x its value. */
typedef struct {
    Field field;
    int32_t equals, weight;
} CountTerm;

/* A node COUNT is base + the terms first[0 .. upper) and first[upper .. count): those of upper
 * slots and of lower ones. */
typedef struct {
    int32_t node, base;
    CountTerm *term;
    size_t upper, count, cap;
    int32_t *lower; /* per lower state: what its terms add */
} Counter;

/* What the terms first .. end - 1 add. */
static int32_t sum_terms(const Counter *c, size_t first, size_t end, const uint64_t *packed)
{
    int32_t sum = 0;
    for (size_t i = first; i < end; i++) {
        const CountTerm *term = &c->term[i];
        int32_t x = (int32_t)(packed[term->field.word] >> term->field.shift & term->field.mask);
        sum += term->equals >= 0 ? x == term->equals : term->weight * x;
    }
    return sum;
}

static bool add_term(Counter *c, const Field *field, int32_t equals, int32_t weight)
{
    if (!mem_grow(c->term, c->cap, c->count + 1))
        return false;
    c->term[c->count++] = (CountTerm){*field, equals, weight};
    return true;
}

/* The last count of a slot is implicit: all copies that are in no other local state. */
static bool add_place(Counter *c, const System *s, StatePlace place)
{
    const Slot *slot = &s->slots[place.slot];
    const int32_t last = s->components[slot->component].local_count - 1;
    const Field *field = &s->fields[slot->cell];
    if (last == 0) {
        c->base += slot->copies ? (int32_t)slot->copies : 1;
        return true;
    }
    if (!slot->copies)
        return add_term(c, field, place.local, 0);
    if (place.local < last)
        return add_term(c, field + place.local, -1, 1);
    c->base += (int32_t)slot->copies;
    bool ok = true;
    for (int32_t l = 0; l < last && ok; l++)
        ok = add_term(c, field + l, -1, -1);
    return ok;
}

/* upper: per slot; NULL: there is one part only. */
static bool counter_init(Counter *c, const System *s, const StateCode *code, int32_t node,
                         const uint8_t *upper)
{
    const StateNode *n = &code->node[node];
    bool ok = true;
    *c = (Counter){.node = node};
    for (int part = upper ? 0 : 1; part < 2; part++) {
        for (int32_t i = n->a; i < n->b && ok; i++)
            if (!upper || (upper[code->place[i].slot] != 0) == (part == 0))
                ok = add_place(c, s, code->place[i]);
        c->upper = part == 0 ? c->count : c->upper;
    }
    return ok;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

typedef struct {
    const Chain *chain;
    const StateCode *code;
    const Value *rate;
    double *space;        /* BLOCK entries for each node */
    const double **value; /* where those of each node begin */
    Counter *counter;
    int32_t counters;
    int32_t unclear; /* an action of which loops do not tell whether it is enabled; -1: none */
} Evaluation;

static double *node_values(Evaluation *e, int32_t node)
{
    return e->space + (size_t)node * BLOCK;
}

static void evaluation_free(Evaluation *e)
{
    for (int32_t i = 0; i < e->counters; i++)
        mem_free_all(e->counter[i].term, e->counter[i].lower);
    mem_free_all(e->space, e->value, e->counter);
}

/* What the lower states add to a count. */
static bool count_lower(Counter *c, const Table *lower)
{
    if (!mem_new(c->lower, lower->count))
        return false;
    for (int32_t k = 0; k < lower->count; k++)
        c->lower[k] = sum_terms(c, c->upper, c->count, table_state(lower, k));
    return true;
}

static bool evaluation_init(Evaluation *e)
{
    const Diagram *d = e->chain->diagram;
    const int32_t nodes = (int32_t)e->code->node_count;
    bool ok = mem_new_zeroed(e->space, (size_t)nodes * BLOCK) && mem_new(e->value, nodes) &&
              mem_new(e->counter, nodes);
    for (int32_t i = 0; ok && i < nodes; i++) {
        double *here = node_values(e, i);
        e->value[i] = here;
        const StateNode *n = &e->code->node[i];
        for (int32_t k = 0; n->op <= STATE_RATE && k < BLOCK; k++)
            here[k] = n->op == STATE_RATE ? e->rate[n->a].value : n->number;
        if (n->op != STATE_COUNT)
            continue;
        Counter *c = &e->counter[e->counters++];
        ok = counter_init(c, e->chain->system, e->code, i, d ? d->split->upper : NULL) &&
             (!d || count_lower(c, &d->split->lower));
    }
    return ok;
}

/* One operator in the first `count` states of the block: a loop of its own for each, since the
 * compiler knows the operator there. */
#define LOOP(named)                                                                                \
    case named:                                                                                    \
        for (int32_t k = 0; k < count; k++)                                                        \
            out[k] = state_operate(named, a[k], b[k]);                                             \
        break

/* All operators. */
static void run(Evaluation *e, int32_t count)
{
    for (int32_t i = 0; i < (int32_t)e->code->node_count; i++) {
        const StateNode *n = &e->code->node[i];
        if (n->op < STATE_ADD)
            continue;
        double *out = node_values(e, i);
        const double *a = e->value[n->a], *b = e->value[n->b < 0 ? n->a : n->b];
        switch (n->op) {
            LOOP(STATE_ADD);
            LOOP(STATE_SUB);
            LOOP(STATE_MUL);
            LOOP(STATE_DIV);
            LOOP(STATE_MIN);
            LOOP(STATE_MAX);
            LOOP(STATE_EQ);
            LOOP(STATE_NE);
            LOOP(STATE_LT);
            LOOP(STATE_LE);
            LOOP(STATE_AND);
            LOOP(STATE_OR);
            LOOP(STATE_NEG);
        default:
            for (int32_t k = 0; k < count; k++)
                out[k] = state_operate(STATE_NOT, a[k], b[k]);
        }
    }
}
#undef LOOP

/* ---- by rows --------------------------------------------------------------------------------- */

static bool row_has(const Chain *c, int64_t state, int32_t action, bool passed)
{
    int64_t k = c->row[state];
    while (k < c->row[state + 1] && (c->actions[chain_action(c, k)] != action ||
                                     (passed && c->target[k] == chain_number(c, state))))
        k++;
    return k < c->row[state + 1];
}

/* Actions, and deadlocks, of the states first .. first + count - 1. */
static void rows_enabled(Evaluation *e, int64_t first, int32_t count)
{
    const Chain *c = e->chain;
    for (int32_t i = 0; i < (int32_t)e->code->node_count; i++) {
        const StateNode *n = &e->code->node[i];
        double *out = node_values(e, i);
        const uint8_t levels = n->op == STATE_ENABLED ? system_levels(c->system, n->a) : 0;
        const bool passed = levels >> LEVEL_IMMEDIATE & 1,
                   both = passed && levels >> LEVEL_TIMED & 1;
        for (int32_t k = 0; n->op == STATE_ENABLED && k < count; k++) {
            out[k] = row_has(c, first + k, n->a, passed);
            if (both && out[k] == 0 && row_has(c, first + k, n->a, false))
                e->unclear = n->a;
        }
        for (int32_t k = 0; n->op == STATE_DEADLOCK && k < count; k++)
            out[k] = c->row[first + k] == c->row[first + k + 1];
    }
}

static void rows_each(Evaluation *e, StateTask *task, void *user)
{
    const Chain *c = e->chain;
    for (int64_t first = 0; first < c->state_count; first += BLOCK) {
        int64_t left = c->state_count - first;
        int32_t count = left < BLOCK ? (int32_t)left : BLOCK;
        for (int32_t i = 0; i < e->counters; i++) {
            const Counter *counter = &e->counter[i];
            double *out = node_values(e, counter->node);
            for (int32_t k = 0; k < count; k++)
                out[k] = counter->base + sum_terms(counter, 0, counter->count,
                                                   table_state(&c->states, (int32_t)first + k));
        }
        rows_enabled(e, first, count);
        run(e, count);
        task(user, first, count, e->value);
    }
}

/* ---- on sets --------------------------------------------------------------------------------- */

/* The lower states begin .. begin + count - 1 of a set, which follow `at` other states in the
 * block. */
typedef struct {
    int32_t upper, begin, count, at;
} Run;

static void mark_edge(const Diagram *d, const Edge *edge, Run r, double *out)
{
    const Submatrix *t = &d->matrices[edge->matrix];
    for (int64_t k = t->first; k < t->first + t->count; k++) {
        int32_t from = d->entry_from[k] - r.begin;
        if (from >= 0 && from < r.count)
            out[r.at + from] = 1;
    }
}

static void sets_enabled(Evaluation *e, Run r)
{
    const Diagram *d = e->chain->diagram;
    const int32_t set = d->set[r.upper];
    for (int32_t i = 0; i < (int32_t)e->code->node_count; i++) {
        const StateNode *n = &e->code->node[i];
        double *out = node_values(e, i);
        if (n->op == STATE_ENABLED || n->op == STATE_DEADLOCK)
            memset(out + r.at, 0, (size_t)r.count * sizeof *out);
        if (n->op != STATE_ENABLED)
            continue;
        for (int64_t k = d->edge_row[r.upper]; k < d->edge_row[r.upper + 1]; k++)
            if (d->edges[k].label == n->a)
                mark_edge(d, &d->edges[k], r, out);
        for (int32_t k = d->local_row[set]; k < d->local_row[set + 1]; k++)
            if (d->local[k].label == n->a)
                mark_edge(d, &d->local[k], r, out);
    }
}

static void sets_counts(Evaluation *e, Run r)
{
    const Diagram *d = e->chain->diagram;
    const int32_t *member = d->members[d->set[r.upper]] + r.begin;
    const uint64_t *packed = d->upper + (size_t)r.upper * d->system->words;
    for (int32_t i = 0; i < e->counters; i++) {
        const Counter *c = &e->counter[i];
        double *out = node_values(e, c->node) + r.at;
        int32_t here = c->base + sum_terms(c, 0, c->upper, packed);
        for (int32_t k = 0; k < r.count; k++)
            out[k] = here + c->lower[member[k]];
    }
}

static void sets_each(Evaluation *e, StateTask *task, void *user)
{
    const Diagram *d = e->chain->diagram;
    int64_t first = 0; /* of the block */
    int32_t at = 0;    /* states in it */
    for (int32_t u = 0; u < d->own_count; u++)
        for (int32_t begin = 0, size = d->set_size[d->set[diagram_own(d, u)]]; begin < size;) {
            Run r = {diagram_own(d, u), begin,
                     size - begin < BLOCK - at ? size - begin : BLOCK - at, at};
            sets_counts(e, r);
            if (!e->chain->row)
                sets_enabled(e, r);
            begin += r.count;
            at += r.count;
            if (at < BLOCK && u + 1 < d->own_count)
                continue;
            if (e->chain->row)
                rows_enabled(e, first, at);
            run(e, at);
            task(user, first, at, e->value);
            first += at;
            at = 0;
        }
}

PepaStatus chain_each_value(const Chain *chain, const StateCode *code, const Value *rate,
                            StateTask *task, void *user, PepaError *err)
{
    Evaluation e = {.chain = chain, .code = code, .rate = rate, .unclear = -1};
    bool ok = evaluation_init(&e);
    if (ok && chain->diagram)
        sets_each(&e, task, user);
    else if (ok)
        rows_each(&e, task, user);
    evaluation_free(&e);
    if (ok && e.unclear >= 0)
        return error_set(
            err, PEPA_EARG,
            "`%s` is immediate at one place and not at another: which of its activities leave a "
            "state as it is cannot be told; %s",
            chain->model->actions[e.unclear],
            e.unclear == ACTION_TAU ? "hide one kind only" : "give them two names");
    return ok ? PEPA_OK : error_memory(err);
}

/* ---- one state at a time --------------------------------------------------------------------- */

struct StateProbe {
    Evaluation e;
};

PepaStatus state_probe_new(StateProbe **out, const Chain *chain, const StateCode *code,
                           const Value *rate, PepaError *err)
{
    StateProbe *probe = mem_calloc(1, sizeof *probe);
    if (!probe)
        return error_memory(err);
    probe->e = (Evaluation){.chain = chain, .code = code, .rate = rate};
    if (!evaluation_init(&probe->e)) {
        state_probe_free(probe);
        return error_memory(err);
    }
    *out = probe;
    return PEPA_OK;
}

void state_probe_free(StateProbe *probe)
{
    if (!probe)
        return;
    evaluation_free(&probe->e);
    mem_free(probe);
}

double state_probe_value(StateProbe *probe, const uint64_t *packed, const uint8_t *enabled,
                         bool deadlock, int32_t node)
{
    Evaluation *e = &probe->e;
    for (int32_t i = 0; i < e->counters; i++) {
        const Counter *c = &e->counter[i];
        *node_values(e, c->node) = c->base + sum_terms(c, 0, c->count, packed);
    }
    for (int32_t i = 0; i < (int32_t)e->code->node_count; i++) {
        const StateNode *n = &e->code->node[i];
        if (n->op == STATE_ENABLED)
            *node_values(e, i) = enabled[n->a];
        if (n->op == STATE_DEADLOCK)
            *node_values(e, i) = deadlock;
    }
    run(e, 1);
    return *e->value[node];
}
