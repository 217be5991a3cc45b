/* Matrices of uniformised chains by rows. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/twofold.h"
#include "measure/steady.h"
#include "measure/uniform_private.h"

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

PepaStatus uniform_new_rows(Uniform *u, const PepaSettings *set, PepaError *err)
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

/* ---- a chain stored as sets ------------------------------------------------------------------- */

typedef struct {
    Uniform *u;
    int32_t *last; /* per state: the source met last */
    int64_t *end;  /* per row: of its entries until now */
} Writing;

/* Whether a transition has an entry, after what stays, ends, or is never met. */
static bool has_entry(const Uniform *u, const Transition *t)
{
    const PassageEnd *end = &u->end;
    return t->from != t->to && !(end->action && end->action[t->action]) &&
           !(end->state && (end->state[t->from] || end->state[t->to]));
}

static void count_entry(void *user, const Transition *t)
{
    Writing *w = user;
    if (!has_entry(w->u, t) || w->last[t->to] == t->from)
        return;
    w->last[t->to] = (int32_t)t->from;
    w->u->rows.row[t->to + 1]++;
}

/* Sources ascend, so a second transition between the same two states finds the entry of the first as
 * the last one of its row. */
static void write_entry(void *user, const Transition *t)
{
    Writing *w = user;
    FlowOwner *f = &w->u->rows;
    if (!has_entry(w->u, t))
        return;
    int64_t *end = &w->end[t->to];
    const double rate = w->u->value[t->term];
    if (*end > f->row[t->to] && f->col[*end - 1] == t->from) {
        f->val[*end - 1] += rate;
        return;
    }
    f->col[*end] = (int32_t)t->from;
    f->val[(*end)++] = rate;
}

static PepaStatus write_rows(Writing *w, PepaError *err)
{
    const Chain *c = w->u->chain;
    FlowOwner *f = &w->u->rows;
    const size_t n = (size_t)c->state_count;
    f->n = (int32_t)n;
    if (!(mem_new(w->last, n) && mem_new(w->end, n) && mem_new_zeroed(f->row, n + 1)))
        return error_memory(err);
    memset(w->last, -1, n * sizeof *w->last);
    PepaStatus status = chain_each_transition(c, count_entry, w, err);
    for (size_t i = 0; i < n; i++) {
        f->row[i + 1] += f->row[i];
        w->end[i] = f->row[i];
    }
    if (status == PEPA_OK && !(mem_new(f->col, f->row[n]) && mem_new(f->val, f->row[n])))
        status = error_memory(err);
    return status == PEPA_OK ? chain_each_transition(c, write_entry, w, err) : status;
}

/* While they are written. */
static double writing_bytes(const Chain *c)
{
    const double vectors = 4 * sizeof(double), scratch = sizeof(int32_t) + sizeof(int64_t);
    return chain_bytes(c) + (vectors + scratch) * (double)c->state_count +
           flow_row_bytes((double)c->state_count) +
           flow_entry_bytes(PEPA_MATRIX_EXPLICIT, (double)c->transitions);
}

PepaStatus uniform_rows(Uniform *u, const PepaSettings *set, Flow *rates, PepaError *err)
{
    const Chain *c = u->chain;
    PepaStatus status = PEPA_OK;
    if (u->op && !u->rows.val) {
        Writing w = {.u = u};
        const double need = writing_bytes(c);
        status = error_by_rows(err, c->state_count, "a stiff chain");
        if (status == PEPA_OK && !budget_allows(set->memory, need))
            status = budget_exceeded(err, need, set->memory, "the matrix by rows");
        if (status == PEPA_OK)
            status = write_rows(&w, err);
        mem_free_all(w.last, w.end);
        if (status != PEPA_OK)
            flow_free(&u->rows);
    }
    *rates = flow_view(&u->rows, NULL);
    rates->exit = u->exit;
    return status;
}

PepaStatus uniform_drift(Uniform *u, const PepaSettings *set, const double *x, double *drift,
                         PepaError *err)
{
    Flow q;
    Twofold *net = NULL; /* per state: what flows in, and out */
    PepaStatus status = uniform_rows(u, set, &q, err);
    if (status != PEPA_OK)
        return status;
    if (!mem_new_zeroed(net, q.n))
        return error_memory(err);
    for (int32_t i = 0; i < q.n; i++)
        for (int64_t k = q.row[i]; k < q.row[i + 1]; k++) {
            const int32_t from = q.col[k];
            twofold_add_product(&net[i], flow_val(&q, k), x[from], 0);
            twofold_add_product(&net[from], -flow_val(&q, k), x[from], 0);
        }
    double sum = 0;
    for (int32_t i = 0; i < q.n; i++)
        sum += fabs(net[i].hi + net[i].lo);
    const double digits = (double)q.n * DBL_EPSILON; /* of the sum; and of each term of it: */
    const double each = (2 * u->most + 8) * DBL_EPSILON;
    *drift = sum * (1 + digits) + each * each * 2 * uniform_flow(u, x);
    mem_free(net);
    return PEPA_OK;
}
