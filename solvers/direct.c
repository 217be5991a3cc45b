/* Sparse LU factors by KLU. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>
#include <suitesparse/klu.h>

#include "base/mem.h"

/* (1 + shift) I - P', without the row and column of state `fixed` (-1: none), by rows; KLU, which
 * reads it by columns, is asked for the transposed solve. */
typedef struct {
    int64_t n;
    SuiteSparse_long *row, *col;
    double *val;
    klu_l_common common;
    klu_l_symbolic *symbolic;
    klu_l_numeric *numeric;
} Factors; /* starts as {0} */

static void factors_free(Factors *f)
{
    klu_l_free_numeric(&f->numeric, &f->common);
    klu_l_free_symbolic(&f->symbolic, &f->common);
    mem_free(f->row);
    mem_free(f->col);
    mem_free(f->val);
    *f = (Factors){0};
}

static bool assemble(Factors *f, const Flow *flow, int32_t fixed, double shift)
{
    size_t n = (size_t)flow->n, room = (size_t)flow->row[flow->n] + n;
    f->n = flow->n - (fixed >= 0 ? 1 : 0);
    f->row = mem_alloc(n + 1, sizeof *f->row);
    f->col = mem_alloc(room, sizeof *f->col);
    f->val = mem_alloc(room, sizeof *f->val);
    if (!f->row || !f->col || !f->val)
        return false;
    SuiteSparse_long at = 0, next = 0;
    for (int32_t i = 0; i < flow->n; i++) {
        if (i == fixed)
            continue;
        f->row[next] = at;
        f->col[at] = next;
        f->val[at++] = 1 + shift;
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++) {
            int32_t j = flow->col[k];
            if (j == fixed)
                continue;
            f->col[at] = j - (fixed >= 0 && j > fixed ? 1 : 0);
            f->val[at++] = -flow->val[k];
        }
        next++;
    }
    f->row[next] = at;
    return true;
}

/* PEPA_OK, PEPA_ENOMEM, PEPA_ELIMIT (the factors would be too large), PEPA_ENOCONV (singular). */
static PepaStatus factorise(Factors *f, const Flow *flow, int32_t fixed, double shift,
                            double most_work)
{
    const double most_entries = 2e8; /* 3.2 GB */
    klu_l_defaults(&f->common);
    f->common.scale = 0; /* the diagonal is 1 already */
    f->common.tol = 0;   /* diagonal pivots are stable for M-matrices and keep the fill-in low */
    f->common.btf = 0;   /* ... which the block form's own matching could give up */
    if (!assemble(f, flow, fixed, shift))
        return PEPA_ENOMEM;
    f->symbolic = klu_l_analyze(f->n, f->row, f->col, &f->common);
    if (f->symbolic && (!(f->symbolic->lnz + f->symbolic->unz <= most_entries) ||
                        !(f->symbolic->est_flops <= most_work)))
        return PEPA_ELIMIT;
    if (f->symbolic)
        f->numeric = klu_l_factor(f->row, f->col, f->val, f->symbolic, &f->common);
    if (f->numeric && f->common.status == KLU_OK)
        return PEPA_OK;
    if (f->common.status == KLU_OUT_OF_MEMORY)
        return PEPA_ENOMEM;
    if (f->common.status == KLU_TOO_LARGE)
        return PEPA_ELIMIT;
    return PEPA_ENOCONV;
}

/* Solve with the factors, and refine at least once and while that helps.
 *   x, r, trial  n entries of work space; `fixed` is the state whose flow is set to 1, or -1 */
