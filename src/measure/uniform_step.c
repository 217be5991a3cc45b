/* Steps of the uniformised chain, by rows and by sets. */
#include <float.h>
#include <math.h>

#include "measure/uniform_private.h"
#include "solvers/rows/rows.h"

/* One step. */
typedef struct {
    const Uniform *u;
    const Flow *flow; /* NULL on sets */
    const double *x;
    double per; /* 1 / rate */
    double *next, weight, *more;
    double drop; /* changes are those beside x (1 - drop) */
    UniformStep part[PRODUCT_PARTS];
} Stepping;

enum { CHANGE, LEFT, ENDED };

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
    sum->change += fabs(change + s->drop * x);
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

static UniformStep take(Uniform *u, double *x, double *next, double drop, double weight,
                        double *more)
{
    Flow flow = u->out ? u->jumps.flow : flow_view(&u->rows, NULL);
    UniformStep all = {0};
    Stepping step = {.u = u,
                     .flow = &flow,
                     .x = x,
                     .per = 1 / u->rate,
                     .next = next,
                     .drop = drop,
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

UniformStep uniform_step(Uniform *u, double *x, double *next, double weight, double *more)
{
    return take(u, x, next, 0, weight, more);
}

UniformStep uniform_step_beside(Uniform *u, double *x, double *next, double drop)
{
    return take(u, x, next, drop, 0, NULL);
}

double uniform_flow(const Uniform *u, const double *x)
{
    double flow = 0;
    for (size_t i = 0; i < uniform_states(u); i++)
        flow += u->exit[i] * x[i];
    chain_sum(u->chain, &flow, 1);
    return flow;
}

double uniform_change_rounding(const Uniform *u, const double *x)
{
    return 2 * uniform_rounding(u) * uniform_flow(u, x) / u->rate;
}
