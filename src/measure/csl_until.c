/* Path formulas: next and until, with and without limits of time. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "measure/csl_private.h"

/* ---- next ------------------------------------------------------------------------------------ */

/* That the first activity from state i completes in from .. to, and leads to `right`.  A self-loop
 * is an activity too. */
static void next_of(const RateRows *q, const FormulaNode *f, const uint8_t *right, int32_t i,
                    CslNumbers *out)
{
    const double all = q->exit[i] + q->loop[i], roundings = 2 * q->roundings + 20;
    double sum = right[i] ? q->loop[i] : 0;
    bool some = sum > 0, every = all > 0 && (q->loop[i] == 0 || right[i]);
    for (int64_t k = q->row[i]; k < q->row[i + 1]; k++) {
        sum += right[q->col[k]] ? q->val[k] : 0;
        some = some || right[q->col[k]];
        every = every && right[q->col[k]];
    }
    const bool limited = f->from > 0 || isfinite(f->to);
    out->value[i] = out->error[i] = 0;
    out->sure[i] = CSL_ZERO;
    if (!some || (limited && f->from == f->to))
        return;
    out->sure[i] = every && !limited ? CSL_ONE : CSL_BETWEEN;
    out->value[i] = every ? 1 : sum / all;
    if (limited)
        out->value[i] *= exp(-all * f->from) * -expm1(-all * (f->to - f->from));
    out->error[i] = every && !limited ? 0 : roundings * DBL_EPSILON;
}

PepaStatus csl_next(Csl *c, const FormulaNode *f, const uint8_t *right, CslNumbers *out,
                    PepaError *err)
{
    const int32_t unclear = c->rows.unclear;
    if (unclear >= 0)
        return error_set(
            err, PEPA_EARG,
            "`%s` is immediate at one place and not at another: which of its activities come "
            "next and leave a state as it is cannot be told; %s",
            c->job->chain->model->actions[unclear],
            unclear == ACTION_TAU ? "hide one kind only" : "give them two names");
    for (int32_t i = 0; i < c->rows.n; i++)
        next_of(&c->rows, f, right, i, out);
    return PEPA_OK;
}

/* ---- what is known of until ------------------------------------------------------------------ */

/* Scratch of two marks per state. */
typedef struct {
    uint8_t *mark, *through;
} Marks;

/* ZERO where right cannot be reached through left, ONE where it is certain to be, BETWEEN.  A limit
 * of time makes it certain in `right` only: any sojourn may be longer. */
static void sure_within(Csl *c, const uint8_t *left, const uint8_t *right, bool limited, Marks *m,
                        uint8_t *sure)
{
    const int32_t n = c->rows.n;
    for (int32_t i = 0; i < n; i++) {
        m->mark[i] = right[i];
        m->through[i] = left[i] && !right[i];
    }
    rate_rows_spread(&c->rows, m->through, c->stack, m->mark);
    for (int32_t i = 0; i < n; i++) {
        sure[i] = right[i] ? CSL_ONE : m->mark[i] ? CSL_BETWEEN : CSL_ZERO;
        m->mark[i] = !m->mark[i];
    }
    if (limited)
        return;
    rate_rows_spread(&c->rows, m->through, c->stack,
                     m->mark); /* from where it may become impossible */
    for (int32_t i = 0; i < n; i++)
        sure[i] = !m->mark[i] ? CSL_ONE : sure[i];
}

PepaStatus csl_until_sure(Csl *c, const uint8_t *left, const uint8_t *right, uint8_t *sure,
                          PepaError *err)
{
    Marks m = {0};
    const bool ok = mem_new(m.mark, c->rows.n) && mem_new(m.through, c->rows.n);
    if (ok)
        sure_within(c, left, right, false, &m, sure);
    mem_free_all(m.mark, m.through);
    return ok ? PEPA_OK : error_memory(err);
}

/* Until from a time > 0 on: left has to hold up to then.  An instant from == to has to be met by a
 * state that is stayed in.  It is certain only where nothing but left and right can be reached. */