static void solve_factored(Attempt *try, Factors *f, int32_t fixed, double *x, double *r,
                           double *trial)
{
    const int32_t most = 10;
    size_t n = (size_t)try->flow->n, head = fixed >= 0 ? (size_t)fixed : n;
    double last = HUGE_VAL;
    memset(x, 0, n * sizeof *x);
    if (fixed >= 0)
        x[fixed] = 1;
    for (int32_t round = 0; round < most; round++) {
        (void)flow_defect(try->flow, x, r);
        if (head < n)
            memmove(r + head, r + head + 1, (n - head - 1) * sizeof *r);
        if (!klu_l_tsolve(f->symbolic, f->numeric, f->n, 1, r, &f->common))
            return;
        for (size_t i = 0; i < head; i++)
            x[i] += r[i];
        for (size_t i = head + 1; i < n; i++)
            x[i] += r[i - 1];
        memcpy(trial, x, n * sizeof *x);
        double now = attempt_answer(try, trial);
        if (round > 0 && (attempt_met(try) || !(now < 0.5 * last)))
            return;
        last = now;
    }
}

/* A zero pivot is a matter of rounding: a slight shift overcomes it, and refinement the shift. */
static void factor_and_solve(Attempt *try, int32_t fixed, double most_work, double *x,
                             PepaError *err)
{
    const double shifts[] = {0, 1e-14};
    PepaStatus status = PEPA_ENOCONV;
    for (int32_t k = 0; k < 2 && status == PEPA_ENOCONV; k++) {
        Factors f = {0};
        status = factorise(&f, try->flow, fixed, shifts[k], most_work);
        if (status == PEPA_OK)
            solve_factored(try, &f, fixed, x, x + try->flow->n, x + 2 * (size_t)try->flow->n);
        factors_free(&f);
    }
    if (status == PEPA_ENOCONV)
        try->why = "found a zero pivot";
    else
        try->status = status;
    if (status == PEPA_ELIMIT)
        (void)error_set(err, status, "direct would fill up too much");
}

static int32_t largest(int32_t n, const double *x)
{
    int32_t most = 0;
    for (int32_t i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[most]))
            most = i;
    return most;
}

/* Which flow to fix: one that is tiny among the others leaves a matrix that is singular to working
 * accuracy.  But solving with that matrix is a step of inverse iteration, which brings forth the
 * large flows, be it with the wrong sign; so a failure tells what to fix instead. */
static void solve_any(Attempt *try, double most_work, double *x, PepaError *err)
{
    const int32_t sweeps = 20, choices = 4;
    const Flow *flow = try->flow;
    memcpy(x, try->y, (size_t)flow->n * sizeof *x);
    for (int32_t k = 0; !flow->b && k < sweeps; k++)
        (void)gauss_seidel_sweep(flow, x);
    for (int32_t k = 0, fixed = -1; k < choices; k++) {
        int32_t before = fixed;
        fixed = flow->b ? -1 : largest(flow->n, x);
        if (k > 0 && fixed == before)
            return;
        factor_and_solve(try, fixed, most_work, x, err);
        if (try->status == PEPA_OK && watch_cancels(&try->watch, INT32_MAX, 0, try->gauge))
            try->status = PEPA_ECANCEL;
        if (try->status != PEPA_OK || attempt_met(try))
            return;
    }
}

PepaStatus direct_try(const Flow *flow, const Control *control, double most_work, double *y,
                      Outcome *out, PepaError *err)
{
    Attempt try;
    double *x = NULL;
    if (attempt_start(&try, "direct", "steps", 1, flow, control, y) &&
        (x = attempt_vectors(&try, 3)))
        solve_any(&try, most_work, x, err);
    mem_free(x);
    return attempt_end(&try, out, err);
}

/* Steady state or visits by sparse LU factors of I - P' (without one equation and unknown for the
 * steady state), ordered by AMD for little fill-in, and iterative refinement.  Cannot be cancelled
 * while it factorises.  PEPA_ELIMIT when the factors would exceed 2e8 entries or take hours.
 * Source: Davis, Palamadai Natarajan, ACM TOMS 37 (2010), algorithm 907. */
PepaStatus solve_direct(const Flow *flow, const Control *control, double *y, Outcome *out,
                        PepaError *err)
{
    const double most_work = 1e12;
    return direct_try(flow, control, most_work, y, out, err);
}
