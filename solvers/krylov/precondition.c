/* Applies the preconditioners: sweeps, incomplete factors, multilevel cycles. */
#include "solvers/krylov/krylov.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/rows/rows.h"

/* ---- sweeps --------------------------------------------------------------------------------- */

/* Where row i passes the diagonal. */
static int64_t diagonal(const Flow *flow, int32_t i)
{
    int64_t k = flow->row[i];
    while (k < flow->row[i + 1] && flow->col[k] < i)
        k++;
    return k;
}

/* What the passes below work on: z from r, w. */
typedef struct {
    const Flow *flow;
    const double *r;
    double *z, *w;
} Passing;

static void piece_down(void *user, int32_t piece, int32_t first, int32_t end)
{
    const Passing *s = user;
    const Flow *flow = s->flow;
    (void)piece;
    for (int32_t i = first; i < end; i++)
        s->z[i] = flow_more(flow, s->z, flow->row[i], diagonal(flow, i), s->r[i]);
}

static void piece_up(void *user, int32_t piece, int32_t first, int32_t end)
{
    const Passing *s = user;
    const Flow *flow = s->flow;
    (void)piece;
    for (int32_t i = end - 1; i >= first; i--)
        s->z[i] = flow_more(flow, s->z, diagonal(flow, i), flow->row[i + 1], s->r[i]);
}

/* With L the part of P' below the diagonal and U that above: z = (I - L)^-1 r, a sweep from 0. */
static void sweep_down(const Flow *flow, const double *r, double *z)
{
    (void)rows_in_order(flow, ROWS_LOWER, z, piece_down, &(Passing){flow, r, z, NULL});
}

/* z = (I - U)^-1 r; r and z may be one. */
static void sweep_up(const Flow *flow, const double *r, double *z)
{
    (void)rows_in_order(flow, ROWS_UPPER, z, piece_up, &(Passing){flow, r, z, NULL});
}

static void rest_above(void *user, int32_t first, int32_t end, double *sum)
{
    const Passing *s = user;
    const Flow *flow = s->flow;
    (void)sum;
    for (int32_t i = first; i < end; i++)
        s->w[i] = s->r[i] - flow_more(flow, s->z, diagonal(flow, i), flow->row[i + 1], 0);
}

static void rest_below(void *user, int32_t first, int32_t end, double *sum)
{
    const Passing *s = user;
    const Flow *flow = s->flow;
    (void)sum;
    for (int32_t i = first; i < end; i++)
        s->w[i] -= flow_more(flow, s->z, flow->row[i], diagonal(flow, i), 0);
}

/* ---- levels --------------------------------------------------------------------------------- */

static bool make_levels(Preconditioner *m, Attempt *try)
{
    return levels_renew(&m->levels, try, m->shape, FIRST_STEPS);
}

/* Cycles with fresh groups bring probability to where it belongs: the levels should know. */
static bool start_levels(Preconditioner *m, Attempt *try)
{
    size_t n = (size_t)m->flow->n;
    if (m->flow->b) {
        try->why = "takes levels for steady states only: stopped";
        return false;
    }
    Shaping shaping = SHAPING_START;
    double *scratch = mem_alloc(n, sizeof *scratch);
    bool found = false;
    if (scratch && mem_new(m->shape, n)) {
        memcpy(m->shape, try->y, n * sizeof *m->shape);
        found = try->criterion <= SHAPE_NEAR || shape_find(try, &shaping, m->shape, scratch);
    } else {
        try->status = PEPA_ENOMEM;
    }
    mem_free(scratch);
    return found && make_levels(m, try);
}

/* A direction along the solution itself is useless, and would cancel the iterate: those that
 * are left have sum 0. */
static void solve_levels(const Preconditioner *m, const double *r, double *z)
{
    double sum = 0, whole = 0;
    levels_solve(&m->levels, r, z);
    for (int32_t i = 0; i < m->flow->n; i++) {
        sum += z[i];
        whole += m->shape[i];
    }
    for (int32_t i = 0; i < m->flow->n; i++)
        z[i] -= sum / whole * m->shape[i];
}

/* ---- factors with fill-in ------------------------------------------------------------------- */

static Filling filling_of(PepaPrecondition kind, const Flow *flow)
{
    double n = flow->n, entries = (double)flow->row[flow->n];
    if (kind == PEPA_PRECONDITION_ILUT)
        return (Filling){ILUT_DROP, ILUT_EXTRA, 0, entries + 2.0 * ILUT_EXTRA * n, 0, 0};
    return (Filling){0, INT32_MAX, MOST_BLOCK, BLOCK_FILL * (entries + n), 0, 0};
}

