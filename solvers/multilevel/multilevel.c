/* Steady states by levels of groups of states. */
#include "solvers/multilevel/levels.h"

#include <math.h>
#include <string.h>

#include "solvers/rows/rows.h"

enum { ROUND = SUMS }; /* steps of GCR from one true residual to the next */

typedef struct {
    Attempt *try;
    Levels levels;
    int32_t steps; /* of GCR on the coarser ones */
    Shaping shaping;
    double *x, *shape, *r; /* iterate, the flows that the levels were made for, defect of x */
    double *p[ROUND], *ap[ROUND];
} Multilevel;

/* Levels for the flows as they are; the more often, the more work on the coarser ones, which long
 * thin chains call for.  False: out of memory. */
static bool freeze(Multilevel *s)
{
    const Flow *flow = s->try->flow;
    flows_lift(flow->n, s->x);
    memcpy(s->shape, s->x, (size_t)flow->n * sizeof *s->x);
    s->steps = s->steps == 0 ? FIRST_STEPS : s->steps < MOST_STEPS ? s->steps + 1 : MOST_STEPS;
    return levels_renew(&s->levels, s->try, s->shape, s->steps);
}

/* The steps of a round: directions p, orthogonal images ap' = A p - sum of earlier ones, and how
 * they came about, so that x has to be touched once a round only. */
typedef struct {
    int32_t steps;
    double length[ROUND];       /* |ap'|^2 */
    double step[ROUND];         /* r goes down by step * ap' */
    double share[ROUND][ROUND]; /* ap'_k = A p_k - sum of share[k][e] ap'_e, e < k */
} Round;

/* The step that is being made, for passes over the rows. */
typedef struct {
    const Multilevel *s;
    const Round *round;
    const double *share;  /* of the images so far */
    double *now, *factor; /* the new direction or its image; of all directions, or one */
} Stepping;

static void multiply_images(void *user, int32_t first, int32_t end, double *out)
{
    const Stepping *step = user;
    const double *w = step->s->levels.levels[0].inverse;
    const int32_t steps = step->round->steps;
    double sum[SUMS] = {0};
    for (int32_t i = first; i < end; i++) {
        double weighted = step->now[i] * w[i];
        for (int32_t e = 0; e < steps; e++)
            sum[e] += weighted * step->s->ap[e][i];
    }
    memcpy(out, sum, sizeof sum);
}

/* The inner products of the new image with those so far, divided by their lengths. */
static void find_shares(Stepping *step, double *share)
{
    double sum[SUMS];
    rows_each(step->s->try->flow, false, multiply_images, step, sum);
    for (int32_t e = 0; e < step->round->steps; e++)
        share[e] = sum[e] / step->round->length[e];
}

static void add_both(void *user, int32_t first, int32_t end, double *out)
{
    const Stepping *step = user;
    const double *p = step->now, *shape = step->s->shape;
    double sum = 0, whole = 0;
    for (int32_t i = first; i < end; i++) {
        sum += p[i];
        whole += shape[i];
    }
    out[0] = sum;
    out[1] = whole;
}

/* Make the sum of p 0: else the whole of x, which is no more than almost in balance itself, is
 * taken for an error, and vanishes. */
static void balance(const Multilevel *s, double *p)
{
    double sum[SUMS];
    Stepping step = {.s = s, .now = p};
    rows_each(s->try->flow, false, add_both, &step, sum);
    flow_axpy(s->try->flow, -(sum[0] / sum[1]), s->shape, p);
}

static void straighten(void *user, int32_t first, int32_t end, double *sum)
{
    const Stepping *step = user;
    const Multilevel *s = step->s;
    const double *w = s->levels.levels[0].inverse;
    double *image = step->now, length = 0, along = 0;
    for (int32_t i = first; i < end; i++) {
        double left = image[i];
        for (int32_t e = 0; e < step->round->steps; e++)
            left -= step->share[e] * s->ap[e][i];
        image[i] = left;
        length += left * left * w[i];
        along += left * s->r[i] * w[i];
    }
    sum[0] = length;
    sum[1] = along;
}

static void go_along(void *user, int32_t first, int32_t end, double *sum)
{
    const Stepping *step = user;
    const double *image = step->now, factor = *step->factor;
    double *r = step->s->r, off = 0;
    for (int32_t i = first; i < end; i++) {
        r[i] -= factor * image[i];
        off += fabs(r[i]);
    }
    sum[0] = off;
}

/* One step of GCR.  False when a number is not finite or nothing is left. */
static bool advance(Multilevel *s, Round *round, double *off)
{
    const Flow *flow = s->try->flow;
    const int32_t k = round->steps;
    double sum[SUMS], factor;
    Stepping step = {s, round, round->share[k], s->ap[k], &factor};
    levels_solve(&s->levels, s->r, s->p[k]);
    balance(s, s->p[k]);
    flow_apply(flow, s->p[k], s->ap[k]);
    find_shares(&step, round->share[k]);
    rows_each(flow, false, straighten, &step, sum);
    double length = sum[0];
    if (!(length > 0) || !isfinite(length))
        return false;
    factor = sum[1] / length;
    rows_each(flow, false, go_along, &step, sum);
    round->length[k] = length;
    round->step[k] = factor;
    round->steps++;
    *off = sum[0];
    return isfinite(sum[0]);
}

