/* Joins measures to a chain: finds the places of their local states, and the functionals that they
 * are expressions over. */
#include "measure/expression_private.h"

static int32_t add_each(Expressions *e, Each each)
{
    if (!mem_grow(e->each, e->each_cap, e->each_count + 1))
        return -1;
    e->each[e->each_count] = each;
    return (int32_t)e->each_count++;
}

static bool same_place(StatePlace p, StatePlace q)
{
    return p.slot == q.slot && p.local == q.local;
}

/* The number of a functional: functional_count if it is new; -1: memory is out. */
static int32_t number_of(Expressions *e, const Functional *f)
{
    size_t length = 0;
    if (!mem_grow(e->key, e->key_cap, 2 + 2 * (size_t)(f->end - f->first)))
        return -1;
    e->key[length++] = (int32_t)f->kind;
    e->key[length++] = f->kind == FUNCTIONAL_COUNT ? -1 : f->a;
    for (int32_t i = f->first; i < f->end; i++) {
        e->key[length++] = e->code.place[i].slot;
        e->key[length++] = e->code.place[i].local;
    }
    return lists_put(&e->known, e->key, length);
}

static int32_t add_functional(Expressions *e, Functional f)
{
    const int32_t number = number_of(e, &f);
    if (number == (int32_t)e->functional_count) {
        if (f.kind == FUNCTIONAL_COUNT)
            f.a = state_node(&e->code, (StateNode){STATE_COUNT, f.first, f.end, 0});
        if (f.a < 0 || !mem_grow(e->functional, e->functional_cap, e->functional_count + 1))
            return -1;
        e->functional[e->functional_count++] = f;
    }
    return number < 0 ? -1 : add_each(e, (Each){EACH_FUNCTIONAL, EXPR_NUMBER, number, -1, 0});
}

static int32_t add_operator(Expressions *e, ExprOp op, int32_t a, int32_t b)
{
    return a < 0 ? -1 : add_each(e, (Each){EACH_OPERATOR, op, a, b, 0});
}

/* A pass over all pairs (local state of the model, its place): counts them, or puts them in place. */
static void each_place(Expressions *e, bool put)
{
    const System *s = e->chain->system;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Component *c = &s->components[s->slots[i].component];
        for (int32_t l = 0; l < c->local_count; l++) {
            const int32_t id = c->local[l], whole = s->model->locals[id].whole;
            for (int phase = whole != id; phase >= 0; phase--) {
                int32_t *row = e->place_row + (phase ? whole : id) + 1;
                if (put)
                    e->place[(*row)++] = (StatePlace){i, l};
                else
                    row[1]++;
            }
        }
    }
}

static bool index_places(Expressions *e)
{
    const int32_t locals = e->chain->system->model->local_count;
    if (!mem_new_zeroed(e->place_row, locals + 2))
        return false;
    each_place(e, false);
    for (int32_t i = 0; i < locals; i++)
        e->place_row[i + 2] += e->place_row[i + 1];
    if (!mem_new(e->place, e->place_row[locals + 1]))
        return false;
    each_place(e, true);
    return true;
}

/* The places of a local state and of its phases, of this position if that is not 0. */
static PepaStatus add_places(Expressions *e, const QueryNode *node, PepaError *err)
{
    const System *s = e->chain->system;
    for (int32_t i = e->place_row[node->id]; i < e->place_row[node->id + 1]; i++) {
        const StatePlace at = e->place[i];
        if (node->position && s->slots[at.slot].position != node->position - 1)
            continue;
        if (!state_place(&e->code, at.slot, at.local))
            return error_memory(err);
    }
    return PEPA_OK;
}

/* Of all operands of an atom, each place once. */
static PepaStatus add_all_places(Expressions *e, const QueryNode *atom, PepaError *err)
{
    const Query *q = e->query;
    const size_t first = e->code.place_count;
    PepaStatus status = PEPA_OK;
    for (int32_t i = atom->a; i >= 0 && status == PEPA_OK; i = q->nodes[i].next)
        status = add_places(e, &q->nodes[i], err);
    size_t count = first;
    for (size_t i = first; i < e->code.place_count && status == PEPA_OK; i++) {
        StatePlace *place = e->code.place;
        size_t same = first;
        while (same < count && !same_place(place[same], place[i]))
            same++;
        if (same == count)
            place[count++] = place[i];
    }
    if (status == PEPA_OK)
        e->code.place_count = count;
    return status;
}

