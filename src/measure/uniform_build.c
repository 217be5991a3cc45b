/* Uniformised chains: by rows that processes share, and sets without a matrix. */
#include <math.h>

#include "base/budget.h"
#include "measure/spread_until.h"
#include "measure/steady.h"
#include "measure/uniform_private.h"

void uniform_free(Uniform *u)
{
    if (!u)
        return;
    flow_team_free(u->team);
    operator_free(u->op);
    if (!u->chain->row)
        mem_free(u->exit);
    spread_flow_free(&u->jumps);
    spread_order_free(&u->order);
    mem_free_all(u->out, u->ended, u->ends);
    flow_free(&u->rows);
    mem_free(u);
}

static void keep_exits(void *user, int32_t part, int64_t first, int32_t count, const double *in,
                       const double *exit)
{
    Uniform *u = user;
    (void)part;
    (void)in;
    for (int32_t k = 0; k < count; k++)
        u->exit[first + k] = exit[k];
}

static void count_sources(void *user, int32_t part, int64_t first, int32_t count, const double *in,
                          const double *exit)
{
    Uniform *u = user;
    (void)part;
    for (int32_t k = 0; k < count; k++)
        u->exit[first + k] = fmax(in[k], 2 * exit[k]);
}

/* Entries of a row, transitions of which a jump is made, and what dividing and multiplying by exit
 * rates adds. */
static void count_jumps(Uniform *u)
{
    const SpreadFlow *f = &u->jumps;
    const FlowShare *s = &f->share;
    const Chain *c = u->chain;
    double inner = 0, outer = 0, made = 0;
    for (int32_t i = 0; i < f->flow.n; i++)
        inner = fmax(inner, (double)(f->row[i + 1] - f->row[i]));
    for (int32_t i = 0; i < s->rows; i++)
        outer = fmax(outer, (double)(s->row[i + 1] - s->row[i]));
    for (int64_t i = 0; i < c->state_count; i++)
        made = fmax(made, (double)(c->row[i + 1] - c->row[i]));
    u->most = inner + outer + made + 3;
}