static void add_directions(void *user, int32_t first, int32_t end, double *sum)
{
    const Stepping *step = user;
    const Multilevel *s = step->s;
    (void)sum;
    for (int32_t i = first; i < end; i++)
        for (int32_t k = 0; k < step->round->steps; k++)
            s->x[i] += step->factor[k] * s->p[k][i];
}

/* x += sum of step_k p'_k, where p'_k = p_k - sum of share[k][e] p'_e. */
static void add_steps(Multilevel *s, const Round *round)
{
    double factor[ROUND];
    for (int32_t k = round->steps - 1; k >= 0; k--) {
        factor[k] = round->step[k];
        for (int32_t l = k + 1; l < round->steps; l++)
            factor[k] -= factor[l] * round->share[l][k];
    }
    Stepping step = {.s = s, .round = round, .factor = factor};
    rows_each(s->try->flow, false, add_directions, &step, NULL);
}

/* A copy of x, clipped and smoothed, where directions are not needed any more. */
static double *smoothed(const Multilevel *s)
{
    const int32_t sweeps = 2;
    const Flow *flow = s->try->flow;
    double *smooth = s->p[0];
    memcpy(smooth, s->x, (size_t)flow->n * sizeof *smooth);
    if (flow_normalise(flow, smooth))
        for (int32_t k = 0; k < sweeps; k++)
            (void)flow_sweep(flow, smooth);
    return smooth;
}

static void look(Multilevel *s)
{
    (void)attempt_offer(s->try, smoothed(s));
}

/* Rounds of GCR, as long as they make good progress.  x is not clipped between them, which would
 * upset the balance of the rare states, and is not offered before it seems good enough.
 * False: nothing more to do. */
static bool refine(Multilevel *s)
{
    const double share = 0.7; /* of the tolerance: x is offered when it seems to be good enough */
    Attempt *try = s->try;
    look(s);
    double off = flow_defect(try->flow, s->x, s->r);
    double goal = share * off * try->control->tolerance / try->criterion;
    for (;;) {
        Round round = {0};
        double before = off;
        bool left = true, sound = true;
        while (round.steps < ROUND && off > goal && sound &&
               (left = attempt_step(try, STEP_PASSES, off)))
            sound = advance(s, &round, &off);
        add_steps(s, &round);
        off = flow_defect(try->flow, s->x, s->r);
        bool slow = !sound || !(off <= ROUND_FALL * before), stalled = attempt_stalls(try, off);
        if (off > goal && left && !slow && !stalled) {
            if (attempt_due(try))
                attempt_keep(try, smoothed(s));
            continue;
        }
        look(s);
        if (attempt_met(try) || !left || stalled || !isfinite(off))
            return false;
        if (slow)
            return true;
        goal = share * off * try->control->tolerance / try->criterion;
    }
}

/* The shape was not good enough for its groups: back to positive flows, not too far from it where x
 * has none, and to cycles that carry further, until the next is clearly better. */
static void reshape(Multilevel *s)
{
    const double least = 1e-3;
    shaping_harder(&s->shaping, s->try->criterion);
    for (int32_t i = 0; i < s->try->flow->n; i++)
        if (!(s->x[i] > least * s->shape[i]))
            s->x[i] = least * s->shape[i];
}

static void iterate(Multilevel *s)
{
    while (shape_find(s->try, &s->shaping, s->x, s->p[0]) && freeze(s) && refine(s))
        reshape(s);
    levels_free(&s->levels);
    if (attempt_met(s->try) && s->try->status == PEPA_OK && flow_nearly_decomposable(s->try->flow))
        settle_groups(s->try);
}

static double bytes_for(const Flow *flow, const Control *control)
{
    (void)control;
    return levels_bytes(flow);
}

static void run(Attempt *try, double *vectors)
{
    Multilevel s = {.try = try, .shaping = SHAPING_START};
    size_t n = (size_t)try->flow->n;
    s.x = vectors;
    s.shape = vectors + n;
    s.r = vectors + 2 * n;
    for (size_t k = 0; k < ROUND; k++) {
        s.p[k] = vectors + (3 + 2 * k) * n;
        s.ap[k] = vectors + (4 + 2 * k) * n;
    }
    iterate(&s);
}

/* The chain need not be slow for this, but that is where it pays: the number of steps hardly grows
 * with the number of states.  A few multiplicative cycles find the shape of the solution; then the
 * groups are kept, and K-cycles over them precondition GCR for the correction of the singular
 * system (I - P') d = P'y - y.  Inner products weigh entries by 1 / y_i, so that rare states keep
 * their digits and their signs.  2 ROUND + 6 vectors, and the groups' chains: half the matrix once
 * more.  Sources: see levels.h. */
const Method method_multilevel = {.name = "multilevel",
                                  .unit = "cycles",
                                  .passes = CYCLE_PASSES,
                                  .vectors = 3 + 2 * ROUND,
                                  .bytes = bytes_for,
                                  .stall = {100, 1000},
                                  .run = run};

static void aggregate(Attempt *try, double *vectors)
{
    (void)vectors;
    settle_groups(try);
}

const Method method_aggregation = {.name = "aggregation",
                                   .unit = "rounds",
                                   .passes = CYCLE_PASSES,
                                   .bytes = bytes_for,
                                   .run = aggregate};