/* Blocks that fill up too much are halved. */
static PepaStatus fill(Preconditioner *m, Attempt *try)
{
    Filling filling = filling_of(m->kind, m->flow);
    filling.growth = try->control->fill;
    filling.effort = try->control->effort;
    PepaStatus status = ilu_factor_filling(&m->ilu, m->flow, &filling, &try->effort);
    while (status == PEPA_ELIMIT && filling.block > 1) {
        filling.block /= 2;
        status = ilu_factor_filling(&m->ilu, m->flow, &filling, &try->effort);
    }
    return status;
}

/* ---- the choice ----------------------------------------------------------------------------- */

static const char *const names[PEPA_PRECONDITION_COUNT] = {
    [PEPA_PRECONDITION_SWEEP] = "sweep", [PEPA_PRECONDITION_SYMMETRIC] = "symmetric",
    [PEPA_PRECONDITION_ILU0] = "ilu0",   [PEPA_PRECONDITION_ILUT] = "ilut",
    [PEPA_PRECONDITION_BLOCK] = "block", [PEPA_PRECONDITION_MULTILEVEL] = "multilevel",
};

PepaPrecondition precondition_kind(const Control *control, PepaPrecondition usual)
{
    return control->precondition == PEPA_PRECONDITION_AUTO ? usual : control->precondition;
}

static bool fills(PepaPrecondition kind)
{
    return kind == PEPA_PRECONDITION_ILUT || kind == PEPA_PRECONDITION_BLOCK;
}

double precondition_bytes(PepaPrecondition kind, const Flow *flow)
{
    const Filling filling = filling_of(kind, flow);
    return kind == PEPA_PRECONDITION_ILU0 ? ilu_bytes(flow)
           : fills(kind)                  ? ilu_filling_bytes(flow, &filling)
           : kind == PEPA_PRECONDITION_MULTILEVEL
               ? levels_bytes(flow) + (double)flow->n * sizeof(double)
               : 0;
}

int precondition_passes(PepaPrecondition kind)
{
    return kind == PEPA_PRECONDITION_MULTILEVEL                                    ? STEP_PASSES
           : fills(kind)                                                           ? 5
           : kind == PEPA_PRECONDITION_ILU0 || kind == PEPA_PRECONDITION_SYMMETRIC ? 2
                                                                                   : 1;
}

void precondition_name(PepaPrecondition kind, Attempt *try)
{
    try->precondition = names[kind];
}

bool precondition_new(Preconditioner *out, PepaPrecondition kind, Attempt *try)
{
    *out = (Preconditioner){.flow = try->flow, .kind = kind};
    precondition_name(kind, try);
    if (kind == PEPA_PRECONDITION_MULTILEVEL)
        return start_levels(out, try);
    if (kind == PEPA_PRECONDITION_ILU0)
        try->status = ilu_factor(&out->ilu, try->flow);
    else if (fills(kind))
        try->status = fill(out, try);
    return try->status == PEPA_OK;
}

bool precondition_renew(Preconditioner *m, const double *x, Attempt *try)
{
    if (m->kind != PEPA_PRECONDITION_MULTILEVEL)
        return true;
    memcpy(m->shape, x, (size_t)m->flow->n * sizeof *x);
    return make_levels(m, try);
}

void precondition_free(Preconditioner *m)
{
    ilu_free(&m->ilu);
    levels_free(&m->levels);
    mem_free(m->shape);
    *m = (Preconditioner){0};
}

void precondition_solve(const Preconditioner *m, const double *r, double *z)
{
    const PepaPrecondition kind = m->kind;
    const bool symmetric = kind == PEPA_PRECONDITION_SYMMETRIC;
    if (kind == PEPA_PRECONDITION_SWEEP || symmetric)
        sweep_down(m->flow, r, z);
    else if (kind == PEPA_PRECONDITION_ILU0 || fills(kind))
        ilu_solve(&m->ilu, r, z);
    else if (kind == PEPA_PRECONDITION_MULTILEVEL)
        solve_levels(m, r, z);
    else
        memcpy(z, r, (size_t)m->flow->n * sizeof *z);
    if (symmetric)
        sweep_up(m->flow, z, z);
}

/* Of sweeps the product is half done: I - P' = (I - L) - U, so that after one down w = r - U z, one
 * pass in all; after one up, for which the one down is kept in w, w = (that) - L z. */
void precondition_operate(const Preconditioner *m, const double *r, double *z, double *w)
{
    const Flow *flow = m->flow;
    if (m->kind == PEPA_PRECONDITION_SWEEP) {
        sweep_down(flow, r, z);
        rows_each(flow, true, rest_above, &(Passing){flow, r, z, w}, NULL);
    } else if (m->kind == PEPA_PRECONDITION_SYMMETRIC) {
        sweep_down(flow, r, w);
        sweep_up(flow, w, z);
        rows_each(flow, true, rest_below, &(Passing){flow, r, z, w}, NULL);
    } else {
        precondition_solve(m, r, z);
        flow_apply(flow, z, w);
        return;
    }
    if (flow->share) {
        flow_receive(flow, z);
        flow_axpy(flow, -1, flow->share->come, w);
    }
}
