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

static bool same_places(const StateCode *code, const Functional *x, const Functional *y)
{
    if (x->end - x->first != y->end - y->first)
        return false;
    int32_t i = 0, count = x->end - x->first;
    while (i < count && same_place(code->place[x->first + i], code->place[y->first + i]))
        i++;
    return i == count;
}

static int32_t add_functional(Expressions *e, Functional f)
{
    size_t i = 0;
    while (i < e->functional_count && (e->functional[i].kind != f.kind ||
                                       (f.kind != FUNCTIONAL_COUNT && e->functional[i].a != f.a) ||
                                       !same_places(&e->code, &e->functional[i], &f)))
        i++;
    if (i == e->functional_count) {
        if (f.kind == FUNCTIONAL_COUNT)
            f.a = state_node(&e->code, (StateNode){STATE_COUNT, f.first, f.end, 0});
        if (f.a < 0)
            return -1;
        if (!mem_grow(e->functional, e->functional_cap, i + 1))
            return -1;
        e->functional[e->functional_count++] = f;
    }
    return add_each(e, (Each){EACH_FUNCTIONAL, EXPR_NUMBER, (int32_t)i, -1, 0});
}

static int32_t add_operator(Expressions *e, ExprOp op, int32_t a, int32_t b)
{
    return a < 0 ? -1 : add_each(e, (Each){EACH_OPERATOR, op, a, b, 0});
}

/* The places of a local state and of its phases: in each slot, of this position if that is not 0,
 * whose component has it. */
static PepaStatus add_places(Expressions *e, const QueryNode *node, PepaError *err)
{
    const System *s = e->chain->system;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        const Component *c = &s->components[slot->component];
        if (node->position && slot->position != node->position - 1)
            continue;
        for (int32_t l = 0; l < c->local_count; l++) {
            const int32_t id = c->local[l];
            if ((id == node->id || s->model->locals[id].whole == node->id) &&
                !state_place(&e->code, i, l))
                return error_memory(err);
        }
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

PepaStatus expressions_new(Expressions **out, const Query *query, const Chain *chain,
                           PepaError *err)
{
    Expressions *e = mem_calloc(1, sizeof *e);
    PepaStatus status = e && mem_new(e->node, query->node_count) ? PEPA_OK : error_memory(err);
    if (e) {
        e->query = query;
        e->chain = chain;
    }
    for (size_t i = 0; i < query->node_count && status == PEPA_OK; i++) {
        const QueryNode *n = &query->nodes[i];
        e->node[i] = -1;
        if (n->states)
            status = join_state(e, n, &e->node[i], err);
        else if (n->kind != QUERY_NAME || n->meaning == MEANS_EARLIER || n->meaning == MEANS_RATE)
            status = join_measure(e, n, &e->node[i], err);
    }
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