/* How many components are in the slots of the places from `first` on; -1: memory is out. */
static double count_copies(const Expressions *e, int32_t first)
{
    const System *s = e->chain->system;
    double copies = 0;
    uint8_t *seen = mem_calloc((size_t)s->slot_count, sizeof *seen);
    for (size_t i = (size_t)first; seen && i < e->code.place_count; i++) {
        int32_t slot = e->code.place[i].slot;
        const int64_t here = s->slots[slot].copies;
        copies += seen[slot] ? 0 : here ? (double)here : 1;
        seen[slot] = 1;
    }
    double out = seen ? copies : -1;
    mem_free(seen);
    return out;
}

/* population, utilisation and response: means over places. */
static PepaStatus join_places(Expressions *e, const QueryNode *atom, int32_t *out, PepaError *err)
{
    const int32_t first = (int32_t)e->code.place_count;
    PepaStatus status = add_all_places(e, atom, err);
    double copies = status == PEPA_OK ? count_copies(e, first) : 0;
    if (status != PEPA_OK || copies < 0)
        return status == PEPA_OK ? error_memory(err) : status;
    Functional f = {FUNCTIONAL_COUNT, 0, first, (int32_t)e->code.place_count};
    int32_t mean = add_functional(e, f), by = -1;
    if (atom->meaning == MEANS_UTILISATION)
        by = add_each(e, (Each){EACH_NUMBER, EXPR_NUMBER, -1, -1, copies});
    f.kind = FUNCTIONAL_INFLOW;
    if (atom->meaning == MEANS_RESPONSE)
        by = add_functional(e, f);
    if (atom->meaning == MEANS_POPULATION)
        *out = mean;
    else
        *out = by < 0 ? -1 : add_operator(e, EXPR_DIV, mean, by);
    return *out < 0 ? error_memory(err) : PEPA_OK;
}

/* Whether an operand of an atom names what one before it does. */
static bool is_repeated(const Query *q, const QueryNode *atom, int32_t operand)
{
    int32_t i = atom->a;
    while (q->nodes[i].id != q->nodes[operand].id)
        i = q->nodes[i].next;
    return i != operand;
}

static int32_t join_throughput(Expressions *e, const QueryNode *atom)
{
    int32_t sum = -1;
    for (int32_t i = atom->a; i >= 0; i = e->query->nodes[i].next) {
        Functional flow = {FUNCTIONAL_FLOW, e->query->nodes[i].id, 0, 0};
        if (is_repeated(e->query, atom, i))
            continue;
        int32_t each = add_functional(e, flow);
        sum = i == atom->a ? each : each < 0 ? -1 : add_operator(e, EXPR_ADD, sum, each);
        if (sum < 0)
            return -1;
    }
    return sum;
}

/* The mean of the truth value of node `a`, which may be a number. */
static int32_t join_probability(Expressions *e, int32_t a)
{
    int32_t truth = state_node(&e->code, (StateNode){STATE_OR, a, a, 0});
    return truth < 0 ? -1 : add_functional(e, (Functional){FUNCTIONAL_MEAN, truth, 0, 0});
}

static const ExprOp each_op[] = {[QUERY_ADD] = EXPR_ADD,
                                 [QUERY_SUB] = EXPR_SUB,
                                 [QUERY_MUL] = EXPR_MUL,
                                 [QUERY_DIV] = EXPR_DIV,
                                 [QUERY_NEG] = EXPR_NEG};

/* A node over functionals. */
static PepaStatus join_measure(Expressions *e, const QueryNode *n, int32_t *out, PepaError *err)
{
    const int32_t a = n->a < 0 ? -1 : e->node[n->a], b = n->b < 0 ? -1 : e->node[n->b];
    switch (n->meaning) {
    case MEANS_POPULATION:
    case MEANS_UTILISATION:
    case MEANS_RESPONSE:
        return join_places(e, n, out, err);
    case MEANS_THROUGHPUT:
        *out = join_throughput(e, n);
        break;
    case MEANS_PROBABILITY:
        *out = join_probability(e, a);
        break;
    case MEANS_REWARD:
        *out = add_functional(e, (Functional){FUNCTIONAL_MEAN, a, 0, 0});
        break;
    case MEANS_RATE:
        *out = add_each(e, (Each){EACH_RATE, EXPR_RATE, n->id, -1, 0});
        break;
    case MEANS_VALUE:
        *out = a;
        break;
    case MEANS_EARLIER:
        *out = e->node[e->query->items[n->id].body];
        break;
    case MEANS_FUNCTION:
        *out =
            add_operator(e, (ExprOp)n->id, a,
                         e->query->nodes[n->a].next < 0 ? -1 : e->node[e->query->nodes[n->a].next]);
        break;
    default:
        *out = n->kind == QUERY_NUMBER
                   ? add_each(e, (Each){EACH_NUMBER, EXPR_NUMBER, -1, -1, n->number})
                   : add_operator(e, each_op[n->kind], a, b);
    }
    return *out < 0 ? error_memory(err) : PEPA_OK;
}

