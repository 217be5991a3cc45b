/* The generator of a chain as an operator, for either form of the chain. */
#include "ctmc/operator.h"

#include "base/processes.h"

#include <string.h>

struct Operator {
    const Chain *chain;
    const uint8_t *without; /* per action, or NULL */
    Workers *workers;
    DiagramProduct *sets; /* or, by rows: */
    double *in, *exit;    /* one entry per state */
    double *own;          /* both, unless they are lent */
    Post post;            /* Parcels for other processes */
};

/* Transitions stand by source: what flows in is scattered. */
static void rows_product(Operator *op, const double *value, const double *x, ProductTask *task,
                         void *user)
{
    const Chain *c = op->chain;
    const int32_t n = (int32_t)c->state_count;
    memset(op->in, 0, (size_t)n * sizeof *op->in);
    for (int32_t s = 0; s < n; s++) {
        double exit = 0;
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            if (c->target[k] == s)
                continue;
            double rate = chain_rate(c, value, k);
            if (!op->without || !op->without[c->actions[chain_action(c, k)]])
                op->in[c->target[k]] += x[s] * rate;
            exit += rate;
        }
        op->exit[s] = exit;
    }
    task(user, 0, 0, n, op->in, op->exit);
}

/* Flow into a state of another process. */
typedef struct {
    int32_t state, none;
    double flow;
} Parcel;

static void take_in(void *user, int32_t process, const void *items, int32_t count)
{
    const Operator *op = user;
    const Parcel *parcel = items;
    (void)process;
    for (int32_t i = 0; i < count; i++)
        op->in[parcel[i].state] += parcel[i].flow;
}

static void send(Operator *op, int32_t number, double flow)
{
    const int32_t count = op->chain->spread->processes->count;
    if (number % count == op->chain->spread->processes->rank) {
        op->in[number / count] += flow;
        return;
    }
    while (post_is_full(&op->post, number % count))
        (void)post_deliver(&op->post, true, take_in, op);
    *(Parcel *)post_add(&op->post, number % count) = (Parcel){number / count, 0, flow};
}

/* The same by processes, which call it together. */
static void spread_product(Operator *op, const double *value, const double *x, ProductTask *task,
                           void *user)
{
    const Chain *c = op->chain;
    memset(op->in, 0, (size_t)c->state_count * sizeof *op->in);
    for (int32_t s = 0; s < c->state_count; s++) {
        double leaves = 0;
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            if (c->target[k] == chain_number(c, s))
                continue;
            const double rate = chain_rate(c, value, k);
            if (!op->without || !op->without[c->actions[chain_action(c, k)]])
                send(op, c->target[k], x[s] * rate);
            leaves += rate;
        }
        op->exit[s] = leaves;
    }
    while (post_deliver(&op->post, false, take_in, op))
        ;
    task(user, 0, 0, (int32_t)c->state_count, op->in, op->exit);
}

/* flow[a] for the actions first + a, a < count. */
static void rows_action_flow(const Chain *c, const double *value, const double *x, int32_t first,
                             int32_t count, double *flow)
{
    for (int32_t s = 0; s < c->state_count; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            int32_t a = chain_action(c, k) - first;
            if (a >= 0 && a < count)
                flow[a] += x[s] * chain_rate(c, value, k);
        }
}

static void action_flow(const Chain *c, const double *value, const double *x, int32_t first,
                        int32_t count, double *flow)
{
    memset(flow, 0, (size_t)count * sizeof *flow);
    if (c->row)
        rows_action_flow(c, value, x, first, count, flow);
    else
        diagram_action_flow(c->diagram, value, x, c->actions + first, count, flow);
}

static void rows_each_transition(const Chain *c, TransitionTask *task, void *user)
{
    const Chain at = *c; /* which the task does not change */
    for (int32_t s = 0; s < at.state_count; s++)
        for (int64_t k = at.row[s]; k < at.row[s + 1]; k++) {
            const Transition t = chain_transition(&at, s, k);
            task(user, &t);
        }
}

static PepaStatus rows_mean_counts(const Chain *c, const int32_t *offset, const double *pi,
                                   double *mean, PepaError *err)
{
    int32_t *cells = mem_alloc((size_t)c->system->cell_count, sizeof *cells);
    if (!cells)
        return error_memory(err);
    for (int32_t s = 0; s < c->state_count; s++) {
        system_unpack(c->system, c->states.state + (size_t)s * c->states.words, cells);
        cells_add(c->system, NULL, false, offset, cells, pi[s], mean);
    }
    mem_free(cells);
    return PEPA_OK;
}

void operator_free(Operator *op)
{
    if (!op)
        return;
    diagram_product_free(op->sets);
    workers_free(op->workers);
    post_free(&op->post);
    mem_free_all(op->own, op);
}

PepaStatus operator_new(Operator **out, const Chain *chain, const uint8_t *without, int32_t threads,
                        double *lent, PepaError *err)
{
    const size_t n = (size_t)chain->state_count;
    Operator *op = mem_calloc(1, sizeof *op);
    PepaStatus status = op ? PEPA_OK : error_memory(err);
    if (op) {
        op->chain = chain;
        op->without = without;
    }
    if (op && !chain->row) {
        threads = threads < MOST_WORKERS ? threads : MOST_WORKERS;
        op->workers = workers_new(threads);
        status = op->workers ? diagram_product_new(&op->sets, chain->diagram, without, op->workers,
                                                   threads, err)
                             : error_memory(err);
    } else if (op) {
        op->own = lent ? NULL : mem_alloc(n, 2 * sizeof *op->own);
        op->in = lent ? lent : op->own;
        op->exit = op->in ? op->in + n : NULL;
        status = op->in ? PEPA_OK : error_memory(err);
    }
    if (status == PEPA_OK && chain->spread &&
        !post_open(&op->post, chain->spread->processes, sizeof(Parcel),
                   post_items_for(chain->spread->processes)))
        status = error_memory(err);
    if (status == PEPA_OK)
        *out = op;
    else
        operator_free(op);
    return status;
}

void operator_product(Operator *op, const double *value, const double *x, ProductTask *task,
                      void *user)
{
    if (op->sets)
        diagram_product(op->sets, value, x, true, task, user);
    else if (op->chain->spread)
        spread_product(op, value, x, task, user);
    else
        rows_product(op, value, x, task, user);
}

void operator_inflow(Operator *op, const double *value, const double *x, ProductTask *task,
                     void *user)
{
    if (op->sets)
        diagram_product(op->sets, value, x, false, task, user);
    else if (op->chain->spread)
        spread_product(op, value, x, task, user);
    else
        rows_product(op, value, x, task, user);
}

void chain_action_flow(const Chain *c, const double *value, const double *x, double *flow)
{
    action_flow(c, value, x, 0, c->action_count, flow);
}

double chain_flow_of(const Chain *c, const double *value, const double *x, int32_t action)
{
    double flow;
    action_flow(c, value, x, action, 1, &flow);
    return flow;
}

PepaStatus chain_each_transition(const Chain *chain, TransitionTask *task, void *user,
                                 PepaError *err)
{
    if (!chain->row)
        return diagram_each_transition(chain->diagram, 0, INT64_MAX, task, user, err);
    rows_each_transition(chain, task, user);
    return PEPA_OK;
}

PepaStatus chain_mean_counts(const Chain *chain, const int32_t *offset, const double *pi,
                             double *mean, PepaError *err)
{
    return chain->diagram ? diagram_mean_counts(chain->diagram, offset, pi, mean, err)
                          : rows_mean_counts(chain, offset, pi, mean, err);
}