static void sure_later(Csl *c, const FormulaNode *f, const uint8_t *left, const uint8_t *right,
                       Marks *m, uint8_t *sure)
{
    const int32_t n = c->rows.n;
    for (int32_t i = 0; i < n; i++)
        m->mark[i] = right[i] && (left[i] || f->from < f->to);
    rate_rows_spread(&c->rows, left, c->stack, m->mark);
    for (int32_t i = 0; i < n; i++) {
        sure[i] = left[i] && m->mark[i] ? CSL_BETWEEN : CSL_ZERO;
        m->mark[i] = !(left[i] && right[i]);
    }
    rate_rows_spread(&c->rows, NULL, c->stack, m->mark);
    for (int32_t i = 0; i < n; i++)
        sure[i] = !m->mark[i] ? CSL_ONE : sure[i];
}

/* ---- its numbers ----------------------------------------------------------------------------- */

static void put_sure(const RateRows *q, CslNumbers *out)
{
    for (int32_t i = 0; i < q->n; i++) {
        if (out->sure[i] == CSL_BETWEEN) {
            out->value[i] = fmin(fmax(out->value[i], 0), 1);
            continue;
        }
        out->value[i] = out->sure[i] == CSL_ONE;
        out->error[i] = 0;
    }
}

static PepaStatus unlimited(Csl *c, Marks *m, CslNumbers *out, PepaError *err)
{
    for (int32_t i = 0; i < c->rows.n; i++)
        m->mark[i] = out->sure[i] == CSL_BETWEEN;
    put_sure(&c->rows, out);
    const LeaveJob job = csl_leaving(c);
    PepaStatus status = leave(&job, m->mark, out->value, 0, NULL, NULL, out->value, out->error, err);
    put_sure(&c->rows, out);
    return status;
}

/* Within 0 .. time. */
static PepaStatus limited(Csl *c, double time, Marks *m, CslNumbers *out, PepaError *err)
{
    const int32_t n = c->rows.n;
    double error = 0;
    for (int32_t i = 0; i < n; i++) {
        m->mark[i] = out->sure[i] != CSL_BETWEEN;
        out->value[i] = out->sure[i] == CSL_ONE;
    }
    PepaStatus status = csl_steps(c, m->mark, time, out->value, NULL, &error, err);
    for (int32_t i = 0; i < n; i++)
        out->error[i] = error;
    put_sure(&c->rows, out);
    return status;
}

/* First what follows the time `from`, then up to it. */
static PepaStatus later(Csl *c, const FormulaNode *f, const uint8_t *left, const uint8_t *right,
                        Marks *m, CslNumbers *out, PepaError *err)
{
    const int32_t n = c->rows.n;
    double error = 0;
    PepaStatus status = PEPA_OK;
    sure_within(c, left, right, true, m, out->sure);
    if (f->to > f->from)
        status = limited(c, f->to - f->from, m, out, err);
    else
        for (int32_t i = 0; i < n; i++) {
            out->value[i] = right[i];
            out->error[i] = 0;
        }
    for (int32_t i = 0; i < n; i++) {
        out->value[i] = left[i] ? out->value[i] : 0;
        error = fmax(error, out->error[i]);
        m->mark[i] = !left[i];
    }
    if (status == PEPA_OK)
        status = csl_steps(c, m->mark, f->from, out->value, NULL, &error, err);
    for (int32_t i = 0; i < n; i++)
        out->error[i] = error;
    sure_later(c, f, left, right, m, out->sure);
    put_sure(&c->rows, out);
    return status;
}

PepaStatus csl_until(Csl *c, const FormulaNode *f, const uint8_t *left, const uint8_t *right,
                     CslNumbers *out, PepaError *err)
{
    const int32_t n = c->rows.n;
    Marks m = {0};
    PepaStatus status = PEPA_OK;
    if (!(mem_new(m.mark, n) && mem_new(m.through, n)))
        status = error_memory(err);
    if (status == PEPA_OK && f->from > 0) {
        status = later(c, f, left, right, &m, out, err);
    } else if (status == PEPA_OK) {
        sure_within(c, left, right, isfinite(f->to), &m, out->sure);
        if (f->to == 0)
            for (int32_t i = 0; i < n; i++)
                out->sure[i] = right[i] ? CSL_ONE : CSL_ZERO;
        status = isfinite(f->to) ? limited(c, f->to, &m, out, err) : unlimited(c, &m, out, err);
    }
    mem_free_all(m.mark, m.through);
    return status;
}
