/* Steps of the uniformised chain, by rows and by sets. */
#include "measure/uniform.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clock.h"
#include "measure/flow_build.h"
#include "measure/spread_flow.h"
#include "measure/spread_until.h"
#include "measure/steady.h"
#include "solvers/rows/rows.h"

struct Uniform {
    const Chain *chain;
    const double *value;
    PassageEnd end;
    double *ends;   /* per state: the rate at which a passage ends; NULL: it does not */
    FlowOwner rows; /* of rates; or, on sets: */
    FlowTeam *team;
    Operator *op;
    double *exit; /* per state; that of rows, or its own */
    double rate;
    double most; /* roundings of the sums of a state: entries of a row, or rates that were added */
    bool stop;   /* of a shared chain */
    /* Of rows that processes share: the states in the order in which they have them, jumps, and flows
     * out of states. */
    SpreadOrder order;
    SpreadFlow jumps;
    double *out;
    uint8_t *ended; /* of end, by that order; or NULL */
};

/* One step. */
typedef struct {
    const Uniform *u;
    const Flow *flow; /* NULL on sets */
    const double *x;
    double per; /* 1 / rate */
    double *next, weight, *more;
    UniformStep part[PRODUCT_PARTS];
} Stepping;

enum { CHANGE, LEFT, ENDED };

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

/* A passage is never in the states where it ends: they have no entries. */
static void drop_ended(FlowOwner *rows, const uint8_t *ended)
{
    int64_t kept = 0, k = 0;
    for (int32_t i = 0; i < rows->n; i++) {
        for (; k < rows->row[i + 1]; k++) {
            if (ended[i] || ended[rows->col[k]])
                continue;
            rows->col[kept] = rows->col[k];
            if (rows->code)
                rows->code[kept++] = rows->code[k];
            else
                rows->val[kept++] = rows->val[k];
        }
        rows->row[i + 1] = kept;
    }
}

/* Where several transitions lead from one state to another, their sum has a rounding for each but
 * the first. */
static bool count_sums(Uniform *u)
{
    const Chain *c = u->chain;
    const FlowOwner *f = &u->rows;
    int64_t *targets = NULL; /* per state: how many there are */
    if (!mem_new_zeroed(targets, f->n))
        return false;
    for (int64_t k = 0; k < f->row[f->n]; k++)
        targets[f->col[k]]++;
    for (int32_t i = 0; i < f->n; i++)
        u->most = fmax(u->most, (double)(c->row[i + 1] - c->row[i] - targets[i]));
    mem_free(targets);
    return true;
}