static const struct {
    StateOp op;
    bool swapped; /* a > b is b < a */
} state_op[] = {[QUERY_ADD] = {STATE_ADD, false}, [QUERY_SUB] = {STATE_SUB, false},
                [QUERY_MUL] = {STATE_MUL, false}, [QUERY_DIV] = {STATE_DIV, false},
                [QUERY_EQ] = {STATE_EQ, false},   [QUERY_NE] = {STATE_NE, false},
                [QUERY_LT] = {STATE_LT, false},   [QUERY_LE] = {STATE_LE, false},
                [QUERY_GT] = {STATE_LT, true},    [QUERY_GE] = {STATE_LE, true},
                [QUERY_AND] = {STATE_AND, false}, [QUERY_OR] = {STATE_OR, false},
                [QUERY_NEG] = {STATE_NEG, false}, [QUERY_NOT] = {STATE_NOT, false}};

static StateNode state_operator(const Expressions *e, const QueryNode *n)
{
    int32_t a = n->a, b = n->b;
    if (n->meaning == MEANS_FUNCTION) {
        StateOp op = n->id == EXPR_MIN ? STATE_MIN : STATE_MAX;
        return (StateNode){op, e->node[a], e->node[e->query->nodes[a].next], 0};
    }
    if (state_op[n->kind].swapped) {
        a = n->b;
        b = n->a;
    }
    return (StateNode){state_op[n->kind].op, e->node[a], b < 0 ? -1 : e->node[b], 0};
}

/* A node over states. */
static PepaStatus join_state(Expressions *e, const QueryNode *n, int32_t *out, PepaError *err)
{
    const int32_t first = (int32_t)e->code.place_count;
    StateNode node = {STATE_NUMBER, -1, -1, n->number};
    PepaStatus status = PEPA_OK;
    switch (n->meaning) {
    case MEANS_LOCAL:
        status = add_places(e, n, err);
        node = (StateNode){STATE_COUNT, first, (int32_t)e->code.place_count, 0};
        break;
    case MEANS_RATE:
        node = (StateNode){STATE_RATE, n->id, -1, 0};
        break;
    case MEANS_DEADLOCK:
        node = (StateNode){STATE_DEADLOCK, -1, -1, 0};
        break;
    case MEANS_ENABLED:
        node = (StateNode){STATE_ENABLED, e->query->nodes[n->a].id, -1, 0};
        break;
    default:
        if (n->meaning != MEANS_NUMBER && n->kind != QUERY_NUMBER)
            node = state_operator(e, n);
    }
    if (status == PEPA_OK && (*out = state_node(&e->code, node)) < 0)
        status = error_memory(err);
    return status;
}

/* What is needed only while they are made. */
static void forget(Expressions *e)
{
    lists_free(&e->known);
    mem_free_all(e->key, e->place_row, e->place);
    e->key = e->place_row = NULL;
    e->place = NULL;
}

PepaStatus expressions_new(Expressions **out, const Query *query, const Chain *chain,
                           PepaError *err)
{
    Expressions *e = mem_calloc(1, sizeof *e);
    if (!e)
        return error_memory(err);
    e->query = query;
    e->chain = chain;
    PepaStatus status =
        mem_new(e->node, query->node_count) && index_places(e) ? PEPA_OK : error_memory(err);
    for (size_t i = 0; i < query->node_count && status == PEPA_OK; i++) {
        const QueryNode *n = &query->nodes[i];
        e->node[i] = -1;
        if (n->states)
            status = join_state(e, n, &e->node[i], err);
        else if (n->kind != QUERY_NAME || n->meaning == MEANS_EARLIER || n->meaning == MEANS_RATE)
            status = join_measure(e, n, &e->node[i], err);
    }
    forget(e);
    if (status == PEPA_OK)
        *out = e;
    else
        expressions_free(e);
    return status;
}

void expressions_free(Expressions *e)
{
    if (!e)
        return;
    state_code_free(&e->code);
    mem_free_all(e->each, e->functional, e->node, e);
}
