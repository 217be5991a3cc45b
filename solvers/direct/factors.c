/* Factorises I - P', or I - gamma A, by KLU, and solves with the factors. */
#include "solvers/direct/factors.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/budget.h"
#include "solvers/direct/tuning.h"

void factors_free(Factors *f)
{
    klu_l_free_numeric(&f->numeric, &f->common);
    klu_l_free_symbolic(&f->symbolic, &f->common);
    mem_free_all(f->row, f->col, f->val);
    *f = (Factors){0};
}

/* Room for the matrix, and its pattern with the values of I - P'. */
static bool assemble(Factors *f, const Flow *flow, int32_t fixed)
{
    size_t n = (size_t)flow->n, entries = (size_t)flow->row[flow->n] + n;
    f->fixed = fixed;
    f->n = flow->n - (fixed >= 0 ? 1 : 0);
    if (!(mem_new(f->row, n + 1) && mem_new(f->col, entries) && mem_new(f->val, entries)))
        return false;
    SuiteSparse_long at = 0, next = 0;
    for (int32_t i = 0; i < flow->n; i++) {
        if (i == fixed)
            continue;
        f->row[next] = at;
        f->col[at] = next;
        f->val[at++] = 1;
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++) {
            int32_t j = flow->col[k];
            if (j == fixed)
                continue;
            f->col[at] = j - (fixed >= 0 && j > fixed ? 1 : 0);
            f->val[at++] = -flow_val(flow, k);
        }
        next++;
    }
    f->row[next] = at;
    return true;
}

PepaStatus factors_analyse(Factors *f, const Flow *flow, int32_t fixed, const Control *control)
{
    const int64_t memory = control->memory;
    klu_l_defaults(&f->common);
    f->common.scale = 0; /* the diagonal is 1 already, or the largest of its column */
    f->common.tol = 0;   /* diagonal pivots are stable for M-matrices and keep the fill-in low */
    f->common.btf = 0;   /* ... which the block form's own matching could replace */
    /* I - P' itself and, about, what AMD takes to find an order. */
    if (!budget_allows(memory,
                       KLU_BEFORE_BYTES * (double)flow->row[flow->n] + ORDER_STATE_BYTES * flow->n))
        return PEPA_ELIMIT;
    if (!assemble(f, flow, fixed))
        return PEPA_ENOMEM;
    f->symbolic = klu_l_analyze(f->n, f->row, f->col, &f->common);
    if (f->symbolic &&
        (!(f->symbolic->lnz + f->symbolic->unz <= KLU_ENTRIES) ||
         !(f->symbolic->est_flops <= most_work(control)) ||
         !budget_allows(memory, KLU_ENTRY_BYTES * ((double)flow->row[flow->n] + flow->n +
                                                   f->symbolic->lnz + f->symbolic->unz))))
        return PEPA_ELIMIT;
    return f->symbolic                             ? PEPA_OK
           : f->common.status == KLU_OUT_OF_MEMORY ? PEPA_ENOMEM
           : f->common.status == KLU_TOO_LARGE     ? PEPA_ELIMIT
                                                   : PEPA_ENOCONV;
}

static PepaStatus factor(Factors *f)
{
    if (f->numeric)
        (void)klu_l_refactor(f->row, f->col, f->val, f->symbolic, f->numeric, &f->common);
    else
        f->numeric = klu_l_factor(f->row, f->col, f->val, f->symbolic, &f->common);
    if (f->numeric && f->common.status == KLU_OK)
        return PEPA_OK;
    if (f->common.status == KLU_OUT_OF_MEMORY)
        return PEPA_ENOMEM;
    if (f->common.status == KLU_TOO_LARGE)
        return PEPA_ELIMIT;
    return PEPA_ENOCONV;
}

PepaStatus factors_make(Factors *f, const Flow *flow, int32_t fixed, double shift,
                        const Control *control)
{
    PepaStatus status = factors_analyse(f, flow, fixed, control);
    for (int64_t i = 0; i < f->n && status == PEPA_OK; i++)
        f->val[f->row[i]] += shift;
    return status == PEPA_OK ? factor(f) : status;
}

PepaStatus factors_resolvent(Factors *f, const Flow *rates, double gamma)
{
    assert(f->symbolic && f->fixed < 0);
    SuiteSparse_long at = 0;
    for (int32_t i = 0; i < rates->n; i++) {
        f->val[at++] = 1 + gamma * rates->exit[i];
        for (int64_t k = rates->row[i]; k < rates->row[i + 1]; k++)
            f->val[at++] = -gamma * flow_val(rates, k);
    }
    return factor(f);
}

bool factors_correct(Factors *f, double *r, double *x)
{
    const int64_t head = f->fixed >= 0 ? f->fixed : f->n;
    if (head < f->n)
        memmove(r + head, r + head + 1, (size_t)(f->n - head) * sizeof *r);
    if (!klu_l_tsolve(f->symbolic, f->numeric, f->n, 1, r, &f->common))
        return false;
    for (int64_t i = 0; i < f->n; i++)
        x[i < head ? i : i + 1] += r[i];
    return true;
}