/* Its states are told by place from then on.  Nothing flows from where it has ended. */
static PepaStatus end_spread(Uniform *u, PepaError *err)
{
    const int32_t n = u->order.n;
    double *marked = NULL;
    const bool ok =
        mem_new(u->ends, n) && mem_new(marked, n) && (!u->end.state || mem_new(u->ended, n));
    PepaStatus status = chain_agree(u->chain, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status = spread_until_rates(&u->order, u->value, &u->end, u->ends, u->ended, err);
    u->end.state = u->ended;
    for (int32_t i = 0; i < n && status == PEPA_OK; i++)
        marked[i] = u->ended && u->ended[i];
    if (status == PEPA_OK)
        spread_flow_drop(&u->jumps, marked);
    mem_free(marked);
    return status;
}

static PepaStatus new_spread(Uniform *u, bool ends, const PepaSettings *set, PepaError *err)
{
    const Chain *c = u->chain;
    PepaStatus status = spread_order_new(&u->order, c, u->value, false, NULL, c->spread->part, err);
    const double vectors = 5 * sizeof(double) * (double)u->order.n;
    const double taken = chain_bytes(c) + vectors + 2.0 * (double)u->order.n * sizeof(Berth);
    if (status == PEPA_OK)
        status = spread_flow_until(&u->jumps, &u->order, u->value, u->end.action,
                                   PEPA_MATRIX_EXPLICIT, budget_left(set->memory, taken), err);
    if (status == PEPA_OK && ends)
        status = end_spread(u, err);
    if (status != PEPA_OK)
        return status;
    u->exit = u->order.exit;
    count_jumps(u);
    const bool ok =
        mem_new(u->out, u->order.n) && flow_team_new(&u->team, &u->jumps.flow, set->threads);
    return chain_agree(c, ok ? PEPA_OK : error_memory(err), err);
}

/* On sets the transitions that lead to a state, and from it, are counted by a product of ones with
 * ones.  Rates of the latter are added in two places: for a jump and for the exit rate. */
static PepaStatus new_sets(Uniform *u, const PepaSettings *set, PepaError *err)
{
    const size_t n = (size_t)u->chain->state_count, terms = (size_t)u->chain->rates.count;
    const size_t all = (size_t)chain_entries(u->chain);
    const double need = chain_bytes(u->chain) + 4 * sizeof(double) * (double)all;
    double *one = NULL, *x = NULL;
    PepaStatus status = PEPA_OK;
    if (!budget_allows(set->memory, need))
        status = budget_exceeded(err, need, set->memory, "the chain and four vectors");
    else if (!(mem_new_zeroed(u->exit, n) && mem_new(x, all) && mem_new(one, terms)))
        status = error_memory(err);
    else
        status = operator_new(&u->op, u->chain, u->end.action, set->threads, NULL, err);
    status = chain_agree(u->chain, status, err);
    for (size_t i = 0; status == PEPA_OK && i < all; i++)
        x[i] = 1;
    for (size_t i = 0; status == PEPA_OK && i < terms; i++)
        one[i] = 1;
    if (status == PEPA_OK)
        operator_product(u->op, one, x, count_sources, u);
    for (size_t i = 0; status == PEPA_OK && i < n; i++)
        u->most = fmax(u->most, u->exit[i]);
    if (status == PEPA_OK)
        operator_product(u->op, u->value, x, keep_exits, u);
    mem_free_all(one, x);
    return status;
}

static void add_ends(void *user, const Transition *t)
{
    Uniform *u = user;
    const bool by_action = u->end.action && u->end.action[t->action];
    if (by_action || (u->end.state && u->end.state[t->to]))
        u->ends[t->from] += u->value[t->term];
    if (by_action && t->to == t->from && !u->chain->row)
        u->exit[t->from] += u->value[t->term]; /* rows count it already */
}

static PepaStatus find_ends(Uniform *u, PepaError *err)
{
    if (!mem_new_zeroed(u->ends, u->chain->state_count))
        return error_memory(err);
    return chain_each_transition(u->chain, add_ends, u, err);
}

PepaStatus uniform_new(Uniform **out, const Chain *chain, const double *value,
                       const PassageEnd *end, const PepaSettings *set, PepaError *err)
{
    const double more = 1.02; /* so much beyond the largest exit rate */
    Uniform *u = mem_calloc(1, sizeof *u);
    PepaStatus status = chain_agree(chain, u ? PEPA_OK : error_memory(err), err);
    if (status != PEPA_OK) {
        mem_free(u);
        return status;
    }
    u->chain = chain;
    u->value = value;
    u->end = end ? *end : (PassageEnd){0};
    status = chain->spread ? new_spread(u, end != NULL, set, err)
             : chain->row  ? uniform_new_rows(u, set, err)
                           : new_sets(u, set, err);
    if (status == PEPA_OK && end && !chain->spread)
        status = find_ends(u, err);
    for (size_t s = 0; status == PEPA_OK && s < uniform_states(u); s++) {
        if (u->end.state && u->end.state[s])
            u->exit[s] = u->ends[s] = 0;
        u->rate = u->exit[s] > u->rate ? u->exit[s] : u->rate;
    }
    u->rate *= more;
    if (status == PEPA_OK && chain->share) {
        double both[] = {u->rate, u->most};
        chain->share->processes->largest(chain->share->processes->user, both, 2);
        u->rate = both[0];
        u->most = both[1];
    }
    if (status == PEPA_OK && !isfinite(u->rate))
        status = error_set(err, PEPA_ENOCONV, "a state's rates sum to more than a double holds");
    if (status == PEPA_OK)
        *out = u;
    else
        uniform_free(u);
    return status;
}
