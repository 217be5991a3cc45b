/* Means after a long time: Laguerre series of the generator itself, x' = Q x. */
#include "measure/csl_series.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "measure/series.h"

typedef struct {
    CslRun *r;
    Series of;
    FlowOwner rows;                  /* of the rates; those of states that stay are empty */
    double now, end;                 /* the time of x until the series; the time that is wanted */
    double *taken[LAGUERRE_LENGTHS]; /* n each: integrals over the step, for each length of it */
    int64_t planned;
    /* What follows changes x at `now` by at most so much: by its changes, or since all that it is made of agrees; and
     * whether that is no more than its error or what is allowed. */
    double beyond;
    bool rests;
} Backward;

static PepaStatus build(Backward *b, PepaError *err)
{
    const RateRows *q = &b->r->c->rows;
    FlowOwner *f = &b->rows;
    int64_t count = 0;
    for (int32_t k = 0; k < b->r->count; k++)
        count += q->row[b->r->active[k] + 1] - q->row[b->r->active[k]];
    f->n = q->n;
    if (!(mem_new(f->row, (size_t)f->n + 1) && mem_new(f->col, count) && mem_new(f->val, count) &&
          mem_new_zeroed(f->exit, f->n)))
        return error_memory(err);
    count = 0;
    for (int32_t i = 0, k = 0; i < f->n; i++) {
        f->row[i] = count;
        if (k == b->r->count || b->r->active[k] != i)
            continue;
        k++;
        f->exit[i] = q->exit[i];
        for (int64_t e = q->row[i]; e < q->row[i + 1]; e++) {
            f->col[count] = q->col[e];
            f->val[count++] = q->val[e];
        }
    }
    f->row[f->n] = count;
    return PEPA_OK;
}

/* *start: as series_open has it. */
static PepaStatus open_series(Backward *b, double *start, PepaError *err)
{
    Csl *c = b->r->c;
    const double n = c->rows.n, entries = (double)c->rows.row[c->rows.n];
    const double bytes = flow_row_bytes(n) + flow_entry_bytes(PEPA_MATRIX_EXPLICIT, entries) +
                         (b->r->integral ? (double)LAGUERRE_LENGTHS : 0) * sizeof(double) * n;
    *start = HUGE_VAL;
    if (!budget_allows(c->memory, bytes))
        return PEPA_OK;
    PepaStatus status = build(b, err);
    for (int i = 0; i < LAGUERRE_LENGTHS && status == PEPA_OK && b->r->integral; i++)
        if (!mem_new(b->taken[i], c->rows.n))
            status = error_memory(err);
    if (status != PEPA_OK)
        return status;
    const Flow rates = flow_view(&b->rows, NULL);
    return series_open(&b->of, &rates, LAGUERRE_MEANS, NULL, b->r->rate, c->job->set,
                       c->memory ? budget_left(c->memory, bytes) : 0, start, err);
}

/* What a coefficient adds to the integrals: L_k(s) has the integral L_k(s) - L_k+1(s). */
static PepaStatus keep_term(void *user, int32_t k, const double *w)
{
    Backward *b = user;
    Csl *c = b->r->c;
    c->steps++;
    c->clock.wait -= (int64_t)series_work(&b->of, k);
    if (step_clock_stops(&c->clock, c->job->chain, c->steps, b->planned))
        return PEPA_ECANCEL;
    for (int i = 0; i < LAGUERRE_LENGTHS && b->r->integral; i++) {
        double value[LAGUERRE_TERMS + 1];
        if (k == 0)
            memset(b->taken[i], 0, (size_t)b->rows.n * sizeof *b->taken[i]);
        laguerre_values((b->of.end - b->of.now) / b->of.gamma / (1 << i), k + 1, value);
        const double factor = b->of.gamma * (value[k] - value[k + 1]);
        for (int32_t j = 0; j < b->r->count; j++)
            b->taken[i][b->r->active[j]] += factor * w[b->r->active[j]];
    }
    return PEPA_OK;
}

/* How much the x differ that those of active states go on to be means of: these stay between the least and the
 * largest for ever. */
static double differences(const CslRun *r)
{
    const RateRows *q = &r->c->rows;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int32_t k = 0; k < r->count; k++) {
        const int32_t i = r->active[k];
        low = fmin(low, r->x[i]);
        high = fmax(high, r->x[i]);
        for (int64_t e = q->row[i]; e < q->row[i + 1]; e++) {
            low = fmin(low, r->x[q->col[e]]);
            high = fmax(high, r->x[q->col[e]]);
        }
    }
    return high - low;
}

/* x stands for all that follows. */
static void rest(Backward *b)
{
    CslRun *r = b->r;
    const double time = b->end - b->now;
    r->off += b->beyond + DBL_EPSILON * r->size;
    r->integral_off += time * (r->off + DBL_EPSILON * r->size);
    for (int32_t k = 0; k < r->count && r->integral; k++)
        r->integral[r->active[k]] += time * r->x[r->active[k]];
}

/* PEPA_ELIMIT: what follows would only add roundings, in proportion to the time. */
static PepaStatus close_step(void *user, const LaguerreFound *found, PepaError *err)
{
    Backward *b = user;
    CslRun *r = b->r;
    (void)err;
    r->off = b->of.off;
    r->integral_off += series_integral_off(&b->of, found, r->size);
    for (int32_t k = 0; k < r->count && r->integral; k++)
        r->integral[r->active[k]] += b->taken[found->which][r->active[k]];
    b->beyond = differences(r);
    b->rests = b->beyond <= r->off;
    return b->rests ? PEPA_ELIMIT : PEPA_OK;
}

/* Uniformisation until `time`. */
static PepaStatus uniformise(Backward *b, double time, PepaError *err)
{
    CslRun *r = b->r;
    r->after = r->rate * (b->end - time);
    PepaStatus status = csl_interval(r, time - b->now, err);
    b->beyond = fmin(r->after * r->change, differences(r));
    b->rests = b->beyond <= fmax(r->allowed / 4, r->off);
    r->after = 0;
    b->now = time;
    return status;
}

PepaStatus csl_series(CslRun *r, double time, PepaError *err)
{
    Backward b = {.r = r, .end = time, .planned = (int64_t)fmin(r->rate * time, 1e18)};
    double start = HUGE_VAL;
    PepaStatus status = uniformise(&b, SERIES_FIRST / r->rate, err);
    if (status == PEPA_OK && !b.rests)
        status = open_series(&b, &start, err);
    if (status == PEPA_OK && !b.rests && series_pays(start, time)) {
        if (start > b.now)
            status = uniformise(&b, start, err);
        series_begin(&b.of, b.now, r->off, r->allowed / 8);
        const SeriesUse use = {.term = keep_term, .close = close_step, .user = &b};
        if (status == PEPA_OK && !b.rests)
            status = series_advance(&b.of, time, time, r->x, &use, err);
        b.now = b.of.now;
    }
    if (status == PEPA_OK && b.rests)
        rest(&b);
    else if (status == PEPA_OK && b.now < b.end)
        status = csl_interval(r, b.end - b.now, err);
    series_close(&b.of);
    flow_free(&b.rows);
    for (int i = 0; i < LAGUERRE_LENGTHS; i++)
        mem_free(b.taken[i]);
    return status;
}
