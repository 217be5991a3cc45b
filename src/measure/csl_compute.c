/* The numbers of operators, where it is known which states satisfy their operands. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "measure/csl_private.h"
#include "measure/expression.h"

static PepaStatus earned_to(Csl *c, const uint8_t *target, const double *earn, const double *off,
                            CslNumbers *out, PepaError *err)
{
    const int32_t n = c->rows.n;
    uint8_t *every = mem_alloc((size_t)n, 1);
    double *none = mem_calloc((size_t)n, sizeof *none);
    PepaStatus status = every && none ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK) {
        memset(every, 1, (size_t)n);
        status = csl_until_sure(c, every, target, out->sure, err);
    }
    for (int32_t i = 0; i < n && status == PEPA_OK; i++) {
        const bool certain = out->sure[i] == CSL_ONE;
        every[i] = certain && !target[i];
        out->value[i] = certain ? 0 : HUGE_VAL;
        out->error[i] = 0;
        out->sure[i] = CSL_ANY;
    }
    const LeaveJob job = csl_leaving(c);
    if (status == PEPA_OK)
        status = leave(&job, every, none, 0, earn, off, out->value, out->error, err);
    mem_free_all(every, none);
    return status;
}

/* R: what `earn`, off by at most off[i] in state i, comes to. */
static PepaStatus earned(Csl *c, const FormulaNode *f, const uint8_t *target, const double *earn,
                         const double *off, CslNumbers *out, PepaError *err)
{
    const size_t n = (size_t)c->rows.n;
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, off[i]);
    const bool sums = f->kind == FORMULA_EARNED;
    if (f->kind == FORMULA_EARNED_TO)
        return earned_to(c, target, earn, off, out, err);
    if (f->kind == FORMULA_EARNS_EVER)
        return csl_long_run(c, earn, most, out, err);
    double *x = NULL, error = sums ? most * f->to : most;
    if (!mem_new(x, n))
        return error_memory(err);
    memcpy(x, earn, n * sizeof *x);
    PepaStatus status = csl_steps(c, NULL, f->to, x, sums ? out->value : NULL, &error, err);
    if (status == PEPA_OK && !sums)
        memcpy(out->value, x, n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        out->error[i] = error;
    mem_free(x);
    return status;
}

/* Of a reward that is nowhere negative: 0 where nothing is ever earned, else more.  through: n,
 * scratch */
static void judge_earned(Csl *c, const FormulaNode *f, const uint8_t *target, const double *earn,
                         uint8_t *through, CslNumbers *out)
{
    const int32_t n = c->rows.n, *bottom = c->job->chain->bottom;
    const bool at_once = f->kind == FORMULA_EARNS_AT && f->to == 0;
    const bool never = f->kind == FORMULA_EARNED && f->to == 0;
    const bool ever = f->kind == FORMULA_EARNS_EVER && bottom;
    for (int32_t i = 0; i < n; i++) {
        const bool ends = target && target[i];
        through[i] = !ends && !at_once;
        out->sure[i] = earn[i] > 0 && !ends && !never && !(ever && bottom[i] < 0);
    }
    rate_rows_spread(&c->rows, through, c->stack, out->sure);
    for (int32_t i = 0; i < n; i++) {
        const bool some = out->sure[i];
        out->sure[i] = isinf(out->value[i]) ? CSL_ANY : some ? CSL_POSITIVE : CSL_ZERO;
        if (out->sure[i] == CSL_ZERO)
            out->error[i] = 0;
        out->value[i] = out->sure[i] == CSL_ZERO ? 0 : fmax(out->value[i], 0);
    }
}

/* Only what is earned until a state that may never come can be infinite. */
static PepaStatus check_size(const Csl *c, const FormulaNode *f, const CslNumbers *out,
                             PepaError *err)
{
    for (int32_t i = 0; i < c->rows.n && f->kind != FORMULA_EARNED_TO; i++)
        if (!isfinite(out->value[i]))
            return error_set(
                err, PEPA_ENOCONV,
                "what is earned exceeds the largest number, %.1e: choose a larger unit", DBL_MAX);
    return PEPA_OK;
}

static PepaStatus rewarded(Csl *c, const FormulaNode *f, const uint8_t *target, CslNumbers *out,
                           bool *negative, PepaError *err)
{
    const size_t n = (size_t)c->rows.n;
    double *earn = NULL, *off = NULL;
    uint8_t *through = NULL;
    bool some = false; /* negative, or perhaps */
    bool ok = mem_new(earn, n) && mem_new(off, n) && mem_new(through, n);
    PepaStatus status =
        ok ? expressions_reward(c->e, c->job->at, f->item, earn, off, err) : error_memory(err);
    for (size_t i = 0; i < n && status == PEPA_OK; i++)
        some = some || earn[i] < off[i];
    *negative = *negative || some;
    if (status == PEPA_OK)
        status = earned(c, f, target, earn, off, out, err);
    if (status == PEPA_OK)
        status = check_size(c, f, out, err);
    if (status == PEPA_OK && !some)
        judge_earned(c, f, target, earn, through, out);
    mem_free_all(earn, off, through);
    return status;
}

static PepaStatus long_run_share(Csl *c, const uint8_t *right, CslNumbers *out, PepaError *err)
{
    const size_t n = (size_t)c->rows.n;
    double *earn = NULL;
    if (!mem_new(earn, n))
        return error_memory(err);
    for (size_t i = 0; i < n; i++)
        earn[i] = right[i];
    PepaStatus status = csl_long_run(c, earn, 0, out, err);
    if (status == PEPA_OK)
        status = csl_long_run_sure(c, right, out, err);
    mem_free(earn);
    return status;
}

PepaStatus csl_compute(Csl *c, const FormulaNode *f, const uint8_t *a, const uint8_t *b,
                       CslNumbers *out, bool *negative, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    if (f->kind == FORMULA_NEXT)
        status = csl_next(c, f, a, out, err);
    else if (f->kind == FORMULA_UNTIL)
        status = csl_until(c, f, a, b, out, err);
    else if (f->kind == FORMULA_LONG_RUN)
        status = long_run_share(c, a, out, err);
    else
        status = rewarded(c, f, a, out, negative, err);
    for (int32_t i = 0; i < c->rows.n && f->complement && status == PEPA_OK; i++) {
        out->value[i] = 1 - out->value[i];
        out->error[i] += out->error[i] > 0 ? DBL_EPSILON : 0;
        out->sure[i] = out->sure[i] == CSL_ONE    ? CSL_ZERO
                       : out->sure[i] == CSL_ZERO ? CSL_ONE
                                                  : out->sure[i];
    }
    return status;
}