static PepaStatus new_rows(Uniform *u, const PepaSettings *set, PepaError *err)
{
    const double vectors = 3 * sizeof(double) * (double)u->chain->state_count;
    int64_t left = set->memory
                       ? budget_left(set->memory, chain_bytes(u->chain) + vectors +
                                                      flow_row_bytes((double)u->chain->state_count))
                       : 0;
    Control control = settings_control(set, left);
    PepaStatus status =
        flow_build(&u->rows, u->chain, NULL, (int32_t)u->chain->state_count, NULL, err);
    if (status == PEPA_OK)
        status = flow_fill_rates(&u->rows, &control, u->chain, u->value, u->end.action, err);
    if (status != PEPA_OK)
        return status;
    u->exit = u->rows.exit;
    if (!count_sums(u))
        return error_memory(err);
    if (u->end.state)
        drop_ended(&u->rows, u->end.state);
    for (int32_t i = 0; i < u->rows.n; i++)
        u->most = fmax(u->most, (double)(u->rows.row[i + 1] - u->rows.row[i]));
    Flow flow = flow_view(&u->rows, NULL);
    return flow_team_new(&u->team, &flow, set->threads) ? PEPA_OK : error_memory(err);
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
             : chain->row  ? new_rows(u, set, err)
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

size_t uniform_states(const Uniform *u)
{
    return (size_t)(u->chain->spread ? u->order.n : u->chain->state_count);
}

size_t uniform_entries(const Uniform *u)
{
    return (size_t)(u->chain->spread ? u->order.n : chain_entries(u->chain));
}

PepaStatus uniform_start(const Uniform *u, double *x, PepaError *err)
{
    if (u->chain->spread)
        return spread_order_start(&u->order, u->value, x, err);
    chain_begin(u->chain, u->value, x);
    return PEPA_OK;
}

PepaStatus uniform_to_states(const Uniform *u, const double *x, double *pi, const double **at,
                             PepaError *err)
{
    *at = u->chain->spread ? pi : x;
    return u->chain->spread ? spread_order_return(&u->order, x, pi, err) : PEPA_OK;
}

PepaStatus uniform_from_states(const Uniform *u, const double *pi, size_t stride, double *x,
                               PepaError *err)
{
    if (u->chain->spread)
        return spread_order_bring(&u->order, pi, stride, x, err);
    for (size_t i = 0; i < uniform_states(u); i++)
        x[i] = pi[i * stride];
    return PEPA_OK;
}

SpreadOrder *uniform_order(Uniform *u)
{
    return &u->order;
}

const uint8_t *uniform_ended(const Uniform *u)
{
    return u->end.state;
}

double uniform_rate(const Uniform *u)
{
    return u->rate;
}

/* Each entry of next is a sum of non-negative numbers: the products that flow in, each with an
 * error of the product and one for each addition, and what stays. */
double uniform_rounding(const Uniform *u)
{
    return (u->most + 6) * DBL_EPSILON;
}

PepaStatus uniform_judge(double error, double tolerance, double scale, PepaError *err)
{
    const double most = fmax(tolerance, 1e-6) * fmax(scale, 1);
    if (error <= most)
        return PEPA_OK;
    if (!(error < fmax(scale, 1)))
        return error_set(err, PEPA_ENOCONV,
                         "what happens until so late is not known, by rounding: give a shorter "
                         "time, or solve for the long run");
    return error_set(
        err, PEPA_ENOCONV,
        "what happens until so late is known to %.1e only: give a shorter time, or solve "
        "for the long run",
        error);
}

const double *uniform_ends(const Uniform *u)
{
    return u->ends;
}

bool uniform_rows(const Uniform *u, Flow *rates)
{
    if (u->op)
        return false;
    *rates = flow_view(&u->rows, NULL);
    return true;
}

/* State i, with what flows into it. */
static inline void move(const Stepping *s, int64_t i, double in, UniformStep *sum)
{
    const Uniform *u = s->u;
    const double x = s->x[i];
    double change = (in - u->exit[i] * x) * s->per;
    if (u->ends)
        sum->ended += x * u->ends[i];
    if (u->end.state && u->end.state[i]) {
        s->next[i] = 0;
        return;
    }
    s->next[i] = x + change;
    sum->change += fabs(change);
    sum->left += s->next[i];
    if (s->more)
        s->more[i] += s->weight * s->next[i];
}

static void step_rows(void *user, int32_t first, int32_t end, double *sum)
{
    const Stepping *s = user;
    const double *flows = s->u->out ? s->u->out : s->x;
    UniformStep found = {0};
    for (int32_t i = first; i < end; i++)
        move(s, i, flow_into(s->flow, flows, i), &found);
    sum[CHANGE] = found.change;
    sum[LEFT] = found.left;
    sum[ENDED] = found.ended;
}

static void step_parts(void *user, int32_t part, int64_t first, int32_t count, const double *in,
                       const double *exit)
{
    Stepping *s = user;
    UniformStep found = s->part[part];
    (void)exit;
    for (int32_t k = 0; k < count; k++)
        move(s, first + k, in[k], &found);
    s->part[part] = found;
}

void uniform_stop(Uniform *u)
{
    u->stop = true;
}

UniformStep uniform_step(Uniform *u, double *x, double *next, double weight, double *more)
{
    Flow flow = u->out ? u->jumps.flow : flow_view(&u->rows, NULL);
    UniformStep all = {0};
    Stepping step = {.u = u,
                     .flow = &flow,
                     .x = x,
                     .per = 1 / u->rate,
                     .next = next,
                     .weight = weight,
                     .more = weight != 0 ? more : NULL};
    flow.team = u->team;
    if (!u->op) {
        double sum[SUMS];
        for (int32_t i = 0; u->out && i < flow.n; i++)
            u->out[i] = x[i] * u->exit[i];
        if (u->out)
            flow_receive(&flow, u->out);
        rows_each(&flow, true, step_rows, &step, sum);
        all = (UniformStep){.change = sum[CHANGE], .left = sum[LEFT], .ended = sum[ENDED]};
    } else {
        chain_receive(u->chain, x);
        operator_inflow(u->op, u->value, x, step_parts, &step);
        for (int32_t part = 0; part < PRODUCT_PARTS; part++) {
            all.change += step.part[part].change;
            all.left += step.part[part].left;
            all.ended += step.part[part].ended;
        }
    }
    if (u->chain->share) {
        double sum[] = {u->stop, all.change, all.left, all.ended};
        chain_sum(u->chain, sum, u->op ? 4 : 1); /* rows_each has added up the others */
        all = (UniformStep){sum[1], sum[2], sum[3], sum[0] > 0};
    }
    all.ended /= u->rate;
    return all;
}

/* ---- progress -------------------------------------------------------------------------------- */

StepClock step_clock_start(const PepaSettings *set)
{
    const double now = set->progress ? clock_seconds() : 0;
    return (StepClock){set, now, now, 0};
}

bool step_clock_stops(StepClock *clock, const Chain *chain, int64_t steps, int64_t planned)
{
    const PepaSettings *set = clock->set;
    clock->wait -= chain->transitions + chain->state_count;
    if (!set->progress || clock->wait > 0)
        return false;
    clock->wait = BETWEEN_READINGS;
    const double now = clock_seconds(), done = (double)steps, all = (double)planned;
    if (now - clock->last < 0.1)
        return false;
    clock->last = now;
    const double left = all > done && done > 0 ? (now - clock->began) * (all - done) / done : -1;
    return set->progress(set->user, &(PepaProgress){.phase = "transient",
                                                    .count = steps,
                                                    .measure = all,
                                                    .seconds = now - clock->began,
                                                    .left = left}) != 0;
}
